#!/usr/bin/env python3
"""Answers at once, but has 200 children that sleep, so that stopping the bot takes milliseconds.

Reports the microseconds from a question to its answer as nodes.
"""

import json
import os
import sys
import time

for _ in range(200):
    if os.fork() == 0:
        time.sleep(600)
        os._exit(0)
for line in sys.stdin:
    began = time.monotonic()
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        used = round((time.monotonic() - began) * 1e6)
        print(json.dumps({"type": "info", "nodes": used}))
        print(json.dumps({"move": message["legal"][0]}), flush=True)
