#!/usr/bin/env python3
"""Computes Elo and error bar of every pairing and every bot of a run, from games.csv alone.

Checks pairs.csv and standings.csv independently of the arena's code. The formulas are those of the engine-testing
literature, over complete colour-swapped pairs if there are any, else over games. Fails if a cell of these
tables differs from the computed figure, rounded as in the table.

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
    """Returns the scores of `one` in complete pairs, or in games if no pair is complete."""
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
    """Returns (score, weight) for each score. If all scores are equal, adds half a game that is a step better, and half
    a game that is a step worse; if only one of these scores is between 0 and 1, adds a whole game with it."""
    weighted = [(score, 1.0) for score in scores]
    if len(set(scores)) > 1:
        return weighted
    beside = [scores[0] - step, scores[0] + step]
    inside = [score for score in beside if 0 <= score <= 1]
    return weighted + [(score, 1 / len(inside)) for score in inside]


def elo(share):
    return -400 * math.log10(1 / share - 1)


def strength(scores, games_each):
    if 2 * 0.5 ** len(scores) >= 0.05:  # by the sign test, too few results to be significant
        return [None] * 5
    weighted = with_spread(scores, 0.5 / games_each)
    number = sum(weight for _, weight in weighted)
    mean = sum(score * weight for score, weight in weighted) / number
    variance = sum((score - mean) ** 2 * weight for score, weight in weighted) / number
    reach = Z * math.sqrt(variance / number)
    # Elo is infinite at 0 and 1. The ends keep a distance from them: a fortieth of the won or of the lost points.
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


# The figures in the order of `strength`, each with the last digit that the table shows.
COLUMNS = {"elo": 0.1, "elo_error_95": 0.1, "nelo": 0.1, "nelo_error_95": 0.1, "los": 0.0001}


def rows(run, name):
    with open(Path(run) / name, newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


# The prior of a rating: normal with 500 Elo about the mean, in natural units of 400/ln 10 Elo.
NAT = 400 / math.log(10)
PRIOR = (NAT / 500) ** 2


def solved(matrix, vectors):
    """Returns the solutions of matrix·x = v for each v, by Gaussian elimination."""
    size = len(matrix)
    rows_ = [list(matrix[i]) + [v[i] for v in vectors] for i in range(size)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows_[k][i]))
        rows_[i], rows_[pivot] = rows_[pivot], rows_[i]
        rows_[i] = [x / rows_[i][i] for x in rows_[i]]
        for k in range(size):
            if k != i:
                factor = rows_[k][i]
                rows_[k] = [x - factor * y for x, y in zip(rows_[k], rows_[i])]
    return [[rows_[i][size + j] for i in range(size)] for j in range(len(vectors))]


def ratings(bots, meetings):
    """Returns Elo and half-width of each bot. For two bots, `meetings` has the scores of the first in each complete
    pair, and in each game without a complete pair."""
    at = {bot: i for i, bot in enumerate(bots)}
    rating, size = [0.0] * len(bots), len(bots)

    def share(one, other):
        return 1 / (1 + math.exp(rating[other] - rating[one]))

    for _ in range(100):
        slope = [-PRIOR * r for r in rating]
        bend = [[PRIOR * (i == j) for j in range(size)] for i in range(size)]
        for (one, other), units in meetings.items():
            i, j = at[one], at[other]
            p, games = share(i, j), sum(map(len, units))
            surplus = sum(map(sum, units)) - games * p
            slope[i] += surplus
            slope[j] -= surplus
            for a, b, sign in [(i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)]:
                bend[a][b] += sign * games * p * (1 - p)
        [step] = solved(bend, [slope])
        longest = max(map(abs, step))
        rating = [r + s / max(1, longest) for r, s in zip(rating, step)]
        if longest < 1e-13:
            break
    inverse = solved(bend, [[float(i == j) for j in range(size)] for i in range(size)])
    # The variance of the points of each pairing.
    modelled, seen, count = {}, {}, 0
    for (one, other), units in meetings.items():
        p = share(at[one], at[other])
        scores = [score for unit in units for score in unit]
        draws = scores.count(0.5) / (len(scores) + 2)
        game = p * (1 - p) - min(draws / 4, 0.9 * p * (1 - p))
        pairs = [sum(unit) for unit in units if len(unit) == 2]
        modelled[one, other] = (game, len(units) - len(pairs), len(pairs))
        seen[one, other] = sum((points - 2 * p) ** 2 for points in pairs)
        count += len(pairs)
    free = min(max((count - (size - 1)) / max(count, 1), 0.1), 1)

    def ratio(meetings, prior, weight):
        expected = sum(2 * game * pairs for game, _, pairs in (modelled[key] for key in meetings))
        return (sum(seen[key] for key in meetings) + weight / 2 * prior) / (free * expected + weight / 2)

    field = ratio(modelled, 1, 4)

    def relative(bot, key):
        return ratio([other for other in modelled if bot in other and other != key], field, 8) / field

    middle = [[PRIOR * (i == j) for j in range(size)] for i in range(size)]
    for (one, other), (game, singles, pairs) in modelled.items():
        own = ratio([(one, other)], field * relative(one, (one, other)) * relative(other, (one, other)), 20)
        variance = game * singles + 2 * game * pairs * own
        i, j = at[one], at[other]
        for a, b, sign in [(i, i, 1), (j, j, 1), (i, j, -1), (j, i, -1)]:
            middle[a][b] += sign * variance
    half_widths = []
    for i in range(size):
        about_mean = [inverse[i][k] - sum(inverse[j][k] for j in range(size)) / size for k in range(size)]
        half = [sum(about_mean[a] * middle[a][b] for a in range(size)) for b in range(size)]
        half_widths.append(Z * NAT * math.sqrt(sum(h * x for h, x in zip(half, about_mean))))
    return [(NAT * r, width) for r, width in zip(rating, half_widths)]


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
    units = {}
    for bots, games in meetings.items():
        one, other = sorted(bots)
        by_pair = defaultdict(list)
        for game in games:
            draw = game["result"] == "draw"
            by_pair[game["pair"]].append(0.5 if draw else float(game[game["result"]] == one))
        units[one, other] = list(by_pair.values())
    standings = rows(run, "standings.csv")
    found = ratings([row["bot"] for row in standings], units)
    for row, figures in zip(standings, found, strict=True):
        for column, figure in zip(["elo", "elo_error_95"], figures, strict=True):
            agree = abs(float(row[column]) - figure) <= 0.05 + 1e-5
            assert agree, f"{row['bot']}: {column}: {row[column]} and {figure}"


if __name__ == "__main__":
    main(*sys.argv[1:])
