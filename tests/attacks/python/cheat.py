#!/usr/bin/env python3
"""Plays Othello and cheats: cheat.py MODE name=NAME [run=FOLDER source=FILE]

NAME identifies the bot's own processes, FOLDER is the folder of the run, and FILE the source of the opponent, which is
this program with `name=rival`. The bot plays the first legal move. Once in a game, at its fifth turn, it runs its mode,
a function below. `fair-…` modes play at random, and cheat only if they are about to lose. All modes use a bounded
amount of resources, so that they do no harm if nothing stops them.
"""

import json
import os
import random
import shutil
import signal
import sys
import threading
import time

MODE = sys.argv[1]
GIVEN = dict(word.split("=", 1) for word in sys.argv[2:])
RUN, SOURCE = GIVEN.get("run", "none"), GIVEN.get("source", "none")
MARKER, VICTIM = f"name={GIVEN['name']}\0", "name=rival\0"
AT_TURN = 5
# A time longer than the limit of a move.
LATE = 0.45
# Functions to call after the next answer.
AFTER = []
# The argument with the next move for `heir`.
HEIR = []


def spin(seconds):
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        pass


def compute(seconds):
    """Spins until the process has used this much CPU time, however busy the machine is."""
    until = time.process_time() + seconds
    while time.process_time() < until:
        pass


def child(work, *words):
    """Does the work in a child in the same process group."""
    if os.fork() == 0:
        try:
            work(*words)
        finally:
            os._exit(0)


def unseen(work):
    """Does the work in a process with another process group, another parent and no environment variables."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve(sys.executable, [sys.executable, "-ES", __file__, work, *sys.argv[2:]], {})
        os._exit(0)
    os.wait()


def others():
    """Returns the visible processes that are not the bot's own, with their command lines."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    found.append((int(name), file.read().decode(errors="replace")))
            except OSError:
                pass
    return [(pid, line) for pid, line in found if MARKER not in line]


def victims():
    return [pid for pid, line in others() if VICTIM in line]


def arenas():
    return [os.getppid()] + [pid for pid, line in others() if RUN in line]


def each(what, things):
    for thing in things:
        try:
            what(thing)
        except OSError as error:
            print(MODE, error, file=sys.stderr)


# Modes that are late by their own fault, and try to blame the machine.


def children():
    """60 children in the same process group spin."""
    for _ in range(60):
        child(spin, LATE + 0.1)
    spin(LATE)


def reaped():
    """Children spin for 30 ms each, one after the other."""
    until = time.monotonic() + LATE
    while time.monotonic() < until:
        child(spin, 0.03)
        os.wait()


def spinners():
    """Three processes of other sessions spin."""
    for _ in range(3):
        unseen("--spin")
    spin(LATE)


def sessions():
    """20 sessions spin for 20 s, so that a supervisor on the same core gets only a 21st of the core."""
    for _ in range(20):
        if os.fork() == 0:
            os.setsid()
            spin(20)
            os._exit(0)


def idle_class():
    """Spins as `spinners` does, but this process has the lowest priority."""
    each(lambda policy: os.sched_setscheduler(0, policy, os.sched_param(0)), [os.SCHED_IDLE])
    spinners()


def stop_arena():
    """Stops the arena until the answer is late."""
    each(lambda pid: os.kill(pid, signal.SIGSTOP), arenas())
    time.sleep(LATE)
    each(lambda pid: os.kill(pid, signal.SIGCONT), arenas())


HEIR_MAY_EXECUTE = threading.Event()


def gather_waits():
    """Before the first question, starts children that spin, so that a second thread must wait for the core."""
    for _ in range(20):
        child(spin, 1.2)

    def wait_and_execute():
        spin(1.2)
        HEIR_MAY_EXECUTE.wait()
        os.execv(sys.executable, [sys.executable, "-ES", __file__, "--heir", *sys.argv[2:], *HEIR])

    threading.Thread(target=wait_and_execute, daemon=True).start()
    time.sleep(1.3)


def heir():
    """The second thread executes this program, and so becomes the first. Its waits must not excuse its late answer."""
    HEIR_MAY_EXECUTE.set()
    time.sleep(20)


# Modes that make the opponent fail.


def kill():
    each(lambda pid: os.kill(pid, signal.SIGKILL), victims())


def stop():
    each(lambda pid: os.kill(pid, signal.SIGSTOP), victims())


def write_to(path, text):
    descriptor = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    os.write(descriptor, text)
    os.close(descriptor)


def inject():
    """Writes a line in the opponent's name."""
    each(lambda pid: write_to(f"/proc/{pid}/fd/1", b'{"type":"move","move":"resign"}\n'), victims())


def quit_it():
    """Writes a line in the arena's name."""
    each(lambda pid: write_to(f"/proc/{pid}/fd/0", b'{"type":"quit"}\n'), victims())


def steal():
    """Reads the opponent's questions in a child that keeps running."""

    def read(pid):
        descriptor = os.open(f"/proc/{pid}/fd/0", os.O_RDONLY)
        child(os.read, descriptor, 1 << 16)

    each(read, victims())


def source():
    """Empties the opponent's program, so that its next start fails."""
    each(lambda path: open(path, "w").close(), [SOURCE])


# Modes that change the record.


def record():
    def spoil(name):
        with open(os.path.join(RUN, name), "r+b") as file:
            file.write(b"spoiled")

    each(spoil, ["arena.db", "run.toml", "arena.db-wal"])


