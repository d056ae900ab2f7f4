"""Positions as NumPy arrays: observations, action masks, pictures."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ._native import State

Array: TypeAlias = "np.ndarray[Any, Any]"

PLANES = 3
"""The planes of an observation: own stones, the opponent's stones, and ones if the own colour is black."""

CELL = 24
"""The width of a square in a picture, in pixels."""


def observation(state: State, side: str | None = None) -> Array:
    """The observation of a side, by default the side to move: (size, size, 3) of int8."""
    return np.frombuffer(state.planes(side), np.int8).reshape(state.size, state.size, PLANES)


def action_mask(state: State) -> Array:
    """1 for each legal action, 0 for others; int8."""
    return np.frombuffer(state.mask(), np.int8)


def picture(state: State) -> Array:
    """The board as pixels: (height, width, 3) of uint8."""
    seen = observation(state, "black")
    across = np.arange(CELL) - (CELL - 1) / 2
    disc = across**2 + across[:, None] ** 2 < (0.42 * CELL) ** 2
    image = np.full((state.size * CELL, state.size * CELL, 3), (38, 128, 76), np.uint8)
    image[::CELL] = image[:, ::CELL] = (20, 70, 40)
    for plane, shade in ((0, 0), (1, 255)):
        image[np.kron(seen[..., plane], disc) > 0] = shade
    return image


def reward(state: State, side: str) -> int:
    """1 for a win, -1 for a loss, 0 for a draw and before the end."""
    return 0 if state.winner is None else 1 if state.winner == side else -1
