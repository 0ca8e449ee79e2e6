#!/usr/bin/env python3
"""Engine games through the server: how much of each move's delay is the server's own, and whether anybody lost on time
by it.

    ./dev bench engine_games [GAMES] [--games N] [--jobs J] [--bin build/bin] [--dir FOLDER] [--nodes N]
                             [--game NAME] [--max-moves N] [--fault-ms MS]

A server of its own on a real disk (FOLDER), with two built-in players a job, all of whom wait for the same game:
fuhyo-nnue at --nodes positions a move, which takes milliseconds. After GAMES of them it prints how they ended, and what
`fuhyo admin delays` says: microseconds from the arrival of a move's line to the moment at which the opponent's engine
was told, and of that what the opponent's clock had to pay. Of each loss on time it says how long the server had kept
the move before it.

Exit code 1: a game was lost on time and the server had kept the move before for --fault-ms or longer, or the figures
contradict each other. The figures belong to the machine, whose cores the engines use, too.
"""

import argparse
import collections
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "support"), str(TESTS / "system")]
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from under_load import folder_of  # noqa: E402

SILENCE_S = 300  # so long without the end of a game is the end of the bench
ENDED = re.compile(r"game (\S+) ended: ([^,]*), ")
LOST = re.compile(r"game #(\d+) is lost on time: (?:the server had kept the move before for (\d+) us|there was no)")


class Watch:
    """What the log of the server says of games. take() on one thread; the rest is read when that is over, or counts."""

    def __init__(self):
        self.ends = collections.Counter()
        self.losses = []  # (number of the game, microseconds; None: nobody had moved)
        self.warnings = []
        self.newest = time.monotonic()

    def take(self, line):
        try:
            entry = json.loads(line)
        except json.JSONDecodeError:
            return
        if entry.get("level") in ("warning", "error"):
            self.warnings.append(entry["text"])
        elif found := LOST.match(entry["text"]):
            self.losses.append((int(found[1]), int(found[2]) if found[2] else None))
        elif found := ENDED.match(entry["text"]):
            self.ends[found[2]] += 1
            self.newest = time.monotonic()

    def follow(self, stream):
        for line in stream:
            self.take(line)

    def games(self):
        return sum(self.ends.values())


def delays_of(server):
    """Rows of `delays` by what they are about: {"all": {"moves": 812, "p50_us": 310, ...}, ...}."""
    answer = server.admin("delays")
    return {row[0]: dict(zip(answer["columns"][1:], map(int, row[1:]))) for row in answer["rows"]}


def plies_of(data):
    """Of the games that are over."""
    database = sqlite3.connect(f"file:{data}/fuhyo.db?mode=ro", uri=True)
    try:
        return database.execute("SELECT coalesce(sum(plies), 0) FROM game").fetchone()[0]
    finally:
        database.close()


def faults_of(options, watch, plies, delays):
    """What must not be."""
    faults = [f"game #{game} was lost on time after {share / 1000:.0f} ms of the server's"
              for game, share in watch.losses if share is not None and share >= options.fault_ms * 1000]
    if watch.ends["time up"] != len(watch.losses):
        faults.append(f"{watch.ends['time up']} games were lost on time, and {len(watch.losses)} of them explained")
    if delays["all"]["moves"] < plies:
        faults.append(f"{plies} plies were played, and {delays['all']['moves']} of them measured")
    for what, row in delays.items():
        if not row["p50_us"] <= row["p90_us"] <= row["p99_us"] <= row["max_us"]:
            faults.append(f"{what}: {row}")
    return faults


def report(watch, plies, delays, took_s):
    games = watch.games()
    print(f"games        {games} in {took_s:.0f} s, {60 * games / took_s:.0f} a minute")
    print(f"plies        {plies}")
    print("ends         " + ", ".join(f"{kind} {count}" for kind, count in watch.ends.most_common()))
    print(f"time losses  {len(watch.losses)}")
    for game, share in watch.losses:
        told = "nobody had moved before" if share is None else f"the server had kept the move before for {share} us"
        print(f"  game #{game}: {told}")
    print(f"{'the server, us':<22}{'moves':>10}{'p50':>10}{'p90':>10}{'p99':>10}{'max':>10}")
    for what, row in delays.items():
        print(f"  {what:<20}" + "".join(f"{row[key]:>10}" for key in ("moves", "p50_us", "p90_us", "p99_us", "max_us")))
    for text in watch.warnings[:10]:
        print(f"warning: {text}")
    if len(watch.warnings) > 10:
        print(f"... and {len(watch.warnings) - 10} more warnings")


def play(options, data):
    """The watch, and what `delays` said when the games were over, and how long they took."""
    player = (f"name=Engine engine='{options.bin / 'fuhyo-nnue'}' game={options.game} count={2 * options.jobs} "
              f"option.USI_Hash=16 option.USI_OwnBook=false option.EvalNoise=30 option.NodesLimit={options.nodes}")
    watch = Watch()
    with FuhyoServer(options.bin / "fuhyo", *free_ports("csa"), "--log-format", "json", "--engine", player,
                     "--engine-threads", options.jobs, "--max-moves", options.max_moves, "--drain-timeout", "0",
                     data=data, log=subprocess.PIPE) as server:
        follower = threading.Thread(target=watch.follow, args=(server.process.stderr,))
        follower.start()
        began = time.monotonic()
        while watch.games() < options.games:
            if server.process.poll() is not None:
                sys.exit(f"the server has ended: {watch.warnings[-3:]}")
            if time.monotonic() - watch.newest > SILENCE_S:
                sys.exit(f"no game has ended for {SILENCE_S} s: {watch.warnings[-3:]}")
            time.sleep(0.05)
        took_s = time.monotonic() - began
        plies, delays = plies_of(data), delays_of(server)
        # The threads of the last players may not have come to their lines yet.
        deadline = time.monotonic() + SILENCE_S
        while delays["all"]["moves"] < plies and time.monotonic() < deadline:
            delays = delays_of(server)
    follower.join()
    server.process.stderr.close()
    return watch, plies, delays, took_s


def at_least(least):
    def number(text):
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text}: at least {least}")
        return int(text)
    return number


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("count", nargs="?", type=at_least(1), metavar="GAMES", help="as --games")
    parser.add_argument("--games", type=at_least(1), default=100)
    parser.add_argument("--jobs", type=at_least(1), default=max(1, (os.cpu_count() or 2) - 1), help="games at once")
    parser.add_argument("--bin", type=Path, default=Path("build/bin"), help="where the programs are")
    parser.add_argument("--dir", type=folder_of, help="where the server has its data (a temporary folder)")
    parser.add_argument("--nodes", type=at_least(1), default=1000, help="positions a move")
    parser.add_argument("--game", default="bench-10-1F", help="the game name: its time")
    parser.add_argument("--max-moves", type=at_least(0), default=320)
    parser.add_argument("--fault-ms", type=at_least(0), default=100)
    options = parser.parse_args(arguments)
    options.games = options.count or options.games
    if options.jobs > 32:
        parser.error("at most 32 jobs: a server has at most 64 players of one line")
    options.bin = options.bin.resolve()
    return options


def main(arguments):
    options = options_of(arguments)
    data = tempfile.mkdtemp(prefix="fuhyo-engine-games-", dir=options.dir)
    try:
        watch, plies, delays, took_s = play(options, data)
    finally:
        shutil.rmtree(data)
    report(watch, plies, delays, took_s)
    faults = faults_of(options, watch, plies, delays)
    for fault in faults:
        print(f"FAULT: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
