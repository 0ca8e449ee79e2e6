#!/usr/bin/env python3
"""What a cluster of fuhyo-nnue is worth, in games.

    ./dev bench cluster_games elo     [--size N] [--nodes M] [--games K] [--exchange lines|off|DEPTH] ...
    ./dev bench cluster_games agree   [--sizes N,N] [--nodes M] [--positions P] [--exchanges lines,2] [--times T] ...
    ./dev bench cluster_games bytes   [--size N] [--nodes M] [--positions P] ...
    ./dev bench cluster_games replies [--size N] [--games K] [--tc TC] [--list-ms T] [--opponent COMMAND] ...

elo      N nodes against one, M positions a move for each node, openings with both colours. In lockstep: the
         nodes search S positions in turn, and what one sends is passed on before the next one's turn. So the result is
         that of machines that run at once, whatever else this one does, and the same every time. Entries of lines,
         or from a depth on.
agree    how often the move is that of one node with T times as many positions, in positions of games: of one node, of
         one with as many positions as all nodes together, and of clusters in lockstep. Cheaper than games, and the
         same every time.
bytes    the bytes of entries that all nodes together send, by lines and from a depth on, with N nodes that run freely.
replies  how often the move of the opponent is one that was pondered, in games on the clock: the expected one, one of
         the first 2, one of all 4. The expected one comes first, the others as a search of all replies ranks them; one
         whose share is too small for a node is not pondered.

Openings, unless --openings names others: those of balanced_12.txt, each with one of its four best moves, found by
fuhyo-nnue with a fixed number of positions: 272. Each node has one thread. All is kept in --dir, and the same
command goes on where it was interrupted. What follows -- goes to `fuhyo match` (elo, replies): -- -j 2.
"""

import argparse
import operator
import os
import re
import subprocess
import sys
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "support"), str(TESTS / "system" / "reliability")]
from children import dying_with_us  # noqa: E402
from usi_engine import UsiEngine  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
OPENINGS = ROOT / "engines/match/openings/balanced_12.txt"  # 100: more than 200 games at fixed nodes are copies
BEST_MOVES, OPENING_NODES, BALANCED_CP = 4, 5_000, 250  # of openings that are made
GAME_NODES, FIRST_PLY, LAST_PLY, EVERY = 500, 20, 80, 6  # of games whose positions are searched
PASSED_ON = re.compile(r"^info string \d+ batches of entries passed on, (\d+) bytes$")
LINE = re.compile(r"info .*\bmultipv (?P<rank>\d+) .*\bscore cp (?P<cp>-?\d+) .*\bpv (?P<move>\S+)")
SEARCHED = re.compile(r"^info .*\bnodes (\d+)")
REPLIES = (1, 2, 4)  # pondered
PONDERED = re.compile(r"had pondered this reply, candidate (\d+)$")
LOGGED = re.compile(r"(?P<who>cluster\S*) [<>] (?P<line>.*)$")


def started(program, *options):
    engine = UsiEngine([program], options)
    engine.ask("isready", "readyok")
    return engine


def search(engine, position, nodes):
    """All that it says."""
    engine.send(f"position {position}")
    return engine.ask(f"go nodes {nodes}", "bestmove")


def one_node(options, lines=1):
    return started(options.bin / "fuhyo-nnue", "Threads=1", "USI_Hash=16", "USI_OwnBook=false", f"MultiPV={lines}")


def made_once(path, lines):
    """The lines of the file, which has those of `lines()` if there was none."""
    if not path.exists():
        path.with_suffix(".part").write_text("".join(line + "\n" for line in lines()), encoding="utf-8")
        path.with_suffix(".part").rename(path)
    return path.read_text(encoding="utf-8").splitlines()


def balanced_openings(options):
    """Each of OPENINGS with one of its best moves; first all with the best one."""
    openings = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    longer = [[] for _ in range(BEST_MOVES)]
    with one_node(options, BEST_MOVES) as engine:
        for opening in openings:
            engine.ask("usinewgame\nisready", "readyok")
            found = {}
            for line in filter(None, map(LINE.match, search(engine, opening, OPENING_NODES))):
                found[int(line["rank"]) - 1] = (line["move"], abs(int(line["cp"])))
            for rank, (move, cp) in found.items():
                if cp <= BALANCED_CP:
                    longer[rank].append(f"{opening} {move}")
    return sum(longer, [])


