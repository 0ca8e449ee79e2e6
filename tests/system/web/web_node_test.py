#!/usr/bin/env python3
"""A web node shows what the journal of a game node holds, outlives it, and says when the store is away.

    web_node_test.py FUHYO
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1]
sys.path += [str(SYSTEM), str(SYSTEM / "reliability")]
from cluster import Cluster, NoPostgres, programs  # noqa: E402
from csa_client import CsaClient, begin  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PROGRAM = ""
WAIT_S = 20


class Node:
    """`fuhyo serve`, stopped by its pid."""

    def __init__(self, *flags, door):
        self.process = subprocess.Popen([PROGRAM, "serve", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        text=True)
        self.address = doors_of(self.process, door)[door]

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(WAIT_S)
        self.process.stdout.close()
        return code

    def kill(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


class Events:
    """The event stream of a web node."""

    def __init__(self, address):
        self.connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
        self.connection.request("GET", "/api/v1/events")
        self.answer = self.connection.getresponse()

    def next(self, name):
        """The data of the next event of this name; others are passed over."""
        event = None
        while True:
            line = self.answer.fp.readline().decode().strip()
            if line.startswith("event: "):
                event = line.removeprefix("event: ")
            if line.startswith("data: ") and event == name:
                return json.loads(line.removeprefix("data: "))

    def close(self):
        self.connection.close()


def health(address):
    connection = http.client.HTTPConnection(*address, timeout=WAIT_S)
    connection.request("GET", "/healthz")
    status = connection.getresponse().status
    connection.close()
    return status


def moves_at(address):
    """How many moves each game has that a reader sees who comes now."""
    late = Events(address)
    games = late.next("snapshot")["games"]
    late.close()
    return [len(game["moves"]) for game in games]


def wait_for(what, condition):
    end = time.monotonic() + WAIT_S
    while not condition():
        if time.monotonic() > end:
            raise AssertionError(f"not within {WAIT_S} s: {what}")
        time.sleep(0.1)


class WebNode(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-web-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def game_node(self, *store):
        node = Node("--data", str(self.folder / "data"), "--csa", "127.0.0.1:0", "--http", "off", *store, door="csa")
        self.addCleanup(lambda: node.process.poll() is None and node.kill())
        return node

    def web_node(self, *store):
        node = Node("--role", "web", "--data", str(self.folder / "data"), "--http", "127.0.0.1:0", *store, door="http")
        self.addCleanup(lambda: node.process.poll() is None and node.kill())
        return node

    def begin(self, node):
        players = [CsaClient(node.address, f"LOGIN {name} cup-300-10-{side},secret{name}")
                   for name, side in (("alice", "B"), ("bob", "W"))]
        for player in players:
            self.addCleanup(player.close)
        return begin(*players)

    def follow(self, *store):
        game = self.game_node(*store)
        web, other = self.web_node(*store), self.web_node(*store)
        events = Events(web.address)
        self.addCleanup(events.close)
        self.assertEqual(events.next("snapshot")["games"], [])
        black, white = self.begin(game)
        self.assertEqual(events.next("opened")["game"]["black"]["name"], "alice")
        black.say("+7776FU")
        self.assertTrue(events.next("moved")["move"].startswith("+7776FU,T"))
        white.until("+7776FU")
        white.say("-3334FU")
        self.assertTrue(events.next("moved")["move"].startswith("-3334FU,T"))
        # Each node follows the store at its own pace.
        wait_for("a reader who comes later sees the same", lambda: moves_at(other.address) == [2])
        game.kill()
        self.assertEqual(health(web.address), 200, "the game node is gone, what was durable is still shown")
        again = self.game_node(*store)
        self.assertEqual(events.next("suspended")["why"], "the server stopped")
        players = self.begin(again)
        self.assertIn("id", events.next("continued"))
        players[0].say("%TORYO")
        self.assertEqual(events.next("ended")["outcome"], "white")
        self.assertEqual(again.stop(), 0)
        self.assertEqual(web.stop(), 0)
        return other

    def test_sqlite(self):
        self.assertEqual(self.follow().stop(), 0)

    def test_postgres(self):
        try:
            programs()
        except NoPostgres as why:
            self.skipTest(str(why))
        cluster = Cluster(self.folder / "postgres")
        cluster.make()
        self.addCleanup(cluster.close)
        web = self.follow("--store", cluster.url)
        cluster.kill()
        wait_for("503 while the store is away", lambda: health(web.address) == 503)
        cluster.start()
        wait_for("200 when it is back", lambda: health(web.address) == 200)
        self.assertEqual(web.stop(), 0)

    def test_a_store_that_no_game_node_has_set_up_is_refused(self):
        (self.folder / "data").mkdir()
        flags = ["--role", "web", "--data", str(self.folder / "data"), "--http", "127.0.0.1:0"]
        done = subprocess.run([PROGRAM, "serve", *flags], capture_output=True, text=True, check=False, timeout=WAIT_S)
        self.assertEqual(done.returncode, 74)
        self.assertIn("fuhyo.db", done.stderr)
        self.assertFalse(os.path.exists(self.folder / "data" / "fuhyo.db"), "it only reads")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
