#!/usr/bin/env python3
"""docs/examples/tournaments/machines/play.sh holds its event: with fewer rounds, moves and positions, in a folder that
looks like the project.

    machines_test.py FUHYO EXAMPLES ENGINE...    the engines lie beside the program
"""

import re
import shutil
import subprocess
import sys
import unittest
import zipfile
from pathlib import Path

from server_case import new_folder
from waiting import PATIENCE_S

SERVE = '#!/bin/sh\n[ "$1" = serve ] || exit 64\nshift\nexec build/bin/fuhyo serve "$@"\n'
SMALL = {"machines.toml": {r"cycles = 2": "cycles = 1", r"games = 2": "games = 1", r"max-moves = 200": "max-moves = 4",
                           r"countdown-s = 2": "countdown-s = 0", r"gap-s = 2": "gap-s = 0"},
         "machines/serve.toml": {r"NodesLimit=\d+": "NodesLimit=100"}}


class Machines(unittest.TestCase):
    def project(self):
        """A folder with what play.sh wants of the project."""
        root = new_folder(self)
        (root / "build").symlink_to(Path(PROGRAM).resolve().parents[1])
        (root / "dev").write_text(SERVE)
        (root / "dev").chmod(0o755)
        examples = root / "docs/examples/tournaments"
        shutil.copytree(EXAMPLES, examples)
        for name, changes in SMALL.items():
            text = (examples / name).read_text("utf-8")
            for old, new in changes.items():
                text, count = re.subn(old, new, text)
                self.assertGreater(count, 0, old)
            (examples / name).write_text(text, "utf-8")
        return root, examples / "machines/play.sh"

    def play(self, script, folder):
        return subprocess.run([script, folder], capture_output=True, text=True, timeout=PATIENCE_S,
                              stdin=subprocess.DEVNULL)

    def check_pages(self, site):
        """Files that need no server: the event and its games, also for who has no script, and all records."""
        index = (site / "index.html").read_text("utf-8")
        told = index[index.index("<noscript>"):index.index("</noscript>")]
        for word in ("指定局面マシン戦", "Machines and positions", "NNUE, 5000", "NNUE・5000局面"):
            self.assertIn(word, told)
        games = {f"game/{file.name}" for file in (site / "game").iterdir()}
        self.assertEqual(set(re.findall(r'href="(game/\d+[.]html)"', told)), games)
        self.assertEqual(len(games), 15)
        self.assertIn("Quick third-file rook", (site / "api/v1/tournaments/machines.js").read_text("utf-8"))
        with zipfile.ZipFile(site / "api/v1/games.zip") as archive:
            self.assertEqual(len(archive.namelist()), 15)

    def test_the_event_is_held_and_its_records_tables_and_pages_are_there(self):
        root, script = self.project()
        folder = root / "here"
        done = self.play(script, folder)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("(round 5/5, final)", done.stdout)
        self.assertIn("machines.zip: 1 table, 15 records", done.stdout)
        with zipfile.ZipFile(folder / "machines.zip") as archive:
            self.assertEqual(sum(name.endswith(".csa") for name in archive.namelist()), 15)
        self.assertIn("site: 15 games, ", done.stdout)
        self.check_pages(folder / "site")
        self.assertNotEqual(self.play(script, folder).returncode, 0, "an event is held once")


if __name__ == "__main__":
    PROGRAM, EXAMPLES = sys.argv[1:3]
    del sys.argv[1:]
    unittest.main()
