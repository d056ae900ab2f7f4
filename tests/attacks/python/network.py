"""Tries to reach another machine, or a program on this one. The witness reports what arrives."""

import socket

from attack import GIVEN, Untried, run

# Kinds of sockets that connect the sandbox with the outside, or lead to rarely reviewed code of the kernel.
SOCKETS = {
    "tcp6": (10, 1, 0), "udp6": (10, 2, 0), "raw": (2, 3, 1), "packet": (17, 3, 768), "route": (16, 3, 0), "uevent": (16, 2, 15),
    "audit": (16, 3, 9), "vsock": (40, 1, 0), "alg": (38, 5, 0), "bluetooth": (31, 3, 0), "can": (29, 3, 1),
    "key": (15, 3, 2), "tipc": (30, 5, 0), "rds": (21, 5, 0), "xdp": (44, 3, 0), "qipcrtr": (42, 2, 0),
    "smc": (43, 1, 0), "mptcp": (2, 1, 262), "sctp": (2, 1, 132), "ax25": (3, 5, 0), "nfc": (39, 3, 0),
    "kcm": (41, 5, 0), "pppox": (24, 1, 0), "llc": (26, 1, 0), "caif": (37, 1, 0), "phonet": (35, 2, 0),
}


def opens():
    from attack import WORDS

    family, kind, number = SOCKETS[WORDS[0]]
    try:
        socket.socket(family, kind, number).close()
    except OSError as error:
        if error.errno in (93, 94, 97):
            raise Untried(f"the kernel has no such sockets: {error}") from error
        raise
    return "a socket"


def tcp():
    with socket.socket() as out:
        out.connect(("127.0.0.1", int(GIVEN["tcp"])))
    return "a connection"


def udp():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        return out.sendto(GIVEN["name"].encode(), ("127.0.0.1", int(GIVEN["udp"])))


def dns():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        out.connect(("127.0.0.53", 53))
        return out.send(b"attack")


def listen():
    with socket.socket() as door:
        door.bind(("127.0.0.1", 0))
        door.listen()
        return door.getsockname()


def unix():
    with socket.socket(socket.AF_UNIX) as out:
        out.connect(GIVEN["folder"] + "/stream")
    return "a connection"


def abstract():
    with socket.socket(socket.AF_UNIX) as out:
        out.connect("\0" + GIVEN["abstract"])
    return "a connection"


def abstract_name():
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as door:
        door.bind("\0attack-name")
        return "a name that all see"


def every_family():
    """Opens a socket of a kind that `SOCKETS` does not list."""
    for family in range(2, 64):
        for kind in (1, 2, 3, 5):
            try:
                socket.socket(family, kind).close()
                return family, kind
            except OSError:
                pass
    return None


run({"tcp": tcp, "udp": udp, "dns": dns, "listen": listen, "unix": unix, "abstract": abstract, "abstract-name": abstract_name,
     "every-family": every_family} | dict.fromkeys(SOCKETS, opens))
