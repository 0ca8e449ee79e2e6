#!/usr/bin/env python3
"""An engine against itself over `fuhyo join`, on a server started for the purpose.

    self_match.py --fuhyo build/bin/fuhyo --engine build/bin/fuhyo-nnue --games 10 --clock 10-1F --clock 10-1

plays ten games on 10 s + 1 s (Fischer) and ten on 10 s with 1 s of byoyomi: the whole match. Black stays logged in
(x1 mode) and ponders on every second clock; White logs in for each game (CSA mode).

Fails if any game ends by time, an illegal move, a lost line or not at all, if the players disagree about a result, or
if a record is missing or does not say what the players saw. Prints one line a game and a summary.
"""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
sys.path.append(str(pathlib.Path(__file__).resolve().parents[1]))
from fuhyo_server import FuhyoServer, ServerFault, free_ports  # noqa: E402
from waiting import eventually  # noqa: E402

# How a game between sound players may end, as the server says it.
FAIR_ENDS = {"#RESIGN", "#SENNICHITE", "#OUTE_SENNICHITE", "#JISHOGI", "#MAX_MOVES"}
OPPOSITE = {"win": "lose", "lose": "win", "draw": "draw", "censored": "censored"}


def whole_record(records, game):
    """What the file of a game says once it ends; players hear of the end before the disk does."""
    def text():
        record = next(records.rglob(game + ".csa"), None)
        said = record and record.read_text(encoding="euc_jp", errors="replace")
        return said if said and "'summary:" in said else None

    return eventually(text, f"the record of {game}")


def serve(options, folder):
    return FuhyoServer(options.fuhyo, *free_ports("csa"), "--event", "self", "--max-moves", options.max_moves,
                       "--builtin", "off", data=folder / "data", log=folder / "server.log")


def player(options, server, folder, clock, side, number):
    name = f"{'black' if side == '+' else 'white'}_{clock.replace('-', '_')}_{number}"
    command = [options.fuhyo, "join", "--server", server.address, "--name", name, "--password", "secret_" + name,
               "--game", f"match{number}-{clock}", "--turn", side, "--engine", options.engine,
               "--games", str(options.games), "--comments"]
    if side == "+":
        command += ["--mode", "x1"]
        if number % 2 == 1:
            command += ["--ponder"]
    # Engines that think alike play the same game again and again without a little noise.
    for option in ["Threads=1", "USI_Hash=16", "EvalNoise=30", f"SlowMover={options.pace}"]:
        command += ["--option", option]
    if options.pace < 100:
        command += ["--option", "MinimumThinkingTime=0", "--option", "RoundUpToFullSecond=false"]
    command += options.join_flag
    errors = open(folder / f"{name}.log", "w")
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors, text=True)


def results_of(process, patience_s):
    """{game id: (result, reason)} as the player saw them, and its exit code."""
    try:
        out, _ = process.communicate(timeout=patience_s)
    except subprocess.TimeoutExpired:
        process.kill()
        out, _ = process.communicate()
        process.returncode = "timed out"
    games = {}
    for line in out.splitlines():
        game, result, reason = (line.split("\t") + ["", ""])[:3]
        games[game] = (result, reason)
    return games, process.returncode


class Match:
    def __init__(self):
        self.faults = []
        self.ends = collections.Counter()
        self.plies = []
        self.longest_s = 0

    def fault(self, text):
        self.faults.append(text)
        print("FAULT: " + text, flush=True)

    def judge(self, game, black, white, records):
        text = whole_record(records, game)
        moves = re.findall(r"^[+-]\d{4}[A-Z]{2}$", text, re.MULTILINE)
        times = [int(t) for t in re.findall(r"^T(\d+)$", text, re.MULTILINE)]
        self.plies.append(len(moves))
        self.longest_s = max([self.longest_s, *times])
        self.ends[black[1]] += 1
        print(f"{game}\t{black[0]}\t{black[1]}\t{len(moves)} plies", flush=True)
        if black[1] != white[1] or OPPOSITE.get(black[0]) != white[0]:
            self.fault(f"{game}: black saw {black}, white saw {white}")
        if black[1] not in FAIR_ENDS:
            self.fault(f"{game}: ended by {black[1] or black[0]}")
        if len(times) < len(moves):
            self.fault(f"{game}: {len(moves)} moves and {len(times)} times in the record")


def play_pair(options, server, folder, clock, number, match, lock):
    processes = [player(options, server, folder, clock, side, number) for side in "+-"]
    patience_s = options.games * options.game_limit_s
    with ThreadPoolExecutor(2) as pool:
        seen = pool.map(lambda process: results_of(process, patience_s), processes)
    (black, black_code), (white, white_code) = seen
    with lock:
        for name, code in (("black", black_code), ("white", white_code)):
            if code != 0:
                match.fault(f"{clock} pair {number}: {name} ended with {code}")
        if len(black) != options.games or black.keys() != white.keys():
            match.fault(f"{clock} pair {number}: black played {len(black)}, white {len(white)} of {options.games}")
        for game in black.keys() & white.keys():
            match.judge(game, black[game], white[game], server.data / "records")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fuhyo", required=True)
    parser.add_argument("--engine", required=True)
    parser.add_argument("--games", type=int, default=10, help="per clock and pair")
    parser.add_argument("--pairs", type=int, default=1, help="per clock, at the same time")
    parser.add_argument("--clock", action="append", help="total-byoyomi, or total-incrementF; repeatable")
    parser.add_argument("--pace", type=int, default=100, help="per cent of the time that the engines would take")
    parser.add_argument("--max-moves", type=int, default=256)
    parser.add_argument("--game-limit-s", type=int, default=1200, help="a game that lasts longer hangs")
    parser.add_argument("--join-flag", action="append", default=[], help="one more flag for `fuhyo join`; repeatable")
    parser.add_argument("--keep", help="folder for records and logs, kept afterwards")
    options = parser.parse_args()
    clocks = options.clock or ["10-1F", "10-1"]

    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        server = serve(options, folder)
        match, lock = Match(), threading.Lock()
        with ThreadPoolExecutor(options.pairs * len(clocks)) as pool:
            for pair in [pool.submit(play_pair, options, server, folder, clock, 2 * pair + index, match, lock)
                         for pair in range(options.pairs) for index, clock in enumerate(clocks)]:
                pair.result()
        try:
            server.stop()
        except ServerFault as fault:
            match.fault(str(fault))
        if match.faults and not options.keep:
            for log in sorted(folder.glob("*.log")):
                print(f"---- {log.name}\n{log.read_text()[-3000:]}")

    ends = ", ".join(f"{count} {end}" for end, count in sorted(match.ends.items()))
    print(f"{len(match.plies)} games, {sum(match.plies)} plies, longest move T{match.longest_s}; {ends or 'no ends'}; "
          f"{len(match.faults)} faults")
    return 1 if match.faults or len(match.plies) != options.games * options.pairs * len(clocks) else 0


if __name__ == "__main__":
    sys.exit(main())
