"""Talking USI with an engine while things happen to it."""

import collections
import heapq
import queue
import subprocess
import threading
import time

from waiting import PATIENCE_S


class Fault(Exception):
    """What fuhyo-cluster promises, and has not done."""


class Usi:
    """An engine, its lines with the moments at which they came, and what is to happen while it is waited for."""

    def __init__(self, program, *settings, timeline=None):
        self.timeline, self.told = timeline, collections.deque(maxlen=200)
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        stderr=subprocess.DEVNULL)
        self.lines = queue.SimpleQueue()
        threading.Thread(target=self.read, daemon=True).start()
        self.say("usi", *(f"setoption name {name} value {value}" for name, value in settings))
        self.until("usiok")

    def read(self):
        for line in self.process.stdout:
            self.lines.put((time.monotonic(), line.rstrip("\n")))
        self.lines.put((time.monotonic(), None))

    def say(self, *lines):
        self.told.extend(f"> {line}" for line in lines)
        try:
            self.process.stdin.write("".join(f"{line}\n" for line in lines))
            self.process.stdin.flush()
        except BrokenPipeError:
            raise Fault(f"it has ended before {lines[0]}") from None

    def until(self, word, seen=(), refusal=None):
        """The moment and the text of the first line that begins so, or `refusal` for one that begins like that. Words
        of `seen` on the way are counted there."""
        deadline = time.monotonic() + PATIENCE_S
        while True:
            wait_s = self.timeline.run_due() if self.timeline else PATIENCE_S
            try:
                moment, line = self.lines.get(timeout=max(0.0, min(wait_s, deadline - time.monotonic())))
            except queue.Empty:
                if time.monotonic() >= deadline:
                    raise Fault(f"no {word} within {PATIENCE_S} s") from None
                continue
            self.told.append(f"< {line}")
            if line is None:
                raise Fault(f"it has ended before {word}")
            first = line.split(" ", 1)[0]
            if first in seen:
                seen[first] += 1
            if first == word:
                return moment, line
            if refusal and line.startswith(refusal):
                return moment, refusal

    def end(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()


class Timeline:
    """What is to happen when. It happens while the cluster is waited for."""

    def __init__(self):
        self.events = []

    def after(self, seconds, deed):
        heapq.heappush(self.events, (time.monotonic() + seconds, id(deed), deed))

    def forget(self, deed):
        self.events = [event for event in self.events if event[2] != deed]
        heapq.heapify(self.events)

    def run_due(self):
        """Seconds until the next one."""
        while self.events:
            wait_s = self.events[0][0] - time.monotonic()
            if wait_s > 0:
                return wait_s
            heapq.heappop(self.events)[2]()
        return PATIENCE_S

    def rest(self, seconds):
        """Lets that time pass, with what happens in it."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            time.sleep(min(left, self.run_due()))
