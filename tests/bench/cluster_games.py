#!/usr/bin/env python3
"""What a cluster of fuhyo-nnue is worth, in games.

    ./dev bench cluster_games elo     [--size N] [--nodes M] [--games K] [--exchange lines|depth|off] [--slice S] ...
    ./dev bench cluster_games bytes   [--size N] [--nodes M] [--positions P] ...
    ./dev bench cluster_games replies [--size N] [--games K] [--tc TC] [--opponent COMMAND] ...

elo      N nodes against one, M positions a move for each node, openings with both colours. In lockstep: the
         nodes search S positions in turn, and what one sends is passed on before the next one's turn. So the result is
         that of machines that run at once, whatever else this one does, and the same every time.
bytes    the bytes of entries that all nodes together send, by lines and from a depth on, with N nodes that run freely.
replies  how often the move of the opponent is one of 1, 2 and 4 that were pondered, in games on the clock.

Each node has one thread. Games are kept in --dir, and the same command goes on where it was interrupted. What follows
-- goes to `fuhyo match` (elo, replies): -- -j 2 --opening-plies 24 --shuffle.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
OPENINGS = ROOT / "engines/match/openings/balanced_12.txt"  # 100: more than 200 games at fixed nodes are copies
PASSED_ON = re.compile(r"^info string \d+ batches of entries passed on, (\d+) bytes$")
SEARCHED = re.compile(r"^info .*\bnodes (\d+)")
LOGGED = re.compile(r"cluster [<>] (?P<line>.*)$")


def cluster_file(options, name, size, modes):
    """Writes the file of a cluster of so many equal nodes, and returns its path."""
    nodes = "".join(f'[[node]]\nname = "{number + 1}"\ncommand = "{options.bin / "fuhyo-nnue"}"\nmemory = 16\n'
                    f'options = "USI_OwnBook=false {options.options}"\n' for number in range(size))
    path = options.dir / f"{name}.toml"
    path.write_text("[cluster]\n" + "".join(f"{key} = {value}\n" for key, value in modes.items()) + nodes,
                    encoding="utf-8")
    return path


def match(options, name, engines, tc, more=()):
    """Plays a match, or what is left of it; its table goes to our output."""
    words = [options.bin / "fuhyo", "match", "--tc", tc, "--games", str(options.games), "--out",
             options.dir / f"{name}.jsonl", "--openings", options.openings, *more, *options.match]
    for engine in engines:
        words += ["-e", engine]
    return subprocess.run(words, check=False).returncode


def elo(options):
    engines = []
    for size in (options.size, 1):
        modes = {"lockstep": options.slice, "exchange": f'"{options.exchange}"'}
        path = cluster_file(options, f"{size}-{options.exchange}-{options.slice}", size, modes)
        engines.append(f"name={size}-nodes cmd={options.bin / 'fuhyo-cluster'} ClusterFile={path}")
    return match(options, f"elo-{options.size}-{options.nodes}-{options.exchange}-{options.slice}", engines,
                 f"nodes={options.nodes}")


def openings_of(options):
    lines = options.openings.read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")][:options.positions]


def bytes_of(options, exchange):
    """Bytes of entries, seconds, and positions searched by all nodes."""
    path = cluster_file(options, f"bytes-{exchange}", options.size, {"exchange": f'"{exchange}"'})
    sent, positions = 0, 0
    with subprocess.Popen([options.bin / "fuhyo-cluster"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as cluster:
        def ask(line, last):
            cluster.stdin.write(line + "\n")
            cluster.stdin.flush()
            for answer in cluster.stdout:
                yield answer.rstrip("\n")
                if answer.startswith(last):
                    return
            sys.exit(f"cluster_games: the cluster has ended after '{line}'")

        list(ask(f"setoption name ClusterFile value {path}\nisready", "readyok"))
        began = time.monotonic()
        for opening in openings_of(options):
            said = list(ask(f"position {opening}\ngo nodes {options.nodes}", "bestmove"))
            sent += sum(int(found[1]) for found in map(PASSED_ON.match, said) if found)
            positions += max((int(found[1]) for found in map(SEARCHED.match, said) if found), default=0)
        took = time.monotonic() - began
        cluster.stdin.write("quit\n")
        cluster.stdin.close()
    return sent, took, positions


def measure_bytes(options):
    print("| exchange | bytes | a second | a million positions |\n| --- | ---: | ---: | ---: |")
    for exchange in ("lines", "depth"):
        sent, took, positions = bytes_of(options, exchange)
        if not sent:
            sys.exit(f"cluster_games: with {exchange} the nodes have sent nothing")
        print(f"| {exchange} | {sent} | {sent / took:.0f} | {1e6 * sent / max(positions, 1):.0f} |", flush=True)
    return 0


def hits_of(log):
    """Turns for which the cluster had pondered, and those of them whose position it had pondered."""
    turns = hits = 0
    pondered = False
    with log.open(encoding="utf-8", errors="replace") as lines:
        for found in filter(None, map(LOGGED.match, lines)):
            line = found["line"]
            if line.startswith("go ponder"):
                pondered = True
            elif line == "ponderhit" or line.startswith("go "):
                turns += pondered
                pondered = False
            elif line == "usinewgame":
                pondered = False
            elif line.endswith("had pondered this reply"):
                hits += 1
    return turns, hits


def replies(options):
    rows = ["| pondered | turns | hits | |\n| ---: | ---: | ---: | ---: |"]
    for count in (1, 2, 4):
        path = cluster_file(options, f"replies-{count}", options.size, {"ponder_replies": count})
        engines = [f"name=cluster cmd={options.bin / 'fuhyo-cluster'} ponder=true ClusterFile={path}",
                   f"name=opponent {options.opponent}"]
        before = len(list(options.dir.glob(f"replies-{count}.*.log")))  # of runs that were interrupted
        # A loss on time ends a game too soon, and is not what is asked here.
        more = ["--margin", "1000000", "--protocol-log", options.dir / f"replies-{count}.{before}.log"]
        if rc := match(options, f"replies-{count}", engines, options.tc, more):
            return rc
        counts = [hits_of(log) for log in options.dir.glob(f"replies-{count}.*.log")]
        turns, hits = (sum(column) for column in zip(*counts))
        rows.append(f"| {count} | {turns} | {hits} | {100 * hits / max(turns, 1):.0f}% |")
    print("\n".join(rows))
    return 0


def main():
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("elo", "bytes", "replies"))
    parser.add_argument("--size", type=int, default=2, help="nodes of the cluster")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions a move, for each of them")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--exchange", choices=("lines", "depth", "off"), default="lines")
    parser.add_argument("--slice", type=int, default=250)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--opponent", default="", help="a command and options, as fuhyo match -e has them")
    parser.add_argument("--tc", default="byoyomi=500")
    parser.add_argument("--options", default="", help="of the nodes: EvalFile=nn.bin FV_SCALE=24")
    parser.add_argument("--openings", type=Path, default=OPENINGS)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin", help="where the programs are")
    parser.add_argument("--dir", type=Path, default=data / "fuhyo/cluster_games")
    options = parser.parse_args(words[:end])
    options.match = words[end + 1:]
    options.bin, options.dir = options.bin.resolve(), options.dir.resolve()
    options.opponent = options.opponent or f"{options.bin / 'fuhyo-nnue'} Threads=1 USI_Hash=16 USI_OwnBook=false"
    options.dir.mkdir(parents=True, exist_ok=True)
    return {"elo": elo, "bytes": measure_bytes, "replies": replies}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
