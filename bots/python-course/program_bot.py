"""Runs a program that was written for a university course, unchanged: Caltech's CS2, NTHU's I2P, or a Java class.

    python3 program_bot.py caltech ./player     starts `./player Black`, which keeps its own board; sends `x y msLeft`
    python3 program_bot.py nthu ./player        starts `./player STATE ACTION` for each move
    python3 program_bot.py java-class java …    starts ArenaPlayer.java, which calls a class

The arena recognises these forms in a folder or a source file, builds the program and starts it with this file; you
need not call this file yourself. Output of the program that is no answer goes to standard error.
"""

import json
import os
import re
import signal
import subprocess
import sys
import tempfile

NUMBERS = re.compile(r"-?\d+")


def square(row, column):
    """A square as the arena reads it: `d3` for row 2, column 3."""
    return chr(ord("a") + column) + str(row + 1) if 0 <= column < 26 else f"({row}, {column})"


def row_and_column(move):
    return int(move[1:]) - 1, ord(move[0]) - ord("a")


def exit_of(status):
    return f"exit status {status}" if status >= 0 else f"killed by {signal.Signals(-status).name}"


class Caltech:
    """Rows and columns are counted from 0, and the column comes first; -1 -1 means that there is no move."""

    def __init__(self, words, game):
        program = words[0]
        self.is_black = game["you"] == "black"
        self.has_clock = game["game_ms"] > 0
        # The number of plies that the program knows.
        self.known = 0
        colour = "Black" if self.is_black else "White"
        self.child = subprocess.Popen([program, colour], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        # If the board cannot be set, the arena begins no game from an opening.
        self.start_only = True
        for line in self.lines():
            self.start_only &= "its board can be set" not in line
            if "Init done" in line:
                break

    def lines(self):
        for line in self.child.stdout:
            print(line, end="", file=sys.stderr)
            yield line
        sys.exit(f"program_bot.py: the program ended: {exit_of(self.child.wait())}")

    def send(self, *words):
        try:
            print(*words, file=self.child.stdin, flush=True)
        except BrokenPipeError:
            sys.exit(f"program_bot.py: the program ended: {exit_of(self.child.wait())}")

    def answer(self, opponents, left):
        """Sends the opponent's move (`pass` if there is none) and returns the program's move."""
        row, column = (-1, -1) if opponents == "pass" else row_and_column(opponents)
        self.send(column, row, left)
        for line in self.lines():
            words = line.split()
            if len(words) == 2 and all(NUMBERS.fullmatch(word) for word in words):
                column, row = map(int, words)
                return "pass" if column < 0 else square(row, column)

    def move(self, message):
        left = message["left_ms"] or -1
        if left > 0 and not self.has_clock:
            # The program divides the remaining time of a game, and often uses twice its share at first.
            left = left * max(sum(row.count(".") for row in message["board"]), 2) // 4
        moves = message["moves"]
        own = 0 if self.is_black else 1
        if self.known == 0 and any(played != "pass" for played in moves[own::2]):
            self.send(-2, -2, 0)
            self.send("".join(message["board"]))
            self.known = len(moves)
            return self.answer("pass", left)
        reply = None
        for ply in range(self.known, len(moves)):
            if ply % 2 != own:
                reply = self.answer(moves[ply], left)
        self.known = len(moves) + 1
        return self.answer("pass", left) if reply is None else reply

    def close(self):
        self.child.kill()
        self.child.wait()


class Nthu:
    """STATE has the player (1 for black), the rows, and in Othello the number of legal moves and the row and column of
    each, counted from 0. The program writes moves into ACTION; the last one counts."""

    start_only = False

    def __init__(self, words, game):
        self.program, self.game = words[0], game
        self.folder = tempfile.TemporaryDirectory()

    def state(self, message):
        values = {".": "0", "X": "1", "O": "2"}
        lines = ["1" if self.game["you"] == "black" else "2"]
        lines += [" ".join(values[cell] for cell in row) for row in message["board"]]
        if self.game["game"] == "othello":
            lines.append(str(len(message["legal"])))
            lines += ["%d %d" % row_and_column(move) for move in message["legal"]]
        return "\n".join(lines) + "\n"

    def numbers(self, action):
        if not os.path.exists(action):
            return []
        with open(action) as file:
            return [int(number) for number in NUMBERS.findall(file.read())]

    def move(self, message):
        state, action = (os.path.join(self.folder.name, name) for name in ("state", "action"))
        with open(state, "w") as file:
            file.write(self.state(message))
        if os.path.exists(action):
            os.remove(action)
        limit = (message["left_ms"] or 10000) / 1000
        if self.game["game_ms"] and not self.game["move_ms"]:
            limit /= 20  # a part of the time for the whole game
        limit -= min(0.25 * limit, 0.25)
        child = subprocess.Popen([self.program, state, action], stdin=subprocess.DEVNULL, stdout=sys.stderr)
        try:
            status = child.wait(limit)
        except subprocess.TimeoutExpired:
            # If the program has written no move yet, waits on: the arena ends the move when the time is up.
            status = 0 if self.numbers(action) else child.wait()
            child.kill()
            child.wait()
        numbers = self.numbers(action)
        if len(numbers) >= 2:
            last = len(numbers) // 2 * 2
            return square(*numbers[last - 2 : last])
        if status != 0:
            sys.exit(f"program_bot.py: {self.program} ended without a move: {exit_of(status)}")
        return "no move in ACTION"

    def close(self):
        self.folder.cleanup()


class JavaClass:
    start_only = False

    def __init__(self, words, game):
        self.own = "X" if game["you"] == "black" else "O"
        self.child = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def move(self, message):
        try:
            print(self.own, *message["board"], file=self.child.stdin, flush=True)
        except BrokenPipeError:
            pass
        answer = self.child.stdout.readline().split()
        if not answer:
            sys.exit(f"program_bot.py: the player ended: {exit_of(self.child.wait())}")
        return square(*map(int, answer))

    def close(self):
        self.child.kill()
        self.child.wait()


FORMS = {"caltech": Caltech, "nthu": Nthu, "java-class": JavaClass}


def main():
    form, *words = sys.argv[1:]
    arena, sys.stdout = sys.stdout, sys.stderr

    def say(**message):
        print(json.dumps(message), file=arena, flush=True)

    player = None
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            if player:
                player.close()
            player = FORMS[form](words, message)
            say(type="ready", name=form, version="1.0", start_only=player.start_only)
        elif message["type"] == "turn":
            say(type="move", id=message["id"], move=player.move(message))
        elif message["type"] == "quit":
            break
    if player:
        player.close()


if __name__ == "__main__":
    main()
