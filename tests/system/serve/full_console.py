"""A server with something in every list of the console, some of them long; for what looks at the console."""

from csa_client import CsaClient, begin
from event_files import begin_event, event_text

EVENT = event_text(
    [{"name": "ann", "title": "Ann of the club"}, "ben", "cid"], name="league", title="Club league of the long evening",
    title_ja="クラブ戦", format="round-robin", time="600-5F", countdown_s=30, forfeit_s=3600)
POSITIONS = 130
BUOYS = 12
LONG_NAME = "n" * 32


def fill_console(here):
    """Returns the clients that have to stay."""
    done, positions = here.server.done, here.folder / "data" / "positions"
    positions.mkdir(exist_ok=True)
    (positions / "many.txt").write_text("startpos\n" * POSITIONS, encoding="utf-8")
    done("load-positions", "many", "many.txt")
    begin_event(here.server, "league", EVENT)
    done("set-room", "club", "games=club-*", 'title-en="The club"', "after-game=stay")
    done("forbid", LONG_NAME, "until friday: played from several machines at once, and would not say why")
    for name, role in (("alice", "player"), (LONG_NAME.upper(), "host")):
        done("account-add", name, role)
        done("token", name, "engine at home")
    watcher = CsaClient(here.server.csa, "LOGIN watcher pw x1")
    for number in range(BUOYS):
        watcher.say(f"%%SETBUOY buoy_b{number}-300-10 +7776FU")
        watcher.until("##[SETBUOY]")
    players = begin(*(CsaClient(here.server.csa, f"LOGIN {name} club-600-10F-{side},pw") for name, side in
                      (("black" * 6, "B"), ("white" * 6, "W"))))
    return [watcher, *players]
