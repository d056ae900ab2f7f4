"""Othello and Gomoku for reinforcement learning, by the rules of the arena.

    from arena_env import State                   # the rules alone; needs nothing else
    from arena_env import aec                     # PettingZoo: aec.env("gomoku", rules="renju")
    import arena_env.gym                          # Gymnasium: gymnasium.make("arena/Othello-v0")

A policy is a function that takes an observation and an action mask, and returns an action. `play` makes a bot
of it:

    arena_env.play(lambda observation, mask: numpy.where(mask, model(observation), -numpy.inf).argmax())

An observation is an array of int8 of the shape (size, size, 3): the own stones, the opponent's stones, and
ones if the own colour is black. A mask has a 1 for each legal action; see `State` for their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, SupportsIndex

from ._native import State, games

if TYPE_CHECKING:
    import numpy

__all__ = ["Policy", "State", "games", "play", "state_of"]

Policy = Callable[["numpy.ndarray[Any, Any]", "numpy.ndarray[Any, Any]"], SupportsIndex]


def state_of(turn: Any) -> State:
    """The position of an `arena_bot.Turn`, for a bot that searches with `State`."""
    game = turn.game
    return State(game.game, game.rules, game.size, rows=turn.rows, to_move=turn.you)


def play(policy: Policy, *, name: str | None = None, version: str = "1.0") -> None:
    """Answers the arena with a policy until the arena ends the bot. Call this last in the bot's file."""
    try:
        import arena_bot
    except ImportError as error:
        raise ImportError(
            "play() needs the package arena_bot: pip install othello-gomoku-arena"
        ) from error
    from .arrays import action_mask, observation

    def choose(turn: Any) -> str:
        state = state_of(turn)
        return state.name(int(policy(observation(state), action_mask(state))))

    arena_bot.play(choose, name=name, version=version)
