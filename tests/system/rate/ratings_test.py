#!/usr/bin/env python3
"""Ratings of a running server, as players see them by %%RATING: from its own games, and from the operator's file.

    ratings_test.py FUHYO
"""

import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin, play  # noqa: E402
from fuhyo_server import FuhyoServer  # noqa: E402

PROGRAM = sys.argv.pop(1)
PATIENCE_S = 30


class Ratings(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.data = Path(folder.name) / "data"

    def serve(self, *flags):
        self.server = FuhyoServer(PROGRAM, "--csa", "127.0.0.1:0", "--http", "off", "--data", self.data, *flags)
        self.addCleanup(self.server.stop)
        return self.server.address

    def play(self, address, black_wins):
        """A game of ann (Black) and bob."""
        logins = ("LOGIN ann cup-300-10-B,a", "LOGIN bob cup-300-10-W,b")
        with CsaClient(address, logins[0]) as black, CsaClient(address, logins[1]) as white:
            begin(black, white)
            if black_wins:
                play((black, white), "+7776FU")
            (white if black_wins else black).say("%TORYO")
            for player in black, white:
                player.until("#RESIGN")

    def rating(self, address, wanted):
        """The list, once it fits."""
        end = time.monotonic() + PATIENCE_S
        with CsaClient(address, f"LOGIN watcher {time.monotonic_ns()} x1") as watcher:
            watcher.until("##[LOGIN] +OK x1")
            while True:
                watcher.say("%%RATING")
                lines = [line.removeprefix("##[RATING] ") for line in watcher.lines_until("##[RATING] +OK")[:-1]]
                if wanted(lines) or time.monotonic() > end:
                    return lines
                time.sleep(0.05)

    def test_own_games(self):
        address = self.serve()
        self.assertEqual(self.rating(address, lambda lines: True), [])
        for i in range(20):
            self.play(address, black_wins=i % 4 != 0)
        lines = self.rating(address, lambda lines: len(lines) == 2 and "1095" in lines[0])
        self.assertRegex(lines[0], r"^ann \t 1095 @\d{4}-\d\d-\d\d$")  # as mk_rate: 15 wins to 5
        self.assertRegex(lines[1], r"^bob \t  904 @")
        self.server.stop()
        self.assertIn("rate: 1095.0", (self.data / "players.yaml").read_text())
        self.assertEqual(self.rating(self.serve(), lambda lines: lines), lines)

    def test_a_file_of_the_operator(self):
        self.data.mkdir()
        file = self.data / "players.yaml"
        file.write_text("players:\n  0:\n    ann+1: {rate: 1500}\n")
        address = self.serve("--ratings", "file")
        self.assertRegex(self.rating(address, lambda lines: lines)[0], r"^ann \t 1500 @")
        file.write_text("players:\n  0:\n    ann+1: {rate: 1600}\n")
        admin = subprocess.run([PROGRAM, "admin", "--data", self.data, "reload"], capture_output=True, text=True)
        self.assertEqual(admin.returncode, 0, admin.stderr)
        self.assertRegex(self.rating(address, lambda lines: "1600" in lines[0])[0], r"^ann \t 1600 @")
        self.server.stop()
        self.assertIn("1600", file.read_text(), "nobody else writes it")


if __name__ == "__main__":
    unittest.main(verbosity=2)
