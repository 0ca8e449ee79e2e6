"""`fuhyo tune` as its users run it, on the toy: what a kill leaves behind, and who may use a state.

    python3 tune_test.py FUHYO
"""

import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

FUHYO = ""


class Tune(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-tune-")
        self.addCleanup(folder.cleanup)
        self.state = Path(folder.name) / "toy.state"

    def words(self, games):
        return [FUHYO, "tune", "--toy", "--games", str(games), "--state", str(self.state), "--save-every", "0"]

    def expect(self, code, said, games):
        done = subprocess.run(self.words(games), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        self.assertIn(said, done.stdout + done.stderr)

    def test_a_state_is_one_tunings_at_a_time_and_outlives_a_kill(self):
        first = subprocess.Popen(self.words(1_000_000_000), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(first.stderr.close)
        self.addCleanup(first.kill)
        until = time.monotonic() + 60
        while not self.state.exists():
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        self.expect(66, "toy.state: another process works with it", 100)
        first.send_signal(signal.SIGKILL)
        first.wait(timeout=60)
        self.expect(0, "going on from", 2)

    def test_asks_for_what_is_missing(self):
        file = self.state.with_name("x.params")
        file.write_text("X,int,5,0,10,1,0.002\n", encoding="ascii")
        for words, said in ([], "how many games?"), (["--games", "2"], "which engine?"), (
                ["--games", "2", "-e", "engine"], "how long may the engine think?"):
            done = subprocess.run([FUHYO, "tune", str(file), *words], capture_output=True, text=True, timeout=60)
            self.assertEqual(done.returncode, 64, done.stderr)
            self.assertIn(said, done.stderr)

    def test_ends_with_the_table_of_values(self):
        self.expect(0, "of 20 Elo", 200)
        self.expect(0, "after 200 games", 400)


if __name__ == "__main__":
    FUHYO = str(Path(sys.argv[1]).resolve())
    unittest.main(argv=sys.argv[:1], verbosity=2)
