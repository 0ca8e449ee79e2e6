#!/usr/bin/env python3
"""How far the values of networks spread over positions, and how much they agree with those of the last one.

    ./dev bench network_values FILE.sfen [--positions 1500] [--seed 5] ENGINE...

ENGINE: a command and options, "fuhyo-nnue EvalFile=nn.bin FV_SCALE=24". A line for each: the standard deviation of
what `eval` answers, the mean, and the correlation with the last one: of all positions, of those in whose moves a rook
leaves its home for another file (a ranging rook), and of the others.
"""

import argparse
import random
import re
import shlex
import statistics
import subprocess
from pathlib import Path

BIN = Path(__file__).resolve().parents[2] / "build/bin"
RANGING_ROOK = re.compile(r" (2h[5-8]h|8b[2-5]b)\b")


def values(engine, lines, folder):
    command, *options = shlex.split(engine)
    said = ["usi", *(f"setoption name {name} value {value}" for name, _, value in (o.partition("=") for o in options)),
            "isready", *(line for position in lines for line in (f"position {position}", "eval")), "quit"]
    program = str(folder / command) if (folder / command).exists() else command
    told = subprocess.run([program], input="\n".join(said) + "\n", check=True, capture_output=True, text=True).stdout
    found = [int(value) for value in re.findall(r"^eval = (-?\d+)", told, re.M)]
    assert len(found) == len(lines), f"{engine}: {len(found)} values for {len(lines)} positions: {told[-300:]}"
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="positions, a line each")
    parser.add_argument("engine", nargs="+")
    parser.add_argument("--positions", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--bin", type=Path, default=BIN, help="where the programs are")
    asked = parser.parse_args()
    lines = [line for line in asked.file.read_text().splitlines() if line and not line.startswith("#")]
    lines = random.Random(asked.seed).sample(lines, min(asked.positions, len(lines)))
    ranging = [bool(RANGING_ROOK.search(line)) for line in lines]
    found = [values(engine, lines, asked.bin) for engine in asked.engine]
    sets = {"all": [True] * len(lines), "ranging rook": ranging, "others": [not one for one in ranging]}
    for engine, own in zip(asked.engine, found):
        print(engine)
        for name, chosen in sets.items():
            mine, last = ([v for v, yes in zip(each, chosen) if yes] for each in (own, found[-1]))
            if len(set(mine)) < 2 or len(set(last)) < 2:
                continue
            print(f"  {name}: {len(mine)} positions, spread {statistics.pstdev(mine):.0f}, mean"
                  f" {statistics.fmean(mine):.0f}, correlation {statistics.correlation(mine, last):.2f}")


if __name__ == "__main__":
    main()
