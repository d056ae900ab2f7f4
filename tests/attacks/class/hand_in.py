"""Makes a hand-in that attacks by its name, its files or its `bot.toml`, in this folder: hand_in.py KIND name=NAME folder=FOLDER

Prints the name that the arena should give the hand-in, if it is not NAME."""

import os
import socket
import sys

KIND = sys.argv[1]
GIVEN = dict(word.split("=", 1) for word in sys.argv[2:])
NAME, FOLDER = GIVEN["name"], GIVEN["folder"]
with open(os.path.join(os.path.dirname(__file__), "stranger.py"), encoding="utf-8") as file:
    BOT = file.read()
SECRET = os.path.join(FOLDER, "secret")
PYTHON = '"/usr/bin/python3", "-ES", "bot.py"'


def write(path, text):
    with open(path, "w", encoding="utf-8") as out:
        out.write(text)


def folder(toml=f"command = [{PYTHON}]\n", **files):
    os.mkdir(NAME)
    write(f"{NAME}/bot.py", BOT)
    if toml:
        write(f"{NAME}/bot.toml", toml)
    for name, text in files.items():
        write(f"{NAME}/{name}", text)


def named(name, shown=None, kind="file"):
    """Returns a function that makes a hand-in with this name: a file or a folder."""

    def make():
        if kind == "file":
            with open(os.fsencode(name) if isinstance(name, str) else name, "w", encoding="utf-8") as out:
                out.write(BOT)
        else:
            os.mkdir(name)
            write(os.path.join(name, "bot.py"), BOT)
        print(shown or (name.removesuffix(".py") if isinstance(name, str) else NAME))

    return make


def link(target, at="data"):
    def make():
        folder()
        os.symlink(target, f"{NAME}/{at}")

    return make


def pipe():
    folder()
    os.mkfifo(f"{NAME}/data")


def listens():
    folder()
    os.chdir(NAME)
    socket.socket(socket.AF_UNIX).bind("data")


def hole():
    folder()
    with open(f"{NAME}/data", "wb") as out:
        out.truncate(1 << 40)


def many():
    folder()
    for n in range(21000):
        os.close(os.open(f"{NAME}/f{n}", os.O_CREAT))


def deep():
    folder()
    os.chdir(NAME)
    for _ in range(3000):
        os.mkdir("d")
        os.chdir("d")


def command(*words):
    """Makes a hand-in whose command is a program of the system. The arguments are files that it must not read."""
    return lambda: folder(f"command = {[*words]}\n".replace("'", '"'))


def build(script):
    return lambda: folder(f"command = [{PYTHON}, \"{SECRET}\"]\nbuild = [\"sh\", \"-c\", {quoted(script)}]\n")


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def asks(text):
    return lambda: folder(f"command = [{PYTHON}, \"{SECRET}\"]\n{text}\n")


def plays(script, mode):
    """Makes a hand-in of a bot in ../python, which attacks while it plays."""

    def make():
        folder(f'command = ["/usr/bin/python3", "-ES", "bot.py", "{mode}", "name={NAME}", "run={GIVEN["run"]}", "source={GIVEN["source"]}"]')
        with open(os.path.join(os.path.dirname(__file__), "../python", script), encoding="utf-8") as bot:
            write(f"{NAME}/bot.py", bot.read())

    return make


