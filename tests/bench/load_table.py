#!/usr/bin/env python3
"""The load table of docs/figures.md: a fresh server on a real disk under each load, in one run.

    ./dev bench load_table [--bin build/bin] [--dir FOLDER] [--runs N] [--smoke]

Every row starts its own server with its own empty data folder below FOLDER (which must be on a real disk, or SQLite's
syncs cost nothing), with --exempt 127.0.0.0/8 (per-address limits off for loopback; nothing else is changed) and
--max-moves 0. Games are closed loops: a side answers at once, so moves/s = games / mean latency. Of N runs the one with
the median rate is shown. The cost of fdatasync is probed in the same folder just before or after, as bench_load says.
--smoke: the same rows of loads so small that they say nothing but that everything works.
"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
import under_load  # noqa: E402


def load(options, *arguments, program=None):
    """One run of the load generator against a fresh server: its figures, and rows and commits of the journal."""
    by_web = "--web-socket" in arguments
    flags, listeners = (("--csa-websocket", "on"), ("csa", "http")) if by_web else ((), ("csa",))
    with under_load.serving(options, *flags, listeners=listeners, program=program) as server:
        address = server.listeners[listeners[-1]][1]
        figures = under_load.load(options, address, "--pid", server.process.pid, "--dir", server.data, *arguments)
        store = dict(server.admin("store")["rows"])  # every commit is one sync of its log
        return figures | {"store": {name: int(store[name]) for name in ("rows", "commits")}}


def play(options, pairs, rounds, plies, *arguments, program=None):
    run = load(options, "--pairs", pairs, "--rounds", rounds, "--plies", plies, *arguments, program=program)
    if run["finished"] != run["started"] or run["errors"]:
        sys.exit(f"games failed: {run}")
    return run


def games(options, pairs, rounds, plies, *arguments, by=""):
    runs = [play(options, pairs, rounds, plies, *arguments) for _ in range(options.runs)]
    runs.sort(key=lambda run: run["moves_per_s"])
    run = runs[len(runs) // 2]
    echo, sync, store = run["echo_ms"], run["fdatasync_ms"], run["store"]
    rows = store["rows"] / store["commits"]  # logins and ends included: a few of each hundred rows
    rates = f"{runs[0]['moves_per_s']:.0f} to {runs[-1]['moves_per_s']:.0f}"
    print(f"| {pairs} games{by} | {run['moves_per_s']:.0f} moves/s ({rates}) "
          f"at p50 {echo['p50']:.1f} ms, p99 {echo['p99']:.1f} ms"
          f" | client {run['client_cpu']:.2f}, server {run['server_cpu']:.2f} cores;"
          f" {run['moves_per_s'] / rows:.0f} commits/s of {rows:.1f} rows;"
          f" fdatasync p50 {sync['p50']:.2f}, p99 {sync['p99']:.2f} ms |", flush=True)


def web_games(options, pairs, rounds, plies):
    """As from the page /play."""
    games(options, pairs, rounds, plies, "--web-socket", "/api/v1/csa", by=" by WebSockets")


def ping(options, count):
    trips = load(options, "--ping", count)["round_trip_ms"]  # paced within the budget of commands
    print(f"| idle round trip (blank line) | p50 {trips['p50']:.3f} ms, p99 {trips['p99']:.2f} ms | |", flush=True)


def hold(options, count):
    held = load(options, "--hold", count, "--mode", "x1")
    login = held["login_ms"]
    print(f"| connections held | {held['held']}, {held['kib_each']:.1f} KiB each"
          f" | login p50 {login['p50']:.2f}, max {login['max']:.0f} ms |", flush=True)


def main():
    parser = under_load.parser(__doc__, Path.home())
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--smoke", action="store_true")
    options = parser.parse_args()
    print(f"{under_load.machine()}, exempt from per-address limits: 127.0.0.0/8, {options.runs} runs a row\n")
    print("| load | measured (median run) | in the same run |\n| --- | --- | --- |")
    if options.smoke:
        ping(options, 2)
        games(options, 2, 2, 10)
        web_games(options, 2, 2, 10)
        hold(options, 10)
        return
    ping(options, 100)
    games(options, 50, 4, 160)
    web_games(options, 50, 4, 160)
    games(options, 1000, 1, 160)
    hold(options, 10_000)
    hold(options, 19_000)


if __name__ == "__main__":
    main()
