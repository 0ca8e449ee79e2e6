"""A server, its store, and a hall full of players, for one row; and what a row comes to."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from checker import check, tally
from cluster import NoPostgres
from evidence import Evidence, read_records
from history import History
from measures import ask_http, echoes
from players import Hall
from server import Server
from shims import Control, ForgettingDisk
from stores import STORES
from watchers import Stream, Watchers
from wire import PATIENCE_S, until

LINE_PLIES = 160
# A move's time, and how long a fault takes that would use it up. Full runs are on a machine that plays in time.
SHORT_CLOCK, QUICK_CLOCK, QUICK_FAULT_S = "0-4", "0-10", 12


class CannotRun(Exception):
    """This machine does not let the row be tried; the text says why."""


@dataclass
class Settings:
    program: str
    judge: str
    shims: Path
    store: str = "sqlite"
    times: int = 0      # how often a row that repeats itself does so; 0: its own idea
    pairs: int = 0      # games at a time; 0: the row's own idea
    seed: int = 1
    quick: bool = False  # small enough for every test run
    lines: list = field(default_factory=list)
    serve: list = field(default_factory=list)  # flags for every server
    other: str = ""  # the program of the second one of two servers; empty: the same

    def short_clock(self):
        return QUICK_CLOCK if self.quick else SHORT_CLOCK

    def fault_s(self, full_s):
        """Of a fault that is charged to nobody, nor lets a flag of that clock fall."""
        return QUICK_FAULT_S if self.quick else full_s

    def shim(self, name):
        file = self.shims / f"lib{name}.so"
        if not file.exists():
            raise CannotRun(f"{file.name} is not built")
        return str(file)


@dataclass
class Report:
    """What one row found. `faults` empty: it held."""
    quick: bool = False  # promises of speed are not held
    figures: dict = field(default_factory=dict)
    faults: list = field(default_factory=list)  # texts

    def add(self, name, value):
        self.figures[name] = value

    def count(self, name, value):
        self.figures[name] = self.figures.get(name, 0) + value

    def require(self, holds, text):
        if not holds:
            self.faults.append(text)
        return holds

    def promise(self, holds, text):
        """As require(), of what a machine that has too much else to do may break: figures, in every test run."""
        return self.quick or self.require(holds, text)

    def take(self, evidence):
        if evidence.history.stalls:
            self.count("this program stood still, times", len(evidence.history.stalls))
        for name, value in tally(evidence).items():
            self.count(name, value)
        found = check(evidence)
        self.count("violations", len(found))
        self.faults += [str(violation) for violation in found[:20]]
        self.require(tally(evidence)["acknowledged moves"] > 0, "no move was acknowledged: nothing has been shown")


def legal_lines(judge, count, seed):
    text = subprocess.run([judge, "lines", str(count), str(LINE_PLIES), str(seed)], check=True, capture_output=True,
                          text=True).stdout
    return [line.split() for line in text.splitlines()]


class Bed:
    def __init__(self, settings, *flags, folder=None, env=None, wrap=(), clock="3600-60", pause_s=(0.02, 0.3)):
        self.settings, self.own_folder = settings, folder is None
        self.folder = Path(folder or tempfile.mkdtemp(prefix="fuhyo-reliability-"))
        try:
            self.store = STORES[settings.store](self.folder)
        except NoPostgres as reason:
            raise CannotRun(str(reason)) from None
        self.server = Server(settings.program, self.folder, *self.store.flags(), *flags, *settings.serve, env=env,
                             wrap=wrap)
        self.history = History()
        self.hall = Hall(self.history, self.server.csa, settings.lines, clock=clock, pause_s=pause_s)
        self.watchers = self.stream = None
        self.beat = None  # what watches this program itself

    async def __aenter__(self):
        self.server.data.mkdir(parents=True, exist_ok=True)
        self.beat = asyncio.get_running_loop().create_task(self.history.watch_itself())
        await asyncio.to_thread(self.store.start)
        return self

    async def __aexit__(self, *_):
        await self.leave()
        self.beat.cancel()
        if self.server.is_running():
            await asyncio.to_thread(self.server.kill)
        await asyncio.to_thread(self.store.kill)
        if self.own_folder:
            shutil.rmtree(self.folder, ignore_errors=True)

    async def preload(self, env):
        """Into whichever process writes the store, from its next start on."""
        if not self.store.has_processes:
            return self.server.env.update(env)
        # Its user may not be able to read the folder that the library was built in.
        library = shutil.copy(env["LD_PRELOAD"], self.store.cluster.folder)
        os.chmod(library, 0o755)
        self.store.env.update({**env, "LD_PRELOAD": library})
        await asyncio.to_thread(self.store.close)
        return await asyncio.to_thread(self.store.start)

    async def forgetting_disk(self):
        """(control, disk): what writes the store does so on a ForgettingDisk from its next start on."""
        control = Control(self.folder / "control")
        disk = ForgettingDisk(self.folder / "undo", self.store.disk, control, self.settings.shim("forgetting_disk"))
        await self.preload(disk.env())
        return control, disk

    @contextlib.asynccontextmanager
    async def games(self, report, quick, full, *, stream=True, **evidence):
        """So many have begun; after the body each comes to its end, and the checker has its say."""
        await self.open(self.settings.pairs or (quick if self.settings.quick else full), stream=stream)
        yield
        await self.end(report)
        report.take(self.evidence(**evidence))

    async def start(self):
        return await asyncio.to_thread(self.server.start)

    async def open(self, pairs, watchers=1, stream=True, start=True):
        """Server (unless it runs already), spectators, and so many games that have begun."""
        if start:
            await self.start()
        self.watchers = Watchers(self.history, self.server.csa, watchers)
        await self.watchers.begin()
        await until(lambda: all(one.ready for one in self.watchers.sessions), "watchers log in")
        self.hall.watch = self.watchers.watch
        if stream:
            self.stream = Stream(self.history, self.server.http)
            self.stream.begin()
        self.hall.open_tables(pairs)
        await self.all_play()

    async def all_play(self, share=0.95):
        """Not all at once: games end and begin all the time."""
        await until(lambda: self.hall.running() >= len(self.hall.tables) * share,
                    lambda: f"{self.hall.running()} of {len(self.hall.tables)} games run; {self.server.last_lines()}")

    async def somebody_is_in(self):
        await until(lambda: any(one.state not in ("away", "login") for one in self.hall.players()),
                    lambda: f"nobody gets in; {self.server.last_lines()}")

    async def moves_go_on(self, count=1, begin=None):
        """So many more moves that are said from here on (or were since `begin`) are echoed to who says them."""
        begin = time.monotonic() if begin is None else begin
        await until(lambda: len(echoes(self.history, begin)) >= count,
                    lambda: f"no move is told: {self.server.last_lines()}")

    async def is_told(self, text, since=0):
        await until(lambda: text in self.server.log()[since:],
                    lambda: f"the log does not say '{text}': {self.server.last_lines()}")

    async def healthz(self, wanted):
        async with asyncio.timeout(PATIENCE_S):
            while (await ask_http(self.server.http, "/healthz"))[0] != wanted:
                await asyncio.sleep(0.02)

    async def start_again(self, why=""):
        """After it has died; of which only `why` is told here."""
        if why:
            self.history.mark(f"died: {why}")
        await self.start()
        self.history.mark("back: started")

    async def kill_and_restart(self):
        """Seconds from the kill until it listens again."""
        self.history.mark("died: killed")
        began = time.monotonic()
        await asyncio.to_thread(self.server.kill)
        await self.start_again()
        return time.monotonic() - began

    async def leave(self):
        await self.hall.close()
        if self.watchers:
            self.watchers.close()
        if self.stream:
            await self.stream.close()

    async def end(self, report):
        """Faults are over: every game comes to its end, everybody leaves, the server stops."""
        self.hall.rounds = 0  # nobody begins another one
        self.hall.give_up = True
        await until(lambda: not any(player.state in ("agreeing", "game") for player in self.hall.players()),
                    lambda: f"games go on: {self.hall.plies()}")
        await self.leave()
        code = await asyncio.to_thread(self.server.stop)
        report.require(code in (0, None), f"the server ended with {code}: {self.server.last_lines()}")

    def evidence(self, **options):
        records, listing = read_records(self.server.records)
        return Evidence(self.history, self.store.journal(), self.store.archive(), records, listing,
                        judge=self.judge, given_back_s=self.server.stood_still_s(), **options)

    def judge(self, texts):
        answer = subprocess.run([self.settings.judge, "check"], input="".join(text + "\n" for text in texts),
                                check=True, capture_output=True, text=True)
        return answer.stdout.splitlines()
