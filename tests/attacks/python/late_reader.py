#!/usr/bin/env python3
"""Has a child that reads after each answer, in a system call that takes many milliseconds and cannot be interrupted.
Reports the microseconds from a question to its answer as nodes.
"""

import json
import os
import sys
import tempfile
import time

MIB = 1 << 20
BEGIN, BEGUN = os.pipe()


def child():
    file = tempfile.TemporaryFile()
    file.truncate(60 * MIB)
    buffer = bytearray(60 * MIB)
    while os.read(BEGIN, 1):
        os.preadv(file.fileno(), [buffer], 0)


if os.fork() == 0:
    child()
for line in sys.stdin:
    began = time.monotonic()
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        os.write(BEGUN, b"x")
        time.sleep(0.001)
        used = round((time.monotonic() - began) * 1e6)
        print(json.dumps({"type": "info", "nodes": used}))
        print(json.dumps({"move": message["legal"][0]}), flush=True)
