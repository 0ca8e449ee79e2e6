#!/usr/bin/env python3
"""A whole championship on the real server: 28 entrants in both modes, nine Swiss rounds, then the best eight as class
A, twice all against all. Some three minutes.

    championship.py FUHYO [--keep FOLDER]

On the way: an entry after two rounds, a line that breaks in a game, a server that is killed by kill -9 in the middle of
round 4 (games over, games running, one not agreed to) and once more between the pairing of round 7 and its start, a
withdrawal, a player who is missing, a restart between the stages, and in the end three who share the first place.
What the entrants have seen is counted a second time (standings.py), and has to be what the tables and the records say.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
import standings  # noqa: E402
from entrants import Entrant, Field  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from proxy import Proxy  # noqa: E402
from waiting import PATIENCE_S  # noqa: E402

EVENT = """name = "cup"
title = "Championship"
title-ja = "選手権"
time = "300-1F"
countdown-s = 2
gap-s = 6
forfeit-s = 20

[entry]
late-until = 3

[[stage]]
name = "day1"
format = "swiss"
rounds = 9
[[stage]]
name = "day2"
[[stage.division]]
name = "A"
take = 8
format = "round-robin"
cycles = 2

"""
ENTRANTS, SWISS_ROUNDS, FINALISTS, FINAL_ROUNDS = 28, 9, 8, 14
LATE, LEAVES, MISSING = "p28", "p05", "p20"
LATE_FROM, LEAVES_AFTER, MISSING_IN = 3, 5, 6
RING = {("p01", "p02"), ("p02", "p03"), ("p03", "p01")}  # who beats whom in class A
MANNERS = ("stays", "logs out", "closes")


class Championship:
    def __init__(self, fuhyo, folder):
        self.fuhyo, self.folder, self.data = fuhyo, folder, folder / "data"
        self.wire = Proxy(None)  # the entrants' address, whatever port the next server has
        self.field = Field(("127.0.0.1", self.wire.port), "cup-300-1F", self.black_wins)
        self.entrants = {}
        for number in range(1, ENTRANTS + 1):
            x1 = number % 2 == 1
            manners = "stays" if x1 else MANNERS[number // 2 % len(MANNERS)]
            self.entrants[f"p{number:02}"] = Entrant(self.field, f"p{number:02}", x1, manners)
        self.round_of = {}  # Game_ID: (division, round)
        self.final, self.server = False, None

    def black_wins(self, _, black, white):
        """The better seed wins; but three of class A beat one another in a ring."""
        if self.final and ((black, white) in RING or (white, black) in RING):
            return (black, white) in RING
        return black < white

    def start(self):
        self.server = FuhyoServer(self.fuhyo, *free_ports("csa"), "--exempt", "127.0.0.1", data=self.data,
                                  log=self.folder / "server.log")
        self.wire.target = self.server.csa

    def tournament(self, *words):
        done = subprocess.run([self.fuhyo, "tournament", *words, "--data", self.data], capture_output=True, text=True,
                              check=False)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def pairings(self):
        """(round, division, rows) of what is paired; rows: game, black, white, result, Game_ID."""
        told = self.server.admin("tournament-pairings", "cup")
        if not told["ok"] or not told["text"].startswith("round "):
            return 0, "", []
        _, number, _, place = told["text"].rstrip(",").split(" ", 4)[:4]
        return int(number), place.rstrip(",").split("/")[1], told["rows"]

    async def until(self, what, is_so):
        since = time.monotonic()
        while not is_so():
            assert time.monotonic() - since < PATIENCE_S, f"not {what} within {PATIENCE_S} s"
            assert not self.field.faults, self.field.faults
            await asyncio.sleep(0.1)

    async def paired(self, number, division):
        rows = []

        def is_paired():
            *now, rows[:] = self.pairings()
            return now == [number, division]

        await self.until(f"round {number} of {division} paired", is_paired)
        return {(row[1], row[2]) for row in rows if row[2]}

    def begun(self, pairs):
        """Game_IDs of these pairs that are of no round before."""
        return [game for game, pair in self.field.games.items() if pair in pairs and game not in self.round_of]

    async def played(self, pairs, number, division):
        await self.until(f"round {number} of {division} over",
                         lambda: sum(map(self.field.over, self.begun(pairs))) >= len(pairs))
        games = self.begun(pairs)
        assert len(games) == len(pairs), f"round {number}: {games} for {pairs}"
        for game in games:
            assert self.field.winner(game), f"{game}: {self.field.ends[game]}"
            self.round_of[game] = (division, number)

    async def lose_a_line(self, pairs):
        self.field.may_go_on = lambda game: False
        await self.until("a game under way", lambda: self.begun(pairs))
        white = self.entrants[self.field.games[self.begun(pairs)[0]][1]]
        await self.until("White to move", lambda: white.moves == 1)
        white.plays = None
        white.drop_line()
        await self.until("White back", lambda: white.plays)
        self.field.may_go_on = lambda game: True

    async def crash_in_mid_round(self, pairs):
        """Half of the games are over, the others under way, and one entrant does not even agree."""
        silent = self.entrants[sorted(pairs)[-1][0]]
        await silent.go()
        goes_on = set(sorted(pairs)[:len(pairs) // 2])
        self.field.may_go_on = lambda game: self.field.games[game] in goes_on
        await self.until("half of the games over and the others begun", lambda: len(self.begun(pairs)) == len(pairs) - 1
                         and sum(map(self.field.over, self.begun(pairs))) == len(goes_on))
        before = set(self.begun(pairs))
        self.server.kill()
        self.field.may_go_on = lambda game: True
        self.start()
        silent.come()
        await self.until("the games back", lambda: len(self.begun(pairs)) == len(pairs))
        assert before < set(self.begun(pairs)), "games go on under their names"

    async def swiss(self):
        free = []
        present = set(self.entrants) - {LATE}
        for number in range(1, SWISS_ROUNDS + 1):
            pairs = await self.paired(number, "day1")
            playing = {name for pair in pairs for name in pair}
            assert len(playing) == 2 * len(pairs) and playing <= present, f"round {number}: {pairs}"
            idle = present - playing
            assert len(idle) == len(present) % 2, f"round {number}: nobody to play for {idle}"
            free += [(name, 1) for name in idle]
            if number < LATE_FROM:
                free.append((LATE, 0))
            if number == LATE_FROM - 1:
                self.entrants[LATE].come()
                present.add(LATE)
            elif number == 4:
                await self.crash_in_mid_round(pairs)
            elif number == 7:
                self.server.kill()
                self.start()
                assert await self.paired(7, "day1") == pairs, "paired twice"
            if number == 2:
                await self.lose_a_line(pairs)
            if number == MISSING_IN:
                lost, = (pair for pair in pairs if MISSING in pair)
                pairs.remove(lost)
                free += [(name, int(name != MISSING)) for name in lost]
            await self.played(pairs, number, "day1")
            if number == LEAVES_AFTER:
                self.tournament("withdraw", "cup", LEAVES)
                present.remove(LEAVES)
                await self.entrants[LEAVES].go()
                await self.entrants[MISSING].go()
            if number == MISSING_IN:
                await self.until("the forfeit", lambda: self.pairings()[0] > MISSING_IN)
                self.entrants[MISSING].come()
            print(f"round {number}: {len(pairs)} games", flush=True)
        return free

    async def class_a(self):
        await self.paired(1, "A")
        self.server.stop()
        self.start()
        self.final = True
        for number in range(1, FINAL_ROUNDS + 1):
            pairs = await self.paired(number, "A")
            assert len(pairs) == FINALISTS // 2
            await self.played(pairs, number, "A")
            print(f"class A, round {number}", flush=True)

    async def hold(self):
        self.start()
        file = self.folder / "cup.toml"
        seeds = "".join(f'[[entrant]]\nname = "p{number:02}"\nseed = {number}\n' for number in range(1, ENTRANTS))
        file.write_text(EVENT + seeds, encoding="utf-8")
        self.tournament("new", str(file))
        for name, entrant in self.entrants.items():
            if name != LATE:
                entrant.come()
        self.tournament("start", "cup")
        free = await self.swiss()
        await self.class_a()
        await self.until("over", lambda: "cup is over" in self.tournament("show", "cup"))
        for entrant in self.entrants.values():
            await entrant.go()
        return free

    def results(self, division):
        return [self.field.result(game) for game, (place, _) in self.round_of.items() if place == division]

    def check(self, free):
        archive = self.folder / "cup.zip"
        self.tournament("export", "cup", "--output", str(archive))
        with zipfile.ZipFile(archive) as files:
            tables = [json.loads(line) for line in files.read("tables.json").decode().splitlines()]
            records = [files.read(name).decode() for name in files.namelist() if name.startswith("records/")]
        assert len(self.field.games) == len(self.round_of) == len(records), (
            len(self.field.games), len(self.round_of), len(records))
        for record in records:
            assert "%TORYO" in record and "+7776FU" in record, record
        met = [frozenset(pair) for pair in self.results("day1")]
        assert len(met) == len(set(met)), "a rematch in the Swiss"
        day1, class_a = tables
        standings.compare(day1, standings.swiss(list(self.entrants), self.results("day1"), free))
        finalists = {row["player"] for row in day1["rows"] if row["player"] != LEAVES}
        finalists = set([row["player"] for row in day1["rows"] if row["player"] in finalists][:FINALISTS])
        standings.compare(class_a, standings.round_robin(sorted(finalists), self.results("A")))
        first = {row["player"] for row in class_a["rows"] if row["rank"] == 1}
        assert first == {"p01", "p02", "p03"}, f"the first are {first}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("fuhyo")
    parser.add_argument("--keep", type=Path, help="a folder for data, records and the log, kept afterwards")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        championship = Championship(options.fuhyo, folder)
        began = time.monotonic()
        try:
            free = asyncio.run(championship.hold())
            championship.check(free)
        finally:
            championship.server.kill()
        print(f"{len(championship.round_of)} games, every table as counted, in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