READS = ["bot.py", SECRET, "../../victim.py", "/etc/shadow"]
DEEP = "import os\nfor n in range(2000):\n    os.mkdir('d' * 200)\n    os.chdir('d' * 200)\n"
KINDS = {
    # Names of the class's own files; names that look like options, formulas, pages, paths, devices.
    **{f"name-{word}": named(word, kind="folder") for word in ("class.csv", "summary.md", "class.html", "results.json", "__pycache__", "grade.json", "failures", "arena.db")},
    "name-option": named("--sandbox=off.py"),
    "name-short-option": named("-e.py"),
    "name-formula": named("=cmd()|.py"),
    "name-script": named("<script>alert(1)<%2fscript>.py"),
    "name-shell": named("$(touch attack-shell);`id`.py"),
    "name-quotes": named("\"'quotes'\".py"),
    "name-escape": named("esc\x1b[31m.py", "esc\\u{1b}[31m"),
    "name-lines": named("two\nlines.py", "two\\nlines"),
    "name-tab": named("a\ttab.py", "a\\ttab"),
    "name-right-to-left": named("right\u202eyp.py", "right\\u{202e}yp"),
    "name-blank": named(" .py"),
    "name-trailing-dot": named("trailing.", kind="folder"),
    "name-device": named("CON", kind="folder"),
    "name-device-file": named("nul.py"),
    "name-backslash": named("a\\..\\backslash.py", "backslash"),
    "name-percent": named("%2e%2e%2fattack.py"),
    "name-long": named("l" * 252 + ".py"),
    "name-case": named("EQUAL.py"),
    "name-case-other": named("equal.py"),
    "name-composed": named("\u00e9-mark.py"),
    "name-decomposed": named("e\u0301-mark.py", "-mark"),
    "name-built-in": named("random.py"),
    "name-engine": named("alphabeta.py"),
    "name-comma": named('a,b";c.py'),
    "name-not-text": named(b"not\xfftext.py", "not\\xfftext.py"),
    # Links, pipes, sockets, holes.
    "link-secret": link(SECRET),
    "link-root": link("/"),
    "link-above": link("../.."),
    "link-itself": link("data"),
    "link-nowhere": link("/attack/nowhere"),
    "link-proc": link("/proc/self/environ"),
    "link-bot": lambda: (folder(), os.unlink(f"{NAME}/bot.py"), os.symlink(SECRET, f"{NAME}/bot.py")),
    "link-toml": lambda: (folder(None), os.symlink(SECRET, f"{NAME}/bot.toml")),
    "link-whole": lambda: os.symlink(FOLDER, NAME),
    "hard-link": lambda: (folder(), os.link(SECRET, f"{NAME}/data"), os.unlink(f"{NAME}/data")),
    "pipe": pipe,
    "pipe-as-bot": lambda: (folder(), os.unlink(f"{NAME}/bot.py"), os.mkfifo(f"{NAME}/bot.py")),
    "pipe-as-toml": lambda: (folder(None), os.mkfifo(f"{NAME}/bot.toml")),
    "pipe-whole": lambda: os.mkfifo(NAME),
    "socket": listens,
    "hole": hole,
    "many": many,
    "deep": deep,
    "empty": lambda: open(NAME + ".py", "w").close(),
    "closed": lambda: (folder(), os.chmod(f"{NAME}/bot.py", 0)),
    # Requests in bot.toml.
    "command-dots": command("/home/../usr/bin/python3", *READS),
    "command-proc": command("/proc/self/root/usr/bin/python3", *READS),
    "command-link": lambda: (command("x/usr/bin/python3", *READS)(), os.symlink("/", f"{NAME}/x")),
    "command-other": command("../honest-0/bot.py"),
    "command-arena": command("/.arena", "bot", "alphabeta"),
    "command-arena-name": command("arena", "bot", "alphabeta"),
    "command-secret": command(SECRET),
    "command-loader": command("/lib64/ld-linux-x86-64.so.2", SECRET),
    "command-shell": command("sh", "-c", f"cat {SECRET} && exit 7; exec /usr/bin/python3 -ES bot.py"),
    "asks-memory": asks("memory_mib = 100000\ncores = 2\nkeep_folder = true"),
    "asks-processes": asks("processes = 1000000\ndisk_mib = 1000000"),
    "asks-network": asks("network = true"),
    "asks-readable": asks(f"readable = [\"{FOLDER}\", \"/\"]"),
    "asks-sandbox": asks('sandbox = "off"'),
    "asks-environment": asks('environment = { LD_PRELOAD = "./data.so", PYTHONPATH = "." }'),
    "asks-deep": lambda: folder("command = " + "[" * 50000),
    "asks-long": lambda: folder(f"command = [{PYTHON}]\n# " + "x" * (2 << 20)),
    "asks-words": command("/usr/bin/python3", "bot.py", *"x" * 10000),
    "build-words": lambda: folder(f"command = [{PYTHON}]\nbuild = [\"true\"" + ', "x"' * 10000 + "]\n"),
    "asks-zero": command("/usr/bin/python3\\u0000", "bot.py"),
    # Bots that attack while they play honestly.
    **{f"plays-{mode}": plays("cheat.py", mode) for mode in ("kill", "inject", "source", "record", "late-edit", "no-room", "other-core")},
    "plays-memory": plays("greedy_for_more.py", "memory"),
    "plays-forks": plays("greedy_for_more.py", "forks"),
    # Builds that leave files or processes, or try to reach files.
    "build-hangs": build(f"sleep 600 {FOLDER}; exit 1"),
    "build-daemon": build(f"setsid sleep 600 {FOLDER} & exit 0"),
    "build-outside": build("echo x > ../outside; echo x > ../honest-0/bot.py; exit 0"),
    "build-secret": build(f"cat {SECRET} && exit 7; exit 0"),
    "build-cargo-home": build(f"cat {os.path.dirname(GIVEN['run'])}/.cargo/config.toml && exit 7; exit 0"),
    "build-moves": build("mkdir a b a/d; /usr/bin/python3 -c 'import os; os.rename(\"a/d\", \"b/d\")'"),
    "build-files": build('most=$(ulimit -Hn); [ "$most" != unlimited ] && [ "$most" -le 1024 ] || exit 7'),
    "build-other": build("cat ../honest-0/bot.py && exit 7; exit 0"),
    "build-mode": build("chmod 777 ../honest-0/bot.py && exit 7; exit 0"),
    "build-null": build("chmod 666 /dev/null && exit 7; exit 0"),
    "build-swaps": lambda: (build(f"rm go; printf '#!/usr/bin/python3\\n' > go; cat bot.py >> go; chmod +x go")(),
                            write(f"{NAME}/bot.toml", open(f"{NAME}/bot.toml").read().replace(PYTHON, '"./go"')), os.symlink(SECRET, f"{NAME}/go")),
    "build-link": build(f"ln -s {SECRET} data; rm bot.py; ln -s {SECRET} bot.py"),
    "build-reads": build("ln -s /etc/passwd data"),
    "build-waits": build("ln -s /proc/kmsg data; ln -s /proc/kmsg k.c"),
    "build-closed-folder": build("mkdir -p d; chmod 000 d"),
    "build-closed-file": build("echo x > f; chmod 000 f"),
    "build-holes": build("for n in 1 2 3 4 5 6; do truncate -s 2G $n; done"),
    "build-gigabyte": build("head -c 1100M /dev/zero > data"),
    "build-fills": build("head -c 900M /dev/zero > data"),
    "build-names": build("exec /usr/bin/python3 -c 'import os\nopen(\"0\", \"wb\").write(b\"x\" * 100000)\nfor n in range(1, 15000): os.link(\"0\", str(n))'"),
    "build-removed": build("exec /usr/bin/python3 -c 'import os, time\nfor n in range(3):\n fd = os.open(str(n), os.O_CREAT | os.O_RDWR)\n os.unlink(str(n))\n os.posix_fallocate(fd, 0, 800 << 20)\ntime.sleep(5)'"),
    "build-many": build("mkdir d; cd d; seq 25000 | xargs touch"),
    "build-name": build("touch $(printf 'a\\377b')"),
    "build-pipe": build("mkfifo p"),
    "build-deep": lambda: folder(f"command = [{PYTHON}]\nbuild = [\"/usr/bin/python3\", \"-c\", {quoted(DEEP)}]\n"),
    "build-toml": build(f"echo 'command = [\"cat\", \"{SECRET}\"]' > bot.toml"),
    "build-network": build(f"/usr/bin/python3 -c 'import socket; socket.create_connection((\"127.0.0.1\", {GIVEN['tcp']}))' && exit 7; exit 0"),
    "build-signal": build(f"kill -URG {GIVEN['pid']} && exit 7; exit 0"),
    "build-tmp": build("echo x > /tmp/attack-build; echo x > /dev/shm/attack-build; exit 0"),
    "build-floods": build("yes attack | head -c 200M; yes attack | head -c 200M >&2; exit 0"),
}
KINDS[KIND]()
