#!/usr/bin/env python3
"""Solves the ends of the games of a file of transcripts with another program.

    git clone https://github.com/abulmo/reversi-solver    # Richard Delorme's solver, 1.4
    sed -i 's/hash_table, -1, +1, /hash_table, -64, +64, /' reversi-solver/solver.c    # the score, not who wins
    gcc -O3 -march=native -o solver reversi-solver/solver.c -lm
    python3 solve.py ./solver grhino-level1.txt > grhino-level1-solved.txt

For fforum-40-59.scr, the solver prints the federation's scores of FFO 40 to 42 (+38, 0, +6). This program
takes about half an hour. It writes a line for each game, with an entry such as `40:+6:g2,h3` for each half-move from 21
empty squares on: its number, the score of the position before it for the side to move, and the best moves. The program
has its own rules, so that it does not depend on the arena.
"""

import re
import subprocess
import sys
import tempfile

EMPTIES = 21
STEPS = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]
SQUARES = [(r, c) for r in range(8) for c in range(8)]


def flips(board, own, at):
    """Returns the discs of the other colour that a disc on this empty square turns over."""
    turned = []
    for down, right in STEPS:
        row, column, line = at[0] + down, at[1] + right, []
        while board.get((row, column)) == -own:
            line.append((row, column))
            row, column = row + down, column + right
        if board.get((row, column)) == own:
            turned += line
    return turned


def moves(board, own):
    return [at for at in SQUARES if at not in board and flips(board, own, at)]


def played(board, own, at):
    after = dict(board)
    for square in [at] + flips(board, own, at):
        after[square] = own
    return after


def final(board, own):
    """Returns the score of a game that has ended; empty squares count for the winner."""
    margin = sum(board.values()) * own
    empty = 64 - len(board)
    return margin + (empty if margin > 0 else -empty if margin < 0 else 0)


def name(at):
    return "abcdefgh"[at[1]] + str(at[0] + 1)


def scores(solver, positions):
    """Returns the score of each position for its side to move, which must have a move."""
    with tempfile.NamedTemporaryFile("w", suffix=".scr") as script:
        for board, own in positions:
            squares = "".join({1: "X", -1: "O", None: "-"}[board.get(at)] for at in SQUARES)
            script.write(f"{squares} {'X' if own == 1 else 'O'}\n")
        script.flush()
        command = [solver, "-v", "-h", "22", script.name]
        text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.findall(r"^ *\d+\| +\d+ \| ([+-]\d+) \|", text, re.MULTILINE)
    assert len(found) == len(positions), text
    return [int(score) for score in found]


def after_each_move(board, own):
    """Yields each move with either its score or the position that must be solved."""
    for at in moves(board, own):
        after = played(board, own, at)
        if moves(after, -own):
            yield at, None, (after, -own), -1
        elif moves(after, own):
            yield at, None, (after, own), 1
        else:
            yield at, final(after, own), None, 0


def solved(solver, transcript):
    board = {(3, 3): -1, (3, 4): 1, (4, 3): 1, (4, 4): -1}
    own, asked = 1, []
    for ply, move in enumerate(re.findall("[a-h][1-8]", transcript), 1):
        at = (int(move[1]) - 1, "abcdefgh".index(move[0]))
        if not moves(board, own):
            own = -own
        if 64 - len(board) <= EMPTIES:
            asked.append((ply, list(after_each_move(board, own))))
        board, own = played(board, own, at), -own
    unknown = [to for _, ways in asked for _, _, to, _ in ways if to]
    known = iter(scores(solver, unknown))
    entries = []
    for ply, ways in asked:
        worths = {at: sign * next(known) if to else score for at, score, to, sign in ways}
        best = max(worths.values())
        best_moves = ",".join(name(at) for at, worth in worths.items() if worth == best)
        entries.append(f"{ply}:{best:+}:{best_moves}")
    return " ".join(entries)


solver, games = sys.argv[1:]
print("# Made by solve.py, which says how. A line for each game of grhino-level1.txt.")
for line in open(games):
    if not line.startswith("#"):
        print(solved(solver, line), flush=True)