def late_edit():
    """Waits until the arena writes its tables, and writes to them."""
    unseen("--edit")


def no_room():
    """Fills the disk, removes the run, and puts a file in the place of the evidence."""
    place = os.environ.get("TMPDIR", "/tmp")

    def fill(number):
        with open(os.path.join(place, f"arena-filled-{number}"), "wb") as file:
            file.write(bytes(8 << 20))

    each(fill, range(9))
    shutil.rmtree(RUN, ignore_errors=True)
    each(lambda name: open(os.path.join(RUN, name), "w").close(), ["failures"])


# Modes that use the opponent's time.


def other_core():
    """A child spins on every core that it may use."""

    def work():
        each(lambda cores: os.sched_setaffinity(0, cores), [range(os.cpu_count())])
        spin(20)

    child(work)


def wake():
    """A child spins, and sends SIGCONT to every process that it can reach."""

    def work():
        until = time.monotonic() + 20
        while time.monotonic() < until:
            each(lambda pid: os.kill(pid, signal.SIGCONT), [os.getppid(), -1])

    child(work)


def timer():
    """A child spins, and asks the kernel for a SIGCONT every millisecond."""
    import ctypes
    import fcntl

    def work():
        signal.signal(signal.SIGCONT, lambda *_: None)
        library = ctypes.CDLL(None, use_errno=True)
        event = (ctypes.c_int * 16)(0, 0, signal.SIGCONT, 0)
        every = (ctypes.c_long * 4)(0, 1000000, 0, 1000000)
        number = ctypes.c_void_p()
        if library.timer_create(1, event, ctypes.byref(number)) == 0:
            library.timer_settime(number, 0, every, None)
        reader, _ = os.pipe()
        each(lambda command: fcntl.fcntl(reader, command, signal.SIGCONT), [10])
        spin(20)

    child(work)


def stuffed():
    """Fills its own input pipe, so that the arena must wait until the bot reads. The bot computes before it reads."""
    import fcntl

    fcntl.fcntl(0, fcntl.F_SETPIPE_SZ, 4096)
    own = os.open("/proc/self/fd/0", os.O_WRONLY | os.O_NONBLOCK)
    try:
        while True:
            os.write(own, b"\n" * 4096)
    except BlockingIOError:
        AFTER.append(lambda: compute(LATE))


def orphan():
    """A stopped child loses its parent. The kernel then continues the orphaned process group."""
    reader, writer = os.pipe()

    def inner():
        os.setpgid(0, 0)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        signal.signal(signal.SIGCONT, lambda *_: (spin(0.6), os.kill(os.getpid(), signal.SIGSTOP)))
        os.write(writer, b"x")
        time.sleep(60)

    def middle():
        os.setpgid(0, 0)
        # Because of this memory, the process is still ending when the bot answers.
        kept = bytearray(b"x") * (48 << 20)
        child(inner)
        time.sleep(60 + kept[0])

    child(middle)
    os.read(reader, 1)
    each(lambda pid: os.kill(pid, signal.SIGKILL), children_of(os.getpid()))


def children_of(pid):
    with open(f"/proc/{pid}/task/{pid}/children") as file:
        return [int(child) for child in file.read().split()]


def before_greeting():
    """150 processes spin when the game begins; `main` starts them at `hello`."""


def honest():
    """Does nothing."""


def thinker():
    """Does nothing, but takes some time for each move."""


def work_unseen():
    if MODE == "--spin":
        spin(20)
    if MODE == "--edit":
        until = time.monotonic() + 20
        while time.monotonic() < until:
            each(lambda name: open(os.path.join(RUN, name), "a").write("x"), ["games.csv", "standings.csv"])
            time.sleep(0.012)
    if MODE == "--heir":
        time.sleep(LATE)
        print(json.dumps({"move": GIVEN["move"]}), flush=True)


def is_losing(turn):
    """Returns whether the game is nearly over and the bot has fewer discs."""
    text = "".join(turn["board"])
    mine, its = ("X", "O") if turn["you"] == "black" else ("O", "X")
    return text.count(".") < 14 and text.count(mine) < text.count(its)


def main():
    work_unseen()
    if MODE.startswith("--") and MODE != "--heir":
        return
    is_fair = MODE.startswith("fair-")
    attacks = MODE.removeprefix("fair-").split(",")
    has_cheated = True
    turns, game, chance = 0, 0, random.Random(MARKER)
    for line in sys.stdin:
        if not line.strip():
            continue
        message = json.loads(line)
        if message["type"] == "hello":
            turns, has_cheated, game = 0, False, game + 1
            chance.seed(message["seed"])
            if MODE == "before-greeting":
                for _ in range(150):
                    child(spin, 1.5)
            if MODE == "heir":
                gather_waits()
            print('{"type":"ready"}', flush=True)
        elif message["type"] == "turn":
            turns += 1
            is_due = is_losing(message) if is_fair else turns == AT_TURN
            if is_due and not has_cheated:
                HEIR[:] = ["move=" + message["legal"][0]]
                has_cheated = True
                globals()[attacks[game % len(attacks)].replace("-", "_")]()
            if MODE == "thinker":
                time.sleep(0.012)
            legal = message["legal"]
            print(json.dumps({"move": chance.choice(legal) if is_fair else legal[0]}), flush=True)
            while AFTER:
                AFTER.pop()()
        elif message["type"] == "quit":
            break


main()
