#!/usr/bin/env python3
"""Tries what a bot must not do, and says in its version what it could do: probe.py VICTIM FOLDER FILE

VICTIM is the number of another process of the same user, FOLDER one that it must not write to, and FILE
one that it must not read. Each attempt is a function below, which returns whether it succeeded. None
harms anybody where nothing stops it. After that it plays the first legal move.
"""

import ctypes
import json
import os
import platform
import resource
import signal
import socket
import subprocess
import sys

VICTIM = int(sys.argv[1])
FOLDER = sys.argv[2]
FILE = sys.argv[3]
HERE = os.path.dirname(os.path.abspath(__file__))
LEFT = "arena-probe-left"
LIBC = ctypes.CDLL(None, use_errno=True)

# Numbers of system calls that are the same on all machines, and those of x86-64 that are not.
SAME = {"io_uring_setup": 425, "pidfd_getfd": 438, "pidfd_open": 434, "open_tree": 428, "clone3": 435}
X86 = {
    "add_key": 248, "keyctl": 250, "bpf": 321, "perf_event_open": 298, "userfaultfd": 323,
    "process_vm_readv": 310, "shmget": 29, "msgget": 68, "mount": 165, "setns": 308, "unshare": 272,
    "ptrace": 101, "name_to_handle_at": 303, "mq_open": 240, "clone": 56, "personality": 135,
}
ARM = {
    "add_key": 217, "keyctl": 219, "bpf": 280, "perf_event_open": 241, "userfaultfd": 282,
    "process_vm_readv": 270, "shmget": 194, "msgget": 186, "mount": 40, "setns": 268, "unshare": 97,
    "ptrace": 117, "name_to_handle_at": 264, "mq_open": 180, "clone": 220, "personality": 92,
}
CALLS = {**SAME, **(X86 if platform.machine() == "x86_64" else ARM)}


def call(name, *arguments):
    """Whether the call got past those who look at it: it may still fail for its arguments."""
    arguments = [ctypes.c_long(number) for number in arguments]
    result = LIBC.syscall(ctypes.c_long(CALLS[name]), *arguments)
    return result >= 0


def exists(name, *arguments):
    """Whether the kernel has looked at the arguments at all: EINVAL, EFAULT and so on say that it has."""
    return call(name, *arguments) or ctypes.get_errno() not in (1, 13, 38)


# Other processes.


def sends_signal():
    os.kill(VICTIM, signal.SIGCONT)
    return True


def signals_its_keeper():
    if os.getppid() == 0:
        return False
    os.kill(os.getppid(), signal.SIGCONT)
    return True


def reads_memory():
    with open(f"/proc/{VICTIM}/mem", "rb"):
        return True


def reads_environment():
    with open(f"/proc/{VICTIM}/environ", "rb") as file:
        return len(file.read()) > 0


def sees_name():
    with open(f"/proc/{VICTIM}/cmdline", "rb") as file:
        return len(file.read()) > 0


def opens_descriptors():
    with open(f"/proc/{VICTIM}/fd/0", "rb"):
        return True


def traces():
    # PTRACE_SEIZE, which does not stop it.
    return call("ptrace", 0x4206, VICTIM, 0, 0)


def reads_memory_by_call():
    return exists("process_vm_readv", VICTIM, 0, 0, 0, 0, 0)


def sets_limits():
    now = resource.prlimit(VICTIM, resource.RLIMIT_NOFILE)
    resource.prlimit(VICTIM, resource.RLIMIT_NOFILE, now)
    return True


def sets_priority():
    os.setpriority(os.PRIO_PROCESS, VICTIM, os.getpriority(os.PRIO_PROCESS, VICTIM))
    return True


def becomes_idle():
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    return True


def leaves_its_cores():
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    return True


def steals_descriptor():
    victim = LIBC.syscall(ctypes.c_long(CALLS["pidfd_open"]), ctypes.c_long(VICTIM), 0)
    return victim >= 0 and call("pidfd_getfd", victim, 0, 0)


# Files.


def reads_file():
    with open(FILE, "rb"):
        return True


def writes_to_folder():
    with open(os.path.join(FOLDER, "written"), "w", encoding="utf-8"):
        return True


def lists_folder():
    os.listdir(FOLDER)
    return True


def writes_to_its_folder():
    with open(os.path.join(HERE, "written"), "w", encoding="utf-8"):
        return True


def changes_permissions():
    os.chmod(FILE, os.stat(FILE).st_mode)
    return True


def changes_own_permissions():
    os.chmod(os.path.abspath(__file__), os.stat(__file__).st_mode)
    return True


def changes_times():
    os.utime(FILE)
    return True


def reads_passwords():
    with open("/etc/shadow", "rb"):
        return True


