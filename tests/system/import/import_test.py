#!/usr/bin/env python3
"""`fuhyo import-shogi-server`: a whole folder moved over, refused, killed in between, run again, and served."""

import os
import random
import re
import socket
import sqlite3
import subprocess
import time
from datetime import datetime, timedelta

from fuhyo_server import modes_in
from server_case import ServerCase, killed_after, run_tests
from waiting import PATIENCE_S, eventually

KILLS = 5
GAMES = 300
PLAYERS = ["ann", "bob", "cid", "dan"]

RECORD = """V2
N+{black}
N-{white}
'Max_Moves:256
$EVENT:{id}
$START_TIME:{start:%Y/%m/%d %H:%M:%S}
PI
+
'rating:{black}+1:{white}+1
+7776FU
T1
{middle}%TORYO
'summary:toryo:{black} {marks[0]}:{white} {marks[1]}
'$END_TIME:{end:%Y/%m/%d %H:%M:%S}
"""


def make_old_folder(root):
    """A club of four, who play as well as they come in the alphabet; a record a game, a list, schedules, a buoy."""
    dice = random.Random(1)
    lines = []
    start = datetime.now().replace(microsecond=0) - timedelta(days=30)
    for _ in range(GAMES):
        start += timedelta(seconds=7000)
        end = start + timedelta(seconds=600)
        black, white = dice.sample(PLAYERS, 2)
        black_wins = dice.random() < (0.7 if black < white else 0.3)
        marks = ("win", "lose") if black_wins else ("lose", "win")
        game = f"old+floodgate-900-0+{black}+{white}+{start:%Y%m%d%H%M%S}"
        path = root / f"{start:%Y/%m/%d}" / f"{game}.csa"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(RECORD.format(black=black, white=white, id=game, start=start, end=end, marks=marks,
                                      middle="" if black_wins else "-3334FU\nT1\n"))
        lines.append(f"{end:%Y/%m/%d %H:%M:%S}\ttoryo\t{marks[0]}\t{black}+1\t{white}+1\t{marks[1]}\t{path}\t2\n")
    (root / "00LIST").write_text("".join(lines))
    (root / "00LIST.floodgate").write_text("".join(lines))
    (root / "floodgate-900-0.conf").write_text("Sun 13:00\n")
    (root / "buoy.yaml").write_text("---\nbuoy_foo-1500-0:\n  moves: +7776FU-3334FU\n  owner: ann\n  count: 2\n")


def files_of(folder):
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*"))
            if path.is_file() and not path.name.startswith("fuhyo.db")}


