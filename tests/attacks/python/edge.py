#!/usr/bin/env python3
"""Plays Othello and answers at the edge of its limit while its children spin: edge.py WAY CHILDREN MARKER

The bot plays the first legal move. From its fifth turn on, every third answer comes between 5 ms before the limit
and 25 ms after it. WAY is one of

- around: the children begin to spin at the question, at half of the limit or at the answer, and end 60 ms after the
  answer. The answer comes from the program or from a child.
- unseen: the children end just before the answer, and their CPU time is not counted, because the program ignores
  SIGCHLD. The program itself spins until the answer.
"""

import json
import os
import random
import signal
import sys
import time

WAY, CHILDREN = sys.argv[1], int(sys.argv[2])
FIRST, EVERY = 5, 3
AFTER = 0.06


def spin(until):
    while time.monotonic() < until:
        pass


def wait(until):
    time.sleep(max(0, until - time.monotonic()))


def child(work, *words):
    """Does the work in a child. Returns False if the system refuses the child."""
    try:
        if os.fork():
            return True
    except OSError:
        return False
    try:
        work(*words)
    finally:
        os._exit(0)


def reap():
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def spinner(begin, end):
    wait(begin)
    spin(end)


def send(due, answer):
    wait(due)
    os.write(1, answer)


def around(asked, middle, due, answer, chance):
    begin = chance.choice([asked, middle, due - 0.001])
    is_sent = chance.random() < 0.5 and child(send, due, answer)
    all(child(spinner, begin, due + AFTER) for _ in range(CHILDREN))
    if not is_sent:
        send(due, answer)


def unseen(asked, middle, due, answer, _):
    all(child(spin, due - 0.002) for _ in range(CHILDREN))
    spin(due)
    os.write(1, answer)


def main():
    turns, limit, chance = 0, 0.0, random.Random()
    if WAY == "unseen":
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        asked = time.monotonic()
        message = json.loads(line)
        if message["type"] == "hello":
            turns, limit = 0, message["move_ms"] / 1000
            chance.seed(message["seed"])
            print('{"type":"ready"}', flush=True)
        elif message["type"] == "turn":
            reap()
            turns += 1
            answer = json.dumps({"move": message["legal"][0]}).encode() + b"\n"
            if turns >= FIRST and turns % EVERY == FIRST % EVERY:
                due = asked + limit + chance.uniform(-0.005, 0.025)
                globals()[WAY](asked, asked + limit / 2, due, answer, chance)
            else:
                os.write(1, answer)
        elif message["type"] == "quit":
            break


main()
