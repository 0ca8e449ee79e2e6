"""A CSA client of a system test that comes by a WebSocket (RFC 6455)."""

import base64
import os
import struct

from csa_client import CsaClient

TEXT, CLOSE = 1, 8


def masked(opcode, payload):
    """A whole frame of a client, of at most 65,535 bytes."""
    mask = os.urandom(4)
    size = struct.pack("!B", 0x80 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 0xFE, len(payload))
    return bytes([0x80 | opcode]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))


class WebPlayer(CsaClient):
    """As CsaClient; `http`: (host, port) of the pages."""

    def __init__(self, http, login):
        self.shaken, self.host = False, "{}:{}".format(*http)
        super().__init__(http, login)

    def shake_hands(self):
        """The status of the answer; 101 where it is a WebSocket from then on."""
        lines = ["GET /api/v1/csa HTTP/1.1", f"Host: {self.host}", "Connection: Upgrade", "Upgrade: websocket",
                 "Sec-WebSocket-Version: 13", f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}"]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        self.lines.close()
        self.bytes = self.socket.makefile("rb")
        status = int(self.bytes.readline().split()[1])
        while self.bytes.readline() not in (b"\r\n", b""):
            pass
        self.lines = self.messages()
        return status

    def say(self, line):
        if not self.shaken:
            status = self.shake_hands()
            assert status == 101, status
            self.shaken = True
        self.socket.sendall(masked(TEXT, line.encode()))

    def messages(self):
        """Lines of messages, until the server closes."""
        while head := self.bytes.read(2):
            size = head[1]
            if size >= 126:
                size = int.from_bytes(self.bytes.read(2 if size == 126 else 8), "big")
            payload = self.bytes.read(size)
            if head[0] & 0x0F == CLOSE:
                return
            yield from payload.decode().splitlines(keepends=True)

    def rest(self):
        return "".join(self.lines)

    def close(self):
        self.bytes.close()
        super().close()
