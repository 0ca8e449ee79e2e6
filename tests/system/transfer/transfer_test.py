#!/usr/bin/env python3
"""`fuhyo store`: a killed server's games go on from another store; whatever is refused leaves nothing behind."""

import resource
import shutil
import signal
import sqlite3
import subprocess

from csa_client import play
from server_case import ServerCase, new_cluster, run_tests

FAILED, USAGE, NO_INPUT, CANNOT_CREATE, STORE_FAILED = 1, 64, 66, 73, 74


def resign(players):
    play(players, "%TORYO")
    for player in players:
        player.until("#")
        player.close()


def content(export):
    """Its lines but for the one that says where it comes from."""
    lines = export.read_text().splitlines()
    assert lines[1].startswith("origin ")
    return lines[:1] + lines[2:]


class Transfer(ServerCase):
    flags = ("--resume-window", "3600")

    def setUp(self):
        super().setUp()
        self.data.mkdir()
        self.file = self.folder / "export"

    def serve_there(self, data, *flags):
        """On another folder with the same key, as whoever moves copies it: ids of players are made with it."""
        if not (data / "secret.key").exists():
            data.mkdir(exist_ok=True)
            shutil.copy(self.data / "secret.key", data)
        return self.serve(*flags, data=data)

    def sit_down(self, server):
        return super().sit_down(server.csa, "club-900-0", ("ann", "bo"))

    def fine(self, *words):
        return self.expect(0, "", "store", *words)

    def verify(self, *words):
        self.expect(0, "no faults: journal=", "store", "verify", *words)

    def make_games(self):
        """Two that are over, and one that is under way when the server is killed."""
        server = self.serve()
        for _ in range(2):
            players = self.sit_down(server)
            play(players, "+7776FU", "-3334FU", "+8822UM", "-3122GI")
            resign(players)
        play(self.sit_down(server), "+7776FU", "-3334FU")
        server.kill()

    def left(self):
        return sorted({path.name for path in self.folder.iterdir()} - {"data", "log"})

    def move_to(self, address, back):
        """The game goes on there, and from there in a third place."""
        self.make_games()
        self.verify("--data", self.data)
        self.fine("export", "--data", self.data, self.file)
        self.verify(self.file)
        self.fine("import", "--store", address, self.file)
        self.verify("--store", address)
        self.fine("export", "--store", address, self.folder / "again")
        self.assertEqual(content(self.folder / "again"), content(self.file))
        with self.serve_there(self.folder / "there", "--store", address) as server:
            players = self.sit_down(server)
            self.assertRegex("\n".join(players[0].heard), r"\n-3334FU,T\d")
            play(players, "+8822UM", "-3122GI")
            resign(players)
        self.verify("--store", address)
        moved = subprocess.Popen([self.program, "store", "export", "--store", address, "-"], stdout=subprocess.PIPE,
                                 stderr=subprocess.DEVNULL)
        self.expect(0, "", "store", "import", "--store", back, "-", stdin=moved.stdout)
        moved.stdout.close()
        self.assertEqual(moved.wait(), 0)
        with self.serve_there(self.folder / "back", "--store", back) as server:
            resign(self.sit_down(server))
        self.assertRegex(self.fine("verify", "--store", back), r"no faults: .* game=4 .*; 12 moves of finished games")

    def test_into_another_file_and_on(self):
        self.move_to(f"sqlite:{self.folder}/other.db", f"sqlite:{self.folder}/third.db")

    def test_into_postgres_and_back(self):
        cluster = new_cluster(self)
        self.move_to(cluster.url, f"sqlite:{self.folder}/third.db")
        self.fine("backup", "--store", cluster.url, self.folder / "backup")
        self.verify(self.folder / "backup")

    def test_a_backup_beside_a_server_can_be_served(self):
        with self.serve() as server:
            players = self.sit_down(server)
            play(players, "+7776FU")
            copy = self.folder / "copy"
            copy.mkdir()
            self.fine("backup", "--data", self.data, copy / "fuhyo.db")
            self.assertEqual([path.name for path in copy.iterdir()], ["fuhyo.db"])
            resign([players[1], players[0]])
        self.verify(copy / "fuhyo.db")
        with self.serve_there(copy) as server:
            players = self.sit_down(server)
            self.assertRegex("\n".join(players[0].heard), r"\n\+7776FU,T\d")
            resign([players[1], players[0]])

    def test_what_is_refused_leaves_nothing(self):
        self.make_games()
        self.fine("export", "--data", self.data, self.file)
        text = self.file.read_text()
        target = f"sqlite:{self.folder}/new.db"

        def refused(code, why, *words, **how):
            self.expect(code, why, "store", *words, **how)

        refused(CANNOT_CREATE, "is there already", "export", "--data", self.data, self.file)
        self.fine("export", "--data", self.data, self.file, "--force")
        refused(CANNOT_CREATE, "No such file", "export", "--data", self.data, self.folder / "no" / "where")
        refused(STORE_FAILED, "there is no such file", "export", "--data", self.folder / "nowhere", self.folder / "x")
        refused(NO_INPUT, "No such file", "import", "--store", target, self.folder / "x")
        refused(USAGE, "is no store", "export", "--store", "mysql:x", self.folder / "x")
        refused(FAILED, "is no export", "import", "--store", target, self.program)
        self.assertEqual(self.left(), ["export"], "not even a database")
        refused(STORE_FAILED, "is not empty", "import", "--data", self.data, self.file)
        damaged = text.replace("-3334FU,T", "-3334FU,t", 1)
        for words in (("import", "--store", target), ("verify",)):
            refused(FAILED, "damaged", *words, "-", input=damaged)
        self.fine("import", "--store", target, self.file)
        with self.serve():
            refused(STORE_FAILED, "is in use by", "import", "--data", self.data, self.file)
            self.fine("export", "--data", self.data, "-")
            self.verify("--data", self.data)
        ruined = self.folder / "ruined.db"
        ruined.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64)
        refused(FAILED, "is not a database", "verify", ruined)

    def test_a_full_disk_leaves_nothing(self):
        self.make_games()

        def little_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        # Another reader, so that the file of SQLite's locks is as large as it gets.
        reader = sqlite3.connect(self.data / "fuhyo.db")
        self.addCleanup(reader.close)
        reader.execute("SELECT * FROM lease").fetchone()
        for code, verb in ((CANNOT_CREATE, "export"), (STORE_FAILED, "backup")):
            self.expect(code, f"{self.file}", "store", verb, "--data", self.data, self.file, preexec_fn=little_room)
            self.assertEqual(self.left(), [])


if __name__ == "__main__":
    run_tests()
