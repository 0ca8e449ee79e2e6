#!/usr/bin/env python3
"""Nodes per CPU-second of USI engines, side by side.

    ./dev bench search_speed [--nodes N] [--rounds N] [--option NAME=VALUE ...] ENGINE [ENGINE ...]

An ENGINE is a command, with options of its own after it: "build/bin/fuhyo-nnue FV_SCALE=24 EvalDir=/nets/kp". Every
engine searches five positions (the start, an opening, a middle game, an endgame, one with full hands) with one thread,
in turn with the others and each round again, because machines are noisy. Printed are the nodes that the engine itself
counts, by the CPU time of its process while it searched: the geometric mean of the positions, the median of the rounds,
and the ratio to the last engine.
"""

import argparse
import math
import re
import shlex
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
from usi_engine import UsiEngine  # noqa: E402

POSITIONS = {
    "start": "startpos",
    "opening": "sfen lnsgkgsnl/1r7/p1ppp1bpp/1p3pp2/7P1/2P6/PP1PPPP1P/1B3S1R1/LNSGKG1NL b - 9",
    "middle": "sfen l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
    "endgame": "sfen 6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
    "hands": "sfen l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w GR5pnsg 1",
}


class Engine(UsiEngine):
    def cpu_seconds(self):
        tasks = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def speed(self, position, nodes):
        """Thousands of nodes in a CPU-second, and the depth reached."""
        self.send("usinewgame")
        self.ask("isready", "readyok")
        self.send("position " + position)
        before = self.cpu_seconds()
        lines = self.ask(f"go nodes {nodes}", "bestmove")
        seconds = self.cpu_seconds() - before
        told = [line for line in lines if re.search(r"\bnodes \d+", line) and re.search(r"\bdepth \d+", line)]
        if not told or seconds <= 0:
            sys.exit(f"{shlex.join(self.command)}: tells no nodes")
        counted = int(re.search(r"\bnodes (\d+)", told[-1])[1])
        return counted / seconds / 1000, int(re.search(r"\bdepth (\d+)", told[-1])[1])

    def close(self):
        self.send("quit")
        self.process.wait(timeout=10)


def split_engine(text):
    """The command, and the options behind it."""
    words = shlex.split(text)
    first = next((i for i, word in enumerate(words) if i > 0 and re.match(r"\w+=", word)), len(words))
    return words[:first], words[first:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--nodes", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--option", action="append", default=[], help="for every engine, e.g. USI_Hash=64")
    parser.add_argument("engines", nargs="+")
    arguments = parser.parse_args()
    speeds = {text: [] for text in arguments.engines}
    for _ in range(arguments.rounds):
        for text in arguments.engines:
            command, options = split_engine(text)
            engine = Engine(command, ["Threads=1", "USI_OwnBook=false", *arguments.option, *options])
            found = [engine.speed(position, arguments.nodes) for position in POSITIONS.values()]
            engine.close()
            mean = math.exp(statistics.fmean(math.log(speed) for speed, _ in found))
            speeds[text].append(mean)
            each = "  ".join(f"{name} {speed:.0f} (d{depth})" for name, (speed, depth) in zip(POSITIONS, found))
            print(f"{mean:6.0f} knps  {each}  {command[0]}", flush=True)
    last = statistics.median(speeds[arguments.engines[-1]])
    print()
    for text, rounds in speeds.items():
        middle = statistics.median(rounds)
        print(f"{middle:6.0f} knps ({min(rounds):.0f}-{max(rounds):.0f})  x{middle / last:.2f}  {text}")


if __name__ == "__main__":
    main()
