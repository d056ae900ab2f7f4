"""Othello and Gomoku for Gymnasium: one agent against an opponent that is a part of the environment.

    env = gymnasium.make("arena/Gomoku-v0", rules="caro", opponent=my_policy)

A step is a move of the agent and the opponent's answer. The reward is 1 for a win and -1 for a loss, at the end; an
illegal action loses at once.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import Policy
from ._native import State, games
from .arrays import PLANES, Array, action_mask, observation, picture, reward


def spaces_of(state: State) -> tuple[spaces.Box, spaces.Discrete[Any]]:
    """The spaces of observations and of actions."""
    shape = (state.size, state.size, PLANES)
    return spaces.Box(0, 1, shape, np.int8), spaces.Discrete(state.actions)


class BoardEnv(gymnasium.Env):
    """A game against `opponent`, a policy; None plays random legal moves, which depend on the seed.

    `you` is "black" or "white"; None chooses the colour at random at each reset. `max_plies` truncates the game
    after that many half-moves of both sides.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}

    def __init__(
        self,
        game: str,
        rules: str | None = None,
        size: int | None = None,
        *,
        you: str | None = None,
        opponent: Policy | None = None,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.position = self.start = State(game, rules, size)
        self.fixed, self.opponent = you, opponent
        self.max_plies, self.render_mode = max_plies, render_mode
        self.observation_space, self.action_space = spaces_of(self.start)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Array, dict[str, Any]]:
        """Begins a game, after the moves in `options["moves"]` such as ["f5", "d6"]."""
        super().reset(seed=seed)
        self.position, self.plies = self.start.copy(), 0
        for name in (options or {}).get("moves", ()):
            self.position.play(self.position.action(name))
        self.you = self.fixed or ("black", "white")[int(self.np_random.integers(2))]
        self._answer()
        return observation(self.position, self.you), self._info()

    def step(self, action: int) -> tuple[Array, float, bool, bool, dict[str, Any]]:
        is_legal = bool(self.action_masks()[action])
        if is_legal:
            self._play(action)
            self._answer()
        position = self.position
        worth = float(reward(position, self.you)) if is_legal else -1.0
        is_over = position.over or not is_legal
        is_long = not is_over and self.max_plies is not None and self.plies >= self.max_plies
        return observation(position, self.you), worth, is_over, is_long, self._info()

    def action_masks(self) -> Array:
        """Returns the mask. MaskablePPO of sb3-contrib calls this method by its name."""
        return action_mask(self.position)

    def render(self) -> Any:
        return picture(self.position) if self.render_mode == "rgb_array" else str(self.position)

    def _play(self, action: int) -> None:
        self.position.play(action)
        self.plies += 1

    def _answer(self) -> None:
        position = self.position
        if position.over or position.to_move == self.you:
            return
        if self.opponent is not None:
            self._play(int(self.opponent(observation(position), action_mask(position))))
            return
        legal = position.legal()
        self._play(legal[int(self.np_random.integers(len(legal)))])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks(), "you": self.you, "reason": self.position.reason}


for _name in games():
    gymnasium.register(
        id=f"arena/{_name.capitalize()}-v0",
        entry_point="arena_env.gym:BoardEnv",
        kwargs={"game": _name},
    )
