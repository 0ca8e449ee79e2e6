"""A bad network between clients and the server: latency, a narrow line, split writes, resets. On the asyncio loop."""

import asyncio
import random
import socket


class FaultProxy:
    """Listens on a port of its own and hands on to `target`.

    latency_s: (least, most) of each piece, in order; bytes_s: of each direction of a connection; piece: most bytes of
    one write (0: as they come).
    """

    def __init__(self, target, latency_s=(0.0, 0.0), bytes_s=0.0, piece=0):
        self.target, self.latency_s, self.bytes_s, self.piece = target, latency_s, bytes_s, piece
        self.server, self.address, self.writers, self.tasks = None, None, set(), set()

    async def __aenter__(self):
        self.server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.address = self.server.sockets[0].getsockname()
        return self

    async def __aexit__(self, *_):
        self.server.close()
        self.reset_all()
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    def reset_all(self):
        for writer in list(self.writers):
            sock = writer.get_extra_info("socket")
            if sock is not None:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
            writer.transport.abort()

    async def _serve(self, reader, writer):
        try:
            far_reader, far_writer = await asyncio.open_connection(*self.target)
        except OSError:
            writer.transport.abort()
            return
        self.writers |= {writer, far_writer}
        for source, sink in ((reader, far_writer), (far_reader, writer)):
            task = asyncio.get_running_loop().create_task(self._pump(source, sink))
            self.tasks.add(task)
            task.add_done_callback(self.tasks.discard)

    async def _pump(self, source, sink):
        """Pieces leave in order, each after its latency; the line carries bytes_s."""
        queue = asyncio.Queue()
        carrier = asyncio.get_running_loop().create_task(self._carry(queue, sink))
        try:
            while data := await source.read(65536):
                queue.put_nowait((asyncio.get_running_loop().time() + random.uniform(*self.latency_s), data))
        except OSError:
            sink.transport.abort()
        queue.put_nowait((0, b""))
        await carrier

    async def _carry(self, queue, sink):
        loop = asyncio.get_running_loop()
        while True:
            due, data = await queue.get()
            if not data:
                sink.transport.abort() if sink.is_closing() else sink.close()
                self.writers.discard(sink)
                return
            await asyncio.sleep(max(0.0, due - loop.time()))
            step = self.piece or len(data)
            for at in range(0, len(data), step):
                sink.write(data[at:at + step])
                if self.piece:
                    await asyncio.sleep(0)
            if self.bytes_s:
                await asyncio.sleep(len(data) / self.bytes_s)
