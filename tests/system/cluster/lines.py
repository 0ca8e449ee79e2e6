"""A line between fuhyo-cluster and a node that can stall, break and be cut: a network namespace, in which both talk TCP
over its loopback device.

    lines.py listen PROGRAM     says a port; each connection to it is the standard input and output of a PROGRAM
    lines.py connect PORT       its standard input and output are those of that PROGRAM
"""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "reliability")]
from children import end_with_parent  # noqa: E402
from harm import send  # noqa: E402

NETEM = ("delay", "20ms", "15ms", "loss", "3%")


class Line:
    """Root's. `command`: the node at the other end. `delays`: whether this kernel delays and loses packets (netem)."""

    def __init__(self, name, program):
        from machine import need_root, run, tool  # not above: the two verbs start quickly
        need_root("a network namespace")
        self.name, self.run, self.ip, self.listener = name, run, tool("ip"), None
        run(self.ip, "netns", "add", name)
        try:
            run(self.ip, "-n", name, "link", "set", "lo", "up")
            inside = [self.ip, "netns", "exec", name]
            netem = [*inside, tool("tc"), "qdisc", "add", "dev", "lo", "root", "netem", *NETEM]
            self.delays = subprocess.run(netem, capture_output=True, check=False).returncode == 0
            words = [*inside, sys.executable, "-B", str(Path(__file__).resolve())]
            self.listener = subprocess.Popen([*words, "listen", program], stdout=subprocess.PIPE, text=True,
                                             preexec_fn=end_with_parent)
            self.command = " ".join((*words, "connect", self.listener.stdout.readline().strip()))
        except BaseException:
            self.close()
            raise

    def strike(self, lot, timeline, counts):
        draw = lot.random()
        if draw < 0.5:
            counts["line cut"] += 1
            self.run(self.ip, "-n", self.name, "link", "set", "lo", "down")
            timeline.after(12 if draw < 0.05 else lot.uniform(0.05, 3), self.mend)
            return
        counts["line broken" if draw < 0.7 else "line stalled"] += 1
        for pid in self.talkers():
            send(pid, signal.SIGKILL if draw < 0.7 else signal.SIGSTOP)
            timeline.after(lot.uniform(0.01, 1), lambda pid=pid: send(pid, signal.SIGCONT))

    def talkers(self):
        """The processes of `connect`."""
        for pid in self.run(self.ip, "netns", "pids", self.name).split():
            with contextlib.suppress(OSError):
                if b"\0connect\0" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    yield int(pid)

    def mend(self):
        if self.listener:
            self.run(self.ip, "-n", self.name, "link", "set", "lo", "up")

    def close(self):
        if self.listener:
            self.listener.kill()
            self.listener.wait()
            self.listener.stdout.close()
            self.listener = None
        subprocess.run([self.ip, "netns", "del", self.name], capture_output=True, check=False)


def listen(program):
    server = socket.create_server(("127.0.0.1", 0))
    print(server.getsockname()[1], flush=True)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        wire, _ = server.accept()
        with wire:
            subprocess.Popen([program], stdin=wire, stdout=wire, preexec_fn=end_with_parent)


def connect(port):
    wire = socket.create_connection(("127.0.0.1", int(port)))
    wire.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def send():
        while some := os.read(0, 65536):
            wire.sendall(some)
        wire.shutdown(socket.SHUT_WR)

    threading.Thread(target=send, daemon=True).start()
    while some := wire.recv(65536):
        os.write(1, some)


if __name__ == "__main__":
    {"listen": listen, "connect": connect}[sys.argv[1]](sys.argv[2])
