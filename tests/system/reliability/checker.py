"""The one checker of a run: histories against the store, the archive and the record files."""

from clock_check import check_arithmetic, check_fair_time
from moves_check import (acknowledged, check_legality, check_phantoms, check_real_time, check_seen_moves,
                         check_sequence)
from result_check import check_archive, check_records, check_results
from session_check import check_sessions

CHECKS = (check_sequence, check_seen_moves, check_phantoms, check_real_time, check_legality, check_arithmetic,
          check_fair_time, check_results, check_archive, check_records, check_sessions)


def check(evidence):
    return [violation for one in CHECKS for violation in one(evidence)]


def tally(evidence):
    """What the run came to: a run that saw nothing has shown nothing."""
    return {"games": len(evidence.games), "stored moves": sum(len(game.moves) for game in evidence.games.values()),
            "acknowledged moves": len(acknowledged(evidence)),
            "ended games": sum(1 for game in evidence.games.values() if game.ends)}
