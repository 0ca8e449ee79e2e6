"""Rows about PostgreSQL as the store: killed, full of other sessions, not durable."""

import asyncio
import shutil
import signal
import time

from bed import Bed, CannotRun
from checker import check, tally
from measures import echoes, told_moves
from rows import row
from rows_store import REFUSED, is_refused, is_replaced
from server import Server, ServerFault
from wire import until

POSTGRES = ("postgres",)


@row("A2", "`kill -9` of PostgreSQL with all its processes; it comes back after 0, 5 and 60 s",
     "nobody is told of what is not stored; games freeze, no flag falls; they go on within 2 s", quick=True,
     stores=POSTGRES)
async def A2_kill_the_database(settings, report):
    async with (Bed(settings, clock=settings.short_clock(), pause_s=(0.05, 0.6)) as bed,
                bed.games(report, 8, 100)):
        for away_s in (0, settings.fault_s(5)) if settings.quick else (0, 5, 60):
            for _ in range(settings.times or 1):
                await bed.moves_go_on(8)
                await _kill_for(bed, report, away_s)


async def _kill_for(bed, report, away_s):
    bed.history.mark("away: database killed")
    await asyncio.to_thread(bed.store.kill)
    killed = time.monotonic()
    report.count("kills", 1)
    await asyncio.sleep(away_s)
    told = echoes(bed.history, killed)
    report.require(not told, f"{len(told)} moves were said and told while the database was away")
    await asyncio.to_thread(bed.store.start)
    back = time.monotonic()
    await until(lambda: told_moves(bed.history, back, time.monotonic()) > 0, "no move after the database came back")
    bed.history.mark("back: database is back")
    report.add(f"away for {away_s} s: from its return to the first move, s", f"{time.monotonic() - back:.2f}")
    report.promise(time.monotonic() - back <= 2, f"{time.monotonic() - back:.1f} s until games went on")


@row("A7", "PostgreSQL with fsync, synchronous_commit or full_page_writes off",
     "the server refuses to start and says which, unless it is told --unsafe", quick=True, stores=POSTGRES)
async def A7_not_durable(settings, report):
    async with Bed(settings) as bed:
        cluster = bed.store.cluster
        for setting in ("fsync", "full_page_writes", "synchronous_commit"):
            cluster.sql(f"ALTER SYSTEM SET {setting} = off", database="postgres")
            cluster.sql("SELECT pg_reload_conf()", database="postgres")
            await until(lambda setting=setting: cluster.sql(f"SHOW {setting}") == [["off"]], f"{setting} is not off")
            await is_refused(report, bed.server, setting, f"with {setting} off")
            if setting == "fsync":
                await _unsafe(settings, bed, report)
            cluster.sql(f"ALTER SYSTEM RESET {setting}", database="postgres")
            cluster.sql("SELECT pg_reload_conf()", database="postgres")


async def _unsafe(settings, bed, report):
    flags, bed.server.flags = bed.server.flags, (*bed.server.flags, "--unsafe")
    try:
        await bed.start()
        await asyncio.to_thread(bed.server.stop)
    except ServerFault as fault:
        report.require(False, f"--unsafe is refused: {fault}")
    bed.server.flags = flags


@row("A18", "max_connections is reached",
     "a running server plays on with the connections that it has; a starting one says why it cannot", quick=True,
     stores=POSTGRES)
async def A18_no_connections(settings, report):
    async with Bed(settings) as bed:
        await bed.open(settings.pairs or (8 if settings.quick else 50))
        sessions = bed.store.cluster.occupy()
        try:
            await bed.moves_go_on(40)
            bed.history.mark("died: killed")
            await asyncio.to_thread(bed.server.kill)
            await bed.hall.close()
            sessions += bed.store.cluster.occupy()  # those that it had
            try:
                await bed.start()
            except ServerFault as fault:
                report.require(bed.server.process.returncode == REFUSED, f"exit code {bed.server.process.returncode}")
                report.require("connection" in str(fault), f"it says: {fault}")
            else:
                raise CannotRun("a connection was left")
        finally:
            for session in sessions:
                session.kill()
                session.wait()
        await until(lambda: bed.store.cluster.sql("SELECT count(*) FROM pg_stat_activity WHERE usename = 'fuhyo'",
                                                  database="postgres") == [["0"]], "sessions are left")
        await bed.start_again()
        bed.hall.open_again()
        await bed.all_play()
        await bed.end(report)
        report.take(bed.evidence())


MOVE = 4  # number of MoveMade in the journal


@row("A19", "a second server takes over while the first is stopped (SIGSTOP, its sessions are ended); it wakes up",
     "refused before; the first commits nothing more, tells nobody of anything that is not stored, and ends",
     quick=True, stores=POSTGRES)
async def A19_take_over(settings, report):
    async with Bed(settings, pause_s=(0.02, 0.2)) as bed:
        await bed.open(settings.pairs or (8 if settings.quick else 50))
        second = Server(settings.program, bed.folder / "second", *bed.store.flags(), *settings.serve)
        second.data.mkdir(parents=True)
        shutil.copy(bed.server.data / "secret.key", second.data)
        await bed.moves_go_on(8)
        await is_refused(report, second, "", "while the first works")
        bed.history.mark("away: stopped")
        bed.server.signal(signal.SIGSTOP)
        try:
            await is_refused(report, second, "", "while the first stands still")
            bed.store.cluster.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'fuhyo'",
                                  database="postgres")
            await asyncio.to_thread(second.start)
            taken_over = max(one.seq for one in bed.store.journal())
        finally:
            bed.server.signal(signal.SIGCONT)
        await is_replaced(report, bed.server)  # its players go on playing meanwhile
        await bed.leave()
        await asyncio.to_thread(second.stop)
        moves = [one for one in bed.store.journal() if one.kind == MOVE and one.seq > taken_over]
        report.require(not moves, f"{len(moves)} moves were stored by the server that had been replaced")
        evidence = bed.evidence()
        report.count("acknowledged moves", tally(evidence)["acknowledged moves"])
        report.require(tally(evidence)["acknowledged moves"] > 0, "no move was acknowledged: nothing has been shown")
        # The games go on in the second server, whose players are not here.
        held = ("lost_move", "phantom", "one_order", "legality")
        report.faults += [str(one) for one in check(evidence) if one.check in held]
