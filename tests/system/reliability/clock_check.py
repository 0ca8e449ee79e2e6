"""Clocks: what is stored adds up, and what is charged is what the players' own watches say."""

from evidence import Violation

LONGEST_STALL_S = 30


def check_arithmetic(evidence):
    """remaining = max(0, remaining + increment - T) after each move (PROTOCOL.md)."""
    for game in evidence.games.values():
        left = {"+": game.total_s, "-": game.total_s} if not game.preset_spent else {}
        for number, move in enumerate(game.moves):
            if number in game.clock_moved:
                left = {}
            sign = move.csa[0]
            if sign in left:
                due = max(0, left[sign] + game.increment_s - move.spent_s)
                if due != move.remaining_s:
                    yield Violation("clock", f"{game.csa_id}: {move.text} leaves {move.remaining_s} s; {due} s are due")
            left[sign] = move.remaining_s
            if move.spent_s < game.least_s:
                yield Violation("clock", f"{game.csa_id}: {move.text} is charged less than {game.least_s} s")


def stopped_spans(history):
    """When the server stood still or its store was away: this time is charged to nobody."""
    spans, began = [], None
    for event in history.events:
        if event.kind != "mark":
            continue
        if event.text.startswith(("away", "died")) and began is None:
            began = event.at
        elif event.text.startswith("back") and began is not None:
            spans.append((began, event.at))
            began = None
    return spans if began is None else [*spans, (began, float("inf"))]


def _overlap(spans, begin, end):
    return sum(max(0.0, min(end, to) - max(begin, from_)) for from_, to in spans)


def turns(evidence):
    """(game, stored move, seconds from seeing the turn to sending the move, span) of every move told to its mover."""
    for seen in evidence.seen:
        game = evidence.by_id.get(seen.csa_id) if seen.role == "player" else None
        if game is None:
            continue
        stored = {move.ply: move for move in game.moves}
        sent = list(seen.sent)
        before = None
        for ply, (told, at) in enumerate(seen.told, 1):
            text = told.split(",")[0]
            if ply <= seen.first:
                continue
            if text[0] == seen.sign:
                while sent and sent[0][0] != text:
                    sent.pop(0)
                if sent and before is not None and ply in stored:
                    sent_at = sent.pop(0)[1]
                    yield game, stored[ply], sent_at - before, (before, sent_at)
            before = at


def check_fair_time(evidence):
    """T is at most what the player's own watch shows, and at least that but for the time that was given back."""
    spans, stalls = stopped_spans(evidence.history), evidence.history.stalls
    for game, move, thought_s, (begin, end) in turns(evidence):
        if game.stopwatch_s:
            continue
        # A watch that stood still is not believed: lines that came meanwhile were read at the end of it.
        late_s = _overlap(stalls, begin - LONGEST_STALL_S, end)
        most = max(game.least_s, int(thought_s + evidence.slack_s + late_s))
        given_back_s = evidence.given_back_s + _overlap(spans, begin, end) + (evidence.slack_s if spans else 0.0)
        least = int(max(0.0, thought_s - given_back_s))
        if not least <= move.spent_s <= most:
            yield Violation("fair_time",
                            f"{game.csa_id}: {move.text} at ply {move.ply} after {thought_s:.2f} s of thought")
