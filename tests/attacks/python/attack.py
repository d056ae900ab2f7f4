"""The shared parts of attacks in Python: the outcome line, the exit code, and the arguments."""

import os
import sys

WORDS = [word for word in sys.argv[1:] if "=" not in word]
GIVEN = dict(word.split("=", 1) for word in sys.argv[1:] if "=" in word)
HERE = os.path.dirname(os.path.abspath(__file__))
TEMPORARY = os.environ.get("TMPDIR", "/tmp")
HELD, SUCCEEDED, UNTRIED = 0, 7, 77


class Untried(Exception):
    """The machine lacks a program or a feature that the attack needs."""


def ends(how, code, detail):
    sys.stderr.write(f"ATTACK {GIVEN.get('name', '')} {how}: {detail}\n")
    sys.stderr.flush()
    os._exit(code)


def run(attempts):
    """Runs the attempt, or the one of a dictionary that the first argument names. Succeeds if that returns data."""
    attempt = attempts[WORDS[0]] if isinstance(attempts, dict) else attempts
    try:
        got = attempt()
    except OSError as error:
        ends("held", HELD, error)
    except Untried as error:
        ends("untried", UNTRIED, error)
    if got:
        ends("succeeded", SUCCEEDED, repr(got)[:200])
    ends("held", HELD, "nothing was got")


def victim():
    """Returns the process of the same user that the attack must not reach."""
    return int(GIVEN["pid"])


def at(name):
    """Returns a path in the folder that the attack must not reach."""
    return os.path.join(GIVEN["folder"], name)
