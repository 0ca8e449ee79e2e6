#!/usr/bin/env python3
"""The store of the real program, in SQLite and in PostgreSQL (skipped where that is not installed).

    store_test.py FUHYO
"""

import random
import re
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
from csa_client import CsaClient, begin, play  # noqa: E402
from fuhyo_server import FuhyoServer  # noqa: E402

PROGRAM = sys.argv.pop(1)
PATIENCE_S = 30
IN_USE = NOT_ITS_KEY = 74
KILLS = 12
STEPS = 7


def fuhyo(*words):
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    return done.returncode, done.stdout, done.stderr


def player(address, name, secret="secret"):
    return CsaClient(address, f"LOGIN {name} club-900-0,{secret}")


def play_a_game(address):
    """Two moves, then Black resigns."""
    black, white = players = begin(player(address, "ann"), player(address, "bob"))
    play(players, "+7776FU", "-3334FU", "%TORYO")
    for each, end in ((black, "#LOSE"), (white, "#WIN")):
        each.until(end)
        each.close()


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
            play_a_game(server.address)
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
            client = player(server.address, "ann", token)
            client.until("LOGIN:ann OK")
            client.close()
        key.write_text("0" * 64)
        with self.serve("--accept-key"):
            self.assertIn("ann", self.admin("accounts"))
        with self.serve() as server:
            client = player(server.address, "ann", token)
            client.until("LOGIN:incorrect")
            client.close()

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
            self.assertEqual("player" in self.tables(), done >= 5, out)
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