def positions_of_games(options):
    """Of games of one node with itself, one from each opening, as many as are wanted."""
    positions = []
    with one_node(options) as engine:
        for opening in openings_of(options):
            if len(positions) >= options.positions:
                break
            engine.ask("usinewgame\nisready", "readyok")
            game, ply = opening, len(opening.split()) - 2
            while ply < LAST_PLY:
                move = search(engine, game, GAME_NODES)[-1].split()[1]
                if move in ("resign", "win"):
                    break
                game, ply = f"{game} {move}", ply + 1
                if ply >= FIRST_PLY and ply % EVERY == FIRST_PLY % EVERY:
                    positions.append(game)
    return positions


def cluster_file(options, name, size, modes):
    """Writes the file of a cluster of so many nodes, and returns its path."""
    noise = f"EvalNoise={options.noise}" if options.noise else ""
    nodes = "".join(f'[[node]]\nname = "{number + 1}"\ncommand = "{options.bin / "fuhyo-nnue"}"\nmemory = 16\n'
                    f'options = "USI_OwnBook=false {noise if number else ""} {options.options}"\n'
                    for number in range(size))
    path = options.dir / f"{name}.toml"
    path.write_text("[cluster]\n" + "".join(f"{key} = {value}\n" for key, value in modes.items()) + nodes,
                    encoding="utf-8")
    return path


def match(options, name, engines, tc, more=()):
    """Plays a match, or what is left of it; its table goes to our output."""
    words = [*dying_with_us(), options.bin / "fuhyo", "match", "--tc", tc, "--games", str(options.games),
             "--out", options.dir / f"{name}.jsonl", "--openings", options.openings, *more, *options.match]
    for engine in engines:
        words += ["-e", engine]
    return subprocess.run(words, check=False).returncode


def lockstep(options, size, exchange):
    """The file of a cluster that searches in lockstep, and a name for what it does."""
    modes = {"lockstep": options.slice, "exchange": f'"{exchange}"'}
    if exchange.isdigit():
        modes |= {"exchange": '"depth"', "exchange_depth": exchange}
    name = f"{size}-{exchange}-{options.slice}" + (f"-noise-{options.noise}" if options.noise and size > 1 else "")
    return cluster_file(options, name, size, modes), name


def elo(options):
    engines = []
    for size in (1, options.size):
        path, name = lockstep(options, size, options.exchange)
        engines.insert(0, f"name={size}-nodes cmd={options.bin / 'fuhyo-cluster'} ClusterFile={path}")
    return match(options, f"elo-{options.nodes}-{name}", engines, f"nodes={options.nodes}")


def openings_of(options):
    return [line for line in options.openings.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]


def answers(options, size, nodes, exchange="off"):
    """The moves of such a cluster in all positions; those of an earlier run are read."""
    path, name = lockstep(options, size, exchange)
    with (options.dir / f"agree-{len(options.found)}-{nodes}-{name}.txt").open("a+", encoding="utf-8") as kept:
        kept.seek(0)
        known = kept.read().split()
        if len(known) >= len(options.found):
            return known[:len(options.found)]
        with started(options.bin / "fuhyo-cluster", f"ClusterFile={path}") as cluster:
            for position in options.found[len(known):]:
                cluster.ask("usinewgame\nisready", "readyok")
                said = search(cluster, position, nodes)
                known.append(said[-1].split()[1])
                print(known[-1], file=kept, flush=True)
    return known


def agree(options):
    path = options.dir / f"positions-{options.positions}.txt"
    options.found = made_once(path, lambda: positions_of_games(options))
    wanted = answers(options, 1, options.times * options.nodes)
    alone = answers(options, 1, options.nodes)
    print(f"{len(wanted)} positions\n| | the move of {options.times * options.nodes} | more than one node |\n"
          "| --- | ---: | ---: |")

    def row(text, found):
        gains = [(move == best) - (one == best) for move, one, best in zip(found, alone, wanted)]
        hits, error = sum(map(operator.eq, found, wanted)), 100 * sum(map(abs, gains)) ** 0.5 / len(gains)
        print(f"| {text} | {100 * hits / len(found):.1f}% | {100 * sum(gains) / len(gains):+.1f} ± {error:.1f} |",
              flush=True)

    for size in (1, *options.sizes):
        row(f"1 node, {size * options.nodes}", answers(options, 1, size * options.nodes))
        for exchange in options.exchanges if size > 1 else ():
            row(f"{size} nodes, {options.nodes} each, {exchange}", answers(options, size, options.nodes, exchange))
    return 0


