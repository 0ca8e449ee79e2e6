#!/usr/bin/env python3
"""Web nodes behind a proxy: a game node, PostgreSQL, three web nodes, nginx, each in a network namespace of its own.

    ./dev bench web_nodes [PART ...] [--bin build/bin] [--dir FOLDER] [--readers N] [--packed-readers N]
                          [--pace-ms N] [--plies N] [--others N] [--runs N] [--back-ms N] [--look-s N] [--apart]
                          [--smoke]

As root, with the Debian packages nginx and postgresql; `br` needs libnginx-mod-http-brotli-filter, http2 curl. The
proxy has docker/nginx.conf. Spectators are processes of the load client in four namespaces, through the proxy in the
clear. Parts (all of them, half an hour):

  hot     all of them follow one game, a move each --pace-ms; each time after the same game without spectators
  wall    the same with nine games, which have as many moves together
  kill    hot, and after a third of the moves one web node is killed. Who is cut comes back within --back-ms
  packed  what --packed-readers cost on a hot game: as it is, in gzip by the web nodes, in br by nginx
  look    what it costs to ask for the game as it stands: of the web nodes, of a cache in the proxy, with If-None-Match
  http2   eight streams to one curl under TLS

Of the tables:
  last, each  from when a move was to be sent to the last reader who has it, and to every one
  echo        from when a move was to be sent to the opponent who has it; players are processes apart. In `hot` and
              `wall` of --others games beside, up to two moves a second in each, which their readers do not ask for
  CPU         processor time for each event to a reader (`look`: for each answer) of the three web nodes together, the
              proxy and the readers; the kernel's work on a packet counts for who sends it. In `hot` and `wall` that the
              nodes pass over the other games for each reader is in it
  KB          of the stream to one reader in a minute
  KiB         what the processes grew by with each reader, without what the kernel keeps for its sockets

Limits: the last reader's p99 is at most 400 ms; the players' echo p99 grows by at most a tenth; all who are cut are
back within 3 s of the kill, by Last-Event-ID; nobody misses a move or is shown one twice. Exit code 1: one is not met
(with --smoke: a count is wrong). 77: something is missing here.

Everything shares the machine: on two hardware threads the readers' own work and that of the servers come one after the
other, `last` is what all of it takes, and the table says how much of it the readers took. What players feel of that is
no matter of web nodes: --apart gives players, game node and PostgreSQL the first processor, and the other ones to all
else. A process may open as many files as `ulimit -Hn` says: the proxy has as many workers as that wants. A web node
takes 10,000 connections: with more than 20,000 readers not all are back after a kill.
"""

import os
import subprocess
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "support"), str(TESTS / "system"), str(TESTS / "system" / "reliability")]
import own_network  # noqa: E402
import under_load  # noqa: E402
from before_nodes import BROTLI, CACHED, CLEAR, TLS, most_files  # noqa: E402
from cluster import NoPostgres, programs  # noqa: E402
from followers import percentiles  # noqa: E402
from lookers import Lookers  # noqa: E402
from measures import share  # noqa: E402
from spectated_games import Games, even, played  # noqa: E402
from under_load import median  # noqa: E402
from waiting import eventually  # noqa: E402
from web_fleet import HTTP, NODES, Fleet, Ground  # noqa: E402

LAST_MS, ECHO_GROWS, BACK_S = 400, 1.1, 3
BOARDS = {"hot": 1, "wall": 9}
PARTS = (*BOARDS, "kill", "packed", "look", "http2")
STREAMS = 8
HEAD = ("|  | readers | coding | moves/s | echo p50, p99 ms | last p50, p99, max ms | each p50, p99 ms |"
        " CPU us: nodes, proxy, readers | KB a minute | KiB: nodes, proxy |\n" + "| --- " * 10 + "|")
NOT_HERE = 77


