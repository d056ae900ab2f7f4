"""Reads what a bot must not read: secrets of the machine, of its user, of the arena, of other processes."""

import glob
import os
import re

from attack import GIVEN, HERE, Untried, at, run, victim


def first(*patterns):
    """Reads a byte of the first file that can be read."""

    def attempt():
        there = False
        for pattern in patterns:
            for path in glob.glob(pattern.format(**GIVEN, home=os.path.dirname(GIVEN["folder"]))) or [pattern.format(**GIVEN, home=os.path.dirname(GIVEN["folder"]))]:
                try:
                    with open(path, "rb") as file:
                        if file.read(1):
                            return path
                except FileNotFoundError:
                    pass
                except OSError:
                    there = True
        return None

    return attempt


def environment():
    return "ARENA_TEST_SECRET" in os.environ and "the arena's environment"


def name_of_victim():
    with open(f"/proc/{victim()}/cmdline", "rb") as file:
        return file.read()


def words_of_the_supervisor():
    """Reads the arguments of the supervisor, the parent of this program's parent. They would name the arena's folders and groups."""
    with open(f"/proc/{os.getppid()}/stat", "rb") as file:
        supervisor = int(file.read().rsplit(b")", 1)[1].split()[1])
    with open(f"/proc/{supervisor}/cmdline", "rb") as file:
        return file.read().strip(b"\0")


def addresses_of_the_kernel():
    with open("/proc/kallsyms", encoding="ascii") as file:
        return [line for line in file if not line.startswith("0000000000000000")][:1]


def connections():
    with open("/proc/net/tcp", encoding="ascii") as file:
        return f":{int(GIVEN['tcp']):04X} " in file.read() and "who listens on the machine"


def sockets():
    with open("/proc/net/unix", encoding="utf-8") as file:
        return GIVEN["folder"] in file.read() and "the paths of sockets"


def locks():
    with open("/proc/locks", encoding="ascii") as file:
        return len(file.readlines()) > 0 and "locks of others"


def listing():
    return os.listdir(GIVEN["folder"])


def home():
    return os.listdir(os.path.dirname(GIVEN["folder"]) + "/.ssh")


def exists():
    os.lstat(at("secret"))
    return "a name that was guessed is there"


def processes():
    return [name for name in os.listdir("/proc") if name == str(victim())]


def other_bots():
    """Reads command lines of opponents and of the arena, which contain paths of their files."""
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/cmdline", "rb") as file:
                    if b"arena\0run" in file.read():
                        return f"the arena is {name}"
            except OSError:
                pass
    return None


def any_process(group):
    """Returns whether a process is in this control group or in one below it."""
    for path in glob.glob(f"{group}/**/cgroup.procs", recursive=True):
        try:
            with open(path, encoding="utf-8") as file:
                if file.read().strip():
                    return True
        except OSError:
            pass
    return False


def control_groups():
    """Finds other sandboxes and their usage. Ignores groups without a process, which a killed arena has left."""
    found = [path for path in glob.glob("/sys/fs/cgroup/**/*arena*", recursive=True) if any_process(path)]
    with open("/proc/self/cgroup", encoding="utf-8") as file:
        own = re.findall(r"[^/\n]*arena[^/\n]*", file.read())
    return [path for path in found if not any(name in path for name in own)][:1]


run({
    "environment": environment, "command-line": name_of_victim, "supervisor": words_of_the_supervisor, "kallsyms": addresses_of_the_kernel, "connections": connections,
    "sockets": sockets, "locks": locks, "list": listing, "list-home": home, "exists": exists, "processes": processes,
    "arena": other_bots, "cgroups": control_groups,
    "shadow": first("/etc/shadow", "/etc/gshadow"), "sudoers": first("/etc/sudoers"), "host-keys": first("/etc/ssh/ssh_host_*_key"),
    "ssh": first("{home}/.ssh/id_rsa", "/root/.ssh/*", "/home/*/.ssh/*"), "logs": first("/var/log/*log", "/var/log/*/*"),
    "machine-id": first("/etc/machine-id", "/var/lib/dbus/machine-id"), "hosts-of-root": first("/root/.bash_history", "/root/.profile"),
    "record": first("{run}/arena.db"), "run": first("{run}/run.toml"), "tables": first("{run}/games.csv", "{run}/arena.lock"),
    "tournament": first("{run}.toml"), "rival": first("{source}"), "neighbour": first("{home}/course/submissions/key"),
    "cache": first("{home}/cache/*/*", "{home}/cache/*/*/*"), "kcore": first("/proc/kcore"), "memory": first("/dev/mem", "/dev/port"),
    "messages": first("/dev/kmsg"), "disk": first("/dev/vda", "/dev/sda", "/dev/nvme0n1", "/dev/vda1"),
    "init": first("/proc/1/environ", "/proc/1/maps") if os.environ.get("HOME") != "/home/bot" else first("/proc/1/mem"),
    "victim-environment": first("/proc/{pid}/environ"), "victim-maps": first("/proc/{pid}/maps"), "victim-input": first("/proc/{pid}/fd/3"),
    "victim-stack": first("/proc/{pid}/stack", "/proc/{pid}/syscall"), "victim-io": first("/proc/{pid}/io"),
    "page-map": first("/proc/{pid}/pagemap"), "victim-links": lambda: os.readlink(f"/proc/{victim()}/cwd"),
    "victim-exe": lambda: os.readlink(f"/proc/{victim()}/exe"), "spool": first("/var/spool/cron/crontabs/*", "/var/mail/*"),
    "packages": first("/var/lib/dpkg/status"), "counters": first("/proc/vmstat", "/proc/diskstats"), "slab": first("/proc/slabinfo", "/proc/vmallocinfo"), "boot": first("/boot/*"),
})
