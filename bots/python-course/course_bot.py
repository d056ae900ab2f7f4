"""Runs a player that was written for a university course on Othello, unchanged.

The course's interface is a class with `get_move(board)`: its constructor takes its colour, "X" (black,
moves first) or "O"; `get_move` takes a `Board` and returns a move such as "D3". This file is the other
side: it talks to the arena, builds the board, and calls the player. You need not read it to use it.
Write your class into my_player.py, or give your own file, relative to this folder or with its full path:

    arena match bots/python-course greedy
    arena match bots/python-course:player=/home/me/reversi/AIPlayer.py greedy

It uses the class `AIPlayer` of that file, or the only class with `get_move`. To use another class, write
its name after a colon: player=my_player.py:RandomPlayer. `from board import Board` imports the board
below, unless there is a board.py in the folder of your file.

Output of your player goes to standard error, where it does no harm, and is kept. Only Python 3 is needed.
"""

import importlib.util
import json
import os
import random
import sys


class Board:
    """An Othello board: "X" is black, "O" white, "." empty. `board[2][3]` is the content of D3: the row
    comes first, and both are counted from 0. A square may be written "D3" or (2, 3)."""

    empty = "."
    DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

    def __init__(self, rows=None):
        if rows is None:  # the start: X on E4 and D5, O on D4 and E5
            rows = ["." * 8] * 3 + ["...OX...", "...XO..."] + ["." * 8] * 3
        self._board = [list(row) for row in rows]

    def __getitem__(self, row):
        return self._board[row]

    def display(self, step_time=None, total_time=None):
        """Prints the board, and the times if they are given as {"X": seconds, "O": seconds}."""
        print("  A B C D E F G H")
        for number, row in enumerate(self._board, 1):
            print(number, " ".join(row))
        print(f"black X: {self.count('X')}, white O: {self.count('O')}")
        for what, times in ("this move", step_time), ("in all", total_time):
            if times is not None:
                print(f"seconds {what}: black {times['X']}, white {times['O']}")
        print()

    def count(self, color):
        """How many squares hold "X", "O" or "."."""
        return sum(row.count(color) for row in self._board)

    def game_over(self):
        """Whether neither side can move."""
        return not any(True for color in "XO" for _ in self.get_legal_actions(color))

    def get_winner(self):
        """(winner, difference): 0 black, 1 white, 2 a draw, and the difference in discs."""
        lead = self.count("X") - self.count("O")
        return 2 if lead == 0 else int(lead < 0), abs(lead)

    def get_legal_actions(self, color):
        """Yields every move of `color` as "D3"; list(...) makes a list of them."""
        for row in range(8):
            for column in range(8):
                if self._can_flip((row, column), color):
                    yield self.num_board((row, column))

    def _move(self, action, color):
        """Plays a move. Returns the squares that were turned over, for `backpropagation`; if the move
        is not legal, plays nothing and returns False."""
        flipped_pos = self._can_flip(action, color)
        if not flipped_pos:
            return False
        for square in [action] + flipped_pos:
            self._set(square, color)
        return flipped_pos

    def backpropagation(self, action, flipped_pos, color):
        """Undoes a move of `color` that turned over `flipped_pos`."""
        self._set(action, self.empty)
        for square in flipped_pos:
            self._set(square, "O" if color == "X" else "X")

    def is_on_board(self, x, y):
        """Whether row x and column y are on the board."""
        return 0 <= x < 8 and 0 <= y < 8

    def board_num(self, action):
        """(2, 3) for "D3"; None if it is not a square."""
        if len(action) != 2:
            return None
        x, y = "12345678".find(action[1]), "ABCDEFGH".find(action[0].upper())
        return (x, y) if x >= 0 and y >= 0 else None

    def num_board(self, action):
        """"D3" for (2, 3); None if it is not a square."""
        x, y = action
        return "ABCDEFGH"[y] + str(x + 1) if self.is_on_board(x, y) else None

    def _can_flip(self, action, color):
        """The squares that a move would turn over, as "D3"; False if there are none."""
        x, y = self.board_num(action) if isinstance(action, str) else action
        if self._board[x][y] != self.empty:
            return False
        other = "O" if color == "X" else "X"
        flipped_pos = []
        for down, right in self.DIRECTIONS:
            line, row, column = [], x + down, y + right
            while self.is_on_board(row, column) and self._board[row][column] == other:
                line.append(self.num_board((row, column)))
                row, column = row + down, column + right
            if self.is_on_board(row, column) and self._board[row][column] == color:
                flipped_pos += line
        return flipped_pos or False

    # The course spells it like this.
    _can_fliped = _can_flip

    def _set(self, square, what):
        x, y = self.board_num(square) if isinstance(square, str) else square
        self._board[x][y] = what


def find_player(word):
    """The class in `FILE` or `FILE:CLASS`."""
    path, _, name = word.partition(":")
    if not (path.endswith(".py") and os.path.isfile(path)):
        sys.exit(f"course_bot.py: there is no Python file {path}; set it with player=FILE.py or player=FILE.py:CLASS")
    folder = os.path.dirname(os.path.abspath(path))
    # The file can import modules of its own folder; without a board.py there, it gets this board.
    sys.path.insert(0, folder)
    if not os.path.exists(os.path.join(folder, "board.py")):
        sys.modules["board"] = sys.modules[__name__]
    spec = importlib.util.spec_from_file_location("player", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["player"] = module
    spec.loader.exec_module(module)
    players = {key: value for key, value in vars(module).items() if hasattr(value, "get_move")}
    name = name or ("AIPlayer" if "AIPlayer" in players or len(players) != 1 else next(iter(players)))
    if name not in players:
        sys.exit(f"course_bot.py: {path} has no class {name} with get_move(self, board)")
    return players[name]


def main():
    arena = sys.stdout
    # Output of the player must not be read as a message.
    sys.stdout = sys.stderr

    def say(**message):
        print(json.dumps(message), file=arena, flush=True)

    player_class = find_player(sys.argv[1] if len(sys.argv) > 1 else "my_player.py")
    player = None
    for line in sys.stdin:  # ends when the arena closes the pipe
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # a new player for each game
            random.seed(message["seed"])  # so that a game can be repeated
            player = player_class("X" if message["you"] == "black" else "O")
            say(type="ready", name=player_class.__name__, version="1.0")
        elif kind == "turn":
            # The referee judges an invalid move.
            move = player.get_move(Board(message["board"]))
            say(type="move", id=message["id"], move=str(move).lower())
        elif kind == "quit":
            break


if __name__ == "__main__":
    main()