class Import(ServerCase):
    def setUp(self):
        super().setUp()
        self.old, self.new = self.folder / "old", self.folder / "new"
        self.old.mkdir()

    def command(self, data):
        return ["import-shogi-server", self.old, "--data", data]

    def move_over(self, *flags, data=None):
        return self.run_program(*self.command(data or self.new), *flags)

    def asked(self, address, *lines):
        """What the server says to these lines, up to the last +OK."""
        with socket.create_connection(address, timeout=PATIENCE_S) as line:
            line.sendall("".join(f"{text}\n" for text in ("LOGIN eve x x1", *lines, "LOGOUT")).encode())
            with line.makefile("rb") as answer:
                return answer.read().decode()

    def games_in(self, data):
        with sqlite3.connect(data / "fuhyo.db") as database:
            try:
                return database.execute("SELECT count(*), count(DISTINCT csa_id) FROM game").fetchone()
            except sqlite3.OperationalError:  # the tables were not made yet
                return (0, 0)

    def test_only_records_are_open_to_others_and_they_as_it_was_said(self):
        make_old_folder(self.old)
        self.addCleanup(os.umask, os.umask(0))
        for mode, folders, flags in ((0o600, 0o700, ()), (0o640, 0o750, ("--records-mode", "0640"))):
            data = self.folder / f"{mode:o}"
            self.assertEqual(self.move_over(*flags, data=data)[0], 0)
            records = data / "records"
            found = modes_in(data)
            kept = [path for path in found if path.is_relative_to(records)]
            self.assertEqual({found[path] for path in kept if path.is_dir()}, {folders})
            self.assertEqual({found[path] for path in kept if path.is_file()}, {mode})
            rest = {path.name: found[path] for path in found if not path.is_relative_to(records)}
            self.assertEqual({name: mode for name, mode in rest.items() if mode & 0o077}, {})
        self.expect(64, "--records-mode", *self.command(self.new), "--records-mode", "0777")

    def test_root_makes_nothing_in_the_folder_of_another_user(self):
        make_old_folder(self.old)
        self.new.mkdir()
        if os.geteuid() == 0:
            os.chown(self.new, 65534, 65534)
            for words in (self.command(self.new), ["migrate", "--data", self.new],
                          ["store", "import", "--data", self.new, self.old / "00LIST"]):
                self.expect(73, f"{self.new} belongs to nobody", *words)
            self.assertEqual(list(self.new.iterdir()), [])
            os.chown(self.new, 0, 0)
        self.assertEqual(self.move_over()[0], 0)

    def test_moved_over_and_served(self):
        make_old_folder(self.old)
        code, out, err = self.move_over()
        self.assertEqual((code, err), (0, ""), out)
        self.assertRegex(out, rf"record files +{GAMES} taken +0 here already\n")
        self.assertRegex(out, rf"games of the archive +{GAMES} taken +0 here already\n")
        self.assertIn("--floodgate-games floodgate-900-0\n", out)
        server = self.serve(data=self.new)

        def ratings():
            found = re.findall(r"##\[RATING\] (\w+) \t +(\d+) @", self.asked(server.csa, "%%RATING"))
            return found if len(found) == len(PLAYERS) else None

        rated = eventually(ratings, "all are rated")
        self.assertEqual([name for name, _ in rated], PLAYERS)
        by_list = self.run_program("rate", "--shogi-server", self.old / "00LIST")[1]
        for name, rate in rated:
            self.assertRegex(by_list, rf"name: {name}\n +rating_group: 0\n +rate: {rate}.0\n")
        self.assertIn("##[GETBUOYCOUNT] 2\n", self.asked(server.csa, "%%GETBUOYCOUNT buoy_foo-1500-0"))
        self.expect(74, f"is in use by process {server.process.pid}", *self.command(self.new))
        server.stop()
        code, out, _ = self.move_over()
        self.assertEqual(code, 0, out)
        self.assertNotRegex(out, r"[1-9]\d* taken")

    def test_killed_in_between(self):
        make_old_folder(self.old)
        start = time.monotonic()
        self.move_over()
        whole_s = time.monotonic() - start
        wanted = files_of(self.new)
        wanted_games = {name.removeprefix("records/") for name in wanted if name.endswith(".csa")}
        killed = step = 0
        while killed < KILLS:
            step += 1
            data = self.folder / f"killed{step:03}"
            start = time.monotonic()
            if killed_after(self.start(self.program, *self.command(data), stdout=subprocess.DEVNULL),
                            whole_s * (killed + 0.5) / KILLS):
                killed += 1
            else:
                whole_s = time.monotonic() - start  # it takes less long than the first one did
            if (data / "fuhyo.db").exists():
                self.assertIn(self.games_in(data), [(0, 0), (GAMES, GAMES)], "all of them or none")
            for name, text in files_of(data).items() if data.exists() else ():
                if not name.endswith(".tmp") and name.endswith(".csa"):
                    self.assertEqual(text, wanted[name])
            code, out, err = self.move_over(data=data)
            self.assertEqual(code, 0, out + err)
            self.assertEqual(self.games_in(data), (GAMES, GAMES))
            now = {name: text.replace(data.name.encode(), b"new") for name, text in files_of(data).items()}
            self.assertEqual(now, wanted)
        self.assertEqual(len(wanted_games), GAMES)

    def test_what_it_refuses(self):
        self.assertEqual(self.move_over()[0], 66, "an empty folder")
        self.expect(66, "", "import-shogi-server", "/no/such/folder", "--data", self.new)
        self.expect(64, "", "import-shogi-server", self.old)
        (self.old / "00LIST").write_text("no list at all\n")
        code, out, _ = self.move_over("--dry-run")
        self.assertEqual(code, 1)
        self.assertIn(f"left {self.old / '00LIST'}:1: has 1 fields", out)
        self.assertFalse(self.new.exists())
        file = self.folder / "file"
        file.write_text("")
        self.assertEqual(self.move_over(data=file / "data")[0], 73)


if __name__ == "__main__":
    os.environ["TZ"] = "Asia/Tokyo"
    time.tzset()
    run_tests()
