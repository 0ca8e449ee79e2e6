"""Rows about events: what is decided in one is kept, and nothing of it is done twice."""

import asyncio
import io
import json
import random
import subprocess
import sys
import time
import zipfile
from pathlib import Path

from bed import Bed
from machine import Ballast
from rows import row
from rows_disk import is_full, on_a_small_disk
from wire import Wire, until

sys.path.append(str(Path(__file__).resolve().parents[1] / "cup"))
import standings  # noqa: E402
from entrants import Entrant, Field  # noqa: E402
from event_files import event_text  # noqa: E402

GAME = "cup-600-10F"
FORFEIT_S, QUICK_FORFEIT_S = 30, 600  # full runs are longer without a store than that
COMES_IN_S = 0.5  # what the server said before it answered has been read: this program reads all connections in turn


class Event:
    """A round robin on the server of a bed. The better number wins; every second entrant is in extended mode."""

    def __init__(self, bed, settings):
        self.bed, self.program = bed, settings.program
        self.count = settings.pairs * 2 or (4 if settings.quick else 8)
        self.gap_s, self.forfeit_s = (1, QUICK_FORFEIT_S) if settings.quick else (3, FORFEIT_S)
        self.field = Field(bed.server.csa, GAME, lambda game, black, white: black < white)
        manners = ("stays", "logs out", "closes")
        self.entrants = {f"p{n}": Entrant(self.field, f"p{n}", n % 2 == 0, manners[n // 2 % 3 if n % 2 else 0])
                         for n in range(1, self.count + 1)}

    async def __aenter__(self):
        await self.bed.start()
        file = self.bed.folder / "cup.toml"
        file.write_text(event_text(self.entrants, name="cup", format="round-robin", time="600-10F",
                                   countdown_s=self.gap_s, gap_s=self.gap_s, forfeit_s=self.forfeit_s))
        self.ask("new", str(file))
        for entrant in self.entrants.values():
            entrant.come()
        self.ask("start", "cup")
        return self

    async def __aexit__(self, *_):
        await asyncio.gather(*(entrant.go() for entrant in self.entrants.values()))

    def ask(self, *words):
        done = subprocess.run([self.program, "tournament", *words, "--data", self.bed.server.data], check=False,
                              capture_output=True, text=True)
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
        return done.stdout

    def paired(self):
        return self.bed.server.log().count(": round ")

    def over(self):
        return sum(map(self.field.over, self.field.games))

    @property
    def boards(self):
        return self.count // 2

    async def round(self, number, begun=True):
        """It is paired, and its games have begun. A server that is killed may have said nothing of a pairing."""
        before, after = (number - 1) * self.boards, number * self.boards
        await until(lambda: len(self.field.games) >= after if begun
                    else self.paired() >= number or len(self.field.games) > before,
                    lambda: f"round {number}: {self.paired()} paired, {len(self.field.games)} games begun")

    async def end(self, report):
        """All rounds are played; each pair has met once, and tables and records are what the players have seen."""
        await until(lambda: "cup is over" in self.ask("show", "cup"),
                    lambda: f"the event is not over: {self.ask('pairings', 'cup')}", pause_s=0.5)
        games = self.field.games
        report.add("games", len(games))
        report.require(not self.field.faults, f"{self.field.faults[:5]}")
        met = [frozenset(pair) for pair in games.values()]
        report.require(len(met) == len(set(met)) == self.count * (self.count - 1) // 2,
                       f"{len(met)} games of {len(set(met))} pairs")
        self.ask("export", "cup", "--output", str(self.bed.folder / "cup.zip"))
        with zipfile.ZipFile(io.BytesIO((self.bed.folder / "cup.zip").read_bytes())) as files:
            table = json.loads(files.read("tables.json"))
            records = [name for name in files.namelist() if name.startswith("records/")]
        report.require({name[8:-4] for name in records} == set(games), f"{len(records)} records of {len(games)} games")
        # A result may be stored and the server gone before anybody is told: it is what it was to be then.
        untold = [game for game in games if not self.field.ends.get(game)]
        report.add("results stored and told to nobody", len(untold))
        results = [tuple(sorted(games[game])) if game in untold else self.field.result(game) for game in games]
        try:
            standings.compare(table, standings.round_robin(list(self.entrants), results))
        except AssertionError as fault:
            report.require(False, f"the table: {fault}")


@row("T1", "`kill -9` of the server during an event: between the pairing of a round and its start, and within one",
     "the round is held as it was paired, each game once; its result is what the players were told", quick=True)
async def T1_kill_in_an_event(settings, report):
    random.seed(settings.seed)
    async with Bed(settings) as bed, Event(bed, settings) as event:
        for number in range(1, event.count):
            await event.round(number, begun=number % 2 == 0)
            before = event.ask("pairings", "cup").splitlines() if number % 2 else None
            if not before:
                await asyncio.sleep(random.uniform(0, 0.1))
            await bed.kill_and_restart()
            report.count("kills in the event", 1)
            if before:
                shown = before[-1].split()[1]  # it may be over by now
                after = event.ask("pairings", "cup", shown).splitlines()
                report.require([line.split()[:3] for line in before[:-1]] == [line.split()[:3] for line in after[:-1]],
                               f"round {shown} was paired anew: {before}, {after}")
        await event.end(report)


@row("T2", "the disk is full while the results of a round come in, and has space again",
     "nobody is told of a result meanwhile and nobody forfeits; the event goes on by itself", quick=True)
async def T2_full_disk_in_an_event(settings, report):
    async with on_a_small_disk(settings) as bed, Event(bed, settings) as event:
        await _fill_in_a_round(bed, event, report, 3 if settings.quick else 40)
        await event.end(report)


async def _fill_in_a_round(bed, event, report, full_s):
    await until(lambda: event.over() >= event.boards, "round 1 over")
    event.field.may_go_on = lambda game: False
    await event.round(2)
    ballast = Ballast(bed.folder)
    ballast.fill()
    event.field.may_go_on = lambda game: True
    await bed.healthz(503)  # a store may have room for some rows in files that it has
    await asyncio.sleep(COMES_IN_S)
    over = event.over()
    await asyncio.sleep(full_s)
    await is_full(bed, report)
    report.require(event.over() == over, f"{event.over() - over} results were told on a full disk")
    ballast.release()
    began = time.monotonic()
    await until(lambda: event.over() >= 2 * event.boards, "the round does not end after space came back")
    report.add("from space to the end of the round, s", f"{time.monotonic() - began:.2f}")


@row("T3", "PostgreSQL is gone for some seconds during a round, and once between two rounds",
     "nobody is told of a result meanwhile and nobody forfeits; the event goes on by itself", quick=True,
     stores=("postgres",))
async def T3_no_database_in_an_event(settings, report):
    away_s = 3 if settings.quick else 40  # longer than the event's forfeit time
    async with Bed(settings) as bed, Event(bed, settings) as event:
        event.field.may_go_on = lambda game: False
        await event.round(1)
        await asyncio.to_thread(bed.store.kill)
        event.field.may_go_on = lambda game: True
        await asyncio.sleep(away_s)
        report.require(event.over() == 0, f"{event.over()} results were told while the database was away")
        await asyncio.to_thread(bed.store.start)
        await event.round(2, begun=False)
        await asyncio.to_thread(bed.store.kill)
        await bed.healthz(503)
        await asyncio.sleep(COMES_IN_S)
        begun = len(event.field.games)
        await asyncio.sleep(away_s)
        report.require(len(event.field.games) == begun, "games began while the database was away")
        await asyncio.to_thread(bed.store.start)
        await event.end(report)


@row("T4", "entrants log in a second time, while they wait and while they play, and somebody else under their names",
     "the newer login with the right secret is the entrant, in his game, too; nobody plays twice", quick=True)
async def T4_double_login(settings, report):
    async with Bed(settings) as bed, Event(bed, settings) as event:
        event.field.may_go_on = lambda game: False
        await event.round(1)
        await until(lambda: all(one.plays for one in event.entrants.values()), "the round begun")
        await _somebody_else(bed, report, "p1")
        for name in ("p1", "p2"):  # one in each mode
            await _twin(event, name, report)
        event.field.may_go_on = lambda game: True
        await until(lambda: event.over() >= event.boards, "round 1 over")
        for name in ("p3", "p4"):
            await _twin(event, name, report, plays=False)
        await event.end(report)


async def _twin(event, name, report, plays=True):
    """The same player with the right secret again; the former login is out, and does not come back."""
    former = event.entrants[name]
    former.comes_back = False
    game = former.plays
    twin = event.entrants[name] = Entrant(event.field, name, former.x1)
    twin.come()
    if plays:
        await until(lambda: twin.plays, f"{name} in his game again")
        report.require(twin.plays == game, f"{name} played {game} and then {twin.plays}")
    await until(former.task.done, f"the former login of {name} is out")


async def _somebody_else(bed, report, name):
    told = []
    session = bed.history.session(name, "stranger")
    wire = await Wire.connect(bed.server.csa, bed.history, session, told.append, lambda: None)
    wire.say(f"LOGIN {name} {GAME},another")
    await until(lambda: told, "an answer to a login with another secret")
    report.require(told[0].startswith("LOGIN:incorrect"), f"another secret under the name of {name}: {told[0]}")
    wire.drop()
