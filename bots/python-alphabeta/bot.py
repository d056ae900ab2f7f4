"""A strong bot in one file of plain Python: alpha-beta search for Othello and Gomoku.

Where to start: `negamax` is the search, `think` deepens it until the time is over, `Othello` and
`Gomoku` are the two games. The search uses only these methods of a game: `moves`, `play`, `undo`,
`score`, `is_over` and `name`.

- Alpha-beta in its negamax form: the value of a position is the value after its best move, negated.
- Iterative deepening: depth 1, 2, 3, ... each a whole search. When time runs out, the last finished
  depth decides. Each depth first tries the best moves of the previous one. This saves more time
  than the previous depth cost.
- The clock is checked in every position. The search uses four fifths of a move's time, minus 10 ms,
  and never less than a quarter of the move's time: the machine also has other work, and a late
  move loses the game.
- Othello: two integers of 64 bits. Evaluation: number of moves, corners, the squares beside them.
- Gomoku: all rows of five squares, with the number of stones of both colours in each, updated with
  every move. Only squares near stones are tried, the eight best of them.

`--depth 3` searches to that depth without a clock: the same moves every time. It is an option of
bot.toml: arena match bots/python-alphabeta:depth=3 greedy

The protocol is described in docs/protocol.md. Only Python 3.8 is needed.
"""

import gc
import json
import random
import sys
import time

# Greater than every value of a position.
INFINITY = 10**9
# The value of a won position; a faster win has a higher value.
WIN = 10**8
# Longer than any game.
DEEPEST = 500


# ---- The search --------------------------------------------------------------------------------


class OutOfTime(Exception):
    """Stops a search when its time is over."""


class Search:
    """One search for one position."""

    def __init__(self, game, deadline):
        self.game = game
        self.deadline = deadline  # a time of time.perf_counter(); None: no limit
        self.nodes = 0
        self.best_reply = {}  # the best move of each position seen in this search, tried first

    def negamax(self, depth, alpha, beta, ply):
        """Returns the value for the side to move, if it is between alpha and beta. If the result is alpha or
        less, the side to move has a move elsewhere that is at least as good. If the result is beta or more,
        the opponent avoids the position."""
        self.nodes += 1
        if self.deadline is not None and time.perf_counter() > self.deadline:
            raise OutOfTime
        game = self.game
        if game.is_over():
            final = game.score()
            # An early win is better than a late win; a late loss is better than an early loss.
            return final - ply if final > 0 else final + ply if final < 0 else 0
        if depth == 0:
            return game.score()
        name = game.name()
        best, best_move = -INFINITY, None
        for move in self.ordered(game.moves(), self.best_reply.get(name)):
            game.play(move)
            try:
                value = -self.negamax(depth - 1, -beta, -max(alpha, best), ply + 1)
            finally:
                game.undo()  # even if the time has run out
            if value > best:
                best, best_move = value, move
            if best >= beta:
                break  # the opponent avoids this position
        self.best_reply[name] = best_move
        return best

    @staticmethod
    def ordered(moves, first):
        """Returns the moves with `first` in front, if it is one of them."""
        if first in moves:
            moves.remove(first)
            moves.insert(0, first)
        return moves

    def root(self, moves, depth):
        """Returns the best of `moves` and its value."""
        best, best_move = -INFINITY, moves[0]
        for move in moves:
            self.game.play(move)
            try:
                value = -self.negamax(depth - 1, -INFINITY, -best, 1)
            finally:
                self.game.undo()
            if value > best:
                best, best_move = value, move
        return best_move, best


def think(game, legal, depth, seconds, tell):
    """Returns the move to play, one of `legal`. Searches to `depth`, or for `seconds` if depth is 0; if both
    are 0 or None, for two seconds. Calls `tell` after each depth."""
    start = time.perf_counter()
    if not depth and not seconds:
        seconds = 2.0
    deadline = None if depth else start + seconds
    allowed = set(legal)
    # The game's own order is better than the order of the list. Moves that the game does not try are
    # skipped, unless no other move is legal.
    moves = [move for move in game.moves() if move in allowed] or legal
    if len(moves) == 1:
        return moves[0]
    search = Search(game, deadline)
    for deepening in range(1, (depth or DEEPEST) + 1):
        try:
            best, value = search.root(moves, deepening)
        except OutOfTime:
            break
        search.ordered(moves, best)
        spent = time.perf_counter() - start
        tell(deepening, value, search.nodes, spent)
        # Stops at a certain win or loss, at the end of the game, and if there is no time for the next
        # depth, which takes several times as long.
        if abs(value) > WIN // 2 or deepening >= game.longest():
            break
        if deadline is not None and spent > seconds / 2:
            break
    return moves[0]


