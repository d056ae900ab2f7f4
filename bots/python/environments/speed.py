"""Steps per second of random play, compared with PettingZoo's connect_four and OpenSpiel where they are installed.

CPU time counts, so other programs matter little. Of three measurements in turn, the best is printed.
"""

import importlib
import random
import time
from functools import partial

from arena_env import State


def ours():
    state = State("othello")
    while not state.over:
        state.play(random.choice(state.legal()))
        yield


def openspiel(othello):
    state = othello.new_initial_state()
    while not state.is_terminal():
        state.apply_action(random.choice(state.legal_actions()))
        yield


def agents(env):
    """Plays like PettingZoo's `performance_benchmark`."""
    env.reset()
    for _ in env.agent_iter():
        seen, _, over, cut, _ = env.last()
        env.step(None if over or cut else random.choice(seen["action_mask"].nonzero()[0].tolist()))
        yield


def rate(game, seconds=1.0):
    steps, start = 0, time.process_time()
    while (used := time.process_time() - start) < seconds:
        steps += sum(1 for _ in game())
    return steps / used


KINDS = {
    "State, othello": ("arena_env", lambda _: ours),
    "OpenSpiel, othello": ("pyspiel", lambda it: partial(openspiel, it.load_game("othello"))),
    "AEC, othello": ("arena_env.aec", lambda it: partial(agents, it.env("othello"))),
    "AEC, gomoku": ("arena_env.aec", lambda it: partial(agents, it.env("gomoku"))),
    "AEC, connect_four": ("pettingzoo.classic.connect_four_v3", lambda it: partial(agents, it.env())),
}
games = {}
for kind, (module, game) in KINDS.items():
    try:
        games[kind] = game(importlib.import_module(module))
    except ImportError as error:
        print(f"{kind}: left out, {error}")
best = dict.fromkeys(games, 0.0)
for _ in range(3):
    for kind, game in games.items():
        best[kind] = max(best[kind], rate(game))
for kind, steps in best.items():
    print(f"{kind:20}{steps:12,.0f} steps/s")
for first, second in (
    ("State, othello", "OpenSpiel, othello"),
    ("AEC, othello", "AEC, connect_four"),
    ("AEC, gomoku", "AEC, connect_four"),
):
    if first in best and second in best:
        print(f"{first} is {best[first] / best[second]:.1f} times as fast as {second}")
