#!/usr/bin/env python3
"""A bot with one defect: student.py DEFECT

The defects are typical of students' bots, and test `arena check`; `misbehave.py` behaves like an attacker. The bot
plays the first legal move. To find the code of a defect, search for its name.
"""

import json
import os
import subprocess
import sys
import time

DEFECT = sys.argv[1]
asked = 0
games = 0
game = None


def say(message):
    text = json.dumps(message)
    if DEFECT == "not-flushed" or (DEFECT == "moves-not-flushed" and "move" in message):
        print(text)
    elif DEFECT == "no-newline" and "move" in message:
        print(text, end="", flush=True)
    elif DEFECT == "python-dict":
        print(message, flush=True)
    elif DEFECT == "json-twice":
        print(json.dumps(text), flush=True)
    else:
        print(text, flush=True)


def written(row, column, size):
    """Returns a square in the notation of the defect. Row and column count from 0 at the top left."""
    letter = "abcdefghijklmnopqrstuv"
    ways = {
        "swapped": lambda: letter[row] + str(column + 1),
        "from-0": lambda: letter[column] + str(row),
        "from-bottom": lambda: letter[column] + str(size - row),
        "row-too-high": lambda: letter[column] + str(row + 2),
        "letter-too-high": lambda: "abcdefghijklmnopqrstuvw"[column + 1] + str(row + 1),
        "go-letters": lambda: "abcdefghjklmnopqrstuvwx"[column] + str(row + 1),
        "mirrored": lambda: letter[size - 1 - column] + str(row + 1),
        "list": lambda: [row, column],
        "tuple": lambda: f"({row}, {column})",
        "x-y-from-1": lambda: f"{column + 1},{row + 1}",
        "index": lambda: row * size + column,
        "number-first": lambda: str(row + 1) + letter[column],
        "dash": lambda: f"{letter[column].upper()}-{row + 1}",
        "capitals": lambda: letter[column].upper() + str(row + 1),
        "same-square": lambda: "a1",
        "pass": lambda: "pass",
        "resign": lambda: "resign",
        "words": lambda: "the corner",
    }
    return ways[DEFECT]() if DEFECT in ways else letter[column] + str(row + 1)


def flips(board, row, column, own, other):
    """Returns whether a disc of `own` on this square would turn over discs of `other`."""
    for down in (-1, 0, 1):
        for right in (-1, 0, 1):
            r, c, seen = row + down, column + right, 0
            while (down or right) and 0 <= r < 8 and 0 <= c < 8 and board[r][c] == other:
                r, c, seen = r + down, c + right, seen + 1
            if seen and 0 <= r < 8 and 0 <= c < 8 and board[r][c] == own:
                return True
    return False


def of_the_other_colour(turn):
    own, other = ("O", "X") if turn["you"] == "black" else ("X", "O")
    board = turn["board"]
    for row in range(8):
        for column in range(8):
            name = written(row, column, 8)
            is_own = name in turn["legal"] or board[row][column] != "."
            if not is_own and flips(board, row, column, own, other):
                return name
    return turn["legal"][0]


def move(turn):
    if DEFECT == "gomoku-moves" and game == "othello":
        rows = enumerate(turn["board"])
        empty = [(r, row.index(".")) for r, row in rows if "." in row]
        return written(*empty[0], 8)
    if DEFECT == "other-colour":
        return of_the_other_colour(turn)
    first = turn["legal"][0]
    if DEFECT == "swap2-square" and first == "stay":
        first = "a1"
    row, column = int(first[1:]) - 1, ord(first[0]) - ord("a")
    return written(row, column, len(turn["board"]))


def answer(turn):
    if DEFECT == "slow":
        time.sleep(0.1)
    elif DEFECT == "busy" and asked == 2:
        while True:
            pass
    elif DEFECT == "busy-child" and asked == 2:
        import subprocess

        think = "import time; until = time.time() + 60\nwhile time.time() < until: pass"
        subprocess.run([sys.executable, "-c", think])
    elif DEFECT == "pass-unknown" and "pass" in turn["moves"]:
        [int(name[1:]) for name in turn["moves"]]
    elif DEFECT == "only-15" and game == "gomoku" and len(turn["board"]) != 15:
        turn["board"][14][14]
    elif DEFECT == "key-error" and asked == 2:
        turn["baord"]
    elif DEFECT == "second-game" and games == 2:
        time.sleep(3600)
    elif DEFECT == "stale" and games == 2 and asked == 1:
        [].pop()
    message = {"type": "move", "id": turn["id"], "move": move(turn)}
    if DEFECT == "text-id":
        message["id"] = str(turn["id"])
    elif DEFECT == "own-id":
        message["id"] = asked + 100
    elif DEFECT == "no-move":
        message = {"type": "move", "id": turn["id"], "square": move(turn)}
    if DEFECT == "debug-print":
        print("I play", move(turn))
    say(message)


def strict(message):
    """Fails for a field that is not in today's protocol."""
    known = "type protocol game rules size you move_ms game_ms increment_ms memory_mib seed".split()
    known += "id board legal moves left_ms opponent_left_ms result reason black white".split()
    for key in message:
        if key not in known:
            raise KeyError(key)


def main():
    global asked, games, game
    if DEFECT == "import":
        import no_such_module  # noqa: F401
    if DEFECT == "slow-start":
        time.sleep(0.5)
    if DEFECT == "slow-import":
        # The limit is 2 s. On a busy machine, a start that is a second late may be excused.
        time.sleep(5)
    if DEFECT == "banner":
        print("My great bot 1.0", flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        kind = message["type"]
        if DEFECT == "strict-fields":
            strict(message)
        if kind == "hello":
            asked, games, game = 0, games + 1, message["game"]
            if DEFECT == "never-ready":
                continue
            if DEFECT == "only-othello":
                {"othello": 8}[game]
            if DEFECT == "only-gomoku":
                {"gomoku": 15}[game]
            if DEFECT == "other-word":
                say({"type": "ok"})
            ready = {"type": "ready", "name": DEFECT}
            say(ready | {"openings": ["swap2"]} if DEFECT.startswith("swap2") else ready)
        elif kind == "turn":
            asked += 1
            answer(message)
        elif kind == "over":
            if DEFECT == "end-on-over":
                break
        elif kind == "quit":
            if DEFECT == "bad-exit":
                sys.exit(3)
            if DEFECT == "child":
                subprocess.Popen(["sleep", "60"])
            if DEFECT == "session":
                # The child must not hold the pipes: otherwise the bot would seem to be still running.
                nothing = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
                subprocess.Popen(["sleep", "60"], start_new_session=True, stderr=subprocess.DEVNULL, **nothing)
            if DEFECT != "no-quit":
                break
        elif DEFECT == "strict-messages":
            raise ValueError("what is " + kind)
    else:
        if DEFECT in ("no-quit", "no-end"):
            time.sleep(3600)


main()
