"""A cluster as an MPI job on this machine: its nodes run on other ranks, exchange entries, die and come back.

    mpi_test.py FUHYO_CLUSTER FUHYO_CLUSTER_MPI FUHYO_NNUE

Without Open MPI, or where it was not built: exit code 77.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from waiting import PATIENCE_S

CLUSTER, WITH_MPI = (Path(word).resolve() for word in sys.argv[1:3])
if shutil.which("mpirun") is None or not WITH_MPI.is_file():
    print("Open MPI is not there (Debian: libopenmpi-dev openmpi-bin), or was not when this was built")
    sys.exit(77)
MPIRUN = ["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "3", str(CLUSTER), "--mpi"]
# It starts nothing elsewhere, so it needs no ssh.
ENVIRONMENT = {**os.environ, "OMPI_MCA_plm_rsh_agent": "", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}
NODES = """
[[node]]
name = "engine"
command = "rank * fuhyo-nnue"
memory = 16
options = "USI_OwnBook=false"

[[node]]
name = "mates"
role = "mate"
command = "rank 2 fuhyo-nnue"
memory = 16
"""
MATE_IN_ONE = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"


def engines_below(pid):
    """Processes of fuhyo-nnue that a process has started, or one that it has started."""
    parents, names = {}, {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, rest = stat.read_text(encoding="utf-8", errors="replace").rpartition(")")
        except OSError:
            continue
        number = int(stat.parent.name)
        parents[number], names[number] = int(rest.split()[1]), head.partition("(")[2]

    def is_below(number):
        return number == pid or (number in parents and is_below(parents[number]))

    return [number for number, name in names.items() if name == "fuhyo-nnue" and is_below(number)]


class Job:
    """A cluster that runs as a job, and what it says."""

    def __init__(self, nodes):
        self.folder = tempfile.TemporaryDirectory(prefix="fuhyo-mpi-")
        (Path(self.folder.name) / "cluster.toml").write_text(nodes, encoding="utf-8")
        self.process = subprocess.Popen(MPIRUN, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True, cwd=self.folder.name, env=ENVIRONMENT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()
        self.folder.cleanup()

    def ask(self, commands, last):
        """The lines that answer, up to one that begins so."""
        self.process.stdin.write(commands)
        self.process.stdin.flush()
        said = []
        for line in self.process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith(last):
                return said
        raise AssertionError("\n".join(["the job has ended:", *said]))

    def quit(self):
        rest, _ = self.process.communicate("quit\n", timeout=PATIENCE_S)
        return self.process.returncode, rest


class Mpi(unittest.TestCase):
    def test_ranks_search_together(self):
        with Job(NODES) as job:
            job.ask("isready\n", "readyok")
            self.assertEqual(len(engines_below(job.process.pid)), 3)
            said = job.ask("position startpos moves 7g7f\ngo nodes 5000\n", "bestmove ")
            self.assertRegex(said[-1], r"^bestmove [1-9][a-i][1-9][a-i]")
            for name in ("engine-1", "engine-2"):
                self.assertTrue(any(line.startswith(f"info string {name}: depth ") for line in said), said)
            self.assertTrue(any("batches of entries passed on" in line for line in said), said)
            said = job.ask(f"position {MATE_IN_ONE}\ngo mate infinite\n", "checkmate")
            self.assertEqual(said[-1], "checkmate G*5b")
            self.assertEqual(job.quit(), (0, ""))

    def test_an_engine_that_is_killed_is_started_again_on_its_rank(self):
        with Job(NODES) as job:
            job.ask("isready\n", "readyok")
            first = engines_below(job.process.pid)
            os.kill(first[0], signal.SIGKILL)
            said = []
            while len(engines_below(job.process.pid)) < 3 or not any("killed by signal 9" in line for line in said):
                said += job.ask("position startpos\ngo nodes 500\n", "bestmove ")
            self.assertNotIn("bestmove resign", said)
            self.assertNotIn(first[0], engines_below(job.process.pid))
            self.assertEqual(job.quit(), (0, ""))

    def test_a_rank_that_is_none_is_told(self):
        with Job(NODES.replace("rank 2", "rank 3")) as job:
            said = job.ask("isready\n", "readyok")
            self.assertTrue(any("a number from 1 to 2" in line for line in said), said)
            self.assertEqual(job.quit(), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
