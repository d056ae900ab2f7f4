"""Othello and Gomoku for PettingZoo: two agents, `black_0` and `white_0`, move in turn.

    env = arena_env.aec.env("gomoku", rules="renju", size=15)

The reward is 1 for a win and -1 for a loss, at the end. An illegal action of `env` loses, as in
PettingZoo's own games; for `raw_env` it is an error.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ._native import State
from .arrays import Array, action_mask, observation, picture, reward
from .gym import spaces_of

AGENTS = {"black": "black_0", "white": "white_0"}
SIDES = {agent: side for side, agent in AGENTS.items()}


def env(*args: Any, **kwargs: Any) -> Any:
    """Returns a `raw_env` with the same arguments, in the wrappers that PettingZoo's own games have."""
    wrapped = wrappers.TerminateIllegalWrapper(raw_env(*args, **kwargs), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv):
    """A game. It is truncated after `max_plies` half-moves."""

    metadata = {"render_modes": ["ansi", "rgb_array"], "is_parallelizable": False, "render_fps": 2}

    def __init__(
        self,
        game: str,
        rules: str | None = None,
        size: int | None = None,
        *,
        max_plies: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.start = State(game, rules, size)
        self.max_plies, self.render_mode = max_plies, render_mode
        self.metadata = {**self.metadata, "name": f"{game}_v0"}
        self.possible_agents = list(SIDES)
        self.observation_spaces, self.action_spaces = {}, {}
        for agent in SIDES:
            seen, self.action_spaces[agent] = spaces_of(self.start)
            mask = spaces.Box(0, 1, (self.start.actions,), np.int8)
            self.observation_spaces[agent] = spaces.Dict(observation=seen, action_mask=mask)
        self.reset()

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game, after the moves in `options["moves"]` such as ["f5", "d6"]. The game has no
        random element, so the seed changes nothing."""
        self.position, self.plies = self.start.copy(), 0
        for name in (options or {}).get("moves", ()):
            self.position.play(self.position.action(name))
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(SIDES, 0)
        self._cumulative_rewards = dict.fromkeys(SIDES, 0)
        self.terminations = dict.fromkeys(SIDES, False)
        self.truncations = dict.fromkeys(SIDES, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in SIDES}
        self.agent_selection = AGENTS[self.position.to_move]

    def observe(self, agent: str) -> dict[str, Array]:
        mask = action_mask(self.position)
        if agent != self.agent_selection:
            mask[:] = 0
        return {"observation": observation(self.position, SIDES[agent]), "action_mask": mask}

    def step(self, action: Any) -> None:
        mover, position = self.agent_selection, self.position
        if self.terminations[mover] or self.truncations[mover]:
            self._was_dead_step(action)
            return
        position.play(action)
        self.plies += 1
        self.agent_selection = AGENTS[position.to_move]
        if position.over:
            self.rewards = {agent: reward(position, side) for agent, side in SIDES.items()}
            self.infos = {agent: {"reason": position.reason} for agent in SIDES}
            self.terminations = dict.fromkeys(SIDES, True)
            self._accumulate_rewards()
        elif self.plies == self.max_plies:
            self.truncations = dict.fromkeys(SIDES, True)

    def render(self) -> Any:
        return picture(self.position) if self.render_mode == "rgb_array" else str(self.position)

    def close(self) -> None:
        """Does nothing."""
