#!/usr/bin/env python3
"""This build's server against an older one, in turns, in one run: moves a second, processor time of a move.

    ./dev bench load_pair COMMIT [--bin build/bin] [--dir FOLDER] [--pairs N] [--games N ...] [--smoke]

COMMIT is built once (tests/support/other_build.py says where), or is the program `fuhyo` of another build. Loads and
servers are those of load_table. A ratio above 1 is of this build: the geometric mean of N pairs, and its standard
error. Processor time is the server process's, user and system.
On a machine with other work: `taskset -c 1 ./dev bench load_pair ...`, and look at the processor time only.
"""

import math
import os
import statistics
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE), str(HERE.parent / "support")]
import under_load  # noqa: E402
from load_table import play  # noqa: E402
from other_build import built  # noqa: E402

TICK_S = 1 / os.sysconf("SC_CLK_TCK")  # of /proc
ROUNDS = {50: 4, 1000: 1}  # games that each pair of players has


def processor_us(run):
    used_s = run["server"]["end"]["cpu_s"] - run["server"]["ready"]["cpu_s"]
    return max(used_s, TICK_S) / run["moves"] * 1e6


FIGURES = {"moves/s": lambda run: run["moves_per_s"], "us of processor a move": processor_us,
           "echo p99, ms": lambda run: run["echo_ms"]["p99"]}


def ratio(pairs):
    """Of pairs (this build, the other one): the geometric mean of their ratios, and its standard error."""
    logs = [math.log(ours / theirs) for ours, theirs in pairs]
    error = statistics.stdev(logs) / math.sqrt(len(logs)) if len(logs) > 1 else math.inf
    mean = math.exp(statistics.mean(logs))
    return mean, mean * error


def compare(options, other, games, rounds, plies):
    """Rows of one load; which of the two goes first changes with each pair."""
    found = {figure: [] for figure in FIGURES}
    for turn in range(options.pairs):
        runs = {program: play(options, games, rounds, plies, program=program)
                for program in ((None, other) if turn % 2 == 0 else (other, None))}
        for figure, of in FIGURES.items():
            found[figure].append((of(runs[None]), of(runs[other])))
    for figure, pairs in found.items():
        ours, theirs = (statistics.median(side) for side in zip(*pairs, strict=True))
        mean, error = ratio(pairs)
        print(f"| {games} games, {figure} | {ours:.1f} | {theirs:.1f} | {mean:.3f} ± {error:.3f} |", flush=True)


def main():
    parser = under_load.parser(__doc__, Path.home())
    parser.add_argument("commit", help="a commit, or the program fuhyo of another build")
    parser.add_argument("--pairs", type=int, default=6)
    parser.add_argument("--games", type=int, nargs="+", default=list(ROUNDS))
    parser.add_argument("--smoke", action="store_true", help="loads so small that they only show that it works")
    options = parser.parse_args()
    other = built(options.commit)
    print(f"{under_load.machine()}, {options.pairs} pairs\n")
    print(f"| load | this build | {options.commit} | ratio |\n| --- | --- | --- | --- |")
    for games in [2] if options.smoke else options.games:
        compare(options, other, games, ROUNDS.get(games, 1), 10 if options.smoke else 160)


if __name__ == "__main__":
    main()
