#!/usr/bin/env python3
"""Runs a command, and ends all that it started when the command ends, or PARENT does, however that ends.

    together.py PARENT COMMAND...

PARENT: the process that starts this one. Orphans become children of this process, so that none is out of reach,
whatever its session is. Exit code: the command's.
"""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36


def end_with_parent(number=signal.SIGKILL):
    """This signal comes when the process ends that started this one."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, number)


def children():
    """Of this process; none of them has been waited for, so that a number stands for the process that had it."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            if int(stat.read_text(errors="replace").rpartition(")")[2].split()[1]) == os.getpid():
                yield int(stat.parent.name)


def end_all():
    """The children of a killed child are the next ones."""
    with contextlib.suppress(ChildProcessError):
        while True:
            for child in children():
                os.kill(child, signal.SIGKILL)
            os.wait()


def run(words):
    command = subprocess.Popen(words)
    while True:
        child, status = os.wait()
        if child == command.pid:
            return os.waitstatus_to_exitcode(status)


def main():
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: sys.exit(1))
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
    end_with_parent(signal.SIGTERM)
    try:
        sys.exit(run(sys.argv[2:]) if os.getppid() == int(sys.argv[1]) else 1)
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        end_all()


if __name__ == "__main__":
    main()
