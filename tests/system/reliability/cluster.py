"""A private PostgreSQL: its cluster in a temporary folder, its socket beside it, nothing of the machine's touched."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from children import dying_with_us, reap

sys.path.append(str(Path(__file__).resolve().parents[1]))
from waiting import eventually  # noqa: E402

CONFIG = """
listen_addresses = ''
unix_socket_directories = '{folder}'
max_connections = {connections}
shared_buffers = 64MB
log_min_messages = warning
autovacuum_naptime = 10s
"""


_GONE = {"X", "Z"}
_STOPPED = {"T", *_GONE}


class NoPostgres(Exception):
    """PostgreSQL is not there, or does not start; the text says which."""


def programs():
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: int(path.parts[-3]))
    on_path = shutil.which("postgres")
    if found:
        return found[-1].parent
    if on_path and (Path(on_path).resolve().parent / "initdb").exists():
        return Path(on_path).resolve().parent
    raise NoPostgres("there is no initdb (Debian package postgresql)")


class Cluster:
    """Everything of it runs as an unprivileged user where this program runs as root."""

    def __init__(self, folder, connections=40, settings=""):
        self.bin, self.folder, self.data = programs(), folder, folder / "cluster"
        self.connections, self.settings, self.env, self.process = connections, settings, {}, None
        self.user = None
        if os.geteuid() == 0:
            names = [name for name in ("postgres", "nobody") if _knows(name)]
            self.user = names[0]

    def _as(self):
        """Words before a program that runs as that user, and not longer than we do."""
        if self.user is None:
            return dying_with_us()
        entry = pwd.getpwnam(self.user)
        return dying_with_us(f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups")

    def make(self):
        self.folder.mkdir(parents=True, exist_ok=True)
        self.folder.chmod(0o755)
        for parent in self.folder.parents:  # a temporary folder of root's is closed to others
            if str(parent).startswith("/tmp/") or parent.name.startswith("fuhyo-"):
                parent.chmod(parent.stat().st_mode | 0o111)
        if self.user:
            shutil.chown(self.folder, self.user)
        self.run("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "--encoding=UTF8", "--locale=C",
                  "--no-instructions", "--no-sync")
        with open(self.data / "postgresql.conf", "a", encoding="utf-8") as config:
            config.write(CONFIG.format(folder=self.folder, connections=self.connections) + self.settings)
        self.start()
        self.sql("CREATE ROLE fuhyo LOGIN", database="postgres")  # no superuser
        self.sql("CREATE DATABASE games OWNER fuhyo", database="postgres")

    def run(self, program, *words):
        done = subprocess.run([*self._as(), self.bin / program, *words], capture_output=True, text=True, check=False,
                              cwd=self.folder)
        if done.returncode != 0:
            raise NoPostgres(f"{program}: {done.stderr.strip()}")
        return done.stdout

    @property
    def url(self):
        return f"postgres://fuhyo@/games?host={self.folder}"

    def start(self):
        """Until it answers; after a crash it recovers first."""
        with open(self.folder / "postgres.log", "ab") as log:
            self.process = subprocess.Popen([*self._as(), self.bin / "postgres", "-D", str(self.data)], stdout=log,
                                            stderr=log, cwd=self.folder, env={**os.environ, **self.env})
        ready = [self.bin / "pg_isready", "-q", "-h", str(self.folder), "-U", "postgres", "-d", "postgres"]
        eventually(lambda: self.process.poll() is not None or subprocess.run(ready, check=False).returncode == 0,
                   lambda: "PostgreSQL answers: " + self.last_lines())
        if self.process.poll() is not None:
            raise NoPostgres("does not start: " + self.last_lines())

    def allow(self, address):
        with open(self.data / "pg_hba.conf", "a", encoding="utf-8") as allowed:
            allowed.write(f"host all all {address}/32 trust\n")
        self.sql("SELECT pg_reload_conf()", database="postgres")

    def last_lines(self, count=3):
        file = self.folder / "postgres.log"
        return " | ".join(file.read_text(errors="replace").splitlines()[-count:]) if file.exists() else ""

    def kill(self):
        """The postmaster and all its backends, at once. They have gone, and nobody shares their memory any more, when
        this returns: a successor would refuse to start."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGSTOP)  # from here on it has no further children
        eventually(lambda: _state(self.process.pid)[0] in _STOPPED, "the postmaster has stopped")
        children = self._children()
        for pid in (self.process.pid, *children):
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.process.wait()
        self.process = None
        for pid in children:
            reap(pid)
            eventually(lambda pid=pid: _state(pid)[0] in _GONE, f"backend {pid} has gone")

    def _children(self):
        return [int(path.name) for path in Path("/proc").iterdir()
                if path.name.isdigit() and _state(path.name)[1] == self.process.pid]

    def close(self):
        """Its own quick end, or the hard one."""
        if self.process is None:
            return
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(20)
            self.process = None
        except subprocess.TimeoutExpired:
            self.kill()

    def occupy(self):
        """Sessions that take every connection which is not reserved for superusers."""
        words = [*dying_with_us(), self.bin / "psql", "-X", "-q", "-A", "-t", "-h", str(self.folder), "-U", "fuhyo",
                 "games"]
        sessions, refused = [], 0
        while True:
            one = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                   text=True)
            one.stdin.write("SELECT 'in';\n")
            one.stdin.flush()
            if "in" in one.stdout.readline():
                sessions.append(one)
                continue
            one.wait()
            refused += 1
            if refused == 5:  # a session that has just ended may still be counted
                return sessions
            time.sleep(0.1)

    def sql(self, text, database="games", user="postgres"):
        return self._psql(database, user, "-c", text)

    def script(self, file, **env):
        return self._psql("games", "postgres", "-f", str(file), env={**os.environ, **env})

    def _psql(self, database, user, *words, env=None):
        done = subprocess.run([self.bin / "psql", "-X", "-q", "-A", "-t", "-F", "\t", "-v", "ON_ERROR_STOP=1",
                               "-h", str(self.folder), "-U", user, "-d", database, *words],
                              capture_output=True, check=False, env=env)
        if done.returncode != 0:
            raise NoPostgres("psql: " + done.stderr.decode(errors="replace").strip())
        return [line.split("\t") for line in done.stdout.decode("latin-1").splitlines()]


def _knows(name):
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _state(pid):
    """(the letter that /proc has for it, its parent); ("X", 0) once it has gone."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text(encoding="ascii", errors="replace")
    except OSError:
        return "X", 0
    state, parent = text.rsplit(")", 1)[1].split()[:2]
    return state, int(parent)
