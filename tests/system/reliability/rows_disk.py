"""Rows about disks: slow, full, forgetting."""

import asyncio
import contextlib
import random
import time
from pathlib import Path

from bed import SHORT_CLOCK, Bed
from checker import check
from machine import Ballast, small_disk
from measures import ask_http, echoes, in_ms, told_moves
from rows import row
from shims import Control
from wire import until

# Whoever is charged for the disk loses: a move has less time than the fault takes (Settings.short_clock).


@row("A3", "the store's disk is slow: each sync takes 50 ms, 1 s, 10 s more",
     "echoes wait, in order; no clock is charged for it, no flag falls")
async def A3_slow_disk(settings, report):
    async with Bed(settings, clock=SHORT_CLOCK, pause_s=(0.05, 0.6)) as bed:
        control = Control(bed.folder / "control")
        await bed.preload(control.env(settings.shim("faults")))
        async with bed.games(report, 8, 50):
            for sync_ms in (50, 1000) if settings.quick else (50, 1000, 10_000):
                control.sync_ms = sync_ms
                began = time.monotonic()
                await asyncio.sleep(max(3.0, 2.2 * sync_ms / 1000))
                control.sync_ms = 0
                await asyncio.sleep(max(1.0, 1.2 * sync_ms / 1000))
                waits = echoes(bed.history, began, began + sync_ms / 1000 + 1)
                report.add(f"echo with {sync_ms} ms a sync, ms", in_ms(waits))
                report.require(waits, f"no move was told while a sync took {sync_ms} ms")


@contextlib.asynccontextmanager
async def on_a_small_disk(settings, **options):
    """A bed whose store fits on it, but for much else; what it logs stands beside."""
    with small_disk((24 if settings.store == "sqlite" else 192) * 1024) as disk:
        async with Bed(settings, folder=disk, **options) as bed:
            bed.server.log_path = Path(f"{disk}.log")
            try:
                yield bed
            finally:
                bed.server.log_path.unlink(missing_ok=True)


async def is_full(bed, report):
    status, _ = await ask_http(bed.server.http, "/healthz")
    report.require(status == 503, f"/healthz answers {status} on a full disk")


@row("A4", "the store's disk is full, and has space again",
     "nobody is told what is not stored; no flag falls; it goes on within 2 s, without a restart", quick=True)
async def A4_disk_full(settings, report):
    async with (on_a_small_disk(settings, clock=settings.short_clock(), pause_s=(0.05, 0.6)) as bed,
                bed.games(report, 8, 50)):
        await _fill_and_release(bed, report, settings.fault_s(30))


async def _fill_and_release(bed, report, full_s):
    await bed.moves_go_on(8)
    ballast = Ballast(bed.folder)
    ballast.fill()
    await bed.healthz(503)
    began = time.monotonic()
    await asyncio.sleep(full_s)
    told = echoes(bed.history, began + full_s - 1)
    report.require(not told, f"{len(told)} moves were said and told in the last second of a full disk")
    await is_full(bed, report)
    report.require(bed.hall.running() > 0, "no game has survived the full disk")
    lost = [fault for fault in check(bed.evidence(settled=False, files=False)) if fault.check == "lost_move"]
    report.require(not lost, f"told and not stored while the disk is full: {len(lost)}, as {lost[:1]}")
    ballast.release()
    released = time.monotonic()
    await until(lambda: told_moves(bed.history, released, time.monotonic()) > 0, "no move after space came back")
    report.add("disk full for, s", full_s)
    report.add("from space to the first move, s", f"{time.monotonic() - released:.2f}")
    report.promise(time.monotonic() - released <= 2, "it took more than 2 s to go on")
    await bed.moves_go_on(8)


@row("A5", "the volume of logs and records is full",
     "play is not affected; records are completed when there is space")
async def A5_records_full(settings, report):
    with small_disk(16 * 1024) as disk:
        async with Bed(settings, "--records", str(disk / "records"), "--wire-log", str(disk / "wire")) as bed:
            bed.server.log_path, bed.server.records = disk / "server.log", disk / "records"
            async with bed.games(report, 8, 100):
                before_s = time.monotonic()
                await asyncio.sleep(1.5)
                ballast = Ballast(disk)
                ballast.fill()
                full_s = time.monotonic()
                await asyncio.sleep(3)
                end_s = time.monotonic()
                full = echoes(bed.history, full_s, end_s)
                report.add("echo before, ms", in_ms(echoes(bed.history, before_s, full_s)))
                report.add("echo with the volume full, ms", in_ms(full))
                report.require(full, "nobody could play")
                ballast.release()


@row("A14", "the power fails: what was not synced is gone",
     "every move that anybody was told is stored; record files are whole", quick=True)
async def A14_power_cut(settings, report):
    random.seed(settings.seed)
    cuts = settings.times or (4 if settings.quick else 30)
    async with Bed(settings, pause_s=(0.0, 0.15)) as bed:
        _, disk = await bed.forgetting_disk()
        forgotten = number = 0
        async with bed.games(report, 8, 50):
            while number < cuts or not forgotten:
                number += 1
                await asyncio.sleep(random.uniform(0.3, 1.5))
                bed.history.mark("died: power cut")
                await asyncio.to_thread(bed.server.kill)
                await asyncio.to_thread(bed.store.kill)
                # All of it, or of each file the first few writes: what had not been synced may be there, or not.
                forgotten += disk.power_cut((lambda count: 0) if number % 2 else lambda count: random.randint(0, count))
                await asyncio.to_thread(bed.store.start)
                await bed.start_again()
                await bed.all_play()
        report.add("power cuts", number)
        report.add("writes that were forgotten", forgotten)
    await _disk_that_lies(settings, report)


async def _disk_that_lies(settings, report):
    """The same with a disk that says "synced" and has not: if this were not found, the row above would show nothing."""
    async with Bed(settings, pause_s=(0.0, 0.15)) as bed:
        control, disk = await bed.forgetting_disk()
        await bed.open(4)
        control.lying_syncs = 1
        await bed.moves_go_on(8)
        await asyncio.to_thread(bed.server.kill)
        await asyncio.to_thread(bed.store.kill)
        disk.power_cut()
        await bed.leave()
        await asyncio.to_thread(bed.store.start)
        found = {violation.check for violation in check(bed.evidence(settled=False, files=False))}
        report.add("a disk that lies about syncs is found out", "yes" if "lost_move" in found else "no")
        report.require("lost_move" in found, "losses of a disk that lies about syncs are not found")