class Limits:
    """What has to be, and what was not."""

    def __init__(self, smoke):
        self.smoke, self.broken = smoke, False

    def at_most(self, what, value, most, unit):
        met = value <= most
        self.say(f"{what}: {value:.2f} {unit}, at most {most} {unit}", met, counts=not self.smoke)

    def counted(self, faults):
        for fault in faults:
            self.say(fault, False)

    def say(self, what, met, counts=True):
        self.broken = self.broken or (counts and not met)
        print(f"{'met    ' if met else 'NOT MET'}  {what}", flush=True)


def print_row(row, quiet=None):
    echo, moves = row.echo, row.told["moves_per_s"]
    cells = [row.what, str(row.readers), row.accept, f"{moves:.1f}", f"{echo['p50']:.1f}, {echo['p99']:.1f}"]
    if row.readers:
        late, minutes = row.late, row.told["wall_s"] / 60
        cells += [percentiles(late.last, 0.5, 0.99, 1), percentiles(late.each, 0.5, 0.99)] if late.each else ["", ""]
        cells.append(", ".join(f"{cpu:.1f}" for cpu in row.cpu_us(quiet)) if quiet else "")
        cells.append(f"{row.spectators.sum('bytes') / 1000 / row.readers / minutes:.1f}")
        cells.append(", ".join(f"{kib / row.readers:.1f}" for _, kib in row.used) if quiet else "")
    print("| " + " | ".join(cells) + " |", flush=True)
    return row


def follow(options, ground, limits, what):
    """`hot` or `wall`."""
    pairs = []
    for _ in range(options.runs):
        quiet = print_row(played(options, ground, what, count=BOARDS[what], others=options.others))
        watched = played(options, ground, what, count=BOARDS[what], others=options.others, readers=options.readers)
        print_row(watched, quiet)
        limits.counted(watched.wrong())
        pairs.append((quiet, watched))
    last = median([share(watched.late.last, 0.99) for _, watched in pairs])
    grown = [median([row.echo["p99"] for row in rows]) for rows in zip(*pairs)]
    limits.at_most(f"{what}: p99 of the last reader", last, LAST_MS, "ms")
    limits.at_most(f"{what}: the players' echo p99 beside that without readers", grown[1] / grown[0], ECHO_GROWS,
                   "times")


def kill(options, ground, limits):
    row = print_row(played(options, ground, "kill", readers=options.readers, kill=True))
    limits.counted(row.wrong())
    limits.say(f"kill: {row.spectators.sum('cuts')} were cut", row.spectators.sum("cuts") > 0)
    if row.back_s:
        print(f"back after p50 {share(row.back_s, 0.5):.2f}, p99 {share(row.back_s, 0.99):.2f} s")
        limits.at_most("kill: the last one is back", row.back_s[-1], BACK_S, "s")


def packed(options, ground, limits):
    quiet = print_row(played(options, ground, "packed"))
    for accept in ("", "gzip", *(("br",) if BROTLI.exists() else ())):
        row = played(options, ground, "packed", readers=options.packed_readers, accept=accept)
        limits.counted(print_row(row, quiet).wrong())
    if not BROTLI.exists():
        print("br: not here (libnginx-mod-http-brotli-filter)")


def look(options, ground, _limits):
    print("| asked | looks/s | bytes each | reached a node | unchanged (304) | CPU us: nodes, proxy |\n"
          + "| --- " * 6 + "|")
    with Fleet(ground, 100) as fleet, Games(options, ground, 1, even(options.plies), options.pace_ms) as game:
        game.wait_for(1)
        path = f"/api/v1/games/{game.numbers()[0]}"
        proxy = ground.proxy.address
        for what, address, again in (("a web node", (ground.nodes[0].address, HTTP), False),
                                     ("the proxy", (proxy, CLEAR), False), ("its cache", (proxy, CACHED), False),
                                     ("its cache, If-None-Match", (proxy, CACHED), True)):
            before = fleet.used()
            done = Lookers(address, path, options.look_s, again=again)
            cpu = [(end - begin) * 1e6 / done.looks for (end, _), (begin, _) in zip(fleet.used(), before)]
            print(f"| {what} | {done.looks / options.look_s:.0f} | {done.bytes / done.looks:.0f} | {done.asked} |"
                  f" {done.unchanged} | {cpu[0]:.1f}, {cpu[1]:.1f} |", flush=True)


