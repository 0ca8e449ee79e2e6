#!/usr/bin/env python3
"""Does a server stay as it is for hours? A game node and a web node, and all that happens on a busy evening.

    ./dev bench soak [--store sqlite|postgres] [--minutes N] [--games N] [--pace-ms N] [--spectators N] [--rows N]
                     [--bin build/bin] [--dir FOLDER] [--smoke]

--games at once, with a move each --pace-ms, by players who come for one game and go; --spectators at the web node, each
of eight games, of whom a quarter goes and others come every minute; a floodgate group with a round every ten minutes;
an event that is held, deleted and announced again. Group and event have built-in players. The journal may keep --rows.

Every minute a line: of both nodes memory and descriptors; rows and size of the journal; what four more games with a
move each 100 ms say of a move's way to the opponent. Then of each, without the first quarter, by how much it grows in
an hour (slope of the line of least squares, and its standard error). Finished games stay: what they take is stated
apart. Exit code 1: a measure grew by more than a twentieth of itself in an hour and two of its errors; SQLite's log
passed the 64 MiB at which it is to begin anew by more than an eighth; a player's line was lost, or fewer games ran
than were to; a spectator was cut or saw a move twice; no round was held, or no event. --smoke: a look each time that
the web node has shown something more, four times, and no verdict.
"""

import json
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import ExitStack
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "system"), str(TESTS / "system" / "reliability")]
import under_load  # noqa: E402
from children import dying_with_us  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from waiting import eventually  # noqa: E402
from web_client import EventStream  # noqa: E402
from cluster import Cluster  # noqa: E402  (the private PostgreSQL of the reliability rows)

GROUP, TIMES = "floodgate-30-1F", "every 10 min\nset pairing_factory matching\n"
EVENT = "soak"
ROOM = f'games = "{EVENT}-*"\npairing = "host"\n'  # who comes before the event is not paired with another one
SETTINGS = f"""name = "{EVENT}"
format = "round-robin"
time = "30-1F"
countdown-s = 5
gap-s = 5
forfeit-s = 60
[entry]
open = false
""" + "".join(f'[[entrant]]\nname = "Cup-{number}"\n' for number in range(1, 5))
PLIES = 160  # of a game; the first ones begin over as long as one lasts, so that games end all the time
BATCHES, FOLLOWED = 4, 8  # of spectators; games that each of them follows
WARM = 4  # the first of so many parts is left out
MOST_GROWTH = 0.05  # of itself in an hour
LEAST_RUNNING = 0.95  # of the games: some players are between two

COUNTS = ("SELECT (SELECT count(*) FROM journal), (SELECT max(seq) FROM journal), (SELECT count(*) FROM game),"
          " (SELECT count(*) FROM round), (SELECT count(*) FROM live),"
          " (SELECT count(*) FROM game WHERE end_kind = 'abnormal')")
NEWEST = f"SELECT game FROM live ORDER BY game DESC LIMIT {FOLLOWED}"


class Sqlite:
    bound = 72 << 20  # bytes, of its log

    def __init__(self, data):
        self.file = data / "fuhyo.db"
        self.flags = []

    def rows(self, question):
        database = sqlite3.connect(f"file:{self.file}?mode=ro", uri=True)
        try:
            return database.execute(question).fetchall()
        finally:
            database.close()

    def sizes(self):
        """Of the journal and of the whole, bytes."""
        return Path(f"{self.file}-wal").stat().st_size, self.file.stat().st_size

    def end(self):
        pass


class Postgres:
    bound = None

    def __init__(self, folder):
        self.cluster = Cluster(folder)
        self.cluster.make()
        self.flags = ["--store", self.cluster.url]

    def rows(self, question):
        return [tuple(map(int, row)) for row in self.cluster.sql(question)]

    def sizes(self):
        return self.rows("SELECT pg_total_relation_size('journal'), pg_database_size(current_database())")[0]

    def end(self):
        self.cluster.close()


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


