#!/usr/bin/env python3
"""A web node shows what the journal of a game node holds, outlives it, and says when the store is away.

    web_node_test.py FUHYO
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import play  # noqa: E402
from server_case import ServerCase, new_cluster, run_tests  # noqa: E402
from waiting import eventually  # noqa: E402
from web_client import EventStream  # noqa: E402


def moves_at(node):
    """How many moves each game has that a reader sees who comes now."""
    with EventStream(node.http) as late:
        return [len(game["moves"]) for game in late.next("snapshot")["games"]]


class WebNode(ServerCase):
    flags = ("--resume-window", "3600")

    def web_node(self, *store):
        return self.serve("--role", "web", *store, doors=("http",))

    def follow(self, *store):
        game = self.serve(*store)
        web, other = self.web_node(*store), self.web_node(*store)
        events = EventStream(web.http)
        self.addCleanup(events.close)
        self.assertEqual(events.next("snapshot")["games"], [])
        players = self.sit_down(game.csa)
        self.assertEqual(events.next("opened")["game"]["black"]["name"], "alice")
        for move in ("+7776FU", "-3334FU"):
            play(players, move)
            self.assertTrue(events.next("moved")["move"].startswith(f"{move},T"))
        # Each node follows the store at its own pace.
        eventually(lambda: moves_at(other) == [2], "a reader who comes later sees the same")
        game.kill()
        self.assertEqual(web.get("/healthz").status, 200, "what was durable is shown without the game node")
        again = self.serve(*store)
        self.assertEqual(events.next("suspended")["why"], "the server stopped")
        players = self.sit_down(again.csa)
        self.assertIn("id", events.next("continued"))
        players[0].say("%TORYO")
        self.assertEqual(events.next("ended")["outcome"], "white")
        again.stop()
        web.stop()
        return other

    def test_sqlite(self):
        self.follow().stop()

    def test_postgres(self):
        cluster = new_cluster(self)
        web = self.follow("--store", cluster.url)
        cluster.kill()
        eventually(lambda: web.get("/healthz").status == 503, "503 while the store is away")
        cluster.start()
        eventually(lambda: web.get("/healthz").status == 200, "200 when it is back")
        web.stop()

    def test_a_store_that_no_game_node_has_set_up_is_refused(self):
        self.data.mkdir()
        self.expect(74, "fuhyo.db", "serve", "--role", "web", "--data", self.data, "--http", "127.0.0.1:0")
        self.assertFalse((self.data / "fuhyo.db").exists(), "it only reads")


if __name__ == "__main__":
    run_tests()
