"""A match by a queue of real processes: a worker is killed in mid-chunk, two others and the queue do not mind.

    python3 workers_test.py FUHYO
"""

import json
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

FUHYO = ""
GAMES = 40
CHUNKS = 4


class Workers(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fuhyo-workers-")
        self.addCleanup(self.folder.cleanup)
        self.queue = Path(self.folder.name) / "queue"
        self.games = Path(self.folder.name) / "games.jsonl"

    def start(self, *arguments):
        process = subprocess.Popen([FUHYO, "match", *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def collector(self):
        return self.start("--queue", self.queue, "-e", "player=material-3 name=a", "-e", "player=material-1 name=b",
                          "-n", GAMES, "--chunk", GAMES // CHUNKS // 2, "--max-moves", 100, "--batch", "test",
                          "--out", self.games)

    def worker(self, name, *more):
        return self.start("--worker", self.queue, "--worker-name", name, "--lease", 1, *more)

    def held_by(self, name):
        """The chunks that the worker has claimed and nobody has finished."""
        batch = self.queue / "batches" / "test"
        claims = [path for path in (batch / "claims").glob("*.*") if path.suffix[1:].isdigit()]
        chunks = {path.stem for path in claims if path.read_text(encoding="ascii").startswith(name)}
        return chunks - {path.name for path in (batch / "done").glob("*")}

    def wait(self, what):
        until = time.monotonic() + 60
        while not what():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.005)

    def counted(self, worker):
        _, errors = worker.communicate(timeout=120)
        self.assertEqual(worker.returncode, 0, errors)
        return int(re.search(r"(\d+) chunks counted", errors).group(1))

    def expect_every_game_once(self, collector):
        out, errors = collector.communicate(timeout=120)
        self.assertEqual(collector.returncode, 0, out + errors)
        played = [json.loads(line) for line in self.games.read_text(encoding="utf-8").splitlines()]
        numbers = sorted(game["game"] for game in played if "game" in game)
        self.assertEqual(numbers, list(range(GAMES)))
        self.assertIn("a against b", out)

    def test_killed_in_mid_chunk(self):
        collector = self.collector()
        doomed = self.worker("doomed")
        self.wait(lambda: self.held_by("doomed"))
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()
        self.assertTrue(self.held_by("doomed"), "it was killed with a chunk in its hands")
        had = len(list((self.queue / "batches/test/done").glob("*")))
        others = [self.worker(name, "--drain") for name in ("one", "two")]
        self.assertEqual(sum(map(self.counted, others)) + had, CHUNKS)
        self.expect_every_game_once(collector)

    def test_stopped_gives_back(self):
        collector = self.collector()
        stopped = self.worker("stopped")
        self.wait(lambda: self.held_by("stopped"))
        stopped.send_signal(signal.SIGTERM)
        _, errors = stopped.communicate(timeout=60)
        self.assertEqual(stopped.returncode, 0, errors)
        self.assertIn("1 given back", errors)
        self.assertEqual(self.counted(self.worker("other", "--drain", "-j", 2)) +
                         int(re.search(r"(\d+) chunks counted", errors).group(1)), CHUNKS)
        self.expect_every_game_once(collector)

    def test_without_the_engine(self):
        collector = self.start("--queue", self.queue, "-e", "/nowhere/engine name=a tc=nodes=10", "-e",
                               "player=random name=b", "-n", 2)
        self.wait(lambda: list((self.queue / "batches").glob("match-*")) if self.queue.exists() else [])
        worker = self.worker("w")
        _, errors = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 1, errors)
        self.assertIn("engine 'a' does not run here", errors)
        collector.send_signal(signal.SIGINT)
        collector.communicate(timeout=60)
        self.assertEqual(collector.returncode, 130)


if __name__ == "__main__":
    FUHYO = sys.argv.pop(1)
    unittest.main(verbosity=2)
