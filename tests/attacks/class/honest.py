#!/usr/bin/env python3
"""Always plays the legal move with the same number: honest.py NUMBER"""

import json
import sys

NUMBER = int(sys.argv[1])
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        legal = message["legal"]
        print(json.dumps({"move": legal[NUMBER % len(legal)]}), flush=True)
    elif message["type"] == "quit":
        break
