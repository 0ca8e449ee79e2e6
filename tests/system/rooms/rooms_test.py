#!/usr/bin/env python3
"""Rooms of the real program: made by files and by commands, kept over a stop and a kill, changed under a running game,
hidden from everybody who looks, and with players who stay.

    rooms_test.py FUHYO
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
MOVES = ("+7776FU", "-3334FU", "+2726FU")


def ask(address, path):
    connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    body = answer.read().decode("latin-1")
    connection.close()
    return answer.status, body


class Stream(threading.Thread):
    """All that the event stream says."""

    def __init__(self, address):
        super().__init__(daemon=True)
        connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
        connection.request("GET", "/api/v1/events")
        self.answer = connection.getresponse()
        self.said = []

    def run(self):
        while line := self.answer.fp.readline().decode():
            self.said.append(line)
            if line.startswith("event: ended"):
                return


class Rooms(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-rooms-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "rooms").mkdir()
        self.server = None

    def serve(self, *flags, doors=("csa", "http")):
        process = subprocess.Popen(
            [PROGRAM, "serve", "--data", self.folder, "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", *flags]
            if "csa" in doors else
            [PROGRAM, "serve", "--data", self.folder, "--http", "127.0.0.1:0", *flags],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        at = doors_of(process, *doors)
        if "csa" in doors:
            self.server, self.csa, self.http = process, at["csa"], at["http"]
        return at

    def file(self, name, text):
        (self.folder / "rooms" / f"{name}.toml").write_text(text)

    def admin(self, *words):
        ended = subprocess.run([PROGRAM, "admin", "--data", self.folder, *words, "--json"], capture_output=True,
                               text=True, timeout=WAIT_S, check=False)
        return json.loads(ended.stdout)

    def done(self, *words):
        answer = self.admin(*words)
        self.assertTrue(answer["ok"], answer)
        return answer

    def player(self, login):
        client = CsaClient(self.csa, f"LOGIN {login}")
        self.addCleanup(client.close)
        return client

    def two(self, game):
        return begin(*(self.player(f"{name} {game}-{side},secret{name}")
                       for name, side in (("alice", "B"), ("bob", "W"))))

    def until_rooms_are(self, *names):
        """The page has them as soon as the store has. What the API says of them."""
        until = time.monotonic() + WAIT_S
        while set(rooms := self.rooms()) != set(names):
            self.assertLess(time.monotonic(), until, rooms)
            time.sleep(0.02)
        return rooms

    def rooms(self):
        return {room["name"]: room for room in json.loads(ask(self.http, "/api/v1/rooms")[1])["rooms"]}

    def test_files_and_commands_survive_a_stop_and_a_kill(self):
        self.file("final", 'games = "final-*"\ntitle-ja = "決勝"\ntime = "600-5F"\nmax-moves = 320\n')
        self.file("wrong", 'games = "wrong-*"\nafter-gme = "stay"\n')
        self.serve()
        self.until_rooms_are("main", "final")
        self.done("set-room", "club", "games=club-*", 'title-en="The club"')
        self.server.terminate()
        self.assertEqual(self.server.wait(WAIT_S), 0)
        self.serve()
        self.until_rooms_are("main", "final", "club")
        self.done("set-room", "late", "games=late-*")
        self.server.kill()
        self.server.wait()
        self.serve()
        rooms = self.until_rooms_are("main", "final", "club", "late")
        self.assertEqual(rooms["final"]["time"]["increment_s"], 5)
        self.assertTrue(rooms["final"]["by_file"])
        self.assertEqual(rooms["club"]["title"]["en"], "The club")
        self.assertFalse(self.admin("set-room", "final", "max-moves=1")["ok"])
        # A reload takes what the files say now, and says what is wrong with one.
        (self.folder / "rooms" / "final.toml").unlink()
        self.file("class-a", 'games = "a-*"\n')
        text = self.done("reload")["text"]
        self.assertIn("wrong.toml:2: a room has no 'after-gme': did you mean 'after-game'?", text)
        self.until_rooms_are("main", "class-a", "club", "late")

    def test_a_running_game_is_what_it_was_opened_as(self):
        self.serve()
        self.done("set-room", "final", "games=final-*", "time=600-0", "after-game=stay")
        players = self.two("final-900-0")
        self.assertIn("Total_Time:600", players[0].heard)
        play(players, MOVES[0])
        self.done("set-room", "final", "max-moves=2", "visibility=hidden", "after-game=close")
        self.done("close-room", "final", "enough")
        play(players, *MOVES[1:])
        self.until_rooms_are("main")
        self.assertEqual(json.loads(ask(self.http, "/api/v1/games/1")[1])["game"]["room"], "final")
        self.server.kill()
        self.server.wait()
        self.serve()
        players = self.two("final-900-0")
        players[1].say("%TORYO")
        for player in players:
            player.until("#RESIGN")

    def test_who_stays_plays_on_and_has_one_entry(self):
        self.serve()
        self.done("set-room", "final", "games=final-*", "after-game=stay", "pairing=host")
        names = ("alice", "bob")
        players = [self.player(f"{name} final-900-0,secret{name}") for name in names]

        def waiting():
            return sorted(each["name"] for each in self.rooms()["final"]["waiting"] or [])

        def until_both_wait():
            until = time.monotonic() + WAIT_S
            while waiting() != list(names):
                self.assertLess(time.monotonic(), until, waiting())
                time.sleep(0.05)

        # They wait on; they say LOGOUT; they close; they come again while the old line stands.
        for after in (None, "LOGOUT", "close", "again", None):
            until_both_wait()
            self.done("start", *names, "final-900-0")
            game = begin(*players)
            game[0].say("%TORYO")
            for player in game:
                player.until("#RESIGN")
            if after is None:
                continue
            if after == "LOGOUT":
                players[0].say("LOGOUT")
                players[0].until("LOGOUT:completed")
            if after == "close":
                players[0].close()
            players[0] = self.player("alice final-900-0,secretalice")
            players[0].until("LOGIN:alice OK")
        until_both_wait()
        sessions = self.done("sessions")["rows"]
        self.assertEqual(sorted(row[0] for row in sessions), list(names))

    def test_a_hidden_game_is_nowhere_until_it_is_over(self):
        self.file("secret", 'games = "secret-*"\nvisibility = "hidden"\n')
        self.serve()
        web = self.serve("--role", "web", doors=("http",))["http"]
        watcher = self.player("watcher x x1")
        watcher.until("##[LOGIN]")
        streams = [Stream(address) for address in (self.http, web)]
        for stream in streams:
            stream.start()
        players = self.two("secret-900-0")
        game_id = next(line for line in players[0].heard if line.startswith("Game_ID:")).removeprefix("Game_ID:")
        play(players, *MOVES)
        time.sleep(1)
        hints = ("secret", "alice", *MOVES)
        for address in (self.http, web):
            for path in ("rooms", "games", "games/1", "games/1.csa", "games/1/analysis", "crosstable", "crosstable.csv",
                         "players", "rounds", "buoys", "openings?sfen=startpos"):
                body = ask(address, f"/api/v1/{path}")[1]
                for hint in hints:
                    self.assertNotIn(hint, body, path)
            for path in ("/games.rss", "/api/v1/games.zip"):
                self.assertNotIn("alice", ask(address, path)[1])
        for stream in streams:
            for hint in hints:
                self.assertNotIn(hint, "".join(stream.said))
        for command in ("%%LIST", "%%ROOM LIST", f"%%SHOW {game_id}"):
            watcher.say(command)
            said = "\n".join(watcher.lines_until(f"##[{command[2:6].strip()}] +OK"))
            for hint in hints:
                self.assertNotIn(hint, said)
        watcher.say("%%WHO")
        self.assertNotIn("secret-", "\n".join(watcher.lines_until("##[WHO] +OK")))
        watcher.say(f"%%MONITOR2ON {game_id}")
        players[1].say("%TORYO")
        for player in players:
            player.until("#RESIGN")
        for stream in streams:
            stream.join(WAIT_S)
            self.assertFalse(stream.is_alive())
            self.assertIn(MOVES[2], "".join(stream.said))
        watcher.say("%%LIST")
        self.assertNotIn("MONITOR", "\n".join(watcher.lines_until("##[LIST] +OK")))
        for address in (self.http, web):
            game = json.loads(ask(address, "/api/v1/games/1")[1])["game"]
            self.assertEqual((game["room"], game["end"]["kind"]), ("secret", "toryo"))
        self.assertIn("alice", ask(self.http, "/api/v1/games")[1])


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main(verbosity=2)