# ---- Othello -----------------------------------------------------------------------------------


def bits(squares):
    """Returns a set of squares as an integer: bit 0 is a1, bit 7 is h1, bit 63 is h8."""
    return sum(1 << (8 * (int(square[1]) - 1) + ord(square[0]) - ord("a")) for square in squares)


if hasattr(int, "bit_count"):  # Python 3.10 and later
    count = int.bit_count
else:

    def count(board):
        return bin(board).count("1")


ALL = 2**64 - 1
# Columns b to g: a step along a row or a diagonal must not cross the edge into the next row.
INNER = 0x7E7E7E7E7E7E7E7E
# Four directions (right, down-left, down, down-right): the shift in bits, and the squares that a line
# may cross. The other four are the opposite shifts.
STEPS = ((1, INNER), (7, INNER), (8, ALL), (9, INNER))
# Each corner with its diagonal neighbour and its two straight neighbours.
CORNERS = [
    (bits([corner]), bits([diagonal]), bits(straight))
    for corner, diagonal, straight in [
        ("a1", "b2", ["a2", "b1"]),
        ("h1", "g2", ["g1", "h2"]),
        ("a8", "b7", ["a7", "b8"]),
        ("h8", "g7", ["g8", "h7"]),
    ]
]
ALL_CORNERS = bits(["a1", "h1", "a8", "h8"])
# Moves are tried in this order: corners, edges, the middle, and last the squares that give corners away.
EDGES = 0xFF818181818181FF
BAD = sum(diagonal for _, diagonal, _ in CORNERS)
DOUBTFUL = sum(straight for _, _, straight in CORNERS)


