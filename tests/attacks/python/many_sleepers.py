#!/usr/bin/env python3
"""Answers at once, but has children that sleep: many_sleepers.py CHILDREN. Stopping many takes milliseconds.

Reports the microseconds from a question to its answer as nodes.
"""

import json
import os
import sys
import time

for _ in range(int(sys.argv[1])):
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
