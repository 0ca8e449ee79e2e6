#!/usr/bin/env python3
"""Starts a server of its own, plays the recorded games of a folder through it with `fuhyo replay`, and stops it.

    replay.py FUHYO DIR [FLAG...]      FUHYO is the program; flags go to `fuhyo replay`

The server has free ports, a temporary folder and no move limit. Exit code: that of `fuhyo replay`; 1 if the server did
not stop as it should; 77 if DIR does not exist (CTest shows that as skipped).
"""

import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

STOP_S = 20


def listening_address(server):
    """Reads what the server prints until it says where it listens."""
    for line in server.stdout:
        found = re.search(r"listening csa=(\S+)", line)
        if found:
            return found.group(1)
    return None


def main(program, folder, *flags):
    if not Path(folder).is_dir():
        print(f"skipped: {folder} is not there")
        return 77
    with tempfile.TemporaryDirectory(prefix="fuhyo-replay-") as data:
        log = open(Path(data) / "stderr.log", "w+", encoding="utf-8")
        server = subprocess.Popen(
            [program, "serve", "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", data, "--max-moves", "0",
             "--builtin", "off"],
            stdout=subprocess.PIPE, stderr=log, text=True)
        try:
            address = listening_address(server)
            if address is None:
                log.seek(0)
                print(f"the server did not start:\n{log.read()}")
                return 1
            records = str(Path(data) / "records")
            result = subprocess.run([program, "replay", folder, "--server", address, "--records", records, *flags])
        finally:
            server.send_signal(signal.SIGTERM)
            try:
                server.communicate(timeout=STOP_S)
            except subprocess.TimeoutExpired:
                server.kill()
        if server.returncode != 0:
            print(f"the server ended with {server.returncode}")
            return 1
        return result.returncode


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
