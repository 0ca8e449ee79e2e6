#!/usr/bin/env python3
"""How much later than the server's own watchers those of a relay have a move.

    ./dev bench relay [--bin build/bin] [--dir FOLDER] [--games N] [--pace-ms N] [--plies N] [--every S] [--smoke]

A fresh server, a relay of it and all players on loopback. Each game has a move every --pace-ms, the games one after the
other. Of each move: from when a watcher of the server's own (%%MONITOR2ON) has its line until the relay's stream of
events has it. The relay asks for something every --every seconds meanwhile, for records of all games among others. Exit
code 1: the p99 is above 50 ms (not with --smoke). The figures belong to the machine, whose cores the players use, too.
"""

import itertools
import sys
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "support"))
import under_load  # noqa: E402
from csa_client import CsaClient, begin, game_id, walk  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from waiting import PATIENCE_S  # noqa: E402
from web_client import EventStream  # noqa: E402

LATE_MS = 50


class Watcher(threading.Thread):
    """Who is told of so many moves: when each of them came, as {(Game_ID, ply): seconds}."""

    def __init__(self, moves, count):
        super().__init__(daemon=True)
        self.moves, self.came = itertools.islice(moves, count), {}
        self.start()

    def run(self):
        for move in self.moves:
            self.came[move] = time.monotonic()

    def times(self):
        self.join(PATIENCE_S)
        if self.is_alive():
            sys.exit("moves are missing")
        return self.came


def moves_of_server(address, ids):
    """All games are watched once this returns."""
    client = CsaClient(address, "LOGIN watcher x x1")
    for csa_id in ids:
        client.say(f"%%MONITOR2ON {csa_id}")
        client.until(f"##[MONITOR2][{csa_id}] +OK")

    def moves():
        plies = dict.fromkeys(ids, 0)
        for line in client.lines:
            csa_id, _, text = line.removeprefix("##[MONITOR2][").partition("] ")
            if text[0] in "+-" and text != "+OK\n":
                plies[csa_id] += 1
                yield csa_id, plies[csa_id]

    return moves()


def moves_of_relay(events, count):
    """All games are followed once this returns."""
    numbers = {}
    while len(numbers) < count:
        game = events.next("opened")["game"]
        numbers[game["id"]] = game["csa_id"]

    def moves():
        while True:
            move = events.next("moved")
            yield numbers[move["id"]], move["ply"]

    return moves()


def play(games, plies, pace_s):
    """Seconds that it took."""
    began = due = time.monotonic()
    for ply in range(plies):
        for players in games:
            time.sleep(max(0, due - time.monotonic()))
            due += pace_s / len(games)
            players[ply % 2].say(f"{walk(ply)},'* {ply} {walk(ply)} {walk(ply + 1)}")
            for player in players:
                player.until(walk(ply))
    return time.monotonic() - began


def measure(options, server, relay):
    """How late each move was, in ms and in order; moves a second."""
    with EventStream(relay.http) as events:
        events.next("snapshot")
        games = [begin(*(CsaClient(server.address, f"LOGIN {side}{n} relay{n}-3600-60-{side},x") for side in "BW"))
                 for n in range(options.games)]
        ids = [game_id(players[0]) for players in games]
        count = len(ids) * options.plies
        shown = Watcher(moves_of_relay(events, len(ids)), count)
        told = Watcher(moves_of_server(server.address, ids), count)
        seconds = play(games, options.plies, options.pace_ms / 1000)
        late_s = [shown.times()[move] - at for move, at in told.times().items()]
    return sorted(1000 * late for late in late_s), count / seconds


def main():
    parser = under_load.parser(__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--pace-ms", type=int, default=1_000)
    parser.add_argument("--plies", type=int, default=60)
    parser.add_argument("--every", type=float, default=0.1)
    parser.add_argument("--smoke", action="store_true", help="no figure is too high")
    options = parser.parse_args()
    print(f"{under_load.machine()}\n")
    with under_load.serving(options) as server, under_load.new_folder(options) as data, FuhyoServer(
            options.bin / "fuhyo", *free_ports("http"), "--from", server.address, "--name", "there", "--every",
            options.every, "--log-level", "warning", command="relay", listeners=("http",), data=data) as relay:
        late_ms, rate = measure(options, server, relay)
    p50, p99 = (late_ms[int(len(late_ms) * share)] for share in (0.5, 0.99))
    print("| games | moves/s | later by p50, p99, max ms |")
    print("| --- | --- | --- |")
    print(f"| {options.games} | {rate:.1f} | {p50:.1f}, {p99:.1f}, {late_ms[-1]:.1f} |")
    return 1 if p99 > LATE_MS and not options.smoke else 0


if __name__ == "__main__":
    sys.exit(main())
