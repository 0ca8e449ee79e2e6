#!/usr/bin/env python3
"""Does the store stay small under load? A game node, a web node that reads along, games without end.

    ./dev bench steady_journal [--bin build/bin] [--dir FOLDER] [--store sqlite|postgres] [--minutes N] [--pairs N]
                               [--pace-ms N] [--rows N] [--smoke]

The journal may keep --rows rows. Every minute a line: rows and size of the journal, what the web node's event stream
has shown, the game node's memory. At the end the second and the last quarter are compared; exit code 1 if the rows, or
PostgreSQL's table, grew by more than a fifth between them, if SQLite's log (whose file keeps the size that it once had)
passed the 64 MiB that it may have, or if the reader saw nothing more. Finished games are kept for ever: what they take
is stated apart. --smoke: a look each time that the web node has shown something more, four times, and no verdict.
"""

import argparse
import http.client
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1] / "system"
sys.path[:0] = [str(SYSTEM), str(SYSTEM / "reliability")]
from waiting import eventually  # noqa: E402
from cluster import Cluster  # noqa: E402  (the private PostgreSQL of the reliability rows)


class Node:
    """`fuhyo serve` with the flags; its address at `door`."""

    def __init__(self, binary, door, *flags):
        self.process = subprocess.Popen([str(binary), "serve", *flags], stdout=subprocess.PIPE,
                                        stderr=subprocess.DEVNULL, text=True)
        self.port = None
        for line in self.process.stdout:
            if line.startswith(f"listening {door}="):
                self.port = int(line.strip().rsplit(":", 1)[1])
                break
        if self.port is None:
            sys.exit(f"a node did not start: {' '.join(flags)}")

    def memory_mib(self):
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
        return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(300)


class Viewer(threading.Thread):
    """Counts the moves of the web node's event stream."""

    def __init__(self, port):
        super().__init__(daemon=True)
        self.port, self.moves = port, 0

    def run(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request("GET", "/api/v1/events")
        answer = connection.getresponse()
        for line in answer.fp:
            self.moves += line.startswith(b"event: moved")

    def wait_for_more(self):
        before = self.moves
        eventually(lambda: self.moves > before, "nothing more on the web node's event stream")


class Sqlite:
    bound = 64 << 20  # bytes, of its log

    def __init__(self, data):
        self.file = data / "fuhyo.db"
        self.flags = []

    def look(self):
        database = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)
        try:
            rows, upto = database.execute("SELECT count(*), max(seq) FROM journal").fetchone()
            games, = database.execute("SELECT count(*) FROM game").fetchone()
        finally:
            database.close()
        log = Path(f"{self.file}-wal").stat().st_size
        return rows, upto, games, log, self.file.stat().st_size

    def end(self):
        pass


class Postgres:
    bound = None

    def __init__(self, folder):
        self.cluster = Cluster(folder)
        self.cluster.make()
        self.flags = ["--store", self.cluster.url]

    def look(self):
        answer = self.cluster.sql("SELECT (SELECT count(*) FROM journal), (SELECT max(seq) FROM journal),"
                                  " (SELECT count(*) FROM game), pg_total_relation_size('journal'),"
                                  " pg_database_size(current_database())")
        return tuple(int(cell) for cell in answer[0])

    def end(self):
        self.cluster.close()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default=Path("build/bin"), type=Path)
    parser.add_argument("--dir", default=tempfile.gettempdir(), type=Path)
    parser.add_argument("--store", default="sqlite", choices=["sqlite", "postgres"])
    parser.add_argument("--minutes", default=60, type=int)
    parser.add_argument("--pairs", default=20, type=int)
    parser.add_argument("--pace-ms", default=80, type=int)
    parser.add_argument("--rows", default=20_000, type=int)
    parser.add_argument("--smoke", action="store_true")
    return parser.parse_args()


def watch(options, store, game, viewer):
    """A line a minute; the measures of all of them."""
    began, seen = time.monotonic(), []
    for minute in range(1, options.minutes + 1):
        if options.smoke:
            viewer.wait_for_more()
        else:
            time.sleep(max(0.0, began + 60 * minute - time.monotonic()))
        rows, upto, games, journal, whole = store.look()
        seen.append({"journal": journal, "rows": rows, "upto": upto, "shown": viewer.moves})
        print(f"{minute:3} min: {upto} rows written, {rows} kept; {options.measure} {journal / 1e6:.1f} MB; "
              f"database {whole / 1e6:.1f} MB with {games} games; shown {viewer.moves} moves; "
              f"node {game.memory_mib():.0f} MiB", flush=True)
    return seen


def verdict(seen, bound):
    quarter = max(1, len(seen) // 4)
    early, late = seen[quarter:2 * quarter], seen[-quarter:]
    faults = []
    for name in ("journal", "rows"):
        before, after = max(one[name] for one in early), max(one[name] for one in late)
        print(f"{name}: at most {before} in the second quarter, {after} in the last")
        if bound and name == "journal":
            faults += [f"its log passed {bound} bytes"] if after > bound else []
        elif after > 1.2 * before:
            faults.append(f"{name} grew")
    if late[-1]["shown"] <= early[0]["shown"]:
        faults.append("the web node showed nothing more")
    print("; ".join(faults) or "steady")
    return 1 if faults else 0


def main():
    options = parse()
    if options.smoke:
        options.minutes = 4
    if options.minutes < 4:
        sys.exit("--minutes: at least 4, a quarter each")
    options.measure = "its log" if options.store == "sqlite" else "the table"
    folder = Path(tempfile.mkdtemp(prefix="fuhyo-steady-", dir=options.dir))
    data = folder / "data"
    store = Sqlite(data) if options.store == "sqlite" else Postgres(folder / "postgres")
    ends = []
    try:
        game = Node(options.bin / "fuhyo", "csa", "--data", str(data), "--csa", "127.0.0.1:0", "--http", "off",
                    "--journal-rows", str(options.rows), "--exempt", "127.0.0.0/8", "--max-moves", "0",
                    "--log-level", "warning", *store.flags)
        ends.append(game.end)
        web = Node(options.bin / "fuhyo", "http", "--role", "web", "--data", str(data), "--http", "127.0.0.1:0",
                   *store.flags)
        ends.append(web.end)
        viewer = Viewer(web.port)
        viewer.start()
        load = subprocess.Popen([str(options.bin / "bench_load"), "--port", str(game.port), "--pairs",
                                 str(options.pairs), "--rounds", "100000", "--pace-ms", str(options.pace_ms),
                                 "--limit", str(60 * options.minutes + 600)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        ends.append(load.kill)
        seen = watch(options, store, game, viewer)
        return 0 if options.smoke else verdict(seen, store.bound)
    finally:
        for end in reversed(ends):
            end()
        store.end()
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
