"""Figures out of a history."""

import asyncio
import bisect
import itertools
import json

from observed import TOLD_MOVE
from wire import PATIENCE_S

OUT_OF_ORDER_S = 1  # at most: what is seen is stamped before it is written down


def echoes(history, begin=0.0, end=float("inf")):
    """Seconds from sending a move to its own echo, of the moves sent between begin and end (monotonic)."""
    waiting, found = {}, []
    first = bisect.bisect_left(history.events, begin - OUT_OF_ORDER_S, key=lambda event: event.at)
    for event in itertools.islice(history.events, first, None):
        if event.kind == "sent":
            waiting[event.session, event.text.split(",")[0]] = event.at
        elif event.kind == "seen" and TOLD_MOVE.match(event.text):
            sent = waiting.pop((event.session, event.text.split(",")[0]), None)
            if sent is not None and begin <= sent < end:
                found.append(event.at - sent)
    return sorted(found)


def share(values, part):
    """The value below which this part lies; 0 of nothing."""
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def told_moves(history, begin, end):
    return sum(1 for event in history.events
               if event.kind == "seen" and begin <= event.at < end and TOLD_MOVE.match(event.text))

def in_ms(values):
    return f"p50 {share(values, 0.5) * 1000:.1f}, p99 {share(values, 0.99) * 1000:.1f}"


def in_s(values):
    return f"median {share(values, 0.5):.2f}, most {max(values):.2f}"


async def ask_http(address, path):
    reader, writer = await asyncio.open_connection(*address)
    try:
        writer.write(f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())
        head, _, body = (await asyncio.wait_for(reader.read(-1), PATIENCE_S)).partition(b"\r\n\r\n")
        return int(head.split()[1]), body.decode()
    finally:
        writer.transport.abort()


def as_json(text):
    return json.loads(text)
