#!/usr/bin/env python3
"""A bot that misbehaves on demand: misbehave.py MODE [WORD]

The bot plays the first legal move. At its second turn it runs its mode, unless the mode acts at another time. Each
mode is a function below. Tests find the process by WORD.
"""

import json
import os
import signal
import sys
import threading
import time

ASKED = 2
MODE = sys.argv[1]
OUT = sys.stdout.buffer


def write(data):
    OUT.write(data)
    OUT.flush()


def line_of(message):
    return json.dumps(message).encode() + b"\n"


def say(message):
    write(line_of(message))


def for_ever():
    while True:
        time.sleep(3600)


def answer(turn, more=b""):
    """Plays the first legal move. Writes `more` in the same call, before the next question can come."""
    write(line_of({"type": "move", "id": turn["id"], "move": turn["legal"][0]}) + more)


def line(text):
    """Returns a mode that answers with this line."""
    data = text if isinstance(text, bytes) else text.encode()
    return lambda turn: write(data + b"\n")


def move(text):
    """Returns a mode that plays this move."""
    return lambda turn: say({"type": "move", "move": text})


# Modes that act at the second turn.


def hang(turn):
    for_ever()


def drip(turn):
    """Writes single bytes slowly, never a newline."""
    while True:
        write(b" ")
        time.sleep(0.01)


def gigabyte(turn):
    """Writes one line of 1 GB."""
    megabyte = b"x" * (1 << 20)
    for _ in range(1024):
        write(megabyte)


def flood(turn):
    """Answers, and writes lines forever."""
    lines = b'{"move":"a1"}\n' * 100
    answer(turn, lines)
    while True:
        write(lines)


def flood_info(turn):
    """Writes `info` lines forever."""
    lines = b'{"type":"info","depth":1,"text":"hm"}\n' * 1000
    while True:
        write(lines)


def flood_blank(turn):
    lines = b"\r\n" * 5000
    while True:
        write(lines)


def flood_errors(turn):
    while True:
        os.write(2, b"what a position!\n" * 100)


def occupied(turn):
    rows = turn["board"]
    taken = next((r, c) for r, row in enumerate(rows) for c, x in enumerate(row) if x != ".")
    say({"move": chr(ord("a") + taken[1]) + str(taken[0] + 1)})


def old_id(turn):
    say({"id": turn["id"] - 1, "move": turn["legal"][0]})


def twice(turn):
    legal = turn["legal"]
    write(('{"move":"%s"}\n{"move":"%s"}\n' % (legal[0], legal[-1])).encode())


def half(turn):
    """Writes the beginning of its next answer at once, and the rest when asked."""
    answer(turn, b'{"move":')
    following = read()
    write(b'"%s"}\n' % following["legal"][0].encode())


def leave(turn):
    print("I have had enough", file=sys.stderr)
    sys.exit(3)


def answer_and_leave(turn):
    answer(turn)
    os._exit(0)


def abort(turn):
    os.abort()


def segfault(turn):
    os.kill(os.getpid(), signal.SIGSEGV)


def close_output(turn):
    os.close(1)
    for_ever()


def close_input(turn):
    """Answers, and closes its input, so that it cannot be asked again."""
    answer(turn)
    os.close(0)
    for_ever()


def stuff_input(turn):
    """Fills its own input, so that the arena cannot write the next question."""
    answer(turn)
    pipe = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(pipe, b"x" * 4096)
    except BlockingIOError:
        for_ever()


def stop_itself(turn):
    os.kill(os.getpid(), signal.SIGSTOP)


