#!/usr/bin/env python3
"""Starts a server of its own, plays the recorded games of a folder through it with `fuhyo replay`, and stops it.

    replay.py FUHYO DIR [FLAG...]      FUHYO is the program; flags go to `fuhyo replay`

The server has free ports, a temporary folder and no move limit. Exit code: that of `fuhyo replay`; 1 if the server did
not stop as it should; 77 if DIR does not exist (CTest shows that as skipped).
"""

import contextlib
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from fuhyo_server import FuhyoServer, ServerFault  # noqa: E402
from waiting import PATIENCE_S  # noqa: E402


@contextlib.contextmanager
def running_server(program, *flags):
    """A server on free ports with a folder of its own: (address, records folder). Its log goes to our stderr."""
    with (tempfile.TemporaryDirectory(prefix="fuhyo-replay-") as data,
          FuhyoServer(program, "--csa", "127.0.0.1:0", "--http", "off", "--data", data, "--log-level", "warning",
                      *flags, log=None) as server):
        yield server.address, str(Path(data) / "records")


def replay(program, folder, address, *flags, **run_options):
    """With the patience of tests, unless the flags say otherwise."""
    words = [program, "replay", folder, "--server", address, *flags]
    if "--patience" not in flags:
        words += ["--patience", str(PATIENCE_S)]
    return subprocess.run(words, check=False, **run_options)


def main(program, folder, *flags):
    if not Path(folder).is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    try:
        with running_server(program, "--max-moves", "0") as (address, records):
            return replay(program, folder, address, "--records", records, *flags).returncode
    except ServerFault as fault:
        print(fault)
        return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
