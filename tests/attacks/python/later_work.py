#!/usr/bin/env python3
"""Frees a number of page tables in each turn, just before it answers. The kernel finishes that later.

Reports as nodes at which microsecond it answered or, if it frees none, was asked.
"""

import json
import mmap
import sys
import time

TABLES = int(sys.argv[1])
PER_TABLE = 2 << 20


def free_tables():
    memory = mmap.mmap(-1, TABLES * PER_TABLE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
    for at in range(0, TABLES * PER_TABLE, PER_TABLE):
        memory[at]
    memory.close()


for line in sys.stdin:
    moment = time.monotonic()
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        if TABLES:
            free_tables()
            moment = time.monotonic()
        else:
            # The opponent of a bot that answers at once is not stopped before the question.
            while time.monotonic() < moment + 0.01:
                pass
        print(json.dumps({"type": "info", "nodes": round(moment * 1e6)}))
        print(json.dumps({"move": message["legal"][0]}), flush=True)
