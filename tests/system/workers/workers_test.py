"""A match by a queue of real processes, in a folder and in PostgreSQL: a worker is killed in mid-chunk, two others and
the queue do not mind; and the host looks after it by `fuhyo jobs`."""

import json
import os
import re
import sys

from queues import FolderQueue, PostgresQueue
from server_case import ServerCase, new_cluster, run_tests
from waiting import eventually

GAMES = 16
# Resigns at once, or where HOLD is set never answers.
ENGINE = f"""#!{sys.executable}
import os
import sys
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    said = {{"usi": "id name resigner\\nusiok", "isready": "readyok",
            "go": None if "HOLD" in os.environ else "bestmove resign"}}.get(word)
    if said:
        print(said, flush=True)
    if word == "quit":
        break
"""
CHUNKS = 4


class Workers:
    def setUp(self):
        super().setUp()
        self.games = self.folder / "games.jsonl"
        self.queue = self.make_queue()
        self.engine = self.folder / "engine"
        self.engine.write_text(ENGINE, encoding="ascii")
        self.engine.chmod(0o755)

    def match(self, *words, **options):
        return self.start(self.program, "match", *words, **options)

    def collector(self):
        return self.match("--queue", self.queue.address, "-e", f"'{self.engine}' name=a tc=nodes=10", "-e",
                          "player=random name=b", "-n", GAMES, "--chunk", GAMES // CHUNKS // 2, "--batch", "test",
                          "--out", self.games)

    def worker(self, name, *more, **options):
        return self.match("--worker", self.queue.address, "--worker-name", name, *more, **options)

    def worker_at_work(self, name):
        """It has a chunk, and cannot end it."""
        worker = self.worker(name, "--lease", 1, env={**os.environ, "HOLD": "1"})
        eventually(lambda: self.queue.held_by("test", name), f"{name} has a chunk")
        return worker

    def counted(self, worker):
        return int(re.search(r"(\d+) chunks counted", self.end_of(worker)[1]).group(1))

    def expect_every_game_once(self, collector):
        out, _ = self.end_of(collector)
        played = [json.loads(line) for line in self.games.read_text(encoding="utf-8").splitlines()]
        numbers = sorted(game["game"] for game in played if "game" in game)
        self.assertEqual(numbers, list(range(GAMES)))
        self.assertIn("a against b", out)

    def jobs(self, code, said, verb, *words):
        self.assertRegex(self.expect(code, "", "jobs", verb, self.queue.address, *words), said)

    def test_killed_in_mid_chunk(self):
        collector = self.collector()
        doomed = self.worker_at_work("doomed")
        doomed.kill()
        doomed.wait()
        self.assertTrue(self.queue.held_by("test", "doomed"), "it was killed with a chunk in its hands")
        others = [self.worker(name, "--drain") for name in ("one", "two")]
        self.assertEqual(sum(map(self.counted, others)), CHUNKS)
        self.expect_every_game_once(collector)
        self.jobs(0, r"test +match +4 +4 +0 +0 +0 +done", "list")

    def test_stopped_gives_back(self):
        collector = self.collector()
        stopped = self.worker_at_work("stopped")
        stopped.terminate()
        self.assertRegex(self.end_of(stopped)[1], "0 chunks counted.*1 given back")
        self.assertEqual(self.counted(self.worker("other", "--drain", "-j", 2)), CHUNKS)
        self.expect_every_game_once(collector)

    def test_is_looked_after(self):
        self.jobs(69, "no queue", "list")
        self.assertEqual(self.queue.batches(), [], "looking makes none")
        collector = self.collector()
        eventually(self.queue.batches, "the batch")
        self.jobs(0, r"test +match +4 +0 +0 +4 +0 +waiting", "list")
        self.jobs(1, "has no batch tset", "show", "tset")
        self.jobs(1, "batch test is waiting: cancel it first", "remove", "test")

        self.queue.set_aside("test", 2, "no memory")
        self.jobs(0, r"test +match +4 +0 +0 +3 +1 +waiting\nchunk 2: no memory\n", "show", "test")
        self.jobs(0, "1 chunks are to be tried again", "retry", "test")
        self.jobs(0, r"test +match +4 +0 +0 +4 +0 +waiting", "show", "test")

        self.jobs(0, "cancelled", "cancel", "test")
        self.assertIn("batch test has been cancelled", self.end_of(collector, 1)[1])
        self.jobs(1, "is cancelled", "retry", "test")
        self.assertEqual(self.counted(self.worker("w", "--drain")), 0, "nobody plays it")
        self.jobs(0, "batch test is gone, with its results: 0", "remove", "test")
        self.assertEqual(self.queue.batches(), [])
        self.jobs(64, "BATCH is required", "remove")


class InAFolder(Workers, ServerCase):
    def make_queue(self):
        return FolderQueue(self.folder)


class InPostgres(Workers, ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = new_cluster(cls)

    def make_queue(self):
        return PostgresQueue(self.cluster)


if __name__ == "__main__":
    run_tests()
