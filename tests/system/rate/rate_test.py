#!/usr/bin/env python3
"""`fuhyo rate`: from files and folders to tables, JSON and players.yaml, and what it says where something is wrong."""

import json
import os

from server_case import ServerCase, run_tests

LINE = ("2026/01/{day:02} 12:{minute:02}:00\ttoryo\t{marks[0]}\t{black}+1\t{white}+1\t{marks[1]}\t"
        "/r/{day}-{minute}.csa\t80\n")
RECORD = """V2
N+{black}
N-{white}
$START_TIME:2026/01/20 10:00:00
PI
+
+7776FU
T1
%TORYO
'rating:{black}+1:{white}+1
'summary:toryo:{black} lose:{white} win
'$END_TIME:2026/01/20 10:05:00
"""


def games(black, white, wins, losses, day):
    """Lines of a list: Black wins the first ones."""
    marks = [("win", "lose")] * wins + [("lose", "win")] * losses
    return "".join(LINE.format(day=day, minute=i, black=black, white=white, marks=m) for i, m in enumerate(marks))


class Rate(ServerCase):
    def setUp(self):
        super().setUp()
        (self.folder / "2026").mkdir()
        self.list = self.folder / "00LIST"
        self.list.write_text(games("ann", "bob", 30, 10, 1) + games("bob", "cid", 20, 20, 2))
        (self.folder / "2026" / "x.csa").write_text(RECORD.format(black="ann", white="cid"))
        (self.folder / "more.pgn").write_text(
            '[White "cid+1"]\n[Black "ann+1"]\n[Result "1/2-1/2"]\n[Date "2026.01.21"]\n\n')
        (self.folder / "notes.txt").write_text("not a result\n")

    def rate(self, *words):
        return self.run_program("rate", *words, env=os.environ | {"TZ": "UTC"})

    def test_a_table_of_everything_in_a_folder(self):
        code, out, err = self.rate("--first-move", "0", self.folder)
        self.assertEqual(code, 0, err)
        rows = [line.split() for line in out.splitlines()]
        self.assertEqual(rows[0][:6], ["#", "PLAYER", ":", "RATING", "ERROR", "POINTS"])
        self.assertEqual([row[1] for row in rows[1:4]], ["ann+1", "cid+1", "bob+1"])
        self.assertEqual(rows[1][5:7], ["30.5", "42"])
        self.assertIn("82 games, 3 players", out)
        self.assertIn("82 games read; left out: 0 unreadable", err)

    def test_an_anchor_and_json(self):
        code, out, _ = self.rate("--json", "--first-move", "0", "--anchor", "cid+1", "--anchor-rate", "2000", self.list)
        self.assertEqual(code, 0)
        players = {player["id"]: player for player in json.loads(out)["players"]}
        self.assertAlmostEqual(players["cid+1"]["rating"], 2000)
        self.assertGreater(players["ann+1"]["rating"], players["bob+1"]["rating"] + 100)
        self.assertAlmostEqual(players["cid+1"]["error"], 0, 3)

    def test_players_yaml(self):
        code, out, err = self.rate("--shogi-server", "--date", "2026/02/01", self.folder)
        self.assertEqual(code, 0, err)
        self.assertTrue(out.startswith("---\nplayers:\n  0:\n    ann+1:\n      name: ann\n"), out)
        self.assertTrue(out.endswith("  999: {}\n"), out)
        target = self.folder / "players.yaml"
        code, nothing, _ = self.rate("--players-yaml", target, "--date", "2026/02/01", self.folder)
        self.assertEqual((code, nothing), (0, ""))
        self.assertEqual(target.read_text(), out)
        self.assertEqual(self.rate("--players-yaml", "/no/such/folder/x", self.folder)[0], 73)

    def test_bad_lines_are_named_and_do_not_stop_it(self):
        self.list.write_text("".join(f"bad {i}\n" for i in range(30)) + games("ann", "bob", 3, 1, 1))
        code, out, err = self.rate(self.list)
        self.assertEqual(code, 0)
        self.assertIn("00LIST:1: has 1 fields", err)
        self.assertIn("... and 10 more", err)
        self.assertIn("4 games, 2 players", out)
        self.assertIn("00LIST:30: ", self.rate("--all-faults", self.list)[2])

    def test_what_it_refuses(self):
        self.list.write_text("nothing\n")
        self.assertEqual(self.rate(self.list)[0], 66)
        self.assertEqual(self.rate("/no/such/file")[0], 66)
        self.assertEqual(self.rate()[0], 64)
        good = self.folder / "00LIST.others"
        good.write_text(games("ann", "bob", 3, 1, 1))
        for wrong in (["--date", "yesterday"], ["--draws", "never"], ["--first-move", "much"], ["--half-life", "-1"],
                      ["--json", "--shogi-server"]):
            self.assertEqual(self.rate(*wrong, good)[0], 64, wrong)
        code, _, err = self.rate("--anchor", "zoe", good)
        self.assertEqual(code, 1)
        self.assertIn("the anchor 'zoe' has no game that counts", err)


if __name__ == "__main__":
    run_tests()
