"""What tests of the program share: a folder, the program run with its exit code, servers, players.

A file of such tests ends with run_tests(): the first word of its command line is the program, and is in
ServerCase.program; those that it names besides come behind it, and are in ServerCase under their names."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from csa_client import CsaClient, sit_down
from fuhyo_server import FuhyoServer, add_operator, free_ports
from waiting import PATIENCE_S

sys.path.append(str(Path(__file__).resolve().parent / "reliability"))
from cluster import Cluster, NoPostgres, programs  # noqa: E402


def new_cluster(case):
    """A PostgreSQL of the case, an instance or a class, in a folder of its own; without the programs the test is
    skipped, and nothing else skips it."""
    try:
        programs()
    except NoPostgres as reason:
        raise unittest.SkipTest(str(reason)) from None
    cluster = Cluster(new_folder(case) / "postgres")
    (case.addClassCleanup if isinstance(case, type) else case.addCleanup)(cluster.close)
    cluster.make()
    return cluster


def killed_after(process, seconds):
    """Kills it then; whether it was still at work."""
    try:
        process.wait(seconds)
        return False
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait() != 0


def new_folder(case):
    """Gone with the case, an instance or (in setUpClass) a class."""
    folder = tempfile.TemporaryDirectory(prefix="fuhyo-", ignore_cleanup_errors=True)
    (case.addClassCleanup if isinstance(case, type) else case.addCleanup)(folder.cleanup)
    return Path(folder.name)


class ServerCase(unittest.TestCase):
    program = None
    listeners = ("csa",)  # of its servers, unless a test says otherwise
    flags = ()

    def setUp(self):
        self.folder = new_folder(self)
        self.data = self.folder / "data"

    def file(self, name):
        return self.folder / name

    def serve(self, *flags, listeners=None, data=None):
        """A server on free ports, killed in the end if it still runs. `data`: False if the flags say its folder."""
        listeners = listeners or self.listeners
        server = FuhyoServer(self.program, *free_ports(*listeners), *self.flags, *flags, listeners=listeners,
                             data=self.data if data is None else data, log=self.folder / "log")
        self.addCleanup(server.kill)
        return server

    def add_operator(self, name, role="host"):
        return add_operator(self.program, self.folder / "fuhyo.toml", name, role)

    def run_program(self, *words, **options):
        """(exit code, standard output, standard error) of `fuhyo WORD...`"""
        if "input" not in options:
            options.setdefault("stdin", subprocess.DEVNULL)
        done = subprocess.run(list(map(str, (self.program, *words))), text=True, timeout=PATIENCE_S, check=False,
                              capture_output=True, **options)
        return done.returncode, done.stdout, done.stderr

    def expect(self, code, said, *words, **options):
        """It ends so and says so, on either output; both of them."""
        got, out, errors = self.run_program(*words, **options)
        self.assertEqual(got, code, out + errors)
        self.assertIn(said, out + errors)
        return out + errors

    def start(self, *words, **options):
        """A process, killed in the end if it still runs; words may be paths and numbers."""
        process = subprocess.Popen(list(map(str, words)), text=True,
                                   **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options})
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process

    def end_of(self, process, code=0):
        """(standard output, standard error) of one that ends by itself, with this exit code."""
        out, errors = process.communicate(timeout=PATIENCE_S)
        self.assertEqual(process.returncode, code, (out or "") + (errors or ""))
        return out, errors

    def player(self, address, login, **options):
        client = CsaClient(address, f"LOGIN {login}", **options)
        self.addCleanup(client.close)
        return client

    def sit_down(self, *game):
        players = sit_down(*game)
        for player in players:
            self.addCleanup(player.close)
        return players


def run_tests(*names):
    ServerCase.program = str(Path(sys.argv.pop(1)).resolve())
    for name in names:
        setattr(ServerCase, name, str(Path(sys.argv.pop(1)).resolve()))
    unittest.main(warnings="ignore")  # of sockets that end with the test
