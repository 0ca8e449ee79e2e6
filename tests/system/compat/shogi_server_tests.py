#!/usr/bin/env python3
"""Runs shogi-server's own tests over TCP against `fuhyo serve`: 33 tests of 8 files, and a dummy a class.

    shogi_server_tests.py SHOGI_SERVER FUHYO [TEST...]      e.g. ~/src/shogi-server build/bin/fuhyo before_agree fork

By hand only: it needs a checkout of shogi-server and Debian's ruby, ruby-test-unit, ruby-webrick and ruby-gsl. The
checkout is copied; in the copy another port is written into test/baseclient.rb, and the year's folder of records is a
link into the server's. Each file of tests meets a fresh server, because test_fork takes the first game of %%LIST.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402

# File of tests: the server's limit of moves.
FILES = {
    "before_agree": 256, "fork": 256, "functional": 256, "not_sennichite": 256, "oute_sennichite": 256,
    "uchifuzume": 256, "max_moves_draw": 256, "jishogi_kachi": 0,
}
FILE_TIMEOUT_S = 120  # the tests poll for ever
TALLY = re.compile(r"(\d+) tests, (\d+) assertions, (\d+) failures, (\d+) errors")


def serve(program, folder, max_moves):
    return FuhyoServer(program, *free_ports("csa"), "--records", folder, "--least-time-per-move", "0", "--exempt",
                       "127.0.0.0/8", "--drain-timeout", "0", "--trip", "md5", "--duplicate-login", "refuse",
                       "--max-moves", max_moves, data=folder / "data", log=folder / "log")


def copy_with(checkout, folder, port):
    shutil.copytree(checkout, folder, ignore=shutil.ignore_patterns(".git"))
    client = folder / "test/baseclient.rb"
    text = client.read_text()
    assert text.count("port = 4000") == 1, "test/baseclient.rb has changed"
    client.write_text(text.replace("port = 4000", f"port = {port}").replace('"localhost"', '"127.0.0.1"'))
    return folder


def run(name, checkout, program):
    """The tally of one file: tests, assertions, failures, errors. None: it did not end."""
    with tempfile.TemporaryDirectory() as scratch:
        records = Path(scratch) / "records"
        records.mkdir()
        server = serve(program, records, FILES[name])
        try:
            copy = copy_with(checkout, Path(scratch) / "theirs", server.csa[1])
            year = time.strftime("%Y")
            (copy / year).symlink_to(records / year)
            done = subprocess.run(["ruby", f"TC_{name}.rb"], cwd=copy / "test", timeout=FILE_TIMEOUT_S,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        except subprocess.TimeoutExpired as hung:
            print((hung.stdout or b"").decode(errors="replace"))
            return None
        finally:
            server.stop()
    output = done.stdout.decode(errors="replace")
    tally = TALLY.search(output)
    if tally is None or done.returncode != 0:
        print(output)
    return tally and [int(number) for number in tally.groups()]


def said(tally):
    return "{} tests, {} assertions, {} failures, {} errors".format(*tally) if tally else "did not end"


def main(checkout, program, *names):
    total, bad = [0, 0, 0, 0], []
    for name in names or FILES:
        tally = run(name, Path(checkout), program)
        print(f"{name:16} {said(tally)}", flush=True)
        total = [a + b for a, b in zip(total, tally or (0, 0, 0, 0))]
        if tally is None or any(tally[2:]):
            bad.append(name)
    print(f"{'together':16} {said(total)}")
    return 1 if bad else 0


if __name__ == "__main__":
    if len(sys.argv) < 3 or any(name not in FILES for name in sys.argv[3:]):
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
