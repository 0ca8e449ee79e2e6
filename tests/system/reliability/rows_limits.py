"""Rows about a machine that gives too little: memory, allocations, descriptors, and a wall clock that jumps."""

import asyncio
import random
import re
import time

from bed import Bed
from crowd import Crowd
from machine import limit_memory, memory_group, tool
from measures import echoes, in_ms
from rows import row
from shims import Control
from wire import until

MAY_LOSE_LINES = frozenset({"toryo", "abnormal"})  # who is refused memory is disconnected


@row("A8", "little memory: a control group of 1.2 times what the server has",
     "games go on, or the server is killed and it is A1: nothing acknowledged is lost")
async def A8_memory_group(settings, report):
    with memory_group("fuhyo-reliability") as group:
        async with Bed(settings) as bed, bed.games(report, 50, 50, ends=MAY_LOSE_LINES):
            await asyncio.sleep(1)
            limit = int(bed.server.rss_kib() * 1024 * 1.2)
            limit_memory(group, limit)
            (group / "cgroup.procs").write_text(str(bed.server.pid), encoding="ascii")
            report.add("limit, MiB", round(limit / (1 << 20), 1))
            crowd = Crowd(bed.history, bed.server)
            await crowd.deaf_streams(200)
            await crowd.log_in(400)
            await asyncio.sleep(5)
            report.add("the server was killed", "no" if bed.server.is_running() else "yes")
            crowd.leave()
            if not bed.server.is_running():
                await asyncio.to_thread(bed.server.wait)
                await bed.start_again("out of memory")
            await bed.all_play()


async def _ends_or_goes_on(bed, report):
    """Until moves that are said from here on are told, by a server that may have ended (True) and been started anew."""
    ended = False
    while True:
        since = time.monotonic()
        await until(lambda since=since: not bed.server.is_running() or echoes(bed.history, since)
                    and bed.hall.running() >= len(bed.hall.tables) * 0.95, lambda: bed.server.last_lines())
        if bed.server.is_running():
            return ended
        ended = True
        code = await asyncio.to_thread(bed.server.wait)
        report.require(code != 0, "it ended with 0 after a failed allocation")
        await bed.start_again("ended")


@row("A9", "the n-th allocation fails, during logins and moves",
     "the server ends and starts again with what was acknowledged, or goes on; never a half-applied state", quick=True)
async def A9_allocation_fails(settings, report):
    random.seed(settings.seed)
    trials = settings.times or (8 if settings.quick else 150)
    async with Bed(settings, pause_s=(0.0, 0.1)) as bed:
        control = Control(bed.folder / "control")
        bed.server.env.update(control.env(settings.shim("failing_malloc")))
        await bed.open(settings.pairs or 3)
        for trial in range(trials):
            bed.hall.open_tables(1 if trial % 10 == 0 else 0)  # logins, too
            number = random.randint(1, 3000)
            control.fail_on = int(trial % 4 == 3)
            control.fail_at = control.allocations + number
            await until(lambda: control.allocations >= control.fail_at or not bed.server.is_running(), "no allocation")
            control.fail_at = 0
            report.count("allocations that failed", 1)
            ended = await _ends_or_goes_on(bed, report)
            report.count("the server ended" if ended else "the server went on", 1)
        await bed.end(report)
        report.take(bed.evidence(ends=MAY_LOSE_LINES))


async def _load(bed, span_s):
    """The share of a core that it takes for so long, and the echoes of that time."""
    cpu, began = bed.server.cpu_s(), time.monotonic()
    await asyncio.sleep(span_s)
    return (bed.server.cpu_s() - cpu) / (time.monotonic() - began), echoes(bed.history, began)


@row("A10", "no descriptors are left (prlimit --nofile=256)",
     "nobody new gets in, games go on, the loop does not spin; who waits gets in when there are some again")
async def A10_no_descriptors(settings, report):
    async with Bed(settings, wrap=[tool("prlimit"), "--nofile=256:256"]) as bed, bed.games(report, 8, 40):
        await asyncio.sleep(1)
        usual, usual_echo = await _load(bed, 2)
        crowd = Crowd(bed.history, bed.server)
        await crowd.log_in(300)
        await asyncio.sleep(1)
        inside = crowd.inside()
        report.require(inside < 300, "all 300 got in: descriptors were not exhausted")
        report.add("descriptors in use", bed.server.descriptors())
        busy, echo = await _load(bed, 3)
        report.add("share of a core before, and without descriptors", f"{usual:.2f}, {busy:.2f}")
        report.add("echo before, ms", in_ms(usual_echo))
        report.add("echo without descriptors, ms", in_ms(echo))
        report.require(busy < usual + 0.3, "the loop spins without descriptors")
        report.require(bed.hall.running() > 0, "no game has survived")
        crowd.leave(inside)
        freed = time.monotonic()
        await until(lambda: crowd.inside() > inside, "nobody who waited got in")
        report.add("from free descriptors to the first who waited, s", f"{time.monotonic() - freed:.2f}")
        crowd.leave()
        await asyncio.sleep(0.5)
        await bed.all_play()


@row("A12", "the wall clock jumps by an hour, ahead and back (the server's alone)",
     "game clocks do not notice; Game_IDs keep their order; records carry the wall's time", quick=True)
async def A12_wall_clock(settings, report):
    async with Bed(settings, clock="0-600", pause_s=(0.05, 0.6)) as bed:  # less than an hour
        control = Control(bed.folder / "control")
        bed.server.env.update(control.env(settings.shim("faults")))
        await bed.open(settings.pairs or (8 if settings.quick else 50))
        for hours in (1, 0, -1, 0):
            control.wall_us = hours * 3_600_000_000
            await bed.moves_go_on(8)
            bed.hall.open_tables(2)
            await bed.all_play()
        control.wall_us = 0
        await bed.end(report)
        evidence = bed.evidence()
        report.take(evidence)
        stamps = [re.search(r"\d{14}$", game.csa_id)[0] for game in evidence.games.values()]
        report.require(stamps == sorted(set(stamps)), f"Game_IDs do not ascend: {stamps}")
        report.add("games begun under jumps", 8)
