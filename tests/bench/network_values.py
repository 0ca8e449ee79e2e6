#!/usr/bin/env python3
"""How far the values of networks or of searches spread over positions, and how much they agree with the last one's.

    ./dev bench network_values FILE.sfen [--positions 1500] [--seed 5] ENGINE...

ENGINE: a command and options, "fuhyo-nnue EvalFile=nn.bin FV_SCALE=24". Its values are what `eval` answers; with the
word nodes=N, what a search of N nodes with an empty table says (from -2,000 to 2,000, a mate is that). A line for each:
the standard deviation, the mean, the correlation with the last one and the root of the mean square of the difference to
it: of all positions, of those in whose moves a rook leaves its home for another file (a ranging rook), and of the
others.
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
MOST = 2_000


def of_search(told):
    scores = re.findall(r" score (cp|mate) ([-+]?\d+)", told)
    if not scores:
        raise SystemExit("a search ended before it had a value: it needs more nodes")
    kind, value = scores[-1]
    return max(-MOST, min(MOST, int(value) if kind == "cp" else MOST * (-1 if value.startswith("-") else 1)))


def values(engine, lines, folder):
    command, *words = shlex.split(engine)
    options = dict(word.split("=", 1) for word in words)
    nodes = options.pop("nodes", None)
    ask = ["eval"] if nodes is None else [f"go nodes {nodes}", "wait"]
    said = ["usi", *(f"setoption name {name} value {value}" for name, value in options.items()), "isready",
            *(line for position in lines for line in ("usinewgame", f"position {position}", *ask)), "quit"]
    program = str(folder / command) if (folder / command).exists() else command
    told = subprocess.run([program], input="\n".join(said) + "\n", check=True, capture_output=True, text=True).stdout
    if nodes is None:
        found = [int(value) for value in re.findall(r"^eval = (-?\d+)", told, re.M)]
    else:
        found = [of_search(search) for search in told.split("\nbestmove ")[:-1]]
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
            away = statistics.fmean((own - other) ** 2 for own, other in zip(mine, last)) ** 0.5
            print(f"  {name}: {len(mine)} positions, spread {statistics.pstdev(mine):.0f}, mean"
                  f" {statistics.fmean(mine):.0f}, correlation {statistics.correlation(mine, last):.2f}, difference"
                  f" {away:.0f}")


if __name__ == "__main__":
    main()
