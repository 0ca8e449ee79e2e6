"""The server under test: started on the same ports again and again, killed, stopped, limited."""

import os
import re
import signal
import socket
import subprocess
import time

from children import dying_with_us
from waiting import PATIENCE_S, eventually


class Port:
    """One that nobody else on this machine is given while this object lives, and that a server may listen on as often
    as it is started: bound, with SO_REUSEADDR, as the server does, and never listening."""

    def __init__(self):
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        self.socket.bind(("127.0.0.1", 0))
        self.number = self.socket.getsockname()[1]


class ServerFault(Exception):
    """The server did not start, or did not end, as it should."""


class Server:
    """`fuhyo serve` on ports of its own. `wrap`: words before the program, `preload`: a shared library."""

    def __init__(self, program, folder, *flags, wrap=(), env=None):
        self.program, self.folder, self.flags = program, folder, flags
        self.wrap, self.env = list(wrap), dict(env or {})
        self.ports = Port(), Port()
        self.host = "127.0.0.1"
        self.csa, self.http = ((self.host, port.number) for port in self.ports)
        self.process, self.log_path, self.starts = None, folder / "server.log", 0
        self.data = folder / "data"
        self.records = self.data / "records"
        self.exempt, self.log_format = "127.0.0.0/8", "text"  # who is spared by the limits per address

    def command(self):
        return [*dying_with_us(), *self.wrap, self.program, "serve", "--csa", f"{self.host}:{self.csa[1]}",
                "--http", f"{self.host}:{self.http[1]}", "--data", str(self.data), "--exempt", self.exempt,
                "--log-format", self.log_format, *self.flags]

    def start(self):
        """Returns after it has said where it listens; seconds that this took."""
        began = time.monotonic()
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(self.command(), stdout=subprocess.PIPE, stderr=log, text=True,
                                            env={**os.environ, **self.env})
        self.starts += 1
        for line in self.process.stdout:
            if line.startswith("listening http="):
                return time.monotonic() - began
        code = self.wait()
        raise ServerFault(f"ended with {code} instead of starting: {self.last_lines()}")

    @property
    def pid(self):
        return self.process.pid

    def is_running(self):
        return self.process is not None and self.process.poll() is None

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        self.process.kill()
        return self.wait()

    def wait(self):
        code = self.process.wait(PATIENCE_S)
        self.process.stdout.close()
        return code

    def stop(self):
        """SIGTERM; where games run, twice: they are not waited for. One that ends anyway may be past hearing a second
        one, and be killed by it."""
        if not self.is_running():
            return None
        since = len(self.log())
        self.signal(signal.SIGTERM)
        found = eventually(lambda: re.search(r"shutting down; games that run: (\d+)", self.log()[since:])
                           or not self.is_running(), lambda: f"SIGTERM is not heard: {self.last_lines()}")
        if found is not True and int(found[1]) > 0:
            self.signal(signal.SIGTERM)
        return self.wait()

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace") if self.log_path.exists() else ""

    def stood_still_s(self):
        """What its log says of its own turns that came late, because it was stopped or the machine busy."""
        return sum(map(int, re.findall(r"the event loop stood still.*?\bms\W+(\d+)", self.log()))) / 1000

    def last_lines(self, count=3):
        return " | ".join(self.log().splitlines()[-count:])

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.pid}/fd"))

    def rss_kib(self):
        with open(f"/proc/{self.pid}/status", encoding="ascii") as status:
            return int(re.search(r"VmRSS:\s*(\d+)", status.read())[1])

    def cpu_s(self):
        with open(f"/proc/{self.pid}/stat", encoding="ascii") as stat:
            fields = stat.read().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
