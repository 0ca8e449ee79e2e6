"""A wire to a server, at a port of the test's own: it can be cut and mended, and stays when the server is another."""

import contextlib
import socket
import threading


class Proxy:
    """`target`: (host, port); whoever comes while nobody listens there is turned away. Ends with the program."""

    def __init__(self, target):
        self.target, self.cut_now, self.links = target, False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            try:
                far = None if self.cut_now else socket.create_connection(self.target)
            except OSError:
                far = None
            if far is None:
                near.close()
                continue
            self.links += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def carry(source, sink):
        with contextlib.suppress(OSError):
            while some := source.recv(65536):
                sink.sendall(some)
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def cut(self):
        self.cut_now = True
        for link in self.links:
            with contextlib.suppress(OSError):
                link.shutdown(socket.SHUT_RDWR)
        self.links = []

    def mend(self):
        self.cut_now = False
