#!/usr/bin/env python3
"""Elo and error bar of every pairing of a run, from games.csv alone.

A second opinion on pairs.csv, written without a look at how the arena does it: the formulas are
those of the engine-testing literature, over whole colour-swapped pairs where there are any and over
games otherwise. Fails where a cell of pairs.csv is not such a figure, rounded as the table rounds.

    python3 tests/elo_twin.py results/RUN
"""

import csv
import math
import sys
from collections import defaultdict
from pathlib import Path
from statistics import NormalDist

Z = NormalDist().inv_cdf(0.975)


def scores_of(games, one):
    """Scores of whole pairs from the side of `one`, or of games where no pair is whole."""
    by_pair = defaultdict(list)
    for game in games:
        if game["result"] == "draw":
            score = 0.5
        else:
            score = 1.0 if game[game["result"]] == one else 0.0
        by_pair[game["pair"]].append(score)
    whole = [pair for pair in by_pair.values() if len(pair) == 2]
    if whole:
        return [sum(pair) / 2 for pair in whole], 2
    return [score for pair in by_pair.values() for score in pair], 1


def with_spread(scores, step):
    """Where all scores are the same, half a game a step better and half a step worse is imagined
    beside them, or a whole one on the only side there is. As (score, weight)."""
    weighted = [(score, 1.0) for score in scores]
    if len(set(scores)) > 1:
        return weighted
    beside = [scores[0] - step, scores[0] + step]
    inside = [score for score in beside if 0 <= score <= 1]
    return weighted + [(score, 1 / len(inside)) for score in inside]


def elo(share):
    return -400 * math.log10(1 / share - 1)


def strength(scores, games_each):
    if 2 * 0.5 ** len(scores) >= 0.05:  # the sign test: too few to be significant
        return [None] * 5
    weighted = with_spread(scores, 0.5 / games_each)
    number = sum(weight for _, weight in weighted)
    mean = sum(score * weight for score, weight in weighted) / number
    variance = sum((score - mean) ** 2 * weight for score, weight in weighted) / number
    reach = Z * math.sqrt(variance / number)
    # The interval stays where at least a fortieth of the points won or lost is left.
    high = 1 - max(1 - mean - reach, (1 - mean) / 40)
    low = max(mean - reach, mean / 40)
    scale = 800 / math.log(10)
    normalised = [
        (mean - 0.5) / math.sqrt(games_each * variance) * scale,
        Z / math.sqrt(games_each * number) * scale,
    ]
    doubt = 0.5 ** len(scores)
    los = NormalDist().cdf((mean - 0.5) / math.sqrt(variance / number))
    return [
        elo(mean),
        (elo(high) - elo(low)) / 2,
        *(normalised if len(set(scores)) > 1 else [None, None]),
        min(max(los, doubt), 1 - doubt),
    ]


# The figures, in the order of `strength`, and the last digit that the table shows of each.
COLUMNS = {"elo": 0.1, "elo_error_95": 0.1, "nelo": 0.1, "nelo_error_95": 0.1, "los": 0.0001}


def rows(run, name):
    with open(Path(run) / name, newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


def main(run):
    meetings = defaultdict(list)
    for game in rows(run, "games.csv"):
        if game["result"] in ("black", "white", "draw"):
            meetings[frozenset((game["black"], game["white"]))].append(game)
    pairs = rows(run, "pairs.csv")
    assert pairs, "no pairs"
    for pair in pairs:
        games = meetings[frozenset((pair["bot"], pair["opponent"]))]
        figures = strength(*scores_of(games, pair["bot"]))
        for (column, step), figure in zip(COLUMNS.items(), figures, strict=True):
            cell = pair[column]
            agree = cell == "" if figure is None else abs(float(cell) - figure) <= 0.5 * step + 1e-5
            assert agree, f"{pair['bot']} against {pair['opponent']}: {column}: {cell} and {figure}"


if __name__ == "__main__":
    main(*sys.argv[1:])
