"""Those who only take room: sessions that log in and do nothing, readers of the event stream that never read."""

import asyncio
import socket

from wire import Wire


async def deaf(address, *lines):
    """A connection with a small buffer that says these lines and never reads."""
    sock = socket.socket()
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    sock.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(sock, address)
    for line in lines:
        await loop.sock_sendall(sock, line.encode() + b"\n")
    return sock


class Crowd:
    def __init__(self, history, server):
        self.history, self.server, self.wires, self.sockets, self.welcome = history, server, [], [], set()

    async def log_in(self, count, prefix="crowd"):
        """So many connections that log in in extended mode; who is not let in waits."""
        for number in range(len(self.wires), len(self.wires) + count):
            session = self.history.session(f"{prefix}{number}", "idler")
            try:
                wire = await asyncio.wait_for(
                    Wire.connect(self.server.csa, self.history, session, self._hears(number), lambda: None), 5)
            except (OSError, TimeoutError):
                continue
            self.wires.append(wire)
            wire.say(f"LOGIN {prefix}{number} idle x1")
            await asyncio.sleep(0.002)

    def _hears(self, number):
        def line(text):
            if text.startswith("##[LOGIN]"):
                self.welcome.add(number)
        return line

    def inside(self):
        return len(self.welcome)

    async def deaf_streams(self, count, path="/api/v1/events"):
        for _ in range(count):
            self.sockets.append(await asyncio.wait_for(
                deaf(self.server.http, f"GET {path} HTTP/1.1\r", "Host: x\r", "\r"), 5))

    def leave(self, count=None):
        for wire in self.wires[:count]:
            wire.drop()
        if count is None:
            for sock in self.sockets:
                sock.close()
