"""Points, tie-breaks and ranks of an event, from who beat whom: docs/tournaments.md a second time, for games that all
have a winner, and the comparison with the server's tables."""

from collections import defaultdict
from itertools import groupby


def swiss(members, games, free):
    """(player, rank, points, {tie-break: value}) in the order of ranks, by points, Buchholz, Sonneborn-Berger, median
    and direct encounter.

    games: (winner, loser) over the board. free: (player, points) of a bye, a forfeit or an absence.
    """
    points = defaultdict(float)
    for winner, _ in games:
        points[winner] += 1
    for player, worth in free:
        points[player] += worth
    opposed = {player: [] for player in members}  # (total of the opponent, points against him)
    for winner, loser in games:
        opposed[winner].append((points[loser], 1))
        opposed[loser].append((points[winner], 0))
    for player, worth in free:  # as against somebody with as much
        opposed[player].append((points[player], worth))
    figures = {player: {"buchholz": sum(total for total, _ in met), "sonneborn-berger": sum(t * p for t, p in met),
                        "median": sum(sorted(total for total, _ in met)[1:-1])} for player, met in opposed.items()}
    order = ("buchholz", "sonneborn-berger", "median")
    return ranked(members, points, figures, lambda player: [figures[player][name] for name in order], games)


def round_robin(members, games):
    """The same of everybody against everybody: points, direct encounter, Sonneborn-Berger, games won."""
    points = defaultdict(float)
    for winner, _ in games:
        points[winner] += 1
    figures = {player: {"sonneborn-berger": sum(points[loser] for winner, loser in games if winner == player),
                        "wins": points[player]} for player in members}
    rows = []
    for total, tied in groups(members, lambda player: points[player]):
        for _, among in groups(tied, lambda player: direct(player, tied, games)):
            rows += groups(among, lambda player: (figures[player]["sonneborn-berger"], figures[player]["wins"]))
    return numbered([tied for _, tied in rows], points, figures)


def direct(player, tied, games):
    """Points against those who are tied; only if every two of them have met."""
    met = {frozenset(pair) for pair in games}
    if any(frozenset((one, other)) not in met for one in tied for other in tied if one != other):
        return 0
    return sum(winner == player and loser in tied for winner, loser in games)


def groups(players, key):
    ordered = sorted(players, key=key, reverse=True)
    return [(value, list(group)) for value, group in groupby(ordered, key)]


def ranked(members, points, figures, key, games):
    rows = []
    for _, tied in groups(members, lambda player: [points[player], *key(player)]):
        rows += [among for _, among in groups(tied, lambda player: direct(player, tied, games))]
    return numbered(rows, points, figures)


def numbered(rows, points, figures):
    """`rows`: those who share a rank, the best first."""
    told, rank = [], 1
    for tied in rows:
        told += [(player, rank, points[player], figures[player]) for player in sorted(tied)]
        rank += len(tied)
    return told


def compare(table, counted):
    assert table["final"], table["division"]
    told = sorted((row["rank"], row["player"], float(row["points"])) for row in table["rows"])
    ours = sorted((rank, player, float(points)) for player, rank, points, _ in counted)
    assert told == ours, f"the server says\n{told}\nand we\n{ours}"
    figures = {player: figures for player, _, _, figures in counted}
    for row in table["rows"]:
        for name, value in figures[row["player"]].items():
            assert float(row["figures"][name]) == value, f"{row['player']}: {name}: {row['figures']}, {value}"
