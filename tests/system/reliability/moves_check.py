"""What was acknowledged is stored, once, in one order, not before it was sent, and legal."""

from collections import Counter

from evidence import Violation


def acknowledged(evidence):
    """(Game_ID, ply) of every move that anybody was told as news."""
    return {(seen.csa_id, ply) for seen in evidence.seen for ply in range(seen.first + 1, len(seen.told) + 1)}


def check_sequence(evidence):
    """The journal ascends without gaps, and the plies of each game do; no ply twice, nothing after an end."""
    rows = evidence.rows
    for before, after in zip(rows, rows[1:]):
        if after.seq != before.seq + 1:
            yield Violation("sequence", f"row {after.seq} follows row {before.seq}")
    for game in evidence.games.values():
        plies = Counter(move.ply for move in game.moves)
        for ply, count in plies.items():
            if count > 1:
                yield Violation("twice", f"{game.csa_id}: ply {ply} is stored {count} times")
        if sorted(plies) != list(range(len(game.preset) + 1, len(game.preset) + 1 + len(plies))):
            yield Violation("sequence", f"{game.csa_id}: plies {sorted(plies)} after {len(game.preset)} of its start")
        if game.ends and game.moves and game.moves[-1].seq > game.ends[0].seq:
            yield Violation("sequence", f"{game.csa_id}: a move is stored after the end")


def check_seen_moves(evidence):
    for seen in evidence.seen:
        game = evidence.by_id.get(seen.csa_id)
        who = _who(evidence, seen)
        if game is None:
            if seen.csa_id:
                yield Violation("lost_move", f"{who} was told of {seen.csa_id}, which is not stored")
            continue
        if seen.started and not game.started:
            yield Violation("lost_move", f"{who} was told START of {seen.csa_id}, which is not stored")
        stored = game.told()
        for ply, (move, _) in enumerate(seen.told, 1):
            if ply > len(stored):
                yield Violation("lost_move", f"{seen.csa_id}: {who} was told {move} at ply {ply}; nothing is stored")
                break
            if move != stored[ply - 1] and not _agrees(seen, ply, stored[ply - 1]):
                name = "clock" if move.split(",")[0] == stored[ply - 1].split(",")[0] else "one_order"
                yield Violation(name, f"{seen.csa_id}: {who} was told {move} at ply {ply}; {stored[ply - 1]} is stored")
                break


def _agrees(seen, ply, stored):
    """A player who comes back reads T0 for the moves so far, and hears only the rest of the T of his turn under way."""
    (told, told_s), (move, spent_s) = (text.split(",T") for text in (seen.told[ply - 1][0], stored))
    if seen.role != "player" or told != move:
        return False
    came_back = seen.first > 0 and ply - seen.first <= 2 and told[0] == seen.sign
    return ply <= seen.first and told_s == "0" or came_back and int(told_s) <= int(spent_s)


def _who(evidence, seen):
    session = evidence.history.sessions[seen.session]
    return f"{session.role} {session.name}"


def _sends(evidence):
    """By (Game_ID, sign), when its player sent each text."""
    sends = {}
    for seen in evidence.seen:
        if seen.role == "player":
            times = sends.setdefault((seen.csa_id, seen.sign), {})
            for text, at in seen.sent:
                times.setdefault(text, []).append(at)
    for times in sends.values():
        for list_ in times.values():
            list_.sort()
    return sends


def check_phantoms(evidence):
    sends = _sends(evidence)
    for game in evidence.games.values():
        for text, count in Counter(move.csa for move in game.moves).items():
            times = sends.get((game.csa_id, text[0]), {}).get(text, [])
            if count > len(times):
                yield Violation("phantom", f"{game.csa_id}: {text} is stored {count} times, sent {len(times)} times")


def check_real_time(evidence):
    sends = _sends(evidence)
    for seen in evidence.seen:
        game = evidence.by_id.get(seen.csa_id)
        occurred = Counter()
        for ply, (told, at) in enumerate(seen.told, 1):
            if game is None or ply <= len(game.preset):
                continue
            text = told.split(",")[0]
            occurred[text] += 1
            times = sends.get((seen.csa_id, text[0]), {}).get(text, [])
            if len(times) >= occurred[text] and at < times[occurred[text] - 1]:
                yield Violation("real_time",
                                f"{seen.csa_id}: {_who(evidence, seen)} was told {told} before it was sent")


def check_legality(evidence):
    """By a second source of the rules."""
    if evidence.judge is None:
        return
    games = list(evidence.games.values())
    texts = [game.start_sfen + "\t" + " ".join(move.split(",")[0] for move in game.told()) for game in games]
    for game, verdict in zip(games, evidence.judge(texts)):
        if verdict != "ok":
            yield Violation("legality", f"{game.csa_id}: {verdict}")
