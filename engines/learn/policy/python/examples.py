"""What a network is shown of many samples, made once by several processes: later it is read at the speed of memory."""

import concurrent.futures
import ctypes
import mmap
import multiprocessing
import os
import signal
import tempfile

import numpy as np

import positions
import samples as sample_files

# Planes, scalars and labels of legal moves are bits, the first one the highest of a byte.
EXAMPLE = np.dtype([("planes", "u1", 628), ("scalars", "u1", 8), ("legal", "u1", 274), ("label", "<i4"),
                    ("value", "<f4")])
PART = 512

_given = None  # of a process that makes examples: samples, lambda, where the examples go


def _begin(*given):
    global _given
    _given = given
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever waits for it says when it ends
    parent_death = 1  # PR_SET_PDEATHSIG
    ctypes.CDLL(None).prctl(parent_death, signal.SIGKILL)


def _make(first, given=None):
    samples, lam, out = given or _given
    here = slice(first, first + PART)
    try:
        planes, scalars, legal, label, value = sample_files.examples(samples[here], lam)
    except positions.BadPosition as bad:
        raise ValueError(f"sample {first + bad.index}: {bad}") from bad
    for name, bits in ("planes", planes), ("scalars", scalars), ("legal", legal):
        out[name][here] = np.packbits(bits.reshape(len(bits), -1).astype(bool), 1)
    out["label"][here], out["value"][here] = label, value


class Examples:
    """Of `samples`, in their order: 918 bytes each, in a file without a name in `folder`, so that memory need not hold
    them all. `tell` is called with how many are made, and may raise. OSError if the disk is full, ValueError for a
    sample whose move is not legal."""

    def __init__(self, samples, lam, folder=None, workers=0, tell=lambda made: None):
        size = max(1, len(samples)) * EXAMPLE.itemsize
        with tempfile.TemporaryFile(dir=folder) as file:
            os.posix_fallocate(file.fileno(), 0, size)
            self.data = np.frombuffer(mmap.mmap(file.fileno(), size), EXAMPLE, len(samples))
        given, parts = (samples, lam, self.data), range(0, len(samples), PART)
        if workers < 2:
            for first in parts:
                tell(first)
                _make(first, given)
            return
        fork = multiprocessing.get_context("fork")  # which hands over arrays as they are
        with concurrent.futures.ProcessPoolExecutor(workers, fork, _begin, given) as processes:
            for first, _ in zip(parts, processes.map(_make, parts, chunksize=8)):
                tell(first + PART)

    def __len__(self):
        return len(self.data)

    def shown(self, first, last):
        """Planes [n, 62, 9, 9], scalars [n, 57], legal labels [n, 2187], played labels, values (NaN: unknown)."""
        part = self.data[first:last]

        def bits(name, count):
            return np.unpackbits(part[name], 1, count)
        planes = bits("planes", positions.PLANES * 81).reshape(-1, positions.PLANES, 9, 9)
        return (planes, bits("scalars", positions.SCALARS).astype(np.float32),
                bits("legal", positions.LABELS).astype(bool), part["label"], part["value"])
