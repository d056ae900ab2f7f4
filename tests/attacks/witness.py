#!/usr/bin/env python3
"""Offers targets that attacks must not reach, and reports the targets that they reached: witness.py FOLDER

Makes FOLDER with a secret in it, listens, and prints a line with the arguments for attacks. At the end of its input,
prints a line for everything that reached it or has changed, and exits. Does not rely on the output of the attacks.
"""

import glob
import hashlib
import os
import resource
import select
import signal
import socket
import sys
import time

FOLDER = sys.argv[1]
SIGNALS = set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP, signal.SIGCHLD}
found = []


def listen(family, kind, address):
    found_at = socket.socket(family, kind)
    found_at.bind(address)
    if kind == socket.SOCK_STREAM:
        found_at.listen(64)
    return found_at


def content(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def files():
    """Returns the metadata and the hash of each file, but not the time of its last read."""
    facts = {}
    for folder, folders, names in os.walk(FOLDER):
        for path in [folder] + [os.path.join(folder, name) for name in folders + names]:
            data = os.lstat(path)
            mark = content(path) if os.path.isfile(path) else None
            extra = tuple(os.listxattr(path, follow_symlinks=False))
            facts[path] = (data.st_mode, data.st_uid, data.st_gid, data.st_nlink, data.st_size, data.st_mtime_ns, mark, extra)
    return facts


def read(path):
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return None


def itself():
    status = dict(line.split(":", 1) for line in read("/proc/self/status").splitlines() if ":" in line)
    facts = {key: status[key].strip() for key in ("TracerPid", "Uid", "Cpus_allowed", "Seccomp", "NoNewPrivs")}
    facts |= {key: resource.getrlimit(getattr(resource, key)) for key in dir(resource) if key.startswith("RLIMIT_")}
    facts |= {f"/proc/self/{name}": read(f"/proc/self/{name}") for name in ("oom_score_adj", "cgroup", "comm", "autogroup")}
    return facts | {"nice": os.getpriority(os.PRIO_PROCESS, 0), "policy": os.sched_getscheduler(0)}


def machine():
    """Returns facts about the machine: files with the name of an attack, and tables of the kernel."""
    facts = {f"/proc/sysvipc/{kind}": ipc(kind) for kind in ("shm", "sem", "msg")}
    facts |= {path: read(path) for path in ("/proc/sys/kernel/hostname", "/proc/sys/kernel/domainname", "/proc/swaps")}
    facts |= {"mounts": sorted(line.split()[4] for line in read("/proc/self/mountinfo").splitlines() if "attack" in line)}
    places = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run", "/var/spool/cron/crontabs"]
    left = [path for place in places for path in glob.glob(f"{place}/*attack-*")]
    return facts | {"left": [path for path in left if os.lstat(path).st_mtime >= BEGAN]}


def ipc(kind):
    """Returns whether the kernel's table has the key that attacks use."""
    return str(0x61747461) in read(f"/proc/sysvipc/{kind}").split()


def clock():
    return time.clock_gettime(time.CLOCK_REALTIME) - time.clock_gettime(time.CLOCK_BOOTTIME)


def differences(before, after):
    for key in sorted(before.keys() | after.keys()):
        if before.get(key) != after.get(key):
            yield f"changed {key}: {before.get(key)} is now {after.get(key)}"


BEGAN = time.time() - 1
signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
os.mkdir(FOLDER, 0o755)
with open(os.path.join(FOLDER, "secret"), "w", encoding="utf-8") as file:
    file.write("secret\n")
with open(os.path.join(FOLDER, "program"), "w", encoding="utf-8") as file:
    file.write("#!/bin/sh\nexit 7\n")
os.chmod(os.path.join(FOLDER, "program"), 0o755)
tcp = listen(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0))
udp = listen(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0))
abstract = f"attack-witness-{os.getpid()}"
listeners = {
    tcp: "tcp",
    udp: "udp",
    listen(socket.AF_UNIX, socket.SOCK_STREAM, os.path.join(FOLDER, "stream")): "unix stream",
    listen(socket.AF_UNIX, socket.SOCK_DGRAM, os.path.join(FOLDER, "log")): "unix datagram",
    listen(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + abstract): "abstract",
}
before, offset = [files(), itself(), machine()], clock()
print(f"pid={os.getpid()} folder={FOLDER} tcp={tcp.getsockname()[1]} udp={udp.getsockname()[1]} abstract={abstract}", flush=True)
waits = True
while waits:
    ready, _, _ = select.select([sys.stdin, *listeners], [], [])
    for source in ready:
        if source is sys.stdin:
            waits = bool(os.read(0, 4096))
        elif source.type == socket.SOCK_DGRAM:
            found.append(f"heard {listeners[source]}: {source.recv(64)}")
        else:
            source.accept()[0].close()
            found.append(f"heard {listeners[source]}")
while (info := signal.sigtimedwait(SIGNALS, 0)) is not None:
    found.append(f"signal {info.si_signo} from {info.si_pid}")
for was, is_now in zip(before, [files(), itself(), machine()]):
    found += differences(was, is_now)
if abs(clock() - offset) > 5:
    found.append(f"the clock moved by {clock() - offset:.3f} s")
print("\n".join(found + ["end"]))
