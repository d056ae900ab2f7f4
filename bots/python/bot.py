"""A bot for Othello and Gomoku in one file of plain Python, to copy and to improve.

Othello: plays the move that turns over the most discs.
Gomoku: plays where the longest line is made, or the opponent's longest line is blocked.
Of equally good moves it draws one, from the seed that the arena gives.

The protocol is described in docs/protocol.md. Nothing but Python 3 is needed.
"""

import json
import random
import sys

# The eight ways to walk over a board, as (rows down, columns right); the first four are a line each.
DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)]


def square(name):
    """(row, column) of a square, both counted from 0: "a1" is (0, 0), "d3" is (2, 3)."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def run(board, row, column, step, disc):
    """How many squares in a row hold `disc`, beginning beside (row, column), and what ends them."""
    length = 0
    while True:
        row, column = row + step[0], column + step[1]
        # Python takes board[-1] for the last row, so the edge must be looked for.
        if not (0 <= row < len(board) and 0 <= column < len(board)):
            return length, None
        if board[row][column] != disc:
            return length, board[row][column]
        length += 1


def discs_turned(board, row, column, own, other):
    """Othello: how many discs a move turns over."""
    total = 0
    for step in DIRECTIONS:
        length, end = run(board, row, column, step, other)
        if end == own:  # enclosed between the new disc and an old one
            total += length
    return total


def longest_line(board, row, column, disc):
    """Gomoku: the length of the longest line that a stone here would be part of."""
    return max(
        1 + run(board, row, column, (down, right), disc)[0]
        + run(board, row, column, (-down, -right), disc)[0]
        for down, right in DIRECTIONS[:4]
    )


def worth(game, board, move, own, other):
    """How good a move is: compared with the other moves, the greatest is played."""
    row, column = square(move)
    if game == "othello":
        return discs_turned(board, row, column, own, other)
    mine = longest_line(board, row, column, own)
    theirs = longest_line(board, row, column, other)
    # Making a line of five beats blocking one, and so on down: hence the half.
    return max(mine + 0.5, theirs)


def choose(game, turn, dice):
    """The move to play: one of turn["legal"], which is never empty."""
    own, other = "XO" if turn["you"] == "black" else "OX"
    values = [worth(game, turn["board"], move, own, other) for move in turn["legal"]]
    best = max(values)
    return dice.choice([move for move, value in zip(turn["legal"], values) if value == best])


def say(**message):
    """One message, one line, at once: without flush=True it would wait in a buffer, and the bot
    would lose on time. Nothing else may be printed; print(..., file=sys.stderr) is for debugging."""
    print(json.dumps(message), flush=True)


def main():
    game, dice = None, None
    for line in sys.stdin:  # ends when the arena closes the pipe
        message = json.loads(line)
        kind = message["type"]
        if kind == "hello":  # a new game: forget the last one
            game, dice = message["game"], random.Random(message["seed"])
            say(type="ready", name="python-greedy", version="1.0")
        elif kind == "turn":
            say(type="move", id=message["id"], move=choose(game, message, dice))
        elif kind == "quit":
            break
        # "over" needs no answer, and messages of other types are to be passed over.


if __name__ == "__main__":
    main()
