"""Events of tests: their texts, and what their hosts do about them."""

import json


def event_text(entrants, **settings):
    """Of an event for these alone: names, or dicts with more than a name. Settings have _ for -."""
    def lines(values):
        return "".join(f"{key.replace('_', '-')} = {json.dumps(value, ensure_ascii=False)}\n"
                       for key, value in values.items())

    tables = ("[[entrant]]\n" + lines({"name": one} if isinstance(one, str) else one) for one in entrants)
    return lines(settings) + "[entry]\nopen = false\n" + "".join(tables)


def announce_event(server, name, text):
    folder = server.data / "tournaments"
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    server.done("tournament-new", f"{name}.toml")


def begin_event(server, name, text=None):
    """Announced before, or here."""
    if text:
        announce_event(server, name, text)
    for _ in ("counts down", "now"):
        server.done("tournament-start", name)


def black_wins(server, event, *games):
    """These games of the round that is paired, or all."""
    for game in games or [game for game, *_ in server.done("tournament-pairings", event)["rows"]]:
        server.done("tournament-result", event, game, "black", "by word of mouth")
