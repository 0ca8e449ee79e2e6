#!/usr/bin/env python3
"""The store of the real program, in SQLite and in PostgreSQL (skipped where that is not installed)."""

import os
import re
import sqlite3
import time
from pathlib import Path

from csa_client import play
from fuhyo_server import modes_in
from server_case import ServerCase, killed_after, new_cluster, run_tests
from waiting import eventually

USAGE = 64
IN_USE = NOT_ITS_KEY = 74
KILLS = 5


class StoreContract:
    """What the program does with either store; `self.store` is its address."""

    def setUp(self):
        super().setUp()
        self.data.mkdir()
        self.make_store()
        self.flags = ("--store", self.store)

    def admin(self, *words):
        code, out, errors = self.run_program("admin", "--data", self.data, *words)
        self.assertEqual((code, errors), (0, ""))
        return out

    def log_in(self, server, secret, wanted):
        self.player(server.csa, f"ann club-900-0,{secret}").until(wanted)

    def refused_start(self, data):
        return self.expect(IN_USE, "", "serve", "--csa", "127.0.0.1:0", "--http", "off", "--data", data, *self.flags)

    def test_served_asked_and_rated(self):
        server = self.serve()
        black, white = players = self.sit_down(server.csa, "club-900-0", ("ann", "bob"))
        play(players, "+7776FU", "-3334FU", "%TORYO")
        black.until("#LOSE")
        white.until("#WIN")
        self.assertIn("ann", self.admin("results"))
        # Records are written behind the journal.
        eventually(lambda: "'summary:toryo:" in self.run_program("admin", "--data", self.data, "export",
                                                                  "club-900-0")[1], "the record")
        self.admin("forbid", "eve", "said", "so")
        self.assertIn("forbid eve said so", self.admin("audit"))
        self.assertRegex(self.admin("store"), r"failed commits +0\n")
        self.assertIn("is in use by", self.refused_start(self.folder / "other"))
        self.expect(IN_USE, "is in use by", "migrate", "--store", self.store)
        server.stop()
        self.expect(0, '"ann+', "rate", "--store", self.store, "--json")
        self.serve()
        self.assertIn("bob", self.admin("results"), "after a restart")

    def test_after_a_refused_start_the_next_one_is_fine(self):
        """A new store in a file is gone again; new tables of PostgreSQL stay, and nothing is in them."""
        self.expect(USAGE, "", "serve", "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", "--web-root", "/nowhere",
                    "--data", self.data, *self.flags)
        self.assertEqual(bool(self.tables()), self.kind == "postgres")
        with self.serve() as server:
            self.log_in(server, "secret", "LOGIN:ann OK")

    def test_the_key_belongs_to_the_store(self):
        key, copy = self.data / "secret.key", self.folder / "copy"
        server = self.serve()
        self.admin("account-add", "ann")
        token = re.search(r"[A-Za-z0-9_-]{32}", self.admin("token", "ann"))[0]
        server.stop()
        key.rename(copy)
        self.assertIn("secret.key is not there: it was the key of the store", self.refused_start(self.data))
        self.assertFalse(key.exists(), "made silently")
        copy.rename(key)
        with self.serve() as server:
            self.log_in(server, token, "LOGIN:ann OK")
        key.write_text("0" * 64)
        self.assertIn("secret.key is not the key of the store", self.refused_start(self.data))
        with self.serve("--accept-key"):
            self.assertIn("ann", self.admin("accounts"))
        with self.serve() as server:
            self.log_in(server, token, "LOGIN:incorrect")

    def migrate(self, *words):
        return self.run_program("migrate", "--store", self.store, *words)

    def test_migrated(self):
        self.assertEqual(self.migrate("--status")[:2],
                         (1, "".join(f"missing  {step}\n" for step in self.steps())))
        self.assertEqual(self.migrate(),
                         (0, "".join(f"done     {step}\n" for step in self.steps()), ""))
        self.assertEqual(self.migrate(), (0, "nothing to do\n", ""))
        self.assertEqual(self.migrate("--status")[0], 0)

    def steps(self):
        folder = Path(__file__).resolve().parents[3] / "migrations" / self.kind
        return sorted(path.stem for path in folder.glob("*.sql"))

    def test_killed_while_it_migrates(self):
        """Whenever it is killed, each step is done whole or not at all, and a later run completes them."""
        start = time.monotonic()
        self.assertEqual(self.migrate()[0], 0)
        whole_s, wanted, killed = time.monotonic() - start, self.tables(), 0
        while killed < KILLS:
            self.clear()
            start = time.monotonic()
            if killed_after(self.start(self.program, "migrate", "--store", self.store),
                            whole_s * (killed + 0.5) / KILLS):
                killed += 1
            else:
                whole_s = time.monotonic() - start  # it takes less long than before
            self.settle()
            code, out, errors = self.migrate("--status")
            self.assertIn(code, (0, 1), errors)
            done = out.count("done ")
            for table, step in (("player", 5), ("rating", 4), ("journal", 1)):
                self.assertEqual(table in self.tables(), done >= step, out)
            code, _, errors = self.migrate()
            self.assertEqual((code, errors), (0, ""))
            self.assertEqual(self.tables(), wanted)


