#!/usr/bin/env python3
"""prove.py with pieces of a moment: it goes on where it was, forgets no failure, and adds what belongs together."""

import contextlib
import io
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

import page
from prove import Piece, gathered, pieces, prove
from rows import ROWS

RESULT = {"commit": "c", "date": "2026-11-27 12:00 UTC", "machine": "m", "row": "A1", "store": "sqlite", "outcome":
          "held", "why": "", "figures": {}, "faults": [], "seconds": 2.5, "seed": 1}


def shell(name, text, tells=r"(?P<seeds>\d+) seeds"):
    return Piece(name, ["sh", "-c", text, "sh", "{out}"], tells)


def row_piece(number, **said):
    return shell(f"A1.sqlite.{number}", f"echo '{json.dumps(RESULT | said)}' > $1", "")


class Prove(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-prove-")
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name) / "state"

    def prove(self, *todo):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            return prove(self.state, todo), said.getvalue()

    def test_pieces_are_added(self):
        self.assertTrue(self.prove(
            row_piece(1, figures={"kills": 100, "games at a time": 200, "took": "p50 1"}),
            row_piece(2, figures={"kills": 100, "games at a time": 200, "took": "p50 2"}),
            shell("sim.1", "echo 7 seeds"), shell("sim.2", "echo 5 seeds"),
        )[0])
        row, simulator = gathered(self.state)
        self.assertEqual(row["figures"], {"kills": 200, "games at a time": 200, "took": "p50 2"})
        self.assertEqual(row["seconds"], 5.0)
        self.assertEqual((simulator["what"], simulator["outcome"], simulator["figures"]["seeds"]), ("sim", "held", 12))

    def test_goes_on_where_it_was(self):
        trace = self.state.parent / "trace"
        first, second = (shell(f"sim.{n}", f"echo {n} >> {trace}; echo {n} seeds") for n in (1, 2))
        # Its process is gone before it has left anything.
        stopped = Piece("A2.postgres", [sys.executable, "-c", "import os; os.kill(os.getpid(), 9)"])
        with self.assertRaises(SystemExit):
            self.prove(first, stopped, second)
        self.prove(first, second)
        self.assertEqual(trace.read_text(encoding="utf-8"), "1\n2\n")

    def test_a_failure_stays(self):
        failing = shell("sim.1", "echo 3 seeds; exit 1")
        self.assertEqual(self.prove(failing), (False, "1 of 1: sim.1 failed\n"))
        self.assertEqual(self.prove(shell("sim.1", "echo 3 seeds")), (False, ""))
        self.assertEqual(self.prove(row_piece(1, outcome="failed", faults=["lost_move: one"]), row_piece(2))[0], False)
        row, _ = gathered(self.state)
        self.assertEqual((row["outcome"], row["faults"]), ("failed", ["lost_move: one"]))

    def test_what_says_nothing_has_failed(self):
        self.assertFalse(self.prove(shell("sim.1", "exit 0"))[0])

    def test_the_page_has_all(self):
        file = self.state.parent / "gathered"
        simulator = {"what": "sim", "outcome": "held", "figures": {"seeds": 100_000}, "said": []}
        file.write_text(f"{json.dumps(RESULT)}\n{json.dumps(simulator)}\n", encoding="utf-8")
        made = page.render(*page.new_parts(*page.read([file])))
        self.assertIn("\n* sim: held; 100,000 seeds\n", made)
        self.assertEqual(page.render(*page.parts(made)), made, "--keep reads what was written")

    def test_every_row_is_proven(self):
        names = {piece.name.split(".")[0] for piece in pieces()}
        self.assertLessEqual({row.id for row in ROWS.values() if not row.measures}, names)


if __name__ == "__main__":
    os.chdir(Path(__file__).resolve().parents[3])
    unittest.main()