class Spectators:
    """Processes of the load client, each with its share of them. A context manager."""

    def __init__(self, options, web):
        self.options, self.web, self.batches, self.figures = options, web, [], []

    def come(self, games):
        """Some of them, to these games; those who were there longest go."""
        path = "/api/v1/events?games=" + ",".join(map(str, games))
        words = under_load.words(self.options, self.web.http[1], [
            "--follow", max(1, self.options.spectators // BATCHES), "--path", path])
        self.batches.append(subprocess.Popen([*dying_with_us(), *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             text=True))
        if self.batches[-1].stdout.readline() != "ready\n":
            raise SystemExit(f"the spectators ended with {self.batches[-1].wait()}")
        if len(self.batches) > BATCHES:
            self.figures.append(self.go(self.batches.pop(0)))

    @staticmethod
    def go(batch):
        told, _ = batch.communicate("1")
        return json.loads(told)

    def sum(self, key):
        return sum(figures[key] for figures in self.figures)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for batch in self.batches:
            batch.kill()
            batch.communicate()


class Event:
    """It is held again and again."""

    def __init__(self, server):
        self.server, self.held = server, 0

    def see_to(self):
        phases = {row[0]: row[1] for row in self.server.done("tournaments")["rows"]}
        if phases.get(EVENT) == "over":
            self.server.done("tournament-delete", EVENT)
            self.held += 1
        if phases.get(EVENT) in (None, "over"):
            self.server.done("tournament-new", f"{EVENT}.toml")
            self.server.done("tournament-start", EVENT)


def parse():
    parser = under_load.parser(__doc__)
    parser.add_argument("--store", default="sqlite", choices=["sqlite", "postgres"])
    parser.add_argument("--minutes", default=120, type=int)
    parser.add_argument("--games", default=1_000, type=int)
    parser.add_argument("--pace-ms", default=1_000, type=int)
    parser.add_argument("--spectators", default=1_000, type=int)
    parser.add_argument("--rows", default=100_000, type=int)
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    if options.smoke:
        options.minutes = 4
    elif options.minutes < 8:
        parser.error("--minutes: at least 8")
    return options


def measures_of(server):
    process = Path(f"/proc/{server.process.pid}")
    status = (process / "status").read_text(encoding="ascii")
    kib = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
    return {"MiB": kib / 1024, "descriptors": len(list((process / "fd").iterdir()))}


def echo_of(options, game, minute):
    """ms from a player's move to its arrival at the opponent, of four games beside the others."""
    words = ["--pairs", 4, "--plies", 2 if options.smoke else 100, "--pace-ms", 100, "--game", "probe", "--name",
             f"P{minute}"]
    return under_load.load(options, game.csa[1], *words)["echo_ms"]


def watch(options, store, nodes, viewer, spectators, event):
    """A line a minute; what was measured then."""
    began, seen = time.monotonic(), []
    for minute in range(1, options.minutes + 1):
        if options.smoke:
            viewer.wait_for_more()
        else:
            time.sleep(max(0.0, began + 60 * minute - time.monotonic()))
        event.see_to()
        spectators.come([game for game, in store.rows(NEWEST)])
        echo = echo_of(options, nodes["game"], minute)
        rows, upto, games, rounds, running, lost = store.rows(COUNTS)[0]
        journal, whole = store.sizes()
        now = {f"{name} node, {what}": value
               for name, node in nodes.items() for what, value in measures_of(node).items()}
        now |= {"journal, rows": rows, "journal, MB": journal / 1e6, "a move p50, ms": echo["p50"],
                "a move p99, ms": echo["p99"]}
        seen.append({"at_h": (time.monotonic() - began) / 3600, "shown": viewer.moves, "games": games, "rounds": rounds,
                     "running": running, "lost": lost, "whole": whole, "measures": now})
        print(f"{minute:3} min: " + "; ".join(f"{name} {value:.1f}" for name, value in now.items())
              + f"; {upto} rows written; {running} games run; database {whole / 1e6:.0f} MB with {games} games, "
              f"{rounds} rounds", flush=True)
    return seen


def slope(points):
    """Of the line of least squares through (x, y), and its standard error."""
    count = len(points)
    x_mean, y_mean = (sum(values) / count for values in zip(*points))
    spread = sum((x - x_mean) ** 2 for x, _ in points)
    found = sum((x - x_mean) * (y - y_mean) for x, y in points) / spread
    rest = sum((y - y_mean - found * (x - x_mean)) ** 2 for x, y in points)
    return found, (rest / (count - 2) / spread) ** 0.5


def verdict(options, seen, store, spectators, event):
    late, faults = seen[len(seen) // WARM:], []
    print("| | mean | most | grows in an hour by |\n| --- | ---: | ---: | ---: |")
    for name in late[0]["measures"]:
        values = [one["measures"][name] for one in late]
        mean = sum(values) / len(values)
        grows, error = slope([(one["at_h"], value) for one, value in zip(late, values)])
        print(f"| {name} | {mean:.4g} | {max(values):.4g} | {grows:+.3g} ± {error:.2g} |")
        if name == "journal, MB" and store.bound:
            faults += [f"its log passed {store.bound} bytes"] if max(values) * 1e6 > store.bound else []
        elif grows - 2 * error > MOST_GROWTH * mean:
            faults.append(f"{name} grew")
    first, last = seen[0], seen[-1]
    games = last["games"] - first["games"]
    kb_each = (last["whole"] - first["whole"]) / max(1, games) / 1000
    print(f"{games} games, {kb_each:.1f} KB each; {last['shown']} moves shown; {last['rounds']} rounds, {event.held} "
          f"events; spectators had {spectators.sum('delivered')} moves")
    fewest = min(one["running"] for one in late)
    faults += [f"only {fewest} games ran"] if fewest < LEAST_RUNNING * options.games else []
    faults += [f"{last['lost']} games ended by a lost line"] if last["lost"] else []
    faults += [f"{spectators.sum(what)} {words}" for what, words in
               (("cuts", "spectators were cut"), ("refused", "were refused"), ("twice", "moves were shown twice"))
               if spectators.sum(what)]
    faults += ["the web node showed nothing more"] if last["shown"] <= late[0]["shown"] else []
    faults += ["no round was held"] if last["rounds"] == 0 else []
    faults += ["no event was held"] if event.held == 0 else []
    print("; ".join(faults) or "steady")
    return 1 if faults else 0


def engine(options, name, game):
    return ("--engine", f"name={name} engine='{(options.bin / 'fuhyo-nnue').resolve()}' game={game} count=4 "
            "option.USI_Hash=1 option.USI_OwnBook=false option.EvalNoise=30 option.NodesLimit=100")


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the servers end with us
    options = parse()
    folder = Path(tempfile.mkdtemp(prefix="fuhyo-soak-", dir=options.dir))
    data = folder / "data"
    data.mkdir(mode=0o700)
    write(data / f"{GROUP}.conf", TIMES)
    write(data / "rooms" / f"{EVENT}.toml", ROOM)
    write(data / "tournaments" / f"{EVENT}.toml", SETTINGS)
    store = Sqlite(data) if options.store == "sqlite" else Postgres(folder / "postgres")
    with ExitStack() as ends:
        ends.callback(shutil.rmtree, folder, ignore_errors=True)
        ends.callback(store.end)
        fuhyo, both = options.bin / "fuhyo", ["--exempt", "127.0.0.0/8", "--log-level", "warning", *store.flags]
        game = ends.enter_context(FuhyoServer(
            fuhyo, *free_ports("csa"), "--journal-rows", options.rows, "--max-moves", "0", "--drain-timeout", "0",
            "--floodgate-games", GROUP, "--engine-threads", 8, *engine(options, "Gate", GROUP),
            *engine(options, "Cup", f"{EVENT}-30-1F"), *both, data=data, log=folder / "game.log"))
        web = ends.enter_context(FuhyoServer(fuhyo, "--role", "web", "--http", "127.0.0.1:0", *both, data=data,
                                             listeners=("http",), log=folder / "web.log"))
        viewer = Viewer(web.http)
        viewer.start()
        ends.enter_context(under_load.loading(
            options, game.csa[1], "--pairs", options.games, "--rounds", "100000", "--plies", PLIES, "--pace-ms",
            options.pace_ms, "--apart-ms", max(1, PLIES * options.pace_ms // options.games), "--setup", 600, "--limit",
            60 * options.minutes + 600))
        spectators = ends.enter_context(Spectators(options, web))
        event = Event(game)
        seen = watch(options, store, {"game": game, "web": web}, viewer, spectators, event)
        return 0 if options.smoke else verdict(options, seen, store, spectators, event)


if __name__ == "__main__":
    sys.exit(main())
