"""Rows about two servers over one PostgreSQL: one is active, the other one stands by."""

import asyncio
import random
import re
import shutil
import socket
import tempfile
import time
from pathlib import Path

from bed import Bed, CannotRun
from cluster import Cluster, NoPostgres
from machine import Island
from measures import ask_http, in_s, told_moves
from rows import row
from rows_postgres import POSTGRES
from rows_store import is_refused, is_replaced
from server import Server
from wire import until

MOST_S = 10  # from the end of one server to the first move in the other
LAST_STEP = "number = (SELECT max(number) FROM fuhyo_migration)"


def listens(address):
    with socket.socket() as sock:
        sock.settimeout(1)
        return sock.connect_ex(address) == 0


def second_program(settings):
    return settings.other or settings.program


def beside(bed):
    """Another server of the same store, at the same address for players."""
    folder = bed.folder / "second"
    second = Server(second_program(bed.settings), folder, *bed.server.flags)
    second.csa, second.records = bed.server.csa, bed.server.records
    second.data.mkdir(parents=True)
    for file in ("secret.key", "reconnect.key"):
        if (bed.server.data / file).exists():
            shutil.copy(bed.server.data / file, second.data)
    return second


@row("A20", "`kill -9` of the active one of two servers; the other one stands by, and is the next to be killed",
     "the standby takes no player; it has taken over within 10 s; every move that anybody was told is stored",
     quick=True, stores=POSTGRES)
async def A20_take_turns(settings, report):
    kills, pairs = settings.times or (2 if settings.quick else 10), settings.pairs or (16 if settings.quick else 100)
    random.seed(settings.seed)
    listening, played = [], []
    async with Bed(settings, "--role", "standby", pause_s=(0.0, 0.15)) as bed:
        bed.server.flags += ("--records", str(bed.server.records))
        await bed.open(pairs, watchers=1 + pairs // 48, stream=False)
        other = beside(bed)
        try:
            for _ in range(kills):
                await asyncio.to_thread(other.start)
                for path, wanted in (("/healthz", (200, "ok\n")), ("/readyz", (503, "this one stands by\n"))):
                    told = await ask_http(other.http, path)
                    report.require(told == wanted, f"the standby's {path}: {told}")
                report.require((await ask_http(bed.server.http, "/readyz"))[0] == 200, "which one is ready?")
                await asyncio.sleep(random.uniform(0.5, 2))
                await _kill(bed, other, listening, played)
                bed.server, other = other, bed.server
                await bed.all_play()
            await bed.end(report)
        finally:
            if other.is_running():
                await asyncio.to_thread(other.kill)
        report.take(bed.evidence())
    report.add("kills", kills)
    report.add("from kill to listening, s", in_s(listening))
    report.add("from kill to the first move, s", in_s(played))
    report.promise(max(played) <= MOST_S, f"{max(played):.1f} s until somebody moved")


async def _kill(bed, other, listening, played):
    bed.history.mark("died: killed")
    began = time.monotonic()
    await asyncio.to_thread(bed.server.kill)
    await until(lambda: listens(other.csa), lambda: f"nobody takes over: {other.last_lines()}")
    listening.append(time.monotonic() - began)
    bed.history.mark("back: the other one")
    await until(lambda: told_moves(bed.history, began + listening[-1], time.monotonic()) > 0,
                lambda: f"nobody plays: {other.last_lines()}")
    played.append(time.monotonic() - began)


@row("A21", "the machine of the active one of two servers is cut off from the database; later it is back",
     "the standby has taken over within 10 s; the former one writes nothing more, and ends", quick=True,
     stores=POSTGRES)
async def A21_cut_off(settings, report):
    folder = Path(tempfile.mkdtemp(prefix="fuhyo-reliability-"))
    try:
        with Island(1) as island:
            await _cut_off(settings, report, folder, island)
    except NoPostgres as reason:
        raise CannotRun(str(reason)) from None
    finally:
        shutil.rmtree(folder, ignore_errors=True)


async def _cut_off(settings, report, folder, island):
    there, here = island.addresses[0], re.sub(r"\d+$", "1", island.addresses[0])
    cluster = Cluster(folder / "postgres", settings=f"listen_addresses = '{here}'\n")
    await asyncio.to_thread(cluster.make)
    cluster.allow(there)
    active = Server(settings.program, folder / "active", "--role", "standby", "--store",
                    f"postgres://fuhyo@{here}/games", wrap=island.wrap())
    other = Server(second_program(settings), folder / "other", "--role", "standby", "--store", cluster.url)
    servers = (active, other)
    try:
        for server in servers:
            server.data.mkdir(parents=True)
            if server is other:
                shutil.copy(active.data / "secret.key", other.data)
            await asyncio.to_thread(server.start)
        report.require(not listens(other.csa), "the standby listens for players")
        island.pull(0)
        began = time.monotonic()
        await until(lambda: listens(other.csa), lambda: f"nobody takes over: {other.last_lines()}")
        took_s = time.monotonic() - began
        report.add("from the cut to listening, s", f"{took_s:.1f}")
        report.promise(took_s <= MOST_S, f"it took {took_s:.1f} s")
        epoch = cluster.sql("SELECT epoch FROM lease")
        island.push(0)
        await is_replaced(report, active)
        report.require(cluster.sql("SELECT epoch FROM lease") == epoch, "the former one has written")
        report.require(other.is_running(), f"the new one has ended: {other.last_lines()}")
    finally:
        for server in servers:
            if server.is_running():
                await asyncio.to_thread(server.kill)
        await asyncio.to_thread(cluster.kill)


@row("A24", "a standby is started whose program is older than the store, and one whose program is newer",
     "it ends and says so; the active one plays on", quick=True, stores=POSTGRES)
async def A24_other_format(settings, report):
    async with Bed(settings, "--role", "standby") as bed:
        async with bed.games(report, 4, 16):
            other, steps = beside(bed), bed.store.cluster.sql
            bed.store.add_migration("9999_of_the_future")
            await is_refused(report, other, "9999_of_the_future", "older than the store")
            steps(f"DELETE FROM fuhyo_migration WHERE {LAST_STEP}")
            [(name, checksum)] = steps(f"DELETE FROM fuhyo_migration WHERE {LAST_STEP} RETURNING name, checksum")
            await is_refused(report, other, "is of an older version", "newer than the store")
            steps("INSERT INTO fuhyo_migration (number, name, checksum)"
                  f" SELECT max(number) + 1, '{name}', '{checksum}' FROM fuhyo_migration")
            await bed.moves_go_on(8)