class Othello:
    """A position as the discs of the side to move, those of the other side, and the squares where
    the side to move may play. Moves are bits; 0 is a pass."""

    def __init__(self, turn):
        cells = "".join(turn["board"])
        own, other = "XO" if turn["you"] == "black" else "OX"
        self.own = sum(1 << i for i, cell in enumerate(cells) if cell == own)
        self.other = sum(1 << i for i, cell in enumerate(cells) if cell == other)
        self.open = self.free(self.own, self.other)
        self.before = []  # earlier positions, for `undo`

    @staticmethod
    def read(square):
        return bits([square])

    @staticmethod
    def write(move):
        index = move.bit_length() - 1
        return "abcdefgh"[index % 8] + str(index // 8 + 1)

    def name(self):
        return self.own, self.other

    def longest(self):
        return 64 - count(self.own | self.other)

    @staticmethod
    def free(own, other):
        """Returns the squares where `own` may play. Works on all lines of the board at once: each step goes
        one square further over the opponent's discs."""
        found = 0
        for step, inner in STEPS:
            over = other & inner
            up, down = over & own << step, over & own >> step
            for _ in range(5):
                up |= over & up << step
                down |= over & down >> step
            found |= up << step | down >> step
        return found & ~(own | other) & ALL

    @staticmethod
    def turned(own, other, move):
        """Returns the discs that a move turns over."""
        discs = 0
        for step, inner in STEPS:
            over = other & inner
            line, here = 0, move << step
            while here & over:
                line |= here
                here <<= step
            if here & own:
                discs |= line
            line, here = 0, move >> step
            while here & over:
                line |= here
                here >>= step
            if here & own:
                discs |= line
        return discs

    def moves(self):
        free = self.open
        if free == 0:
            return [0]
        found = []
        corners = free & ALL_CORNERS
        bad, doubtful = free & BAD, free & DOUBTFUL
        edges = free & EDGES & ~corners & ~doubtful
        rest = free & ~(corners | bad | doubtful | edges)
        for some in corners, edges, rest, doubtful, bad:
            while some:
                move = some & -some  # the lowest bit
                found.append(move)
                some ^= move
        return found

    def play(self, move):
        self.before.append((self.own, self.other, self.open))
        discs = self.turned(self.own, self.other, move)
        self.own, self.other = self.other & ~discs, self.own | discs | move
        self.open = self.free(self.own, self.other)

    def undo(self):
        self.own, self.other, self.open = self.before.pop()

    def is_over(self):
        return self.open == 0 and self.free(self.other, self.own) == 0

    def score(self):
        own, other = self.own, self.other
        my_moves, your_moves = count(self.open), count(self.free(other, own))
        if my_moves == your_moves == 0:
            discs = count(own) - count(other)
            return 0 if discs == 0 else (WIN if discs > 0 else -WIN) + 1000 * discs
        value = 8 * (my_moves - your_moves)
        value += 60 * (count(own & ALL_CORNERS) - count(other & ALL_CORNERS))
        taken = own | other
        for corner, diagonal, straight in CORNERS:
            if not taken & corner:
                value -= 30 * (bool(own & diagonal) - bool(other & diagonal))
                value -= 10 * (count(own & straight) - count(other & straight))
        return value

    @staticmethod
    def shown(value):
        """Returns the value in discs: exact if the search reached the end of the game, otherwise rough."""
        if abs(value) > WIN // 2:
            return round((value - (WIN if value > 0 else -WIN)) / 1000)
        return max(-64, min(64, round(value / 10)))


# ---- Gomoku ------------------------------------------------------------------------------------

BLACK, WHITE, EMPTY = 0, 1, 2
# The value of a row of five squares, by its number of stones, all of one colour.
ROW = [0, 2, 12, 60, 300]
# The value of a move in such a row for move ordering, if its stones are the mover's.
MINE = [1, 30, 300, 5000, 1000000]
# The value if the stones are the opponent's.
THEIRS = [1, 20, 200, 2000, 100000]
# How many moves are tried in each position.
WIDTH = 8


class Gomoku:
    """A board with all its rows of five. Squares are numbers: 0 is a1, 1 is b1. The last played square
    decides whether the game is over."""

    def __init__(self, size, rules):
        self.size, self.rules = size, rules
        self.rows = []  # the five squares of each row
        self.rows_of = [[] for _ in range(size * size)]  # the rows that a square is in
        self.near = [[] for _ in range(size * size)]  # the squares up to two steps away
        # The hash of a position is the XOR of random numbers, one for each stone and square.
        dice = random.Random(1)
        self.names = [[dice.getrandbits(64) for _ in range(size * size)] for _ in range(2)]
        for square in range(size * size):
            row, column = divmod(square, size)
            for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
                if row + 4 * down < size and 0 <= column + 4 * right < size:
                    five = [square + i * (down * size + right) for i in range(5)]
                    for member in five:
                        self.rows_of[member].append(len(self.rows))
                    self.rows.append(five)
            self.near[square] = [
                r * size + c
                for r in range(max(0, row - 2), min(size, row + 3))
                for c in range(max(0, column - 2), min(size, column + 3))
                if (r, c) != (row, column)
            ]

    def set(self, turn):
        """Sets up the position of a `turn`."""
        self.board = [EMPTY] * (self.size * self.size)
        self.stones = [[0] * len(self.rows), [0] * len(self.rows)]
        # The ordering value of a stone in each row, for black and for white to move.
        self.promise = [[MINE[0]] * len(self.rows), [MINE[0]] * len(self.rows)]
        self.value = 0  # the value of all rows for black
        self.fours = [0, 0]  # rows that lack one stone
        self.touched = [0] * len(self.board)  # how many stones are near a square
        self.played = []
        self.won = [False]  # whether the game is won, after each move and before the first
        self.empty = len(self.board)
        self.key = 0
        for square, cell in enumerate("".join(turn["board"])):
            if cell != ".":
                self.side = BLACK if cell == "X" else WHITE
                self.play(square)
                self.won[-1] = False  # the arena never asks after the end of a game
        self.side = BLACK if turn["you"] == "black" else WHITE
        return self

    def read(self, square):
        return (int(square[1:]) - 1) * self.size + ord(square[0]) - ord("a")

    def write(self, move):
        return chr(ord("a") + move % self.size) + str(move // self.size + 1)

    def name(self):
        return self.side, self.key

    def longest(self):
        return self.empty

    def place(self, square, colour, by):
        """Adds a stone of `colour` to the counts of every row through its square (by = 1), or subtracts
        it (by = -1)."""
        self.key ^= self.names[colour][square]
        own, other = self.stones[colour], self.stones[1 - colour]
        mine, theirs = self.promise[colour], self.promise[1 - colour]
        change = 0
        for row in self.rows_of[square]:
            a, b = own[row], other[row]
            if b == 0:
                if a < 5:
                    change -= ROW[a]
                self.fours[colour] -= a == 4
            elif a == 0:
                change += ROW[b]
                self.fours[1 - colour] -= b == 4
            a += by
            own[row] = a
            if b == 0:
                if a < 5:
                    change += ROW[a]
                    mine[row], theirs[row] = MINE[a], THEIRS[a]
                self.fours[colour] += a == 4
            elif a == 0:
                change -= ROW[b]
                self.fours[1 - colour] += b == 4
                mine[row], theirs[row] = THEIRS[b], MINE[b]
            else:
                mine[row] = theirs[row] = 0
        self.value += change if colour == BLACK else -change

    def play(self, square):
        side = self.side
        self.board[square] = side
        self.place(square, side, 1)
        for near in self.near[square]:
            self.touched[near] += 1
        own = self.stones[side]
        five = any(own[row] == 5 for row in self.rows_of[square])
        self.won.append(five and self.counts_as_five(square, side))
        self.played.append(square)
        self.empty -= 1
        self.side = 1 - side

    def undo(self):
        square = self.played.pop()
        self.won.pop()
        self.side = 1 - self.side
        self.place(square, self.side, -1)
        for near in self.near[square]:
            self.touched[near] -= 1
        self.board[square] = EMPTY
        self.empty += 1

    def counts_as_five(self, square, side):
        """Returns whether a row of five or more wins. In freestyle, and in renju for white, it always does. In caro,
        five stones need an end without an opponent's stone. Otherwise there must be exactly five. The search
        ignores renju's other rules for black, but the move that is played follows them, because it is in
        `legal`."""
        if self.rules == "freestyle" or (self.rules == "renju" and side == WHITE):
            return True
        row, column = divmod(square, self.size)
        for down, right in (0, 1), (1, 0), (1, 1), (1, -1):
            length, closed = 1, 0
            for way in 1, -1:
                r, c = row + way * down, column + way * right
                while 0 <= r < self.size and 0 <= c < self.size and self.board[r * self.size + c] == side:
                    length, r, c = length + 1, r + way * down, c + way * right
                closed += 0 <= r < self.size and 0 <= c < self.size and self.board[r * self.size + c] == 1 - side
            if length > 5 and self.rules == "caro" or length == 5 and (closed < 2 or self.rules != "caro"):
                return True
        return False

    def is_over(self):
        return self.won[-1] or self.empty == 0

    def moves(self):
        touched, board = self.touched, self.board
        near = [square for square in range(len(board)) if touched[square] and board[square] == EMPTY]
        if not near:
            # On an empty board, plays the middle. If all squares near stones are taken, plays any square.
            free = [square for square in range(len(board)) if board[square] == EMPTY]
            middle = len(board) // 2 if self.size % 2 else self.size * (self.size + 1) // 2
            return [middle] if board[middle] == EMPTY else free
        promise = self.promise[self.side]
        value = {sq: sum([promise[row] for row in self.rows_of[sq]]) for sq in near}
        near.sort(key=value.__getitem__, reverse=True)
        most = value[near[0]]
        if most >= THEIRS[4]:
            # A five can be made, or must be stopped: skip all other moves.
            least = MINE[4] if most >= MINE[4] else THEIRS[4]
            return [square for square in near if value[square] >= least]
        return near[:WIDTH]

    def score(self):
        if self.won[-1]:
            return -WIN  # won by the side that has just moved
        if self.empty == 0:
            return 0
        if self.fours[self.side]:
            return WIN // 4  # almost won: the side to move can make a five
        value = self.value if self.side == BLACK else -self.value
        # A bonus for the side to move.
        return value + 20

    @staticmethod
    def shown(value):
        return value


# ---- The protocol ------------------------------------------------------------------------------


def say(**message):
    """One message, one line, at once: without flush=True it would wait in a buffer."""
    print(json.dumps(message), flush=True)


def seconds_for(hello, left_ms):
    """Returns how long to think about a move, in seconds; None: no limit."""
    if left_ms == 0:
        return None
    if hello.get("game_ms", 0) == 0:
        ms = left_ms
    else:
        # A twentieth of the time left, and most of the increment.
        ms = left_ms / 20 + 0.7 * hello.get("increment_ms", 0)
        ms = min(ms, left_ms / 2)
        if hello.get("move_ms", 0):
            ms = min(ms, hello["move_ms"])
    return max(ms * 0.8 - 10, ms / 4) / 1000


def main():
    fixed_depth = 0
    if "--depth" in sys.argv:
        fixed_depth = int(sys.argv[sys.argv.index("--depth") + 1])
    # No object refers to itself, so the garbage collector would free nothing, and only delay moves.
    gc.disable()
    hello, gomoku = {}, None
    for line in sys.stdin:  # ends when the arena closes the pipe
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":
            hello = message
            if message["game"] == "gomoku":
                gomoku = Gomoku(message["size"], message["rules"])
            say(type="ready", name="python-alphabeta", version="1.0")
        elif kind == "turn":
            game = gomoku.set(message) if hello["game"] == "gomoku" else Othello(message)

            def tell(depth, value, nodes, spent):
                say(type="info", depth=depth, score=game.shown(value), nodes=nodes, time_ms=int(1000 * spent))

            legal = [game.read(move) for move in message["legal"]]
            seconds = seconds_for(hello, message.get("left_ms", 0))
            move = think(game, legal, fixed_depth, seconds, tell)
            say(type="move", id=message["id"], move=game.write(move))
        elif kind == "quit":
            break


if __name__ == "__main__":
    main()
