#!/usr/bin/env python3
"""`fuhyo replay` must see what is wrong, and say so by its exit code.

    replay_faults_test.py FUHYO
"""

import sys
import tempfile
import unittest
from pathlib import Path

from replay import replay, running_server

PROGRAM = sys.argv.pop(1)
GAMES = str(Path(__file__).resolve().parent / "games")


def outcome(folder, address, *flags):
    """(exit code, everything that was printed)"""
    done = replay(PROGRAM, folder, address, *flags, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


class ReplayFaults(unittest.TestCase):
    def test_a_server_that_ends_games_by_another_rule(self):
        with running_server(PROGRAM, "--max-moves", "4") as (address, records):
            code, text = outcome(GAMES, address, "--records", records)
        self.assertEqual(code, 1)
        self.assertIn("resignation.csa: DIFFERENT: the server ended it after 4 of 14 moves: #MAX_MOVES", text)
        self.assertIn("stops.csa: equal in moves", text)

    def test_records_that_are_not_there(self):
        with running_server(PROGRAM, "--max-moves", "0") as (address, _), tempfile.TemporaryDirectory() as empty:
            code, text = outcome(GAMES, address, "--records", empty, "--record-patience", "0")
        self.assertEqual(code, 1)
        self.assertIn("DIFFERENT: no record", text)
        self.assertNotIn(" equal in moves and end", text)

    def test_nothing_to_play(self):
        with tempfile.TemporaryDirectory() as empty:
            self.assertEqual(outcome(empty, "127.0.0.1:1")[0], 66)
            self.assertEqual(outcome(empty + "/none", "127.0.0.1:1")[0], 66)

    def test_nobody_to_play_with(self):
        self.assertEqual(outcome(GAMES, "127.0.0.1:1")[0], 69)

    def test_wrong_address(self):
        for address in ("127.0.0.1", "127.0.0.1:x", "::1:4081"):
            self.assertEqual(outcome(GAMES, address)[0], 64, address)

    def test_file_that_is_no_record(self):
        with running_server(PROGRAM, "--max-moves", "0") as (address, _), tempfile.TemporaryDirectory() as folder:
            Path(folder, "noise.csa").write_text("this is no record\n", encoding="utf-8")
            code, text = outcome(folder, address)
        self.assertEqual(code, 0)
        self.assertIn("noise.csa: no readable record: line 1", text)


if __name__ == "__main__":
    unittest.main()
