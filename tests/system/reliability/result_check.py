"""Exactly one result of each game, and the same one everywhere; records and archive say what the journal says."""

from collections import Counter

from evidence import Violation

_REASONS = {"toryo": "#RESIGN", "abnormal": "#RESIGN", "time up": "#TIME_UP", "sennichite": "#SENNICHITE",
            "oute_sennichite": "#OUTE_SENNICHITE", "max_moves": "#MAX_MOVES", "chudan": ""}
_FEED = {"black_wins": "black", "white_wins": "white", "draw": "draw", "none": "none"}


def _verdict(end, sign):
    if end.kind == "max_moves":
        return "#CENSORED"
    if end.outcome in ("draw", "none"):
        return "#DRAW" if end.outcome == "draw" else "#CHUDAN"
    return "#WIN" if (end.outcome == "black_wins") == (sign == "+") else "#LOSE"


def check_results(evidence):
    """One end a game, of a kind that these players can come to, and told as it is stored."""
    for game in evidence.games.values():
        if len(game.ends) + game.rejections > 1:
            yield Violation("one_result", f"{game.csa_id} has {len(game.ends)} ends, {game.rejections} rejections")
        if evidence.settled and not game.over:
            yield Violation("liveness", f"{game.csa_id} never ended")
        for end in game.ends:
            if end.kind not in evidence.ends:
                yield Violation("honest", f"{game.csa_id}: ended by '{end.kind}' after {end.plies} moves")
    for seen in evidence.seen:
        yield from _told_result(evidence, seen)


def _told_result(evidence, seen):
    game = evidence.by_id.get(seen.csa_id)
    if game is None or not (seen.verdicts or seen.rejected):
        return
    who = evidence.history.sessions[seen.session].name
    if seen.rejected and not game.rejections:
        yield Violation("one_result", f"{seen.csa_id}: {who} was told REJECT, which is not stored")
    if seen.verdicts and not game.ends:
        yield Violation("one_result", f"{seen.csa_id}: {who} was told {seen.verdicts[0][0]}, which is not stored")
        return
    if not seen.verdicts:
        return
    end = game.ends[0]
    told = [line for line, _ in seen.verdicts]
    due = _FEED[end.outcome] if seen.role == "stream" else _verdict(end, seen.sign)
    if told != [due]:
        yield Violation("one_result", f"{seen.csa_id}: {who} was told {told}; stored is '{end.kind}' {end.outcome}")
    elif seen.role == "player" and seen.reason != _REASONS.get(end.kind, seen.reason):
        yield Violation("one_result", f"{seen.csa_id}: {who} was told {seen.reason}; stored is '{end.kind}'")


def check_archive(evidence):
    """One row of the table game for each game that ended, with its moves."""
    rows = Counter(row["csa_id"] for row in evidence.archive)
    by_id = {row["csa_id"]: row for row in evidence.archive}
    for game in evidence.games.values():
        if not game.ends:
            if rows[game.csa_id]:
                yield Violation("archive", f"{game.csa_id} is archived without an end")
            continue
        if rows[game.csa_id] != 1:
            yield Violation("archive", f"{game.csa_id} is archived {rows[game.csa_id]} times")
            continue
        row, end = by_id[game.csa_id], game.ends[0]
        if row["moves"].split() != game.told():
            yield Violation("archive", f"{game.csa_id}: the archived moves are not those of the journal")
        if (row["end_kind"], row["outcome"], row["plies"]) != (end.kind, end.outcome, end.plies):
            yield Violation("archive", f"{game.csa_id}: '{row['end_kind']}' {row['outcome']} is archived;"
                                       f" stored is '{end.kind}' {end.outcome}")


def _summary(game, end):
    if end.outcome == "none":
        return ""
    sides = ["draw", "draw"] if end.outcome == "draw" else ["win", "lose"]
    if end.outcome == "white_wins":
        sides.reverse()
    return f"{end.kind}:{game.black} {sides[0]}:{game.white} {sides[1]}"


def check_records(evidence):
    """One whole file a game that ended, one line of 00LIST a result."""
    if not evidence.files:
        return
    files = Counter(record.csa_id for record in evidence.records)
    by_id = {record.csa_id: record for record in evidence.records}
    lines = Counter(line.split("\t")[6].rsplit("/", 1)[-1].removesuffix(".csa") for line in evidence.listing)
    for game in (game for game in evidence.games.values() if game.ends):
        end = game.ends[0]
        if files[game.csa_id] != 1:
            yield Violation("record", f"{game.csa_id} has {files[game.csa_id]} record files")
            continue
        record = by_id[game.csa_id]
        if record.moves != game.told():
            yield Violation("record", f"{game.csa_id}: the record has {len(record.moves)} moves that are not the stored"
                                      f" {len(game.told())}")
        if record.summary != _summary(game, end) or record.broken_off != (end.outcome == "none"):
            yield Violation("record", f"{game.csa_id}: the record says '{record.summary}'; stored is '{end.kind}'"
                                      f" {end.outcome}")
        due = int(game.room == "main" and end.outcome != "none")
        if lines[game.csa_id] != due:
            yield Violation("record", f"{game.csa_id} has {lines[game.csa_id]} lines in 00LIST; {due} are due")
    for csa_id in files - Counter(game.csa_id for game in evidence.games.values()):
        yield Violation("record", f"{csa_id} has a record and is not stored")
