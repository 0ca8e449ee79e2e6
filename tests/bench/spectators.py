#!/usr/bin/env python3
"""One hot game and thousands who look on: when the last one has a move, and what the players feel of it.

    ./dev bench spectators [--bin build/bin] [--dir FOLDER] [--readers N] [--pace-ms N] [--plies N] [--runs N]
                           [--smoke]

A fresh server on a real disk (FOLDER), readers of its stream of events on loopback in a process of their own, exempt
from the limits per address. Games without and with readers take turns, in pairs; a move is sent --pace-ms after the one
before it arrived. Of all rows:
  last       from when a move was to be sent to the reader who has it last, over all moves
  each       the same to every reader
  echo       from when a move was to be sent to the opponent who has it
  CPU        of the server: what it took more than in the game without readers, by event and reader
Exit code 1: the last reader's p99 is above 250 ms, or the players' p99 has grown by half or more, or a reader has
missed a move (with --smoke only this). The figures belong to the machine, whose cores the readers use, too.
"""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system"))
from fuhyo_server import doors_of  # noqa: E402

LAST_MS = 250
ECHO_GROWS = 1.5


class Server:
    def __init__(self, options):
        self.data = tempfile.mkdtemp(prefix="fuhyo-spectators-", dir=options.dir)
        self.process = subprocess.Popen(
            [options.bin / "fuhyo", "serve", "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", self.data,
             "--max-moves", "0", "--exempt", "127.0.0.0/8", "--log-level", "warning"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        doors = doors_of(self.process, "csa", "http")
        if len(doors) < 2:
            sys.exit("the server did not start")
        self.csa, self.http = (str(doors[door][1]) for door in ("csa", "http"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(300)
        self.process.stdout.close()
        shutil.rmtree(self.data)


def game(options, server, number, readers):
    """One game; what bench_load says of it."""
    command = [options.bin / "bench_load", "--port", server.csa, "--http-port", server.http, "--pid",
               str(server.process.pid), "--pairs", "1", "--plies", str(options.plies), "--pace-ms",
               str(options.pace_ms), "--readers", str(readers), "--name", f"L{number}", "--game", f"hot{number}-"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"bench_load failed:\n{done.stdout}{done.stderr}")
    told = json.loads(done.stdout)
    told["cpu_s"] = told["server"]["end"]["cpu_s"] - told["server"]["ready"]["cpu_s"]
    return told


def row(told, quiet):
    readers, echo = told["readers"], told["echo_ms"]
    cells = [str(readers["count"]), f"{told['moves_per_s']:.1f}", f"{echo['p50']:.1f}, {echo['p99']:.1f}"]
    if readers["count"]:
        last, each = readers["last_ms"], readers["each_ms"]
        cpu_us = (told["cpu_s"] - quiet["cpu_s"]) * 1e6 / readers["delivered"]
        cells += [f"{last['p50']:.0f}, {last['p99']:.0f}, {last['max']:.0f}", f"{each['p50']:.0f}, {each['p99']:.0f}",
                  f"{cpu_us:.1f}"]
    else:
        cells += ["", "", ""]
    print("| " + " | ".join(cells) + " |", flush=True)


def median(values):
    return sorted(values)[len(values) // 2]


def verdict(pairs, smoke):
    """What is not as it has to be, by the medians of the runs."""
    last = median([told["readers"]["last_ms"]["p99"] for _, told in pairs])
    quiet, watched = (median([told["echo_ms"]["p99"] for told in games]) for games in zip(*pairs))
    grown = watched / quiet
    print(f"\nmedians: the last reader has a move within {last:.0f} ms (p99; at most {LAST_MS});"
          f" the players' echo p99 is {grown:.2f} times the one without readers (less than {ECHO_GROWS})")
    missed = sum(told["readers"][what] for _, told in pairs for what in ("missed", "snapshots", "closed"))
    return [why for why, is_so in (("too late", last > LAST_MS and not smoke),
                                   ("the players feel it", grown >= ECHO_GROWS and not smoke),
                                   (f"{missed} moves were missed", missed > 0)) if is_so]


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=Path("build/bin"))
    parser.add_argument("--dir", type=Path, default=Path.home())
    parser.add_argument("--readers", type=int, default=5_000)
    parser.add_argument("--pace-ms", type=int, default=200)
    parser.add_argument("--plies", type=int, default=160)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--smoke", action="store_true", help="no figure is too high")
    return parser.parse_args()


def main():
    options = parse()
    print(f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}, {time.strftime('%Y-%m-%d %H:%M')}\n")
    print("| readers | moves/s | echo p50, p99 ms | last p50, p99, max ms | each p50, p99 ms | CPU µs |")
    print("| --- | --- | --- | --- | --- | --- |")
    pairs = []
    with Server(options) as server:
        for run in range(options.runs):
            pairs.append((game(options, server, 2 * run, 0), game(options, server, 2 * run + 1, options.readers)))
            for told in pairs[-1]:
                row(told, pairs[-1][0])
    faults = verdict(pairs, options.smoke)
    print("; ".join(faults) or "as it has to be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