def deaf(turn):
    """Hangs, and ignores signals."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    for_ever()


def orphan(turn):
    """Leaves a child that keeps all pipes open."""
    if os.fork() == 0:
        for_ever()
    os._exit(4)


MODES = {
    "hang": hang,
    "drip": drip,
    "gigabyte": gigabyte,
    "flood": flood,
    "flood-info": flood_info,
    "flood-blank": flood_blank,
    "flood-errors": flood_errors,
    "not-utf8": line(b'{"move":"\xff\xfe"}'),
    "traceback": line("Traceback (most recent call last):\n  ValueError: \x1b[31moops"),
    "not-json": line("d3"),
    "list": line('["move",null,"d3"]'),
    "brackets": line("[" * 60_000),
    "brackets-in-object": line('{"move":' + "[" * 60_000),
    "many-brackets": line("[" * 100_000),
    "same-key-twice": line('{"move":"d3","move":"c4"}'),
    "infinite": line('{"type":"info","score":1e999}'),
    "not-a-number": line('{"type":"info","score":NaN}'),
    "huge-id": line('{"id":99999999999999999999999,"move":"d3"}'),
    "occupied": occupied,
    "off-board": move("z99"),
    "negative": move("-1"),
    "number": move(19),
    "list-of-moves": move(["d3"]),
    "null": move(None),
    "empty": move(""),
    "pass": move("pass"),
    "escapes": move("\x1b]0;owned\x07\x1b[2Jd3\r\n\u202eevom"),
    "formula": move("=cmd|' /C calc'!A0"),
    "script": move("<script>alert(1)</script>"),
    "path": move("../../../etc/passwd"),
    "old-id": old_id,
    "twice": twice,
    "half": half,
    "leave": leave,
    "answer-and-leave": answer_and_leave,
    "abort": abort,
    "segfault": segfault,
    "close-output": close_output,
    "close-input": close_input,
    "stuff-input": stuff_input,
    "stop-itself": stop_itself,
    "deaf": deaf,
    "orphan": orphan,
}

# Modes that act at another time, or play honestly.


def first(what):
    """Returns whether `what` happens for the first time in this mode, in any process."""
    try:
        os.close(os.open(f"{MODE}.{what}", os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False


def look_around():
    """Exits if it sees open files or variables of the arena."""
    descriptors = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            os.fstat(int(name))
            descriptors.add(int(name))
        except OSError:
            pass  # the descriptor that listdir itself used
    if descriptors - {0, 1, 2} or "ARENA_TEST_SECRET" in os.environ:
        print(descriptors, sorted(os.environ), file=sys.stderr)
        sys.exit(9)


def leave_a_daemon():
    """Leaves a process that has a session of its own, a parent that has ended, and no pipe."""
    if os.fork() > 0:
        os.wait()
        return
    os.setsid()
    if os.fork() > 0:
        os._exit(0)
    for number in (0, 1, 2):
        os.close(number)
    for_ever()


def at_start():
    # At the first start, the arena probes the bot before the run.
    if MODE == "leave-before-ready" and not first("start"):
        print("no such file: weights.bin", file=sys.stderr)
        sys.exit(5)
    if MODE == "never-ready" and not first("start"):
        for_ever()
    if MODE == "look-around":
        look_around()
    if MODE == "daemon":
        leave_a_daemon()
    if MODE == "chatty-errors":
        threading.Thread(target=flood_errors, args=(None,), daemon=True).start()
    if MODE == "stays":
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)


def read():
    text = sys.stdin.readline()
    if text:
        return json.loads(text)
    if MODE == "stays":
        for_ever()
    sys.exit(0)


def honest(turn):
    if MODE == "slow":
        time.sleep(0.005)
    elif MODE == "thinker" and first("thinking"):
        time.sleep(0.5)
    if MODE == "habits":
        legal = turn["legal"][0]
        write(f'\r\n  \n \t{{"move":"{legal}"}}  \r\n\r\n'.encode())
    else:
        answer(turn)


def main():
    at_start()
    asked = 0
    if MODE == "habits":
        write(b"\xef\xbb\xbf")
    while True:
        message = read()
        kind = message["type"]
        if kind == "hello":
            asked = 0
            ready = {"type": "ready", "name": f"misbehave \x1b[31m{MODE}", "version": "=1+1"}
            early = line_of({"move": "d3"}) if MODE == "early" else b""
            write(line_of(ready) + early)
        elif kind == "turn":
            asked += 1
            if asked == ASKED and MODE in MODES:
                MODES[MODE](message)
            else:
                honest(message)
        elif kind == "over" and MODE == "bad-parting":
            sys.exit(7)
        elif kind == "quit" and MODE != "stays":
            sys.exit(0)


try:
    main()
except BrokenPipeError:
    os._exit(1)
