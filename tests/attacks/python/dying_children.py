#!/usr/bin/env python3
"""Has children that die by their alarms in the opponent's turn: the kernel works for long to free their page tables.

With 0 children, thinks for a second and reports as nodes the longest time, in µs, in which it had no core. Resigns after
two turns.
"""

import json
import mmap
import os
import signal
import sys
import time

CHILDREN = int(sys.argv[1])
SIZE = 4 << 30


def child():
    # Otherwise, the scheduler gives all children together as much time as the opponent.
    os.setsid()
    memory = mmap.mmap(-1, SIZE, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS, mmap.PROT_READ)
    memory.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, SIZE, 2 << 20):
        memory[at]
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, answer + 1 - time.monotonic())
    os.write(ready, b"r")
    time.sleep(600)


signal.signal(signal.SIGCHLD, signal.SIG_IGN)
turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        turns = 0
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        turns += 1
        if CHILDREN:
            answer = time.monotonic() + 2
            for _ in range(CHILDREN):
                heard, ready = os.pipe()
                if os.fork() == 0:
                    child()
                os.read(heard, 1)
                os.close(heard)
                os.close(ready)
            time.sleep(max(0, answer - time.monotonic()))
        else:
            gap, last, end = 0, time.monotonic(), time.monotonic() + 1
            while last < end:
                now = time.monotonic()
                gap, last = max(gap, now - last), now
            print(json.dumps({"type": "info", "nodes": round(gap * 1e6)}))
        print(json.dumps({"move": message["legal"][0] if turns < 3 else "resign"}), flush=True)
