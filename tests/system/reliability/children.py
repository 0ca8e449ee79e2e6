"""Child processes that never outlive this program, and whose own orphans it takes over."""

import contextlib
import ctypes
import os
import shutil
import signal

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def _prctl(what, value):
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(what, value, 0, 0, 0)


def adopt_orphans():
    """What our children leave behind becomes ours: it can be waited for, and no zombie stays."""
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)


def end_with_parent():
    """This process is one of this program's own: it is killed when the first one ends, and adopts orphans, too."""
    _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    adopt_orphans()


def dying_with_us(*setpriv):
    """Words before a command, so that it is killed when this program ends, however that ends."""
    found = shutil.which("setpriv")
    return [found, "--pdeathsig", "KILL", *setpriv, "--"] if found else []


def reap(pid):
    with contextlib.suppress(ChildProcessError):
        os.waitpid(pid, 0)