def tls_connections(fleet):
    """Open ones, at the proxy under TLS."""
    table = Path(f"/proc/{fleet.proxy.process.pid}/net/tcp").read_text(encoding="ascii").splitlines()[1:]
    return sum(line.split()[1].endswith(f":{TLS:04X}") and line.split()[3] == "01" for line in table)


def http2(options, ground, limits):
    if own_network.program("curl") is None:
        return print("http2: there is no curl")
    files = [ground.folder / f"stream{number}" for number in range(STREAMS)]
    address = f"https://{ground.proxy.address}:{TLS}/api/v1/events"
    words = [word for file in files for word in ("-o", str(file), address)]
    with Fleet(ground, STREAMS) as fleet:
        with subprocess.Popen(["curl", "-s", "-k", "-i", "-N", "--http2", "-Z", *words],
                              stderr=subprocess.DEVNULL) as curl:
            try:
                eventually(lambda: all(file.exists() and b"event: snapshot" in file.read_bytes() for file in files),
                           "each stream begins")
                with Games(options, ground, 1, even(options.plies), options.pace_ms) as game:
                    moves = game.finish()["moves"]
                eventually(lambda: all(file.read_bytes().count(b"event: moved") >= moves for file in files),
                           "each stream has every move")
                connections = tls_connections(fleet)
            finally:
                curl.kill()
    told = [file.read_bytes() for file in files]
    limits.say(f"http2: {STREAMS} streams of HTTP/2 with each of {moves} moves once, over {connections} connection(s)",
               all(text.startswith(b"HTTP/2 200") and text.count(b"event: moved") == moves for text in told))


def lacks(options):
    """What is missing here, in words."""
    if own_network.program("nginx") is None:
        return "there is no nginx"
    try:
        programs()
    except NoPostgres as why:
        return str(why)
    # After a kill the others have its readers, too.
    wanted = options.readers // (NODES - 1) + 200
    return f"a process may open {most_files()} files; {wanted} are wanted" if wanted > most_files() else None


def parse():
    parser = under_load.parser(__doc__)
    parser.add_argument("parts", nargs="*", help=f"some of: {' '.join(PARTS)} (all)")
    parser.add_argument("--readers", type=int, default=20_000)
    parser.add_argument("--packed-readers", type=int, default=2_000)
    parser.add_argument("--pace-ms", type=int, default=1_000)
    parser.add_argument("--plies", type=int, default=80, help="moves of all games of a row together")
    parser.add_argument("--others", type=int, default=10, help="games beside those that are followed")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--back-ms", type=int, default=1_000)
    parser.add_argument("--look-s", type=float, default=5)
    parser.add_argument("--apart", action="store_true", help="players have the first processor for themselves")
    parser.add_argument("--smoke", action="store_true", help="no figure is too high")
    options = parser.parse_args()
    if strange := set(options.parts) - set(PARTS):
        parser.error(f"no part: {' '.join(strange)}")
    if options.others < 1:
        parser.error("--others is at least 1")
    if options.apart and os.cpu_count() < 2:
        parser.error("--apart wants two processors")
    options.bin = options.bin.resolve()
    return options


def main():
    options = parse()
    if missing := lacks(options) or own_network.enter():
        print(f"skipped: {missing}")
        return NOT_HERE
    print(f"{under_load.machine()}; {options.readers} readers, a move each {options.pace_ms} ms\n\n{HEAD}")
    limits = Limits(options.smoke)
    with under_load.new_folder(options) as folder, Ground(options.bin / "fuhyo", folder,
                                                                 options.apart) as ground:
        for part in options.parts or PARTS:
            if part in BOARDS:
                follow(options, ground, limits, part)
            else:
                {"kill": kill, "packed": packed, "look": look, "http2": http2}[part](options, ground, limits)
    return 1 if limits.broken else 0


if __name__ == "__main__":
    sys.exit(main())
