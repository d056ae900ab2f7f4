#!/usr/bin/env python3
"""Uses more than it may: greedy_for_more.py MODE name=NAME...

The bot plays the first legal move. At its second turn, it runs its mode, a function below. All modes use a bounded
amount of resources, so that they do no harm if nothing stops them.
"""

import json
import os
import sys
import time

MODE = sys.argv[1]
GIVEN = sys.argv[2:]
MIB = 1 << 20
ASKED = 2
GAMES = 0


def memory():
    """Allocates 2000 MiB, and writes to each page."""
    kept = []
    for _ in range(125):
        kept.append(bytearray(os.urandom(1)) * (16 * MIB))


def memory_of_children():
    """Starts 40 children of 16 MiB."""
    for _ in range(40):
        if os.fork() == 0:
            kept = bytearray(b"x") * (16 * MIB)
            time.sleep(60)
            os._exit(len(kept) & 1)
    time.sleep(60)


def forks():
    """Starts 400 children at the same time; exits if one is refused."""
    for _ in range(400):
        if os.fork() == 0:
            time.sleep(60)
            os._exit(0)


def forks_in_one_game():
    """In the first game, starts as many children as possible, and ends them; in the next game, is late."""
    if GAMES > 1:
        time.sleep(0.6)
        return
    children = []
    try:
        for _ in range(400):
            child = os.fork()
            if child == 0:
                time.sleep(60)
                os._exit(0)
            children.append(child)
    except OSError as error:
        print(error, file=sys.stderr)
    for child in children:
        os.kill(child, 9)
        os.waitpid(child, 0)


def disk():
    """Writes 256 MiB of temporary files, or as many as possible."""
    place = os.environ.get("TMPDIR", "/tmp")
    try:
        for number in range(32):
            with open(os.path.join(place, f"arena-filled-{number}"), "wb") as file:
                file.write(bytes(8 * MIB))
    except OSError as error:
        print(error, file=sys.stderr)


def spin(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def unseen(work):
    """Does the work in a process with another process group, another parent and no environment variables."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-ES", __file__, work, *GIVEN], {})
        os._exit(0)
    os.wait()


def daemon():
    """Leaves a process behind that holds its pipes."""
    unseen("--wait")


def daemons():
    """Leaves many processes behind that hold its pipes, and waits for a process with the arena's environment variables."""
    for _ in range(40):
        unseen("--wait")
    os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-ES", __file__, "--wait-tagged", *GIVEN])


def naps():
    """Waits a second for another process, in this turn and in the next one."""
    global ASKED
    ASKED = 3
    os.spawnv(os.P_WAIT, sys.executable, [sys.executable, "-ES", __file__, "--nap", *GIVEN])


def spinners():
    """Starts three processes that spin for a long time."""
    for _ in range(3):
        unseen("--spin")


def late_with_spinners():
    """Starts three processes that spin, and is late itself, so that the machine seems to be the cause."""
    spinners()
    spin(0.5)


def late_with_children():
    """Starts children that spin for 30 ms, one after the other, and is late."""
    until = time.monotonic() + 0.6
    while time.monotonic() < until:
        if os.fork() == 0:
            spin(0.03)
            os._exit(0)
        os.wait()


def core():
    """Dumps as large a core as possible."""
    os.abort()


def main():
    global ASKED, GAMES
    if MODE in ("--wait", "--wait-tagged"):
        time.sleep(60)
    if MODE == "--nap":
        time.sleep(1)
    if MODE == "--spin":
        spin(20)
    if MODE.startswith("--"):
        return
    asked = 0
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            asked, ASKED, GAMES = 0, 2, GAMES + 1
            print(json.dumps({"type": "ready", "name": MODE, "version": "1"}), flush=True)
        elif message["type"] == "turn":
            asked += 1
            if asked == ASKED:
                globals()[MODE.replace("-", "_")]()
            print(json.dumps({"move": message["legal"][0]}), flush=True)
        elif message["type"] == "quit":
            break


main()
