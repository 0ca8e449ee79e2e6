"""Rows about the server's own process: kill -9, standing still, being told to stop."""

import asyncio
import random
import signal
import time

from bed import Bed
from measures import in_s
from rows import row

KILLS_A_FOLDER = 10  # then a fresh one: the check of a folder reads all that ever happened in it


@row("A1", "`kill -9` of the server at random moments",
     "every move that anybody was told is stored, nothing else is; it serves again within 5 s", quick=True)
async def A1_kill_the_server(settings, report):
    kills = settings.times or (2 if settings.quick else 20)
    pairs = settings.pairs or (16 if settings.quick else 200)
    random.seed(settings.seed)
    restarts, logins, rooms = [], [], []
    done = 0
    while done < kills:
        async with Bed(settings, pause_s=(0.0, 0.15)) as bed:
            await bed.open(pairs, watchers=1 + pairs // 48)
            for _ in range(min(KILLS_A_FOLDER, kills - done)):
                await asyncio.sleep(random.uniform(0.1, 1.5 if settings.quick else 4.0))
                began = time.monotonic()
                restarts.append(await bed.kill_and_restart())
                await bed.somebody_is_in()
                logins.append(time.monotonic() - began)
                await bed.all_play()
                rooms.append(time.monotonic() - began)
                done += 1
            await bed.end(report)
            report.take(bed.evidence())
    report.add("kills", kills)
    report.add("games at a time", pairs)
    report.add("from kill to listening, s", in_s(restarts))
    report.add("from kill to the first login, s", in_s(logins))
    report.add("from kill to 95 % of the games being played on, s", in_s(rooms))
    report.promise(max(logins) <= 5, f"serving again took {max(logins):.2f} s")


@row("A11", "the server stands still for 5 s (SIGSTOP, SIGCONT)",
     "the pause is charged to nobody, no flag falls, and the log says so", quick=True)
async def A11_stand_still(settings, report):
    pause_s = settings.fault_s(5)
    # Byoyomi alone, and shorter than the pause: who is charged for it loses, which is not honest to the checker.
    async with (Bed(settings, clock=settings.short_clock(), pause_s=(0.05, 0.6)) as bed,
                bed.games(report, 8, 200)):
        for _ in range(settings.times or 1):
            await bed.moves_go_on(8)
            bed.history.mark("away: stopped")
            bed.server.signal(signal.SIGSTOP)
            await asyncio.sleep(pause_s)
            bed.server.signal(signal.SIGCONT)
            bed.history.mark("back: continued")
            await bed.moves_go_on(2 * len(bed.hall.tables))
        await bed.is_told("stood still")
    report.add("pauses", settings.times or 1)


@row("A13", "SIGTERM with games, a second SIGTERM, SIGHUP",
     "running games may end, the second signal does not wait; exit code 0, no game lost; SIGHUP disconnects nobody",
     quick=True)
async def A13_stop_and_hang_up(settings, report):
    pairs = settings.pairs or (8 if settings.quick else 200)
    await _hang_up(settings, report)
    await _drain(settings, report, pairs)
    await _stop_twice(settings, report, pairs)


async def _hang_up(settings, report):
    async with Bed(settings) as bed, bed.games(report, 8, 200):
        bed.server.signal(signal.SIGHUP)
        await bed.is_told("reload: ")
        await bed.moves_go_on(2 * len(bed.hall.tables))  # a game that was broken off is found by the checker
        report.require(not bed.watchers.sessions[0].wire.closed, "SIGHUP disconnected a spectator")


async def _drain(settings, report, pairs):
    """Games that run may end, as long as it takes; nobody begins another one."""
    async with Bed(settings, "--drain-timeout", "600") as bed:
        await bed.open(pairs)
        await bed.moves_go_on(pairs)
        await bed.hall.stand_still()
        await bed.all_play(share=1.0)
        bed.server.signal(signal.SIGTERM)
        await bed.is_told("shutting down")
        await bed.healthz(200)
        report.require(bed.hall.running() == pairs, f"SIGTERM left {bed.hall.running()} of {pairs} games")
        bed.hall.give_up, bed.hall.is_open = True, False
        bed.hall.go_on()
        began = time.monotonic()
        code = await asyncio.to_thread(bed.server.wait)
        report.add("from the last end to the end of the server, s", f"{time.monotonic() - began:.2f}")
        report.require(code == 0, f"exit code {code} after a drain")
        await bed.hall.is_left()
        report.take(bed.evidence())  # each game must have come to its own end


async def _stop_twice(settings, report, pairs):
    async with Bed(settings, "--drain-timeout", "600") as bed:
        await bed.open(pairs)
        await bed.moves_go_on(pairs)
        bed.hall.is_open = False
        bed.history.mark("died: stopped")
        bed.server.signal(signal.SIGTERM)
        await bed.is_told("shutting down")
        began = time.monotonic()
        bed.server.signal(signal.SIGTERM)
        code = await asyncio.to_thread(bed.server.wait)  # not as long as a drain
        took = time.monotonic() - began
        report.add("from the second SIGTERM to the end of the server, s", f"{took:.2f}")
        report.require(code == 0, f"exit code {code} after a second SIGTERM")
        report.promise(took < 10, f"it ended {took:.1f} s after a second SIGTERM")
        await bed.hall.is_left()
        # A stop is not to be told from a crash: the next start deals with what is not over.
        await bed.start_again()
        bed.hall.open_again()
        await bed.all_play()
        await bed.end(report)
        report.take(bed.evidence())
