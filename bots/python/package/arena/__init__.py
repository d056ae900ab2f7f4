"""Play, check and read runs of the arena from Python.

    import arena

    run = arena.match("my_bot.py", "greedy", games=20)
    print(run.standings[0]["bot"])
    run.frame("moves")          # pandas or polars, where one is installed
    run.replay(7)               # a board with a slider, in a notebook

The program `arena` does the work; it comes with this package.
"""

from __future__ import annotations

import csv
import importlib
import os
import re
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any, Optional, Union

from ._replay import Replay

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ArenaError", "Replay", "Run", "load", "match", "program", "run"]

Cell = Union[str, int, float, None]
StrPath = Union[str, "os.PathLike[str]"]


class ArenaError(Exception):
    """The arena failed. The message contains the reason and what to do."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message.strip() or f"arena ended with status {status}")
        self.status = status
        """The exit status: 2 usage or input, 3 a bot could not be used, 4 the arena or the machine failed, 130
        interrupted."""


def program() -> str:
    """Returns the path of the program `arena`: from the variable ARENA, otherwise from this package,
    otherwise from the PATH."""
    if named := os.environ.get("ARENA"):
        return named
    name = "arena.exe" if os.name == "nt" else "arena"
    for folder in (sysconfig.get_path("scripts"), sysconfig.get_path("scripts", f"{os.name}_user")):
        if (path := Path(folder, name)).is_file():
            return str(path)
    if found := shutil.which("arena"):
        return found
    raise ArenaError(4, "there is no program arena: install the package with pip, or set ARENA")


def _call(arguments: Sequence[str]) -> None:
    """Runs the program. Status 1 is an answer (not passed, not stronger), not an error."""
    # Bots in Python must use this Python, which has `arena_bot`, even if it is not in the PATH.
    places = [sysconfig.get_path("scripts"), os.environ.get("PATH", os.defpath)]
    done = subprocess.run(
        [program(), *arguments],
        env={**os.environ, "PATH": os.pathsep.join(places)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode not in (0, 1):
        raise ArenaError(done.returncode, done.stderr)


def _out(out: Optional[StrPath], name: str) -> Path:
    """Returns `out`, or otherwise a new folder below results/."""
    if out is not None:
        return Path(out)
    places = (Path("results", name if k == 1 else f"{name}-{k}") for k in range(1, 10**6))
    return next(place for place in places if not place.exists())


def run(tournament: StrPath, *, out: Optional[StrPath] = None) -> Run:
    """Plays a tournament file, such as tournaments/quick.toml."""
    folder = _out(out, Path(tournament).stem)
    _call(["run", os.fspath(tournament), "--out", str(folder)])
    return Run(folder)


def match(
    first: str,
    second: str,
    *,
    game: str = "othello",
    games: int = 20,
    move_ms: Optional[int] = None,
    concurrency: Optional[int] = None,
    seed: Optional[int] = None,
    out: Optional[StrPath] = None,
    options: Sequence[str] = (),
) -> Run:
    """Plays two bots against each other, in pairs of games with both colours. A bot is a built-in bot
    ("greedy"), a file, a folder, or a command. `options` are further words of `arena match`."""
    # Windows allows no colon in names.
    plain = [re.sub(r"[^\w.-]+", "-", Path(bot).stem) or "bot" for bot in (first, second)]
    folder = _out(out, "-".join(plain))
    words = ["match", first, second, "--game", game, "-n", str(games), "--out", str(folder)]
    for option, value in (("--move-ms", move_ms), ("-j", concurrency), ("--seed", seed)):
        if value is not None:
            words += [option, str(value)]
    _call([*words, *options])
    return Run(folder)


def load(folder: StrPath) -> Run:
    """Returns the run in a folder such as results/quick."""
    if not Path(folder, "games.csv").is_file():
        raise ArenaError(2, f"there are no tables in {os.fspath(folder)}: name the folder of a run")
    return Run(folder)


class Run:
    """A recorded run: its tables as lists of rows. results/README.md explains each column."""

    def __init__(self, folder: StrPath) -> None:
        self.folder = Path(folder)
        """The folder of the tables."""

    def __repr__(self) -> str:
        return f"Run({str(self.folder)!r})"

    @property
    def standings(self) -> list[dict[str, Cell]]:
        """One row per bot, best first."""
        return self.table("standings")

    @property
    def pairs(self) -> list[dict[str, Cell]]:
        """One row per pair of bots."""
        return self.table("pairs")

    @property
    def games(self) -> list[dict[str, Cell]]:
        """One row per game."""
        return self.table("games")

    @property
    def moves(self) -> list[dict[str, Cell]]:
        """One row per half-move."""
        return self.table("moves")

    def table(self, name: str) -> list[dict[str, Cell]]:
        """A table with numbers as numbers and empty cells as None."""
        with open(self._path(name), encoding="utf-8", newline="") as file:
            return [{key: _cell(text) for key, text in row.items()} for row in csv.DictReader(file)]

    def frame(self, name: str, library: Optional[str] = None) -> Any:
        """A table as a frame of `library`, "pandas" or "polars"; by default the first of these that is
        installed."""
        path = self._path(name)
        for known in (library,) if library else ("pandas", "polars"):
            try:
                module = importlib.import_module(known)
            except ImportError:
                continue
            # A column that begins with whole numbers may have other numbers further down.
            whole = {"infer_schema_length": None} if known == "polars" else {}
            return module.read_csv(path, **whole)
        raise ImportError(f"a frame needs {library or 'pandas or polars'}: pip install pandas")

    def replay(self, game: int) -> Replay:
        """Returns a game that a notebook shows with a board and a slider. `str()` makes an HTML page of it."""
        for row in self.games:
            if row["game"] == game:
                plies = [ply for ply in self.moves if ply["game"] == game]
                return Replay(row, plies, *self._board())
        raise ArenaError(2, f"there is no game {game} in {self.folder}")

    def _board(self) -> tuple[str, int]:
        """The game's name, and the rows and columns of its board."""
        text = Path(self.folder, "run.toml").read_text(encoding="utf-8")
        lines = (line.partition("=") for line in text.splitlines())
        keys = {key.strip(): value.strip().strip('"') for key, _, value in reversed(list(lines))}
        return keys["game"], int(keys.get("size", 15 if keys["game"] == "gomoku" else 8))

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.csv"


def _cell(text: str) -> Cell:
    if not text:
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    # The arena writes an apostrophe before a text that a spreadsheet would read as a formula.
    return text[1:] if text.startswith("'") else text
