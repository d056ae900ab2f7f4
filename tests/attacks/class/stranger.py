#!/usr/bin/env python3
"""Plays the first legal move, and exits with 7 if it has more access than it should: stranger.py FILE...

FILE is a file that the bot must not be able to read. The bot also checks the limits in `hello`, and reports numbers
that are too large to add.
"""

import json
import sys


def readable(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(1)) == 1
    except OSError:
        return False


if any(readable(path) for path in sys.argv[1:]):
    print("READ", sys.argv[1:], file=sys.stderr)
    sys.exit(7)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        if message.get("cores", 1) > 1:
            print("CORES", message["cores"], file=sys.stderr)
            sys.exit(7)
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        print('{"type":"info","nodes":1e308,"depth":4294967295,"score":1e308,"time_ms":1e308}')
        print(json.dumps({"move": message["legal"][0]}), flush=True)
    elif message["type"] == "quit":
        break
