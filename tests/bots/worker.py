"""Plays one of its legal moves: worker.py WORK SLEEP CHILDREN CHOICE

WORK is CPU seconds per move, SLEEP seconds of sleep per move, CHILDREN the number of children that compute all the
time on the bot's core (`ended`: one child that ends after half a second without a `wait`), and CHOICE the index of the
legal move.
"""

import json
import os
import signal
import sys
import time

if sys.argv[3] == "ended":
    sys.argv[3] = "0"
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    if os.fork() == 0:
        # The supervisor looks for children about every 5 ms, and on a busy core less often.
        time.sleep(0.5)
        os._exit(0)
work, sleep, children, choice = [float(word) for word in sys.argv[1:5]]
if not all(os.fork() for child in range(int(children))):
    while os.getppid() != 1:
        pass
    os._exit(0)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "turn":
        start = time.process_time()
        while time.process_time() - start < work:
            pass
        time.sleep(sleep)
        print(json.dumps({"move": message["legal"][int(choice)]}), flush=True)
    elif message["type"] == "quit":
        break
