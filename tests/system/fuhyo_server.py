"""A server of a system test's own: started on free ports, known by its address, stopped by its pid."""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

from waiting import PATIENCE_S, eventually
from web_client import ask


def listeners_of(process, *wanted):
    """Where it says that it listens, as soon as all of `wanted` are told: {"csa": ("127.0.0.1", 40123), ...}. Some are
    missing: it has ended."""
    listeners = {}
    for line in process.stdout:
        if found := re.match(r"listening ([\w-]+)=(\S+):(\d+)$", line.strip()):
            listeners[found[1]] = (found[2], int(found[3]))
        if listeners.keys() >= set(wanted):
            break
    return listeners


def free_ports(*listeners):
    """The flags that open these listeners, and no other, at ports that are free."""
    names = ["worker-door" if name == "worker" else name for name in listeners]
    flags = [word for name in names for word in (f"--{name}", "127.0.0.1:0")]
    return flags if "http" in listeners else ["--http", "off", *flags]


def add_operator(program, config, name, role="host"):
    """Writes an operator into the configuration file; his secret, which the program says once."""
    told = subprocess.run([program, "admin", "operator", "add", name, "--role", role, "--config", config],
                          capture_output=True, text=True, check=True)
    return re.search(r"shown this once: (\S+)", told.stdout)[1]


def modes_in(folder):
    """The mode of a folder and of all that is in it: {path: 0o600, ...}. What a running server removes meanwhile is
    left out."""
    modes = {}
    for path in (folder, *folder.rglob("*")):
        try:
            modes[path] = path.lstat().st_mode & 0o777
        except FileNotFoundError:
            continue
    return modes


def processes_of(*programs):
    files, found = [str(Path(program).resolve()) for program in programs], set()
    for link in Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(link) in files:
                found.add(int(link.parent.name))
        except OSError:
            continue
    return found


class ServerFault(Exception):
    """The server did not start or did not stop as it should."""


class FuhyoServer:
    """`fuhyo serve FLAG...`; where it listens is in `listeners`, and for CSA in `address`. A context manager, or stop()
    it. Its log goes to `log`, a path or what subprocess takes. `data`: its folder, for admin(). `command`: another one
    that serves pages."""

    def __init__(self, program, *flags, listeners=("csa",), data=None, log=subprocess.DEVNULL, command="serve"):
        self.program, self.data, self.log_path = program, data, None
        words = [program, command, *(["--data", data] if data else []), *flags]
        if hasattr(log, "open"):
            self.log_path, log = log, open(log, "a", encoding="utf-8")
        self.process = subprocess.Popen(list(map(str, words)), stdout=subprocess.PIPE, stderr=log, text=True)
        if self.log_path:
            log.close()
        self.listeners = listeners_of(self.process, *listeners)
        if not self.listeners.keys() >= set(listeners):
            self.process.wait(PATIENCE_S)
            self.process.stdout.close()
            raise ServerFault("the server did not start" + (f": {self.log()}" if self.log_path else ""))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    @property
    def address(self):
        return "{}:{}".format(*self.listeners["csa"])

    @property
    def csa(self):
        return self.listeners["csa"]

    @property
    def http(self):
        return self.listeners["http"]

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_for_log(self, text, count=1):
        eventually(lambda: self.log().count(text) >= count, lambda: f"{text!r} in the log:\n{self.log()}")

    def get(self, path, **headers):
        """The Answer of its HTTP port; headers with _ for -."""
        return ask(self.http, path, headers={name.replace("_", "-"): value for name, value in headers.items()})

    def admin(self, *words):
        """What `fuhyo admin` says, as JSON."""
        told = subprocess.run([self.program, "admin", "--data", self.data, "--json", *words], capture_output=True,
                              text=True, check=False)
        return json.loads(told.stdout)

    def done(self, *words):
        """The same of a command that must be obeyed."""
        told = self.admin(*words)
        assert told["ok"], (words, told)
        return told

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def kill(self):
        """Again, or after stop(), does no harm. Returns when it has gone."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def stop(self):
        """Again does no harm. Fails if it does not end, or not well."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            code = self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServerFault(f"the server did not stop within {PATIENCE_S} s") from None
        finally:
            self.process.stdout.close()
        if code != 0:
            raise ServerFault(f"the server ended with {code}")
