"""What befalls the nodes of a cluster."""

import collections
import contextlib
import os
import signal

from fuhyo_server import processes_of


class Harm:
    """Kills and stops processes of a bed at moments that a lot draws."""

    def __init__(self, bed):
        self.bed, self.lot, self.counts = bed, None, collections.Counter()

    def plan(self, span_s):
        for _ in range(self.lot.choice((0, 0, 0, 1, 1, 2))):
            self.bed.timeline.after(self.lot.uniform(0, span_s), self.strike)

    def strike(self):
        if self.bed.lines and self.lot.random() < 0.4:
            return self.lot.choice(self.bed.lines).strike(self.lot, self.bed.timeline, self.counts)
        sign = self.lot.choice((signal.SIGKILL, signal.SIGSTOP))
        whom, victims = self.victims()
        self.counts[f"{whom} {'killed' if sign == signal.SIGKILL else 'stopped'}"] += bool(victims)
        for pid in victims:
            send(pid, sign)
            if sign == signal.SIGSTOP:  # some are still stopped when the cluster ends those that do not answer `stop`
                wait_s = 15 if self.lot.random() < 0.1 else self.lot.uniform(0.01, 4)
                self.bed.timeline.after(wait_s, lambda pid=pid: send(pid, signal.SIGCONT))

    def victims(self):
        roots, others = processes_of(self.bed.root), processes_of(self.bed.node)
        draw = self.lot.random()
        if draw < 0.1:
            return "all at once", roots | others
        if draw < 0.4 or not others:
            return "root", roots
        return "another node", {self.lot.choice(sorted(others))}


def send(pid, sign):
    with contextlib.suppress(ProcessLookupError):  # it has ended meanwhile
        os.kill(pid, sign)
