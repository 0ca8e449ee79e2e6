"""Child processes that never outlive this program, and whose own orphans it takes over."""

import contextlib
import ctypes
import os
import shutil

_PR_SET_CHILD_SUBREAPER = 36


def adopt_orphans():
    """What our children leave behind becomes ours: it can be waited for, and no zombie stays."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def dying_with_us(*setpriv):
    """Words before a command, so that it is killed when this program ends, however that ends."""
    found = shutil.which("setpriv")
    return [found, "--pdeathsig", "KILL", *setpriv, "--"] if found else []


def reap(pid):
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
