"""Does what honest programs do beside playing: copies and marks files, and starts a program after its answer."""

import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

place = pathlib.Path(os.environ.get("TMPDIR", "/tmp"))
source = os.path.abspath(__file__)
JAVA = """class Temporary {
    public static void main(String[] words) throws Exception { java.io.File.createTempFile("its", "own"); }
}"""

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        shutil.copy(source, place / "copy")
        shutil.copy2(source, place / "copy2")
        shutil.copytree(os.path.dirname(source), place / "tree", ignore=shutil.ignore_patterns("run"))
        os.chmod(place / "copy", 0o600)
        os.utime(place / "copy", (1, 1))
        (place / "touched").touch()
        assert (place / "touched").exists()
        subprocess.run(["touch", place / "touched"], check=True)
        os.nice(1)
        database = sqlite3.connect(place / "games.db")
        database.execute("PRAGMA journal_mode = wal")
        database.execute("CREATE TABLE games (moves TEXT)")
        if shutil.which("javac"):
            (place / "Temporary.java").write_text(JAVA)
            subprocess.run(["java", place / "Temporary.java"], check=True)
        with tempfile.NamedTemporaryFile() as file:
            file.write(b"x")
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        move = {"type": "move", "id": message["id"], "move": message["legal"][0]}
        print(json.dumps(move), flush=True)
        subprocess.run(["true"], check=True)
