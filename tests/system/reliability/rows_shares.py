"""Rows about places that are shared: connections, logins, buoys; and about what players say to nobody else."""

import asyncio
import contextlib
import time

from hostile import Stranger, beside_games, log_in
from rows import row


async def _silent(bed, addresses, per_second, over):
    """Connections that say nothing, round and round from so many addresses, until it is over; how many came."""
    count, began, held = 0, time.monotonic(), []
    while not over.is_set():
        came = await asyncio.gather(
            *(Stranger.connect(bed.server.csa, f"127.4.{number // 250}.{2 + number % 250}")
              for number in (n % addresses for n in range(count, count + 20))), return_exceptions=True)
        held += [one for one in came if isinstance(one, Stranger)]
        count += len(came)
        for one in held[:-2000]:
            one.drop()
        del held[:-2000]
        await asyncio.sleep(max(0.0, count / per_second - (time.monotonic() - began)))
    for one in held:
        one.drop()
    return count


@row("B13", "silent connections, 2,000 a second from 200 addresses",
     "everybody who has something to say gets in", quick=True)
async def B13_silent_connections(settings, report):
    async with beside_games(settings, report) as bed:
        over = asyncio.Event()
        storm = asyncio.create_task(_silent(bed, 200, 2000, over))
        logins = 10 if settings.quick else 79
        for number in range(logins):
            with await log_in(bed.server.csa, f"honest{number}", f"127.5.0.{2 + number}"):
                pass
        over.set()
        report.add("silent connections meanwhile", await storm)
        report.add("honest logins", f"{logins} of {logins}")


@row("B14", "throwaway logins take every place", "accounts, operators and guests of other addresses get in")
async def B14_every_place(settings, report):
    async with beside_games(settings, report, memory_mib=512) as bed:
        made = bed.server.admin("account-add", "holder")
        report.require(made["ok"], made)
        token = bed.server.admin("token", "holder")["text"].split()[-1]
        throwaways = []
        for first in range(0, 19_500, 50):
            came = await asyncio.gather(*(log_in(bed.server.csa, f"t{number}", f"127.6.{number // 64}.2")
                                          for number in range(first, first + 50)), return_exceptions=True)
            throwaways += [one for one in came if isinstance(one, Stranger)]
        report.add("throwaways that logged in", len(throwaways))
        with await Stranger.connect(bed.server.csa, "127.7.0.1") as holder:
            await holder.say(f"LOGIN holder {token} x1\n".encode())
            report.require(await holder.until_line(b"##[LOGIN]") is not None, "the holder of an account is refused")
        with await log_in(bed.server.csa, "guest", "127.7.0.2"):
            pass
        for one in throwaways:
            one.drop()


@row("B15", "made-up names set as many buoys as they may", "others can still set theirs, and lists stay short", quick=True)
async def B15_buoys(settings, report):
    async with beside_games(settings, report) as bed:
        taken = 0
        for number in range(3 if settings.quick else 30):
            with await log_in(bed.server.csa, f"greedy{number}", "127.8.0.2") as greedy:
                for buoy in range(101):
                    await greedy.say(f"%%SETBUOY buoy_g{number}x{buoy}-900-0 +7776FU\n".encode())
                    told = await greedy.until_line(b"##[SETBUOY]", b"##[ERROR]")
                    if told is None or told.startswith(b"##[ERROR]"):
                        break
                    taken += 1
        report.add("buoys of one address", taken)
        report.require(taken == 200, f"{taken} buoys of one address")
        with await log_in(bed.server.csa, "modest", "127.8.0.3") as modest:
            await modest.say(b"%%SETBUOY buoy_modest-900-0 +7776FU\n")
            report.require(await modest.until_line(b"##[SETBUOY]", b"##[ERROR]") == b"##[SETBUOY] +OK", "no place is left")
        page = await asyncio.to_thread(bed.server.get, "/api/v1/buoys")
        report.require(len(page.json()["buoys"]) == 100 and page.json()["next"], "the list is not cut into pages")


@row("B16", "an opponent, and spectators, ask for the record of a game that is played, again and again",
     "no evaluation, line or move out of turn is in it before the game is over", quick=True)
async def B16_comments(settings, report):
    async with beside_games(settings, report) as bed, contextlib.AsyncExitStack() as stack:
        black, white, spectator = [stack.enter_context(await log_in(bed.server.csa, name, f"127.9.0.{number}"))
                                   for number, name in enumerate(("talker", "listener", "spectator"), 2)]
        for player, turn in ((black, "+"), (white, "-")):
            await player.say(f"%%GAME talk-900-0 {turn}\n".encode())
        game = (await black.until_line(b"Game_ID:")).removeprefix(b"Game_ID:")
        for player in (black, white):
            await player.until_line(b"END Game_Summary")
            await player.say(b"AGREE\n")
        for player in (black, white):
            await player.until_line(b"START:")
        for move, sign in ((b"+7776FU", b"+"), (b"+2726FU", None)):  # the second one out of turn
            await black.say(move + b",'* 30 -3334FU +2625FU\n")
            if sign:
                await white.until_line(move)
        for reader in (white, spectator):
            await reader.say(b"%%MONITOR2ON " + game + b"\n")
            told = []
            while (line := await reader.line()) is not None:
                told.append(line)
                if line.endswith(b"] +OK"):
                    break
            said = b"\n".join(told)
            report.require(b"+7776FU" in said, f"no record: {said[-300:]}")
            report.require(b"* 30" not in said and b"2726FU" not in said, f"it is told: {said[-300:]}")
        await white.say(b"%TORYO\n")
        await black.until_line(b"#WIN")
