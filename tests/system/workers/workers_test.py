"""A match by a queue of real processes, in a folder and in PostgreSQL: a worker is killed in mid-chunk, two others and
the queue do not mind; and the host looks after it by `fuhyo jobs`.

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

from queues import Cluster, FolderQueue, NoPostgres, PostgresQueue

FUHYO = ""
GAMES = 40
CHUNKS = 4


class Workers:
    """Whatever the queue lies in."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory(prefix="fuhyo-workers-")
        self.addCleanup(self.folder.cleanup)
        self.games = Path(self.folder.name) / "games.jsonl"
        self.queue = self.make_queue()

    def start(self, *arguments):
        process = subprocess.Popen([FUHYO, "match", *map(str, arguments)], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def collector(self):
        return self.start("--queue", self.queue.address, "-e", "player=material-3 name=a", "-e",
                          "player=material-1 name=b", "-n", GAMES, "--chunk", GAMES // CHUNKS // 2, "--max-moves", 100,
                          "--batch", "test", "--out", self.games)

    def worker(self, name, *more):
        return self.start("--worker", self.queue.address, "--worker-name", name, "--lease", 1, *more)

    def held_by(self, name):
        return self.queue.held_by("test", name)

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

    def jobs(self, code, said, verb, *words):
        done = subprocess.run([FUHYO, "jobs", verb, str(self.queue.address), *words], capture_output=True, text=True,
                              timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, said)

    def test_killed_in_mid_chunk(self):
        collector = self.collector()
        doomed = self.worker("doomed")
        self.wait(lambda: self.held_by("doomed"))
        doomed.send_signal(signal.SIGKILL)
        doomed.wait()
        self.assertTrue(self.held_by("doomed"), "it was killed with a chunk in its hands")
        had = len(self.queue.done("test"))
        others = [self.worker(name, "--drain") for name in ("one", "two")]
        self.assertEqual(sum(map(self.counted, others)) + had, CHUNKS)
        self.expect_every_game_once(collector)
        self.jobs(0, r"test +match +4 +4 +0 +0 +0 +done", "list")

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
        collector = self.start("--queue", self.queue.address, "-e", "/nowhere/engine name=a tc=nodes=10", "-e",
                               "player=random name=b", "-n", 2)
        self.wait(self.queue.batches)
        worker = self.worker("w")
        _, errors = worker.communicate(timeout=60)
        self.assertEqual(worker.returncode, 1, errors)
        self.assertIn("engine 'a' does not run here", errors)
        collector.send_signal(signal.SIGINT)
        collector.communicate(timeout=60)
        self.assertEqual(collector.returncode, 130)

    def test_is_looked_after(self):
        self.jobs(69, "no queue", "list")
        self.assertEqual(self.queue.batches(), [], "looking makes none")
        collector = self.collector()
        self.wait(self.queue.batches)
        self.jobs(0, r"test +match +4 +0 +0 +4 +0 +waiting", "list")
        self.jobs(1, "has no batch tset", "show", "tset")
        self.jobs(1, "batch test is waiting: cancel it first", "remove", "test")

        self.queue.set_aside("test", 2, "no memory")
        self.jobs(0, r"test +match +4 +0 +0 +3 +1 +waiting\nchunk 2: no memory\n", "show", "test")
        self.jobs(0, "1 chunks are to be tried again", "retry", "test")
        self.jobs(0, r"test +match +4 +0 +0 +4 +0 +waiting", "show", "test")

        self.jobs(0, "cancelled", "cancel", "test")
        _, errors = collector.communicate(timeout=60)
        self.assertEqual((collector.returncode, "batch test has been cancelled" in errors), (1, True), errors)
        self.jobs(1, "is cancelled", "retry", "test")
        self.assertEqual(self.counted(self.worker("w", "--drain")), 0, "nobody plays it")
        self.jobs(0, "batch test and its 0 results are gone", "remove", "test")
        self.assertEqual(self.queue.batches(), [])
        self.jobs(64, "BATCH is required", "remove")


class InAFolder(Workers, unittest.TestCase):
    def make_queue(self):
        return FolderQueue(Path(self.folder.name))


class InPostgres(Workers, unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-workers-")
        cls.addClassCleanup(folder.cleanup)
        try:
            cls.cluster = Cluster(Path(folder.name) / "postgres")
            cls.cluster.make()
        except NoPostgres as why:
            raise unittest.SkipTest(str(why))
        cls.addClassCleanup(cls.cluster.close)

    def make_queue(self):
        return PostgresQueue(self.cluster)


if __name__ == "__main__":
    FUHYO = sys.argv.pop(1)
    unittest.main(verbosity=2)
