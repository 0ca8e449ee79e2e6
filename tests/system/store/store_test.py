#!/usr/bin/env python3
"""The store of the real program, in SQLite and in PostgreSQL (skipped where that is not installed).

    store_test.py FUHYO
"""

import random
import re
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1]
sys.path += [str(SYSTEM), str(SYSTEM / "reliability")]
from cluster import Cluster, NoPostgres  # noqa: E402
from fuhyo_server import FuhyoServer  # noqa: E402

PROGRAM = sys.argv.pop(1)
PATIENCE_S = 30
IN_USE = NOT_ITS_KEY = 74
KILLS = 12
STEPS = 5


def fuhyo(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    return done.returncode, done.stdout, done.stderr


class Player:
    """One CSA client: lines in, lines out."""

    def __init__(self, address, name, secret="secret"):
        host, port = address.rsplit(":", 1)
        self.line = socket.create_connection((host, int(port)), timeout=PATIENCE_S)
        self.text = self.line.makefile("r")
        self.say(f"LOGIN {name} club-900-0,{secret}")

    def say(self, text):
        self.line.sendall(f"{text}\n".encode())

    def hear(self, wanted):
        for line in self.text:
            if line.startswith(wanted):
                return line.strip()
        raise AssertionError(f"the line broke before {wanted}")

    def close(self):
        self.text.close()
        self.line.close()


def play(address):
    """A game of two moves that Black resigns."""
    players = [Player(address, name) for name in ("ann", "bob")]
    for player in players:
        player.colour = player.hear("Your_Turn:")[-1]
        player.hear("END Game_Summary")
        player.say("AGREE")
    black, white = sorted(players, key=lambda player: player.colour)
    for player in players:
        player.hear("START:")
    for side, move in ((black, "+7776FU"), (white, "-3334FU"), (black, "%TORYO")):
        side.say(move)
        for player in players:
            player.hear(move)
    for player in players:
        player.hear("#LOSE" if player is black else "#WIN")
        player.close()


class StoreContract:
    """What the program does with either store; `self.store` is its address."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.data = self.folder / "data"
        self.data.mkdir()
        self.make_store()

    def serve(self, *flags):
        return FuhyoServer(PROGRAM, "--csa", "127.0.0.1:0", "--http", "off", "--data", self.data,
                           "--store", self.store, *flags)

    def admin(self, *words):
        code, out, err = fuhyo("admin", "--data", str(self.data), *words)
        self.assertEqual((code, err), (0, ""))
        return out

    def wait_for(self, wanted, *words):
        """Records are written behind the journal."""
        end = time.monotonic() + PATIENCE_S
        while wanted not in (said := fuhyo("admin", "--data", str(self.data), *words)[1]):
            self.assertLess(time.monotonic(), end, said)
            time.sleep(0.05)

    def test_served_asked_and_rated(self):
        with self.serve() as server:
            play(server.address)
            self.assertIn("ann", self.admin("results"))
            self.wait_for("'summary:toryo:", "export", "club-900-0")
            self.admin("forbid", "eve", "said", "so")
            self.assertIn("forbid eve said so", self.admin("audit"))
            self.assertRegex(self.admin("store"), r"failed commits +0\n")
            code, _, err = fuhyo("serve", "--csa", "127.0.0.1:0", "--http", "off", "--data", str(self.folder / "other"),
                                 "--store", self.store)
            self.assertEqual(code, IN_USE)
            self.assertIn("is in use by", err)
            code, _, err = fuhyo("migrate", "--store", self.store)
            self.assertEqual(code, IN_USE)
            self.assertIn("is in use by", err)
        code, out, err = fuhyo("rate", "--store", self.store, "--json")
        self.assertEqual((code, err), (0, ""))
        self.assertIn('"ann+', out)
        with self.serve():
            self.assertIn("bob", self.admin("results"), "after a restart")

    def refused_start(self):
        code, _, err = fuhyo("serve", "--csa", "127.0.0.1:0", "--http", "off", "--data", str(self.data),
                             "--store", self.store)
        self.assertEqual(code, NOT_ITS_KEY, err)
        return err

    def test_the_key_belongs_to_the_store(self):
        key, copy = self.data / "secret.key", self.folder / "copy"
        with self.serve():
            self.admin("account-add", "ann")
            token = re.search(r"[A-Za-z0-9_-]{32}", self.admin("token", "ann"))[0]
        key.rename(copy)
        self.assertIn("secret.key is not there: it was the key of the store", self.refused_start())
        self.assertFalse(key.exists(), "made silently")
        key.write_text("0" * 64)
        self.assertIn("secret.key is not the key of the store", self.refused_start())
        copy.rename(key)
        with self.serve() as server:
            player = Player(server.address, "ann", token)
            player.hear("LOGIN:ann OK")
            player.close()
        key.write_text("0" * 64)
        with self.serve("--accept-key"):
            self.assertIn("ann", self.admin("accounts"))
        with self.serve() as server:
            player = Player(server.address, "ann", token)
            player.hear("LOGIN:incorrect")
            player.close()

    def test_migrated(self):
        self.assertEqual(fuhyo("migrate", "--status", "--store", self.store)[:2],
                         (1, "".join(f"missing  {step}\n" for step in self.steps())))
        self.assertEqual(fuhyo("migrate", "--store", self.store),
                         (0, "".join(f"done     {step}\n" for step in self.steps()), ""))
        self.assertEqual(fuhyo("migrate", "--store", self.store), (0, "nothing to do\n", ""))
        self.assertEqual(fuhyo("migrate", "--status", "--store", self.store)[0], 0)

    def steps(self):
        folder = Path(__file__).resolve().parents[3] / "migrations" / self.kind
        return sorted(path.stem for path in folder.glob("*.sql"))

    def test_killed_while_it_migrates(self):
        """Whenever it is killed, each step is done whole or not at all, and a later run completes them."""
        start = time.monotonic()
        self.assertEqual(fuhyo("migrate", "--store", self.store)[0], 0)
        whole_s = time.monotonic() - start
        wanted = self.tables()
        dice = random.Random(1)
        for _ in range(KILLS):
            self.clear()
            process = subprocess.Popen([PROGRAM, "migrate", "--store", self.store], stdout=subprocess.DEVNULL)
            time.sleep(dice.random() * whole_s)
            process.kill()
            process.wait()
            self.settle()
            code, out, err = fuhyo("migrate", "--status", "--store", self.store)
            self.assertIn(code, (0, 1), err)
            done = out.count("done ")
            self.assertEqual("player" in self.tables(), done == STEPS, out)
            self.assertEqual("rating" in self.tables(), done >= 4, out)
            self.assertEqual("journal" in self.tables(), done >= 1, out)
            code, _, err = fuhyo("migrate", "--store", self.store)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(self.tables(), wanted)


class Sqlite(StoreContract, unittest.TestCase):
    kind = "sqlite"

    def make_store(self):
        self.file = self.folder / "games.db"
        self.store = f"sqlite:{self.file}"

    def clear(self):
        for path in self.folder.glob("games.db*"):
            path.unlink()

    def settle(self):
        """Nobody is at work any more."""

    def tables(self):
        if not self.file.exists():
            return set()
        with sqlite3.connect(self.file) as database:
            return {name for name, in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}


class Postgres(StoreContract, unittest.TestCase):
    kind = "postgres"

    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.TemporaryDirectory(prefix="fuhyo-")
        cls.addClassCleanup(cls.home.cleanup)
        try:
            cls.cluster = Cluster(Path(cls.home.name) / "postgres")
            cls.cluster.make()
        except NoPostgres as reason:
            raise unittest.SkipTest(str(reason)) from None
        cls.addClassCleanup(cls.cluster.close)

    def make_store(self):
        self.store = self.cluster.url
        self.addCleanup(self.clear)

    def clear(self):
        self.cluster.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner")

    def settle(self):
        """The server may still be at what the killed one had sent."""
        while self.cluster.sql("SELECT pid FROM pg_stat_activity WHERE application_name = 'fuhyo migrate'"):
            time.sleep(0.02)

    def tables(self):
        return {name for name, in self.cluster.sql("SELECT relname FROM pg_class WHERE relkind = 'r'"
                                                   " AND relnamespace = 'public'::regnamespace")}


if __name__ == "__main__":
    unittest.main(verbosity=2)
