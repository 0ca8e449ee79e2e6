"""The examples of docker/workers, as far as a machine without Slurm and Kubernetes can run them: their commands play a
match to its end.

    python3 examples_test.py FUHYO
"""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

FUHYO = ""
EXAMPLES = Path(__file__).resolve().parents[3] / "docker/workers"
SRUN = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""


class Examples(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-workers-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.queue = self.folder / "queue"
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "fuhyo").symlink_to(FUHYO)
        (programs / "srun").write_text(SRUN, encoding="ascii")
        (programs / "srun").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def start(self, words, **environment):
        process = subprocess.Popen(list(map(str, words)), env={**self.environment, **environment}, text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def put_in(self):
        """A match of four chunks; who collects it."""
        process = self.start([FUHYO, "match", "--queue", self.queue, "-e", "player=material-1 name=a", "-e",
                              "player=random name=b", "-n", 16, "--chunk", 2])
        until = time.monotonic() + 60
        while not list((self.queue / "batches").glob("*")):
            self.assertLess(time.monotonic(), until)
            time.sleep(0.01)
        return process

    def expect_end(self, process, said, code=0):
        out, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, code, out + errors)
        self.assertIn(said, out + errors)
        return out + errors

    def test_slurm(self):
        collector = self.put_in()
        tasks = [self.start([EXAMPLES / "slurm-worker.sh", self.queue], SLURM_ARRAY_JOB_ID="7", SLURM_CPUS_PER_TASK="2",
                            SLURM_ARRAY_TASK_ID=str(i)) for i in (1, 2)]
        ends = [self.expect_end(task, f"slurm-7-{i}-0: ") for i, task in enumerate(tasks, 1)]
        self.assertEqual(sum(int(re.search(r"(\d+) chunks counted", end).group(1)) for end in ends), 4)
        self.expect_end(collector, "a against b")
        self.expect_end(self.start([EXAMPLES / "slurm-worker.sh"]), "usage: sbatch", code=2)

    def test_kubernetes(self):
        collector = self.put_in()
        text = (EXAMPLES / "kubernetes-job.yml").read_text(encoding="utf-8")
        command = re.search(r"command: \[(.*)\]", text).group(1)
        command = command.replace("$(FUHYO_QUEUE)", str(self.queue)).replace("$(POD_NAME)", "pod-x")
        words = [word.strip().strip('"') for word in command.split(",")]
        self.expect_end(self.start(words), "pod-x: 4 chunks counted")
        self.expect_end(collector, "a against b")

    def unit(self):
        text = (EXAMPLES / "fuhyo-match-worker.service").read_text(encoding="utf-8")
        return text.replace("/usr/local/bin/fuhyo", FUHYO).replace("/srv/fuhyo/queue", str(self.queue))

    def setting(self, key):
        return re.search(f"^{key}=(.*)", self.unit(), re.MULTILINE).group(1)

    def test_systemd(self):
        collector = self.put_in()
        settings = dict(word.split("=", 1) for word in self.setting("Environment").split())
        command = re.sub(r"\$\{(\w+)\}", lambda match: settings[match.group(1)],
                         self.setting("ExecStart"))
        worker = self.start(command.split())
        self.expect_end(collector, "a against b")
        worker.send_signal(signal.SIGTERM)
        self.expect_end(worker, "4 chunks counted")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_systemd_knows_every_word_of_the_unit(self):
        file = self.folder / "fuhyo-match-worker.service"
        file.write_text(self.unit(), encoding="utf-8")
        done = subprocess.run(["systemd-analyze", "verify", file], capture_output=True, text=True, timeout=60)
        self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))


if __name__ == "__main__":
    FUHYO = str(Path(sys.argv.pop(1)).resolve())
    unittest.main(verbosity=2)
