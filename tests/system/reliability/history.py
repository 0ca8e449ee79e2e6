"""What everybody at the server said and heard, and when: the only thing that the checker believes about clients.

One clock (monotonic) for all, because all clients run in this process. A line is stamped before it is given to the
socket, or after it has come from it: "sent" is never later, "seen" never earlier than the truth.
"""

import asyncio
import time
from typing import NamedTuple


class Event(NamedTuple):
    at: float      # seconds, monotonic
    session: int   # number in History.sessions; -1 for marks
    kind: str      # "connected", "sent", "seen", "closed" or "mark"
    text: str = ""


class Session(NamedTuple):
    name: str
    role: str  # "player", "watcher" (%%MONITOR2ON) or "stream" (server-sent events)


class History:
    def __init__(self, clock=time.monotonic):
        self.clock = clock
        self.sessions = []
        self.events = []
        self.stalls = []  # (from, to): this program itself was not running, and its stamps are late by that

    def session(self, name, role):
        self.sessions.append(Session(name, role))
        return len(self.sessions) - 1

    def add(self, session, kind, text="", at=None):
        self.events.append(Event(self.clock() if at is None else at, session, kind, text))

    def mark(self, text):
        """What the nemesis did: "died: ..." (the server), "away: ..." (it stands, or has no store), "back: ..."."""
        self.add(-1, "mark", text)

    async def watch_itself(self, beat_s=0.05, long_s=0.25):
        """For ever: notes when the loop that all clients share stood still, on a machine that has too much to do."""
        before = self.clock()
        while True:
            await asyncio.sleep(beat_s)
            now = self.clock()
            if now - before > beat_s + long_s:
                self.stalls.append((before, now))
            before = now

    def died(self):
        """Whether the server has ended in between: what ran then may have been broken off."""
        return any(event.kind == "mark" and event.text.startswith("died") for event in self.events)

    def by_session(self):
        lists = [[] for _ in self.sessions]
        for event in self.events:
            if event.session >= 0:
                lists[event.session].append(event)
        return lists
