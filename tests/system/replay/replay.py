#!/usr/bin/env python3
"""Starts a server of its own, plays the recorded games of a folder through it with `fuhyo replay`, and stops it.

    replay.py FUHYO DIR [FLAG...]      FUHYO is the program; flags go to `fuhyo replay`

The server has free ports, a temporary folder and no move limit. Exit code: that of `fuhyo replay`; 1 if the server did
not stop as it should; 77 if DIR does not exist (CTest shows that as skipped).
"""

import contextlib
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

STOP_S = 20


class ServerFault(Exception):
    """The server did not start or did not stop as it should."""


def listening_address(server):
    """Reads what the server prints until it says where it listens."""
    for line in server.stdout:
        found = re.search(r"listening csa=(\S+)", line)
        if found:
            return found.group(1)
    raise ServerFault("the server did not start")


def stop(server):
    server.send_signal(signal.SIGTERM)
    try:
        server.communicate(timeout=STOP_S)
    except subprocess.TimeoutExpired:
        server.kill()
        server.communicate()
        raise ServerFault(f"the server did not stop within {STOP_S} s") from None
    if server.returncode != 0:
        raise ServerFault(f"the server ended with {server.returncode}")


@contextlib.contextmanager
def running_server(program, *flags):
    """A server on free ports with a folder of its own: (address, records folder). Its log goes to our stderr."""
    with tempfile.TemporaryDirectory(prefix="fuhyo-replay-") as data:
        command = [program, "serve", "--csa", "127.0.0.1:0", "--http", "off", "--data", data, "--log-level", "warning"]
        server = subprocess.Popen([*command, *flags], stdout=subprocess.PIPE, text=True)
        try:
            yield listening_address(server), str(Path(data) / "records")
        finally:
            stop(server)


def replay(program, folder, address, *flags, **run_options):
    return subprocess.run([program, "replay", folder, "--server", address, *flags], check=False, **run_options)


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
