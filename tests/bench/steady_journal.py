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

import shutil
import sqlite3
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "system"), str(TESTS / "system" / "reliability")]
import under_load  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from waiting import eventually  # noqa: E402
from web_client import EventStream  # noqa: E402
from cluster import Cluster  # noqa: E402  (the private PostgreSQL of the reliability rows)


def memory_mib(server):
    status = Path(f"/proc/{server.process.pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024


class Viewer(threading.Thread):
    """Counts the moves of the web node's event stream."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.stream, self.moves = EventStream(address), 0

    def run(self):
        for line in self.stream.answer.fp:
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
    parser = under_load.parser(__doc__)
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
              f"node {memory_mib(game):.0f} MiB", flush=True)
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
    with ExitStack() as ends:
        ends.callback(shutil.rmtree, folder, ignore_errors=True)
        ends.callback(store.end)
        fuhyo = options.bin / "fuhyo"
        game = ends.enter_context(FuhyoServer(
            fuhyo, *free_ports("csa"), "--journal-rows", options.rows, "--exempt", "127.0.0.0/8", "--max-moves", "0",
            "--log-level", "warning", "--drain-timeout", "0", *store.flags, data=data))
        web = ends.enter_context(FuhyoServer(fuhyo, "--role", "web", "--http", "127.0.0.1:0", *store.flags, data=data,
                                             listeners=("http",)))
        viewer = Viewer(web.http)
        viewer.start()
        ends.enter_context(under_load.loading(options, game.csa[1], "--pairs", options.pairs, "--rounds", "100000",
                                              "--pace-ms", options.pace_ms, "--limit", 60 * options.minutes + 600))
        seen = watch(options, store, game, viewer)
        return 0 if options.smoke else verdict(seen, store.bound)


if __name__ == "__main__":
    sys.exit(main())
