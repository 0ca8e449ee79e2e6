#!/usr/bin/env python3
"""With `spectator-delay`, or a room that says so, nobody but the players knows anything early: not by the event stream
of the game node or of a web node, not by the API, the archive, records or feeds of either, and not by a monitor.

    spectator_delay_test.py FUHYO
"""

import http.client
import json
import subprocess
import sys
import tempfile
import threading
import time
import unittest
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1]
sys.path += [str(SYSTEM)]
from csa_client import CsaClient, begin, play  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PROGRAM = ""
WAIT_S = 30
DELAY_S = 2
MOVES = ("+7776FU", "-3334FU", "+2726FU")
DELAYS = ("--spectator-delay", "games=open-* seconds=0", "--spectator-delay", f"games=* seconds={DELAY_S}")


class Observer(threading.Thread):
    """Notes when it was first told each thing; `self.look` is done until it says that the game is over."""

    def __init__(self, name):
        super().__init__(name=name, daemon=True)
        self.seen = {}
        self.fault = None

    def note(self, thing):
        self.seen.setdefault(thing, time.monotonic())

    def run(self):
        try:
            self.look()
        except Exception as fault:  # told by the test
            self.fault = fault


class Stream(Observer):
    def __init__(self, name, address):
        super().__init__(name)
        self.connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
        self.connection.request("GET", "/api/v1/events")
        self.answer = self.connection.getresponse()

    def look(self):
        while "end" not in self.seen:
            line = self.answer.fp.readline().decode()
            for move in MOVES:
                if move in line:
                    self.note(move)
            if line.startswith("event: ended"):
                self.note("end")
        self.connection.close()


def ask(address, path):
    connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode("latin-1")
    connection.close()
    return answer.status, body


class Asker(Observer):
    """Asks for everything that might know of the game, again and again."""

    def __init__(self, name, address, game):
        super().__init__(name)
        self.address, self.game = address, game

    def look(self):
        ends = {"one", "list", "rss", "crosstable", "player", "players"}
        while not ends <= self.seen.keys():
            status, body = ask(self.address, f"/api/v1/games/{self.game}")
            game = json.loads(body).get("game", {}) if status == 200 else {}
            for move in game.get("moves", []):
                self.note(move.split(",")[0])
            if game.get("end"):
                self.note("one")
            record = ask(self.address, f"/api/v1/games/{self.game}.csa")[1]
            for move in MOVES:
                if move in record:
                    self.note(move)
            if "%TORYO" in record:
                self.note("one")
            if json.loads(ask(self.address, "/api/v1/games?player=alice")[1])["games"]:
                self.note("list")
            if json.loads(ask(self.address, "/api/v1/crosstable")[1])["players"]:
                self.note("crosstable")
            if "<item>" in ask(self.address, "/games.rss")[1]:
                self.note("rss")
            players = json.loads(ask(self.address, "/api/v1/players")[1])["players"]
            if players:
                self.note("players")
                path = "/api/v1/players/" + players[0]["id"].replace("+", "%2B")
                if ask(self.address, path)[0] == 200:
                    self.note("player")
            time.sleep(0.02)


class Watcher(Observer):
    def __init__(self, name, address, command, game_id):
        super().__init__(name)
        self.client = CsaClient(address, f"LOGIN {name} secret{name} x1")
        self.client.until("##[LOGIN]")
        self.client.say(f"{command} {game_id}")

    def look(self):
        while "end" not in self.seen:
            line = self.client.until("##[MONITOR")
            for move in MOVES:
                if move in line:
                    self.note(move)
            if "%TORYO" in line:
                self.note("end")
        self.client.close()


class SpectatorDelay(unittest.TestCase):
    delays = DELAYS

    def serve(self, *flags, doors):
        process = subprocess.Popen([PROGRAM, "serve", "--data", self.folder, *flags, *self.delays],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return doors_of(process, *doors)

    def begin(self, address, game, *names):
        players = [CsaClient(address, f"LOGIN {name} {game}-{side},secret{name}") for name, side in zip(names, "BW")]
        for player in players:
            self.addCleanup(player.close)
        return begin(*players)

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-delay-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_nobody_knows_early(self):
        game_node = self.serve("--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", doors=("csa", "http"))
        web_node = self.serve("--role", "web", "--http", "127.0.0.1:0", doors=("http",))
        csa, nodes = game_node["csa"], {"game": game_node["http"], "web": web_node["http"]}
        players = self.begin(csa, "cup-300-10", "alice", "bob")
        game_id = next(line for line in players[0].heard if line.startswith("Game_ID:")).removeprefix("Game_ID:")
        observers = [Stream(f"stream of the {node} node", at) for node, at in nodes.items()]
        observers += [Asker(f"API of the {node} node", at, 1) for node, at in nodes.items()]
        observers += [Watcher("Board", csa, "%%MONITORON", game_id), Watcher("Record", csa, "%%MONITOR2ON", game_id)]
        for observer in observers:
            observer.start()
        said = {}
        for move in MOVES:
            said[move] = time.monotonic()
            play(players, move)
            time.sleep(0.4)
        said["end"] = time.monotonic()
        players[1].say("%TORYO")
        for player in players:
            player.until("#RESIGN")
        self.assertLess(time.monotonic() - said["end"], DELAY_S, "the players wait for nobody")
        late = Watcher("Late", csa, "%%MONITOR2ON", game_id)  # the room is gone
        late.start()
        for observer in [*observers, late]:
            observer.join(WAIT_S)
            self.assertIsNone(observer.fault, observer.name)
            self.assertFalse(observer.is_alive(), f"{observer.name} has not seen the end")
            self.assertLessEqual(set(MOVES), observer.seen.keys(), observer.name)
            for thing, at in observer.seen.items():
                waited = at - said.get(thing, said["end"])
                self.assertGreater(waited, DELAY_S - 0.01, f"{observer.name}: {thing}")
                self.assertLess(waited, DELAY_S + WAIT_S / 2, f"{observer.name}: {thing}")

    def test_nobody_knows_early_where_a_room_says_so(self):
        """The game says it itself: a web node needs no setting."""
        self.delays = ()
        rooms = Path(self.folder) / "rooms"
        rooms.mkdir()
        (rooms / "cup.toml").write_text(f'games = "cup-*"\nvisibility = "seconds:{DELAY_S}"\n')
        self.test_nobody_knows_early()

    def test_other_games_are_not_late(self):
        node = self.serve("--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", doors=("csa", "http"))
        late = self.begin(node["csa"], "cup-300-10", "alice", "bob")
        soon = self.begin(node["csa"], "open-300-10", "carol", "dave")
        stream = Stream("stream", node["http"])
        stream.start()
        play(late, MOVES[0])
        play(soon, MOVES[0], MOVES[1])
        soon[0].say("%TORYO")
        stream.join(WAIT_S)
        self.assertFalse(stream.is_alive())
        games = json.loads(ask(node["http"], "/api/v1/games")[1])["games"]
        self.assertEqual([game["name"] for game in games], ["open-300-10"])

    def test_wrong_lines_are_refused(self):
        for line, why in (("games=x", "needs seconds= or moves="), ("games=x seconds=9999", "from 0 to 3600")):
            ended = subprocess.run([PROGRAM, "serve", "--data", self.folder, "--spectator-delay", line],
                                   capture_output=True, text=True, timeout=WAIT_S, check=False)
            self.assertNotEqual(ended.returncode, 0)
            self.assertIn(why, ended.stderr)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
