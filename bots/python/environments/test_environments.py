"""Tests of the installed wheels: `python -m unittest` in this folder. Reports what it skips.

The checkers of PettingZoo and Gymnasium test the environments. Published counts and OpenSpiel test the rules. The
example of docs/protocol.md tests a bot.
"""

import importlib.util
import json
import random
import re
import subprocess
import sys
import unittest
import warnings
from pathlib import Path

from arena_env import State, games

ALL = [("othello", "standard")]
ALL += [("gomoku", rules) for rules in ("freestyle", "standard", "renju", "caro")]


def needs(*modules):
    missing = [name for name in modules if importlib.util.find_spec(name) is None]
    return unittest.skipIf(missing, f"not installed: {', '.join(missing)}")


def count(state, depth):
    """The number of positions after `depth` plies. A game that has ended counts once."""
    if depth == 0 or state.over:
        return 1
    return sum(count(after(state, action), depth - 1) for action in state.legal())


def after(state, action):
    state = state.copy()
    state.play(action)
    return state


def end(rules, text):
    state = State("gomoku", rules)
    for name in text.split():
        state.play(state.action(name))
    return state.winner, state.reason


class Rules(unittest.TestCase):
    def test_counts_of_othello(self):
        # These counts were published by Aart Bik and confirmed by Edax, Egaroucid and OpenSpiel.
        for depth, leaves in enumerate((1, 4, 12, 56, 244, 1396, 8200)):
            self.assertEqual(count(State("othello"), depth), leaves, depth)

    def test_each_rule_of_gomoku(self):
        open_five = "a1 a9 b1 c9 c1 e9 d1 g9 e1"
        six = "a1 a9 b1 c9 c1 e9 e1 g9 f1 i9 d1"
        closed_five = "b1 a1 c1 g1 d1 a9 e1 c9 f1"
        five, none, overline = ("black", "five"), (None, None), ("white", "overline")
        # The expected ends follow docs/protocol.md; renju's overline follows the Renju International Federation.
        for rules, by_six, by_closed_five in (
            ("freestyle", five, five),
            ("standard", none, five),
            ("renju", overline, five),
            ("caro", five, none),
        ):
            ends = [end(rules, text) for text in (open_five, six, closed_five)]
            self.assertEqual(ends, [five, by_six, by_closed_five], rules)

    def test_masks_and_planes_are_the_position(self):
        self.assertEqual(games(), list(dict(ALL)))
        for game, rules in ALL:
            state, draw = State(game, rules), random.Random(1)
            while not state.over:
                mask, planes = state.mask(), state.planes()
                self.assertEqual([a for a in range(state.actions) if mask[a]], state.legal())
                symbols = "XO" if state.to_move == "black" else "OX"
                seen = [[cell == symbols[0], cell == symbols[1], symbols == "XO"] for cell in "".join(state.rows)]
                self.assertEqual(list(planes), sum(seen, []))
                again = State(game, rules, rows=state.rows, to_move=state.to_move)
                self.assertEqual(again.legal(), state.legal())
                state.play(draw.choice(state.legal()))
            self.assertEqual((sum(state.mask()), state.legal()), (0, []))

    def test_errors_name_the_value(self):
        state = State("othello")
        for text, call in {
            'unknown game "chess"': lambda: State("chess"),
            '"pente"': lambda: State("gomoku", "pente"),
            "a1 is not a legal move": lambda: state.play(0),
            "65 is not an action": lambda: state.play(65),
            "i1 is off the board": lambda: state.action("i1"),
            '"grey" is not a side': lambda: state.planes("grey"),
        }.items():
            self.assertRaisesRegex(ValueError, text, call)
        self.assertEqual(state.rows, State("othello").rows)

    @needs("pyspiel")
    def test_othello_is_that_of_openspiel(self):
        import pyspiel

        othello, draw = pyspiel.load_game("othello"), random.Random(2)
        for _ in range(200):
            theirs, ours = othello.new_initial_state(), State("othello")
            while not theirs.is_terminal():
                self.assertEqual(sorted(ours.legal()), theirs.legal_actions())
                action = draw.choice(ours.legal())
                theirs.apply_action(action)
                ours.play(action)
            self.assertTrue(ours.over)
            self.assertEqual(theirs.returns()[0], {"black": 1, "white": -1, None: 0}[ours.winner])


