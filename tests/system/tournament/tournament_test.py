#!/usr/bin/env python3
"""`fuhyo tournament`: the examples of the manual are checked, played and tabulated.

    tournament_test.py FUHYO EXAMPLES
"""

import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from event_files import announce_event, begin_event, black_wins, event_text
from server_case import ServerCase
from waiting import PATIENCE_S

EXAMPLES = Path(sys.argv.pop(2))
PROGRAM = sys.argv.pop(1)

# How many play, and what `check` says of rounds and games.
FILES = {
    "club-evening": (17, "5 rounds, 40 games"),
    "cup": (13, "4 rounds, 13 games"),
    "denryu-sen-like": (28, "9 rounds, 126 games"),
    "machines": (6, "10 rounds, 60 games"),
    "match": (2, "10 rounds, 10 games"),
    "one-file-match": (10, "18 rounds, 90 games"),
    "tsec-like": (6, "10 rounds, 60 games"),
    "wcsc-like": (44, "9 rounds, 108 games"),
}


def tournament(*arguments):
    """(exit code, standard output, standard error)"""
    done = subprocess.run([PROGRAM, "tournament", *map(str, arguments)], capture_output=True, timeout=PATIENCE_S)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


class Tournament(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def simulate(self, name, *more, seed=1):
        entrants = FILES[name][0]
        code, out, error = tournament("simulate", EXAMPLES / f"{name}.toml", "--entrants", entrants, "--seed", seed,
                                      "--save-results", self.folder / "r.csv", *more)
        self.assertEqual(code, 0, error)
        return out

    def write(self, text, name="event.toml"):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def test_every_example_is_explained_in_both_languages(self):
        self.assertEqual({path.stem for path in EXAMPLES.glob("*.toml")}, set(FILES))
        for name, (entrants, says) in FILES.items():
            file = EXAMPLES / f"{name}.toml"
            code, out, error = tournament("check", file, "--entrants", entrants)
            self.assertEqual((code, error), (0, ""), name)
            self.assertIn(says, out)
            self.assertIn("if all clocks run out", out)
            code, out, _ = tournament("check", file, "--entrants", entrants, "--lang", "ja")
            self.assertEqual(code, 0)
            self.assertIn("順位:", out)

    def test_the_server_of_the_machines_has_a_player_for_each_entrant(self):
        done = subprocess.run([PROGRAM, "config", "print", "--config", EXAMPLES / "machines" / "serve.toml"],
                              capture_output=True, text=True, timeout=PATIENCE_S)
        self.assertEqual(done.returncode, 0, done.stderr)
        seated = re.findall(r"name=(\S+) .*?game=machines-10-1F", done.stdout)
        event = (EXAMPLES / "machines.toml").read_text(encoding="utf-8")
        self.assertEqual(sorted(seated), sorted(re.findall(r'^name = "(\w+-\w+)"$', event, re.MULTILINE)))

    def test_every_example_can_be_played_and_its_results_lead_to_the_same_tables(self):
        for name in FILES:
            with self.subTest(name):
                played = self.simulate(name, "--forfeits", "0.03", "--crashes", "0.03", "--draws", "0.1", seed=5)
                code, again, error = tournament("table", EXAMPLES / f"{name}.toml", "--results", self.folder / "r.csv")
                self.assertEqual((code, error), (0, ""))
                self.assertEqual(played, again)
                self.assertEqual(played, self.simulate(name, "--forfeits", "0.03", "--crashes", "0.03", "--draws",
                                                       "0.1", seed=5))

    def test_mistakes_are_named_with_their_lines(self):
        file = self.write('name = "x"\nformat = "swiss"\nrouns = 5\nrounds = 5\ntime = "600-30"\n')
        self.assertEqual(tournament("check", file), (
            1, "", f"{file}:3: rouns: there is no such setting; did you mean 'rounds'?\n"))
        self.assertEqual(tournament("check", self.folder / "nowhere.toml")[0], 1)

    def test_wrong_results_are_refused_with_their_lines(self):
        event = EXAMPLES / "match.toml"
        for text, says in (
            ("round,black,white,result\n1,a,b,black\n1,a,b,white\n", "r.csv:3: all games of these two have results"),
            ("round,black,white,result\n1,a,b,victory\n", "r.csv:2: result: 'victory' is none"),
            ("round,black,white,result\n2,a,b,black\n", "r.csv:2: the next round is 1"),
            ("round,black,white,result\n1,a,b\n", "r.csv:2: not 4 fields"),
            ("round,black,white,winner\n1,a,b,a\n", "r.csv:1: no such field: 'winner'"),
        ):
            code, _, error = tournament("table", event, "--results", self.write(text, "r.csv"))
            self.assertEqual(code == 0, False)
            self.assertIn(says, error)

    def test_json_lines_say_the_same_as_csv(self):
        event = EXAMPLES / "match.toml"
        table = self.write("round,black,white,result,plies\n1,a,b,black,90\n2,b,a,draw,320\n", "r.csv")
        lines = self.write('{"round":1,"black":"a","white":"b","result":"black","plies":90}\n'
                           '{"round":2,"black":"b","white":"a","result":"draw","plies":320}\n', "r.jsonl")
        outs = [tournament("table", event, "--results", file) for file in (table, lines)]
        self.assertEqual(outs[0], outs[1])
        self.assertEqual(outs[0][0], 0, outs[0][2])
        self.assertIn("B+W=", outs[0][1])


class OnAServer(ServerCase):
    """What `table` makes of an event that a server runs: the same formats as of a file of results."""

    program = PROGRAM

    def table(self, *words, code=0):
        got, out, error = tournament("table", "cup", "--data", self.data, *words)
        self.assertEqual(got, code, error)
        return out or error

    def test_tables_of_a_server(self):
        self.assertEqual(self.table(code=1),
                         f"fuhyo tournament: no server runs on {self.data}; did you forget --data, or --config?\n")
        server = self.serve()
        announce_event(server, "cup", event_text(("ann", "bob", "cat", "dan"), name="cup", format="round-robin",
                                                 time="300-10F"))
        self.assertEqual(self.table(code=64), "fuhyo tournament: there is no table of 'cup' yet\n")
        begin_event(server, "cup")
        black_wins(server, "cup")
        cross, rounds = self.table(), self.table("--view", "rounds")
        self.assertEqual(self.table("--view", "cross"), cross)
        self.assertIn("  R1\n", rounds)
        self.assertNotIn("  R1\n", cross)
        self.assertEqual(len(list(csv.reader(io.StringIO(self.table("--format", "csv"))))), 5)
        self.assertEqual(len(json.loads(self.table("--format", "json"))["rows"]), 4)
        page = self.folder / "page.html"
        self.assertEqual(self.table("--format", "html", "--lang", "ja", "--output", page), "")
        self.assertIn("<html lang=\"ja\"", page.read_text(encoding="utf-8"))
        config = self.folder / "fuhyo.toml"
        config.write_text(f'data = "{self.data}"\n', encoding="utf-8")
        got, out, error = tournament("table", "cup", "--config", config)
        self.assertEqual((got, out), (0, cross), error)


if __name__ == "__main__":
    unittest.main()