class Sqlite(StoreContract, ServerCase):
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


class Postgres(StoreContract, ServerCase):
    kind = "postgres"

    @classmethod
    def setUpClass(cls):
        cls.cluster = new_cluster(cls)

    def make_store(self):
        self.store = self.cluster.url
        self.addCleanup(self.clear)

    def clear(self):
        self.cluster.sql("DROP SCHEMA public CASCADE; CREATE SCHEMA public AUTHORIZATION pg_database_owner")

    def settle(self):
        """The server may still be at what the killed one had sent."""
        eventually(lambda: not self.cluster.sql("SELECT pid FROM pg_stat_activity"
                                                " WHERE application_name = 'fuhyo migrate'"), "it has ended")

    def tables(self):
        return {name for name, in self.cluster.sql("SELECT relname FROM pg_class WHERE relkind = 'r'"
                                                   " AND relnamespace = 'public'::regnamespace")}


class Modes(ServerCase):
    """Who else on this machine may read what the program makes, whatever the umask of who starts it; of records
    see row A23 of the reliability page."""

    listeners = ("csa", "http")

    def setUp(self):
        super().setUp()
        self.addCleanup(os.umask, os.umask(0))

    def open_to_others(self, folder):
        """Of what is in the folder, and the folder itself."""
        return sorted(f"{path.relative_to(folder)} {mode:04o}"
                      for path, mode in modes_in(folder).items() if mode & 0o077)

    def test_all_that_is_made_is_for_its_user_alone(self):
        with self.serve("--reconnect-tokens", "on", "--wire-log", self.data / "wire") as server:
            self.player(server.csa, "ann club-900-0,secret").until("LOGIN:ann OK")
            self.run_program("store", "backup", "--data", self.data, self.folder / "backup.db")
            self.run_program("store", "export", "--data", self.data, self.folder / "all.export")
            self.assertEqual(self.open_to_others(self.data), [])
        self.assertLessEqual({"fuhyo.db", "fuhyo.db-lock", "secret.key", "reconnect.key", "wire"},
                             {path.name for path in self.data.iterdir()})
        for made in ("backup.db", "all.export"):
            self.assertEqual((self.folder / made).stat().st_mode & 0o777, 0o600, made)
        self.assertNotIn("others on this machine", self.serve().log())

    def test_other_commands_that_make_a_data_folder(self):
        old = self.folder / "old"
        old.mkdir()
        (old / "players.yaml").write_text("---\nplayers: {}\n")
        (old / "floodgate-900-0.conf").write_text("")
        (old / "00LIST").write_text("")
        for name, words in (("migrated", ("migrate",)), ("imported", ("import-shogi-server", old))):
            folder = self.folder / name
            if name == "migrated":
                folder.mkdir(0o700)
            self.run_program(*words, "--data", folder)
            self.assertTrue((folder / "fuhyo.db").exists(), name)
            self.assertEqual(self.open_to_others(folder), [])

    def test_a_mode_of_records_that_does_not_help_is_told(self):
        self.serve("--records-mode", "0644").wait_for_log("records-mode 0644 does not help")

    def test_what_is_too_open_is_told(self):
        self.serve().stop()
        self.data.chmod(0o755)
        (self.data / "fuhyo.db").chmod(0o644)
        server = self.serve()
        server.wait_for_log("others on this machine may read or change")
        server.wait_for_log("fuhyo.db (0644)")


if __name__ == "__main__":
    run_tests()
