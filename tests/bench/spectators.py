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

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
import under_load  # noqa: E402
from under_load import median  # noqa: E402

LAST_MS = 250
ECHO_GROWS = 1.5


def game(options, server, number, readers):
    """One game; what bench_load says of it."""
    told = under_load.load(options, server.csa[1], "--http-port", server.http[1], "--pid", server.process.pid,
                           "--pairs", 1, "--plies", options.plies, "--pace-ms", options.pace_ms, "--readers", readers,
                           "--name", f"L{number}", "--game", f"hot{number}-")
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


def main():
    parser = under_load.parser(__doc__, Path.home())
    parser.add_argument("--readers", type=int, default=5_000)
    parser.add_argument("--pace-ms", type=int, default=200)
    parser.add_argument("--plies", type=int, default=160)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--smoke", action="store_true", help="no figure is too high")
    options = parser.parse_args()
    print(f"{under_load.machine()}\n")
    print("| readers | moves/s | echo p50, p99 ms | last p50, p99, max ms | each p50, p99 ms | CPU µs |")
    print("| --- | --- | --- | --- | --- | --- |")
    pairs = []
    with under_load.serving(options, listeners=("csa", "http")) as server:
        for run in range(options.runs):
            pairs.append((game(options, server, 2 * run, 0), game(options, server, 2 * run + 1, options.readers)))
            for told in pairs[-1]:
                row(told, pairs[-1][0])
    faults = verdict(pairs, options.smoke)
    print("; ".join(faults) or "as it has to be")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
