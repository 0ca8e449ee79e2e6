"""Connections to the server, every line of which goes into the history. All on one asyncio loop."""

import asyncio
import socket
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from waiting import PATIENCE_S  # noqa: E402


class Wire(asyncio.Protocol):
    """A CSA connection. `on_line(line)` and `on_closed()` are called as it goes on."""

    def __init__(self, history, session, on_line, on_closed, line_end="\n"):
        self.history, self.session, self.on_line, self.on_closed = history, session, on_line, on_closed
        self.line_end = line_end.encode()
        self.transport, self.partial, self.closed = None, b"", False

    def connection_made(self, transport):
        self.transport = transport
        self.history.add(self.session, "connected")

    def say(self, line):
        """False: the connection is over. Bytes that are no UTF-8: as Python's surrogateescape has them."""
        if self.closed or self.transport.is_closing():
            return False
        self.history.add(self.session, "sent", line)
        self.transport.write(line.encode("utf-8", "surrogateescape") + self.line_end)
        return True

    def data_received(self, data):
        at = self.history.clock()
        *lines, self.partial = (self.partial + data).split(b"\n")
        for raw in lines:
            line = raw.decode("utf-8", "replace")
            self.history.add(self.session, "seen", line, at)
            self.on_line(line)

    def connection_lost(self, error):
        self.closed = True
        self.history.add(self.session, "closed", type(error).__name__ if error else "")
        self.on_closed()

    def drop(self, reset=False):
        """Ends the connection from this side; with an RST where `reset`."""
        if self.closed:
            return
        if reset:
            sock = self.transport.get_extra_info("socket")
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        self.transport.abort()

    @classmethod
    async def connect(cls, address, *arguments):
        _, wire = await asyncio.get_running_loop().create_connection(lambda: cls(*arguments), *address)
        return wire


async def patient(attempt, pause_s=0.1):
    """What `attempt()` returns once it does not fail with OSError any more; the last error after PATIENCE_S."""
    end = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        try:
            return await attempt()
        except OSError:
            if asyncio.get_running_loop().time() > end:
                raise
            await asyncio.sleep(pause_s)


async def until(is_so, what, pause_s=0.02):
    """Waits for is_so(); AssertionError with `what` after PATIENCE_S. How long it took is a figure, or a promise that
    the report looks at (Report.promise)."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE_S
    while not is_so():
        assert loop.time() < end, f"not within {PATIENCE_S} s: {what() if callable(what) else what}"
        await asyncio.sleep(pause_s)