class Environments(unittest.TestCase):
    def setUp(self):
        # Warnings of the checkers are errors, except two that every observation with a mask causes.
        self.enterContext(warnings.catch_warnings(action="error"))
        warnings.filterwarnings("ignore", "Observation (space for each agent|is not a NumPy)")

    @needs("pettingzoo")
    def test_pettingzoo(self):
        from arena_env import aec
        from pettingzoo.test import api_test, seed_test

        for game, rules in ALL:
            with self.subTest(game=game, rules=rules):
                api_test(aec.env(game, rules), num_cycles=300)
                seed_test(lambda: aec.env(game, rules), num_cycles=100)

    @needs("pettingzoo")
    def test_how_games_of_two_agents_end(self):
        from arena_env import aec

        env = aec.env("gomoku", size=5, max_plies=9, render_mode="rgb_array")
        env.reset(options={"moves": "a1 a2 b1 b2 c1 c2 d1 d2".split()})
        env.step(4)
        self.assertEqual(env.rewards, {"black_0": 1, "white_0": -1})
        self.assertEqual(env.infos["black_0"], {"reason": "five"})
        env.reset()
        for action in (0, 1, 2, 3, 5, 4, 6, 7, 8):
            self.assertFalse(any(env.truncations.values()))
            env.step(action)
        self.assertEqual([*env.truncations.values(), *env.terminations.values()], [True, True, False, False])
        self.assertEqual(env.render().shape, (120, 120, 3))
        env.reset()
        env.step(0)
        self.assertFalse(env.observe("black_0")["action_mask"].any())
        env.step(0)
        self.assertEqual((env.rewards["white_0"], env.terminations["black_0"]), (-1, True))

    @needs("gymnasium")
    def test_gymnasium(self):
        import arena_env.gym
        import gymnasium
        from gymnasium.utils.env_checker import check_env

        for game, rules in ALL:
            env = gymnasium.make(f"arena/{game.capitalize()}-v0", rules=rules, render_mode="ansi")
            with self.subTest(game=game, rules=rules):
                check_env(env.unwrapped)
                self.assertIn("a b c", env.unwrapped.render())

    @needs("gymnasium")
    def test_whole_games_of_one_agent(self):
        from arena_env.gym import BoardEnv

        for opponent in (None, lambda observation, mask: mask.nonzero()[0][-1]):
            env = BoardEnv("othello", opponent=opponent)
            for seed in range(20):
                _, info = env.reset(seed=seed)
                env.action_space.seed(seed)
                over = False
                while not over:
                    action = env.action_space.sample(info["action_mask"])
                    _, reward, over, _, info = env.step(action)
                    self.assertTrue(over or env.position.to_move == env.you)
                self.assertEqual(info["reason"], "discs")
                self.assertEqual(reward, {env.you: 1, None: 0}.get(env.position.winner, -1))
        env.reset()
        self.assertEqual(env.step(0)[1:4], (-1.0, True, False))


    @needs("pettingzoo")
    def test_the_examples_of_the_readme(self):
        blocks = re.findall("```python\n(.*?)```", Path(__file__).with_name("README.md").read_text(), re.DOTALL)
        for block in blocks[:2]:
            exec(block, {})


class Bots(unittest.TestCase):
    @needs("arena_bot", "numpy")
    def test_a_policy_answers_the_arena(self):
        bot = "from arena_env import play\nplay(lambda observation, mask: mask.nonzero()[0][-1])"
        messages = """
{"type":"hello","protocol":1,"game":"othello","rules":"standard","size":8,"you":"white","move_ms":1000,"game_ms":0,"increment_ms":0,"memory_mib":0,"seed":4243}
{"type":"turn","id":1,"you":"white","board":["........","........","........","...OX...","...XX...","....X...","........","........"],"legal":["f4","d6","f6"],"moves":["e6"],"left_ms":1000,"opponent_left_ms":1000}
{"type":"quit"}
"""
        answer = subprocess.run([sys.executable, "-c", bot], input=messages.strip(), capture_output=True, text=True)
        last = answer.stdout.splitlines()[-1:]
        self.assertEqual(last, [json.dumps({"type": "move", "id": 1, "move": "f6"})], answer.stderr)