def bytes_of(options, exchange):
    """Bytes of entries, seconds, and positions searched by all nodes."""
    path = cluster_file(options, f"bytes-{exchange}", options.size, {"exchange": f'"{exchange}"'})
    sent, positions = 0, 0
    with started(options.bin / "fuhyo-cluster", f"ClusterFile={path}") as cluster:
        began = time.monotonic()
        for opening in openings_of(options)[:options.positions]:
            said = search(cluster, opening, options.nodes)
            sent += sum(int(found[1]) for found in map(PASSED_ON.match, said) if found)
            positions += max((int(found[1]) for found in map(SEARCHED.match, said) if found), default=0)
        took = time.monotonic() - began
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
    """Turns for which a cluster had pondered, and the ranks of the replies that hit."""
    turns, ranks, pondering = 0, [], set()
    with log.open(encoding="utf-8", errors="replace") as lines:
        for found in filter(None, map(LOGGED.match, lines)):
            who, line = found["who"], found["line"]
            if line.startswith("go ponder"):
                pondering.add(who)
            elif line == "ponderhit" or line.startswith("go "):
                turns += who in pondering
                pondering.discard(who)
            elif line == "usinewgame":
                pondering.discard(who)
            elif hit := PONDERED.search(line):
                ranks.append(int(hit[1]))
    return turns, ranks


def replies(options):
    path = cluster_file(options, "replies", options.size, {"ponder_replies": max(REPLIES), "list_ms": options.list_ms})
    engines = [f"name=cluster cmd={options.bin / 'fuhyo-cluster'} ponder=true ClusterFile={path} NetworkDelay=0 "
               "NetworkDelay2=0 RoundUpToFullSecond=false",
               f"name=opponent {options.opponent}"]
    before = len(list(options.dir.glob("replies.*.log")))  # of runs that were interrupted
    # A loss on time ends a game too soon, and is not what is asked here.
    more = ["--margin", "1000000", "--protocol-log", options.dir / f"replies.{before}.log"]
    if rc := match(options, "replies", engines, options.tc, more):
        return rc
    counts = [hits_of(log) for log in options.dir.glob("replies.*.log")]
    turns, ranks = sum(count for count, _ in counts), sum((found for _, found in counts), [])
    print(f"{turns} turns\n| pondered | hits | |\n| ---: | ---: | ---: |")
    for most in REPLIES:
        hits = sum(rank <= most for rank in ranks)
        print(f"| {most} | {hits} | {100 * hits / max(turns, 1):.1f}% |")
    return 0


def main():
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("elo", "agree", "bytes", "replies"))
    parser.add_argument("--size", type=int, default=2, help="nodes of the cluster")
    parser.add_argument("--nodes", type=int, default=20_000, help="positions a move, for each of them")
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--exchange", default="lines", help="lines, off, or the least depth of an entry")
    parser.add_argument("--slice", type=int, default=250)
    parser.add_argument("--positions", type=int, default=20)
    parser.add_argument("--opponent", default="", help="a command and options, as fuhyo match -e has them")
    parser.add_argument("--tc", default="byoyomi=500")
    parser.add_argument("--list-ms", type=int, default=100, help="of the search of all replies")
    parser.add_argument("--options", default="", help="of the nodes: EvalFile=nn.bin FV_SCALE=24")
    parser.add_argument("--sizes", type=lambda text: [int(word) for word in text.split(",")], default=[2, 4])
    parser.add_argument("--exchanges", type=lambda text: text.split(","), default=["lines", "8"])
    parser.add_argument("--noise", type=int, default=0, help="EvalNoise of all nodes but the first")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--openings", type=Path)
    parser.add_argument("--bin", type=Path, default=ROOT / "build/bin", help="where the programs are")
    parser.add_argument("--dir", type=Path, default=data / "fuhyo/cluster_games")
    options = parser.parse_args(words[:end])
    options.match = words[end + 1:]
    options.bin, options.dir = options.bin.resolve(), options.dir.resolve()
    options.opponent = options.opponent or f"{options.bin / 'fuhyo-nnue'} Threads=1 USI_Hash=16 USI_OwnBook=false"
    options.dir.mkdir(parents=True, exist_ok=True)
    if not options.openings and options.what == "bytes":
        options.openings = OPENINGS
    elif not options.openings:
        options.openings = options.dir / "openings_13.txt"
        made_once(options.openings, lambda: balanced_openings(options))
    return {"elo": elo, "agree": agree, "bytes": measure_bytes, "replies": replies}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
