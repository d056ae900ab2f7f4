"""A bot for Othello and Gomoku in one file of plain Python, to copy and to improve.

Othello: corners have the highest value and the squares beside them the lowest. A move is better if
it leaves the opponent fewer replies.
Gomoku: a row of five squares that contains the move counts only if all its stones have one
colour; more stones count more. Own stones can become a five; the opponent's stones must be
stopped.

It looks one move ahead. Among equally good moves it plays the first, so the same position always
gets the same answer. The bots in ../javascript, ../c, ../cpp, ../java and ../shell play the same moves.

The protocol is described in docs/protocol.md. Only Python 3 is needed.
"""

import json
import sys

# The opening rules of Gomoku that this bot knows. Without this list, the arena gives it no games
# with opening rules.
OPENINGS = ["swap", "swap2", "soosyrv-8", "taraguchi-10", "rif"]


def say(**message):
    """One message, one line, at once: without flush=True it would wait in a buffer, and the bot
    would lose on time. Print nothing else; use print(..., file=sys.stderr) for debugging."""
    print(json.dumps(message), flush=True)


def main():
    game = None
    for line in sys.stdin:  # ends when the arena closes the pipe
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # a new game: forget the last one
            game = message["game"]
            say(type="ready", name="python", version="1.0", openings=OPENINGS)
        elif kind == "turn":
            say(type="move", id=message["id"], move=choose(game, message))
        elif kind == "quit":
            break
        # "over" needs no answer, and messages of other types must be ignored.


def choose(game, turn):
    """Returns the move to play: one of turn["legal"], which is never empty."""
    opening = turn.get("opening")
    if opening and opening["ask"] == "choose":
        # The legal moves are words here. The first keeps the colours, or offers only one fifth
        # move.
        return turn["legal"][0]
    # In an opening, the next stone may be of the opponent's colour.
    mover = opening["stone"] if opening else turn["you"]
    own, other = "XO" if mover == "black" else "OX"
    # Lists of letters instead of strings, so that a square can be set.
    board = [list(row) for row in turn["board"]]
    worth = othello_worth if game == "othello" else gomoku_worth
    return max(turn["legal"], key=lambda move: worth(board, square(move), own, other))


def square(name):
    """Returns (row, column) of a square, both counted from 0: "a1" is (0, 0), "d3" is (2, 3)."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


# ---- Othello -----------------------------------------------------------------------------------

# The value of a square, by its distance from the nearest edges: 100 for a corner, -20 or -50
# beside it.
SQUARES = [[100, -20, 10, 5], [-20, -50, -2, -2], [10, -2, 1, 1], [5, -2, 1, 0]]
# The cost of each reply of the opponent.
ANSWER = 5
# The eight directions on a board, as (rows down, columns right).
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]


def turned(board, place, own, other):
    """Returns the discs that `own` turns over by playing on an empty square; if there are none, the
    move is illegal."""
    discs = []
    for down, right in DIRECTIONS:
        enclosed = []
        row, column = place[0] + down, place[1] + right
        # In Python board[-1] is the last row, so the edge must be checked.
        while 0 <= row < 8 and 0 <= column < 8 and board[row][column] == other:
            enclosed.append((row, column))
            row, column = row + down, column + right
        # The discs of the opponent in this line are enclosed if the line ends at an own disc.
        if 0 <= row < 8 and 0 <= column < 8 and board[row][column] == own:
            discs += enclosed
    return discs


def answers(board, own, other):
    """Returns how many moves `own` has."""
    places = [(row, column) for row in range(8) for column in range(8)]
    return sum(
        board[row][column] == "." and len(turned(board, (row, column), own, other)) > 0
        for row, column in places
    )


def othello_worth(board, place, own, other):
    row, column = place
    worth = SQUARES[min(row, 7 - row)][min(column, 7 - column)]
    # A square beside a corner is bad only while the corner is empty.
    beside_corner = min(row, 7 - row) < 2 and min(column, 7 - column) < 2
    if worth < 0 and beside_corner and board[row // 4 * 7][column // 4 * 7] != ".":
        worth = 0
    after = [line.copy() for line in board]
    for r, c in [place] + turned(board, place, own, other):
        after[r][c] = own
    return worth - ANSWER * answers(after, other, own)


# ---- Gomoku ------------------------------------------------------------------------------------

# The value of a row of five squares with 0 to 4 stones, if all are the bot's.
MINE = [0, 30, 300, 5000, 1000000]
# The value if all are the opponent's.
THEIRS = [0, 20, 200, 2000, 100000]


def gomoku_worth(board, place, own, other):
    size = len(board)
    row, column = place
    # Among equal moves, the move nearer to the middle is better.
    worth = min(row, size - 1 - row) + min(column, size - 1 - column)
    for down, right in DIRECTIONS[:4]:  # the other four directions are the same lines, backwards
        for start in range(-4, 1):  # the row of five begins 4, 3, 2, 1 or 0 squares before the move
            first = row + start * down, column + start * right
            last = first[0] + 4 * down, first[1] + 4 * right
            if not all(0 <= at < size for at in first + last):
                continue
            five = [board[first[0] + i * down][first[1] + i * right] for i in range(5)]
            mine, theirs = five.count(own), five.count(other)
            if theirs == 0:
                worth += MINE[mine]
            elif mine == 0:
                worth += THEIRS[theirs]
            # Stones of both colours: neither side can make a five here.
    return worth


if __name__ == "__main__":
    main()
