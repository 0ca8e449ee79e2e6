#!/usr/bin/env python3
"""Rooms of the real program: made by files and by commands, kept over a stop and a kill, hidden from everybody who
looks."""


from csa_client import game_id, play, resign
from server_case import ServerCase, run_tests
from waiting import eventually
from web_client import EventStream, ask

MOVES = ("+7776FU", "-3334FU", "+2726FU")
HINTS = ("secret", "alice", *MOVES)
PAGES = ("rooms", "games", "games/1", "games/1.csa", "games/1/analysis", "crosstable", "crosstable.csv", "players",
         "rounds", "buoys", "openings?sfen=startpos")


def rooms_of(server):
    return {room["name"]: room for room in server.get("/api/v1/rooms").json()["rooms"]}


def until_rooms_are(server, *names):
    """The page has them as soon as the store has. What the API says of them."""
    eventually(lambda: set(rooms_of(server)) == set(names), lambda: rooms_of(server))
    return rooms_of(server)


class Rooms(ServerCase):
    listeners = ("csa", "http")
    flags = ("--resume-window", "3600")

    def file(self, name, text):
        folder = self.data / "rooms"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.toml").write_text(text)

    def test_files_and_commands_survive_a_stop_and_a_kill(self):
        self.file("final", 'games = "final-*"\ntitle-ja = "決勝"\ntime = "600-5F"\nmax-moves = 320\n')
        self.file("wrong", 'games = "wrong-*"\nafter-gme = "stay"\n')
        server = self.serve()
        until_rooms_are(server, "main", "final")
        server.done("set-room", "club", "games=club-*", 'title-en="The club"')
        server.stop()
        server = self.serve()
        until_rooms_are(server, "main", "final", "club")
        server.done("set-room", "late", "games=late-*")
        server.kill()
        server = self.serve()
        rooms = until_rooms_are(server, "main", "final", "club", "late")
        self.assertEqual(rooms["final"]["time"]["increment_s"], 5)
        self.assertTrue(rooms["final"]["by_file"])
        self.assertEqual(rooms["club"]["title"]["en"], "The club")
        self.assertFalse(server.admin("set-room", "final", "max-moves=1")["ok"])
        # A reload takes what the files say now, and says what is wrong with one.
        (self.data / "rooms" / "final.toml").unlink()
        self.file("class-a", 'games = "a-*"\n')
        told = server.admin("reload")
        self.assertFalse(told["ok"])
        self.assertIn("wrong.toml:2: a room has no 'after-gme': did you mean 'after-game'?", told["text"])
        until_rooms_are(server, "main", "class-a", "club", "late")

    def expect_no_hint(self, text, where):
        for hint in HINTS:
            self.assertNotIn(hint, text, where)

    def test_a_hidden_game_is_nowhere_until_it_is_over(self):
        self.file("secret", 'games = "secret-*"\nvisibility = "hidden"\n')
        server = self.serve()
        nodes = [server.http, self.serve("--role", "web", listeners=("http",)).http]
        watcher = self.player(server.csa, "watcher x x1")
        watcher.until("##[LOGIN]")
        streams = [EventStream(node) for node in nodes]
        players = self.sit_down(server.csa, "secret-900-0")
        game = game_id(players[0])
        play(players, *MOVES)
        # Whatever is told of the hidden game is told before this.
        open_game = self.sit_down(server.csa, "open-900-0", ("carol", "dave"))
        play(open_game, "+9796FU")
        for node, stream in zip(nodes, streams):
            self.addCleanup(stream.close)
            self.assertTrue(stream.next("moved")["move"].startswith("+9796FU"))
            self.expect_no_hint("".join(stream.heard), "a stream")
            for path in PAGES:
                self.expect_no_hint(ask(node, f"/api/v1/{path}").text, path)
            for path in ("/games.rss", "/api/v1/games.zip"):
                self.assertNotIn(b"alice", ask(node, path).body)
        for command in ("%%LIST", "%%ROOM LIST", f"%%SHOW {game}"):
            watcher.say(command)
            self.expect_no_hint("\n".join(watcher.lines_until(f"##[{command[2:6].strip()}] +OK")), command)
        watcher.say("%%WHO")
        self.assertNotIn("secret-", "\n".join(watcher.lines_until("##[WHO] +OK")))
        watcher.say(f"%%MONITOR2ON {game}")
        resign(players[1], players[0])
        for stream in streams:
            stream.next("ended")
            self.assertIn(MOVES[2], "".join(stream.heard))
        watcher.say("%%LIST")
        self.assertNotIn("MONITOR", "\n".join(watcher.lines_until("##[LIST] +OK")))
        for node in nodes:
            game = ask(node, "/api/v1/games/1").json()["game"]
            self.assertEqual((game["room"], game["end"]["kind"]), ("secret", "toryo"))
        self.assertIn("alice", server.get("/api/v1/games").text)


if __name__ == "__main__":
    run_tests()