def finds_what_was_left():
    places = ["/tmp", "/dev/shm", os.path.expanduser("~"), os.environ.get("TMPDIR", "/tmp"), "/var/tmp"]
    found = [place for place in places if tried(lambda: open(os.path.join(place, LEFT)).close() or True)]
    for place in places:
        try:
            with open(os.path.join(place, LEFT), "w", encoding="utf-8"):
                pass
        except OSError:
            pass
    return bool(found)


def has_the_arenas_environment():
    return "ARENA_TEST_SECRET" in os.environ


def may_dump_core():
    return resource.getrlimit(resource.RLIMIT_CORE)[1] != 0


def holds_a_core():
    """Takes what arenas agree by who plays on which core: docs/protocol.md."""
    import fcntl

    for number in range(os.cpu_count()):
        with open(f"/tmp/arena-core-{number}.lock", "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return True


def has_descriptors():
    mine = os.listdir("/proc/self/fd")
    # The list is open while it is read.
    return len(mine) > 4


# The network.


def opens(family, kind, number=0):
    def attempt():
        socket.socket(family, kind, number).close()
        return True

    return attempt


# Ways out.


def has_capabilities():
    with open("/proc/self/status", encoding="utf-8") as file:
        lines = dict(line.split(":\t", 1) for line in file if ":\t" in line)
    return int(lines["CapEff"], 16) != 0 or int(lines["CapBnd"], 16) != 0 and lines["NoNewPrivs"] == "0\n"


def gets_privileges():
    with open("/proc/self/status", encoding="utf-8") as file:
        return "NoNewPrivs:\t1" not in file.read()


def makes_namespace():
    return call("unshare", 0x10000000)


def clones_namespace():
    pid = LIBC.syscall(ctypes.c_long(CALLS["clone"]), ctypes.c_long(0x10000000 | 17), 0, 0, 0, 0)
    if pid == 0:
        os._exit(0)
    if pid > 0:
        os.waitpid(pid, 0)
    return pid > 0


def by_call(name, *arguments):
    def attempt():
        return exists(name, *arguments)

    return attempt


ATTEMPTS = {
    # First, since others open some.
    "inherited": has_descriptors,
    "signal": sends_signal,
    "signal-keeper": signals_its_keeper,
    "memory": reads_memory,
    "environment": reads_environment,
    "name": sees_name,
    "descriptors": opens_descriptors,
    "trace": traces,
    "memory-by-call": reads_memory_by_call,
    "limits": sets_limits,
    "priority": sets_priority,
    "idle-class": becomes_idle,
    "cores": leaves_its_cores,
    "steal": steals_descriptor,
    "read": reads_file,
    "write": writes_to_folder,
    "list": lists_folder,
    "own-folder": writes_to_its_folder,
    "chmod": changes_permissions,
    "own-chmod": changes_own_permissions,
    "times": changes_times,
    "passwords": reads_passwords,
    "left": finds_what_was_left,
    "arena-environment": has_the_arenas_environment,
    "core-dump": may_dump_core,
    "core-lock": holds_a_core,
    "tcp": opens(socket.AF_INET, socket.SOCK_STREAM),
    "udp": opens(socket.AF_INET, socket.SOCK_DGRAM),
    "tcp6": opens(socket.AF_INET6, socket.SOCK_STREAM),
    "unix": opens(socket.AF_UNIX, socket.SOCK_STREAM),
    "netlink": opens(16, socket.SOCK_RAW),
    "vsock": opens(40, socket.SOCK_STREAM),
    "capabilities": has_capabilities,
    "privileges": gets_privileges,
    "unshare": makes_namespace,
    "clone": clones_namespace,
    "io_uring": by_call("io_uring_setup", 1, 0),
    "add_key": by_call("add_key", 0, 0, 0, 0, 0),
    "keyctl": by_call("keyctl", 0, -3, 0),
    "bpf": by_call("bpf", 0, 0, 0),
    "perf": by_call("perf_event_open", 0, 0, 0, 0, 0),
    "userfaultfd": by_call("userfaultfd", 0x7FFF),
    "mount": by_call("mount", 0, 0, 0, 0, 0),
    "setns": by_call("setns", -1, 0),
    "shmget": by_call("shmget", 0, 4096, 0o600 | 0o1000),
    "mq_open": by_call("mq_open", 0, 0, 0, 0),
    "handle": by_call("name_to_handle_at", -100, 0, 0, 0, 0),
    "clone3": by_call("clone3", 0, 0),
}


def tried(attempt):
    try:
        return attempt()
    except (OSError, ValueError, subprocess.SubprocessError):
        return False


def main():
    could = [name for name, attempt in ATTEMPTS.items() if tried(attempt)]
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            print(json.dumps({"type": "ready", "name": "probe", "version": " ".join(could)}), flush=True)
        elif message["type"] == "turn":
            print(json.dumps({"move": message["legal"][0]}), flush=True)
        elif message["type"] == "quit":
            break


main()
