"""Creates a file where a program of the arena's user or of the system would read it, and removes it again."""

import os

from attack import GIVEN, run

HOME = os.path.dirname(GIVEN["folder"])
PLACES = {
    "site": f"{HOME}/.local/lib/python3.11/site-packages/attack-{{}}.pth", "system-site": "/usr/lib/python3/dist-packages/attack-{}.pth",
    "local-site": "/usr/local/lib/python3.11/dist-packages/attack-{}.pth", "preload": "/etc/ld.so.preload", "profile": f"{HOME}/.profile",
    "bashrc": f"{HOME}/.bashrc", "bin": "/usr/local/bin/attack-{}", "course-bin": f"{HOME}/course/bin/attack-{{}}",
    "cron": "/etc/cron.d/attack-{}", "spool": "/var/spool/cron/crontabs/attack-{}", "systemd": f"{HOME}/.config/systemd/user/attack-{{}}.service",
    "config": f"{HOME}/.config/arena/attack-{{}}.toml", "cache": f"{HOME}/cache/attack-{{}}", "keys": f"{HOME}/.ssh/authorized_keys",
    "results": f"{GIVEN['run']}/attack-{{}}", "failures": f"{GIVEN['run']}/failures", "tmp": "/tmp/attack-{}", "var-tmp": "/var/tmp/attack-{}",
    "run": "/run/attack-{}", "root": "/attack-{}", "node": "/usr/lib/node_modules/attack-{}", "pycache": "/usr/lib/python3.11/__pycache__/attack-{}.pyc",
    "own-site": f"{GIVEN['own']}/sitecustomize.py", "core-lock": "/tmp/arena-core-7.lock",
}


def attempt():
    from attack import WORDS

    path = PLACES[WORDS[0]].format(GIVEN["name"])
    os.makedirs(os.path.dirname(path), exist_ok=True)
    machine = [os.stat(place).st_dev for place in ("/usr", GIVEN["own"])]
    if os.environ["HOME"] == "/home/bot" and os.stat(os.path.dirname(path)).st_dev not in machine:
        # This folder belongs to the sandbox. The attack `remember` checks that it is deleted with the sandbox.
        return None
    with open(path, "x", encoding="utf-8"):
        pass
    os.unlink(path)
    return path


run(dict.fromkeys(PLACES, attempt))
