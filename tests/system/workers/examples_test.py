"""The examples of docker/workers, as far as a machine without Slurm and Kubernetes can run them: their commands play a
match to its end."""

import os
import re
import shutil
import unittest
from pathlib import Path

from server_case import ServerCase, run_tests
from waiting import eventually

EXAMPLES = Path(__file__).resolve().parents[3] / "docker/workers"
MOST_EXPOSED = 14  # tenths, as systemd-analyze counts
SRUN = """#!/bin/sh
while [ "${1#--}" != "$1" ]; do shift; done
exec "$@"
"""


class Examples(ServerCase):
    def setUp(self):
        super().setUp()
        self.queue = self.folder / "queue"
        programs = self.folder / "bin"
        programs.mkdir()
        (programs / "fuhyo").symlink_to(self.program)
        (programs / "srun").write_text(SRUN, encoding="ascii")
        (programs / "srun").chmod(0o755)
        self.environment = {**os.environ, "PATH": f"{programs}:{os.environ['PATH']}"}

    def run_example(self, words, **environment):
        return self.start(*words, env={**self.environment, **environment})

    def put_in(self):
        """A match of four chunks; who collects it."""
        process = self.run_example([self.program, "match", "--queue", self.queue, "-e", "player=material-1 name=a",
                                    "-e", "player=random name=b", "-n", 16, "--chunk", 2])
        eventually(lambda: list((self.queue / "batches").glob("*")), "the batch")
        return process

    def expect_end(self, process, said, code=0):
        told = "".join(self.end_of(process, code))
        self.assertIn(said, told)
        return told

    def test_slurm(self):
        collector = self.put_in()
        tasks = [self.run_example([EXAMPLES / "slurm-worker.sh", self.queue], SLURM_ARRAY_JOB_ID="7",
                                  SLURM_CPUS_PER_TASK="2", SLURM_ARRAY_TASK_ID=str(i)) for i in (1, 2)]
        ends = [self.expect_end(task, f"slurm-7-{i}-0: ") for i, task in enumerate(tasks, 1)]
        self.assertEqual(sum(int(re.search(r"(\d+) chunks counted", end).group(1)) for end in ends), 4)
        self.expect_end(collector, "a against b")
        self.expect_end(self.run_example([EXAMPLES / "slurm-worker.sh"]), "usage: sbatch", code=2)

    def test_kubernetes(self):
        collector = self.put_in()
        text = (EXAMPLES / "kubernetes-job.yml").read_text(encoding="utf-8")
        command = re.search(r"command: \[(.*)\]", text).group(1)
        command = command.replace("$(FUHYO_QUEUE)", str(self.queue)).replace("$(POD_NAME)", "pod-x")
        words = [word.strip().strip('"') for word in command.split(",")]
        self.expect_end(self.run_example(words), "pod-x: 4 chunks counted")
        self.expect_end(collector, "a against b")

    def unit(self):
        text = (EXAMPLES / "fuhyo-match-worker.service").read_text(encoding="utf-8")
        return text.replace("/usr/local/bin/fuhyo", self.program).replace("/srv/fuhyo/queue", str(self.queue))

    def setting(self, key):
        return re.search(f"^{key}=(.*)", self.unit(), re.MULTILINE).group(1)

    def test_systemd(self):
        collector = self.put_in()
        settings = dict(word.split("=", 1) for word in self.setting("Environment").split())
        command = re.sub(r"\$\{(\w+)\}", lambda match: settings[match.group(1)],
                         self.setting("ExecStart"))
        worker = self.run_example(command.split())
        self.expect_end(collector, "a against b")
        worker.terminate()
        self.expect_end(worker, "4 chunks counted")

    @unittest.skipUnless(shutil.which("systemd-analyze"), "there is no systemd-analyze")
    def test_systemd_knows_every_word_of_the_unit_and_finds_it_hardly_exposed(self):
        file = self.folder / "fuhyo-match-worker.service"
        file.write_text(self.unit(), encoding="utf-8")
        self.assertEqual(self.end_of(self.start("systemd-analyze", "verify", file)), ("", ""))
        self.end_of(self.start("systemd-analyze", "security", "--offline=true", "--no-pager",
                               f"--threshold={MOST_EXPOSED}", file))

    def test_the_worker_is_not_the_server(self):
        self.assertEqual(self.setting("User"), "fuhyo-worker")
        self.assertEqual(self.setting("ReadWritePaths"), f"-{self.queue}")


if __name__ == "__main__":
    run_tests()
