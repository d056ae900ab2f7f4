"""A bot in a function or a class.

    import random
    from arena_bot import Turn, play

    def choose(turn: Turn) -> str:
        return random.choice(turn.legal)

    play(choose)

Or a class; each game gets a new object of it:

    class Bot:
        def start(self, game: Game) -> None: ...      # optional
        def choose(self, turn: Turn) -> str: ...
        def over(self, result: Result) -> None: ...   # optional

A move is a name such as "d3", or a pair (row, column) counted from 0. Text that the bot prints goes to
standard error, since standard output belongs to the arena. Only Python 3.9 is needed, and NumPy for
`Turn.array`.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Callable, Optional, Protocol, Union

if TYPE_CHECKING:
    import numpy

__all__ = ["Bot", "Game", "Move", "Result", "Turn", "name_of", "play", "square_of"]

Move = Union[str, "tuple[int, int]"]


def square_of(name: str) -> tuple[int, int]:
    """The (row, column) of a square, counted from 0 at the top left: "d3" is (2, 3)."""
    return int(name[1:]) - 1, ord(name[0]) - ord("a")


def name_of(row: int, column: int) -> str:
    """The name of a square: (2, 3) is "d3"."""
    return f"{chr(ord('a') + column)}{row + 1}"


@dataclass(frozen=True)
class Game:
    """The game that begins."""

    game: str
    """"othello" or "gomoku"."""
    rules: str
    """"standard", "freestyle", "renju" or "caro"."""
    size: int
    """Rows and columns of the board."""
    you: str
    """"black" or "white"; black begins."""
    move_ms: int
    """Time for a move in ms; 0: no limit."""
    game_ms: int
    """Time for the whole game in ms; 0: no limit."""
    increment_ms: int
    """Time added after each move in ms."""
    memory_mib: int
    """Memory that the bot may use in MiB; 0: no limit."""
    seed: int
    """The seed for random choices, so that a game can be repeated."""


@dataclass(frozen=True)
class Turn:
    """A question: which move?"""

    game: Game
    """The game that this question belongs to."""
    you: str
    """"black" or "white"."""
    rows: list[str]
    """The board from the top, a text per row: X black, O white, . empty."""
    legal: list[str]
    """All legal moves; never empty."""
    moves: list[str]
    """All moves from the start position; "pass" is a pass in Othello."""
    left_ms: int
    """Time left in ms; 0: no limit."""
    opponent_left_ms: int
    """The opponent's time left in ms; 0: no limit."""
    _send: Callable[[dict[str, Any]], None] = field(repr=False, compare=False)

    @property
    def board(self) -> list[list[int]]:
        """The board as numbers: 1 for own stones, -1 for the opponent's, 0 for empty squares."""
        worth = {"X": 1, "O": -1, ".": 0}
        sign = 1 if self.you == "black" else -1
        return [[sign * worth[cell] for cell in row] for row in self.rows]

    @property
    def array(self) -> "numpy.ndarray[Any, Any]":
        """The board as a NumPy array of int8."""
        import numpy

        return numpy.array(self.board, dtype=numpy.int8)

    @property
    def squares(self) -> list[tuple[int, int]]:
        """The legal moves as (row, column)."""
        return [square_of(name) for name in self.legal]

    def info(
        self,
        *,
        depth: Optional[int] = None,
        score: Optional[float] = None,
        nodes: Optional[int] = None,
        pv: Optional[list[Move]] = None,
    ) -> None:
        """Reports on the search to the arena, which shows it in tables and replays. The score is for the side to move:
        in discs in Othello, in any unit in Gomoku."""
        report: dict[str, Any] = {"type": "info", "depth": depth, "score": score, "nodes": nodes}
        if pv is not None:
            report["pv"] = [_named(move) for move in pv]
        self._send({key: value for key, value in report.items() if value is not None})


@dataclass(frozen=True)
class Result:
    """The result of a game."""

    result: str
    """"win", "loss", "draw" or "void", for this bot."""
    reason: str
    """The reason, such as "discs", "five" or "out-of-time"."""
    black: int
    """The number of black's discs or stones at the end."""
    white: int
    """The number of white's discs or stones at the end."""


class Bot(Protocol):
    """The required method of a bot's class. The class may also have `start(game)` and `over(result)`."""

    def choose(self, turn: Turn) -> Move:
        """Returns the move to play: one of `turn.legal`."""


def play(
    bot: Union[Callable[[Turn], Move], type[Bot]], *, name: Optional[str] = None, version: str = "1.0"
) -> None:
    """Answers the arena until the arena ends the bot. Call this last in the bot's file.

    The bot's name in the arena's messages is by default the name of the file.
    """
    if not callable(bot):
        raise TypeError(f"play() wants a function or a class, not {type(bot).__name__}")
    output = sys.stdout

    def send(message: dict[str, Any]) -> None:
        print(json.dumps(message), file=output, flush=True)

    named = name or Path(sys.argv[0]).stem or "bot"
    # From here on, print() writes to standard error, for the bot's author.
    with contextlib.redirect_stdout(sys.stderr):
        _answer(bot, sys.stdin, send, {"name": named, "version": version})


def _answer(
    bot: Any, questions: IO[str], send: Callable[[dict[str, Any]], None], about: dict[str, str]
) -> None:
    player: Any = None
    game: Optional[Game] = None
    for line in questions:
        message = json.loads(line)
        kind = message.get("type")
        if kind == "hello":
            game = Game(**_known(Game, message))
            player = bot() if inspect.isclass(bot) else None
            if hasattr(player, "start"):
                player.start(game)
            send({"type": "ready", **about})
        elif kind == "turn" and game is not None:
            turn = Turn(
                game=game,
                rows=message["board"],
                _send=send,
                **{key: message[key] for key in ("you", "legal", "moves", "left_ms", "opponent_left_ms")},
            )
            move = bot(turn) if player is None else player.choose(turn)
            send({"type": "move", "id": message["id"], "move": _named(move)})
        elif kind == "over" and hasattr(player, "over"):
            player.over(Result(**_known(Result, message)))
        elif kind == "quit":
            return


def _known(kind: Any, message: dict[str, Any]) -> dict[str, Any]:
    """The fields of a message that the class has. Later versions of the protocol may have more fields."""
    return {name: message[name] for name in kind.__dataclass_fields__ if name in message}


def _named(move: Any) -> str:
    if isinstance(move, str):
        return move
    try:
        row, column = move
        return name_of(int(row), int(column))
    except (TypeError, ValueError):
        raise TypeError(
            f'a move is a name such as "d3" or a pair (row, column), not {move!r}'
        ) from None
