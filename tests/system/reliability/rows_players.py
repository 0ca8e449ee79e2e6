"""Rows about players who mean no good: buoys without end, games that they keep from counting, moves at the flag."""

import asyncio

from bed import Bed
from clients import Client, admin
from measures import echoes, in_ms
from rows import row
from wire import until


@row("I5", "buoys without end: huge counts, moves of a megabyte, those of others deleted",
     "limits hold, games go on, and an operator clears them away", quick=True)
async def I5_buoys_without_end(settings, report):
    async with Bed(settings) as bed, bed.games(report, 4, 50):
        owner = await Client(bed, "owner").log_in()
        owner.wire.say("%%SETBUOY buoy_own-300-10 +7776FU")
        await owner.hears("##[SETBUOY] +OK")
        began = asyncio.get_running_loop().time()
        spammers = [await Client(bed, f"spam{number}").log_in() for number in range(8)]
        for one in spammers:
            one.wire.say("%%DELETEBUOY buoy_own-300-10")
            one.wire.say(f"%%SETBUOY buoy_{one.name}huge-300-10 +7776FU 99999999999")
            for number in range(300):
                one.wire.say(f"%%SETBUOY buoy_{one.name}x{number}-300-10 +7776FU")
        spammers[0].wire.say("%%SETBUOY buoy_long-300-10 " + "+2726FU-8384FU+2627FU-8483FU" * 40_000)
        await until(lambda: all(one.wire.closed or len(one.heard) >= 8 for one in spammers), "no answers to spam")
        report.add("echo meanwhile, ms", in_ms(echoes(bed.history, began)))
        owner.wire.say("%%BUOYS")
        await owner.hears("##[BUOYS] +OK")
        stands = [line for line in owner.heard if line.startswith("##[BUOYS] buoy_")]
        report.add("buoys asked for, and set", f"{8 * 301 + 1}, {len(stands) - 1}")
        report.require(all(int(line.split()[2]) == 1 for line in stands), "a huge count was taken")
        report.require(any("buoy_own-" in line for line in stands), "a buoy was deleted by somebody else")
        await until(lambda: spammers[0].wire.closed, "a line of a megabyte was taken")
        answer = await admin(bed, "drop-buoys", "buoy_spam*", "nobody", "plays", "them")
        report.require(answer["ok"], f"they cannot be cleared away: {answer['text']}")
        for one in [owner, *spammers]:
            one.wire.drop()
        await bed.all_play()


@row("I6", "games kept from counting: a player refuses one opponent after the other",
     "counted and shown; nobody is paired with him for a minute after the third; others play on", quick=True)
async def I6_games_kept_from_counting(settings, report):
    async with Bed(settings) as bed, bed.games(report, 4, 50):
        picky = await Client(bed, "picky").log_in()
        for number in range(3):
            rival = await Client(bed, f"rival{number}").log_in()
            rival.wire.say("%%GAME pick-300-10 *")
            picky.wire.say("%%GAME pick-300-10 *")
            await rival.hears("END Game_Summary")
            await picky.hears("END Game_Summary")
            picky.wire.say("REJECT")
            picky.heard.clear()
            await rival.hears("REJECT:")
            rival.wire.drop()
        picky.wire.say("%%GAME pick-300-10 *")
        await picky.hears("##[ADMIN] several of your games were aborted")
        others = [await Client(bed, f"other{number}").log_in() for number in range(2)]
        for one in others:
            one.wire.say("%%GAME pick-300-10 *")
        for one in others:
            await one.hears("END Game_Summary")
        report.require(not picky.has_heard("BEGIN Game_Summary"), "somebody was paired with the player who refuses")
        [shown] = (await admin(bed, "conduct", "picky"))["rows"]
        report.add("shown of him: aborted, left", ", ".join(shown[1:3]))
        report.require(shown[1] == "3", f"his games are not counted: {shown}")
        results = await admin(bed, "results", "pick-*")
        report.require(not results.get("rows"), "an aborted game counts for somebody")
        for one in [picky, *others]:
            one.wire.drop()


OFFSETS_MS = (-300, -50, -10, -3, -1, 0, 1, 3, 10, 50, 300)


async def _at_the_flag(bed, offset_ms):
    """Black's first move, so many ms before (-) or after his two seconds are over; who has won, as both were told."""
    tag = f"flag{'m' if offset_ms < 0 else 'p'}{abs(offset_ms)}"
    players = [await Client(bed, tag + sign).connect(f"LOGIN {tag}{sign} {tag}-2-0-{sign.upper()}") for sign in "bw"]
    for one in players:
        await one.hears("END Game_Summary")
        one.wire.say("AGREE")
    black, white = players
    await black.hears("START:")
    began = asyncio.get_running_loop().time()
    white.wire.say("-3334FU")  # ahead of its turn
    await asyncio.sleep(max(0.0, began + 2 + offset_ms / 1000 - asyncio.get_running_loop().time()))
    black.wire.say("+7776FU,T0")
    for one in players:
        await until(lambda one=one: one.has_heard("#") or one.has_heard("-3334FU"), f"{tag}: no decision")
    in_time = black.has_heard("-3334FU")
    both_alike = in_time == white.has_heard("-3334FU")
    times = [line for line in black.heard if line.startswith(("+7776FU", "-3334FU"))]
    for one in players:
        one.wire.drop()
    return in_time, both_alike, times


@row("I7", "time cheating: moves at the moment of the flag, moves sent ahead, a time of one's own with the move",
     "in time or late by the arrival alone, the same for both; T is the server's", quick=True)
async def I7_at_the_flag(settings, report):
    async with Bed(settings) as bed, bed.games(report, 4, 50, ends=frozenset({"toryo", "abnormal", "time up"})):
        found = await asyncio.gather(*(_at_the_flag(bed, offset) for offset in OFFSETS_MS))
        for offset, (in_time, both_alike, times) in zip(OFFSETS_MS, found):
            report.count("moves in time" if in_time else "moves too late", 1)
            report.require(both_alike, f"{offset} ms: the players were told different things")
            stood_still = bed.server.stood_still_s() > 0  # which is charged to nobody
            if in_time:
                charged = ("+7776FU,T0", "+7776FU,T1") if stood_still else ("+7776FU,T1",)
                report.require(times[0] in charged and times[1:] == ["-3334FU,T0"], f"{offset} ms: {times}")
        report.promise(found[0][0], "a move 300 ms before the flag was late")
        report.require(stood_still or not found[-1][0], "a move 300 ms after the flag was in time")
