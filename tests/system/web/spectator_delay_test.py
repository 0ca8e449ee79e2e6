#!/usr/bin/env python3
"""With `spectator-delay`, or a room that says so, nobody but the players knows anything early: not by the event stream
of the game node or of a web node, not by the API, the archive, records or feeds of either, not by what a commentator
says, and not by a monitor."""

import threading
import time

from csa_client import CsaClient, game_id, play, resign
from server_case import ServerCase, run_tests
from waiting import PATIENCE_S
from web_client import EventStream, ask

DELAY_S = 2
MOVES = {"+7776FU": "☗P-76", "-3334FU": "☖P-34", "+2726FU": "☗P-26"}  # as the commentator says them
ENDS = {"one", "list", "rss", "crosstable", "player", "players"}


class Observer(threading.Thread):
    """Notes when it was first told each thing; `self.look` is done until it says that the game is over."""

    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.seen = {}
        self.fault = None

    def note(self, thing):
        self.seen.setdefault(thing, time.monotonic())

    def note_moves(self, text):
        for move, spoken in MOVES.items():
            if move in text or spoken in text:
                self.note(move)

    def run(self):
        try:
            self.look()
        except Exception as fault:  # told by the test
            self.fault = fault


class Stream(Observer):
    def __init__(self, name, address):
        super().__init__(name)
        self.events = EventStream(address)
        self.spoke = False  # the commentator

    def look(self):
        with self.events:
            while "end" not in self.seen:
                line = self.events.line()
                self.note_moves(line)
                self.spoke = self.spoke or line.startswith("event: commentary")
                if line.startswith("event: ended"):
                    self.note("end")


class Asker(Observer):
    def __init__(self, name, address, game):
        super().__init__(name)
        self.address, self.game = address, f"/api/v1/games/{game}"

    def look(self):
        while not ENDS <= self.seen.keys():
            answer = ask(self.address, self.game)
            game = answer.json().get("game", {}) if answer.status == 200 else {}
            self.note_moves(answer.text)
            record = ask(self.address, self.game + ".csa").text
            self.note_moves(record)
            if game.get("end") or "%TORYO" in record:
                self.note("one")
            for thing, path, member in (("list", "games?player=alice", "games"),
                                        ("crosstable", "crosstable", "players"), ("players", "players", "players")):
                if told := ask(self.address, f"/api/v1/{path}").json()[member]:
                    self.note(thing)
            if "<item>" in ask(self.address, "/games.rss").text:
                self.note("rss")
            if told and ask(self.address, "/api/v1/players/" + told[0]["id"].replace("+", "%2B")).status == 200:
                self.note("player")


class Watcher(Observer):
    def __init__(self, name, address, command, game_id):
        super().__init__(name)
        self.client = CsaClient(address, f"LOGIN {name} secret{name} x1")
        self.client.until("##[LOGIN]")
        self.client.say(f"{command} {game_id}")

    def look(self):
        with self.client:
            while "end" not in self.seen:
                line = self.client.until("##[MONITOR")
                self.note_moves(line)
                if "%TORYO" in line:
                    self.note("end")


class SpectatorDelay(ServerCase):
    listeners = ("csa", "http")

    def observe(self, *flags):
        """Plays a game while everybody looks: nobody has seen a thing too early, and everybody all of it in the end."""
        flags = ("--commentator", "builtin", *flags)
        node = self.serve(*flags)
        nodes = {"game": node.http, "web": self.serve("--role", "web", *flags, listeners=("http",)).http}
        players = self.sit_down(node.csa)
        game = game_id(players[0])
        observers = [Stream(f"stream of the {name} node", at) for name, at in nodes.items()]
        observers += [Asker(f"API of the {name} node", at, 1) for name, at in nodes.items()]
        observers += [Watcher("Board", node.csa, "%%MONITORON", game),
                      Watcher("Record", node.csa, "%%MONITOR2ON", game)]
        for observer in observers:
            observer.start()
        said = {}
        for move in MOVES:
            said[move] = time.monotonic()
            play(players, move)
        said["end"] = time.monotonic()
        resign(players[1], players[0])
        streams = [each for each in observers if isinstance(each, Stream)]
        late = Watcher("Late", node.csa, "%%MONITOR2ON", game)  # the room is gone
        late.start()
        for observer in [*observers, late]:
            observer.join(PATIENCE_S)
            self.assertIsNone(observer.fault, observer.name)
            self.assertFalse(observer.is_alive(), f"{observer.name} has not seen the end")
            self.assertLessEqual(set(MOVES), observer.seen.keys(), observer.name)
            self.assertTrue(observer not in streams or observer.spoke, f"{observer.name} has no commentator")
            for thing, at in observer.seen.items():
                self.assertGreater(at - said.get(thing, said["end"]), DELAY_S - 0.01, f"{observer.name}: {thing}")

    def test_nobody_knows_early(self):
        self.observe("--spectator-delay", f"games=* seconds={DELAY_S}")

    def test_nobody_knows_early_where_a_room_says_so(self):
        """The game says it itself: a web node needs no setting."""
        rooms = self.data / "rooms"
        rooms.mkdir(parents=True)
        (rooms / "cup.toml").write_text(f'games = "cup-*"\nvisibility = "seconds:{DELAY_S}"\n')
        self.observe()


if __name__ == "__main__":
    run_tests()
