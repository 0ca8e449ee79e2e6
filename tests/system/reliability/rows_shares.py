"""Rows about places that are shared: connections, logins, buoys; and about what players say to nobody else."""

import asyncio
import time

from clients import admin, pair, walk
from hostile import Stranger, beside_games, log_in
from measures import as_json, ask_http
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
        made = await admin(bed, "account-add", "holder")
        report.require(made["ok"], made)
        token = (await admin(bed, "token", "holder"))["rows"][0][2]
        throwaways = []
        for first in range(0, 19_500, 50):  # eight of one address: what one may claim in a row
            came = await asyncio.gather(*(log_in(bed.server.csa, f"t{number}", f"127.6.{number // 8 // 250}."
                                                 f"{2 + number // 8 % 250}")
                                          for number in range(first, first + 50)), return_exceptions=True)
            throwaways += [one for one in came if isinstance(one, Stranger)]
        report.add("throwaways that logged in", len(throwaways))
        gone = sum(one.reader.at_eof() for one in throwaways)
        report.require(gone > 0, "not every place was taken: nobody had to go for others")
        report.add("of them gone for others", gone)
        with await Stranger.connect(bed.server.csa, "127.7.0.1") as holder:
            await holder.say(f"LOGIN holder {token} x1\n".encode())
            report.require(await holder.until_line(b"##[LOGIN]") is not None, "the holder of an account is refused")
        with await log_in(bed.server.csa, "guest", "127.7.0.2"):
            pass
        for one in throwaways:
            one.drop()


@row("B15", "made-up names set as many buoys as they may",
     "others can still set theirs, and lists stay short", quick=True)
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
            told = await modest.until_line(b"##[SETBUOY]", b"##[ERROR]")
            report.require(told == b"##[SETBUOY] +OK", f"no place is left: {told}")
        _, page = await ask_http(bed.server.http, "/api/v1/buoys")
        report.require(len(as_json(page)["buoys"]) == 100 and as_json(page)["next"], "the list is not cut into pages")


@row("B16", "spectators ask for the record of a game that is played, after every move",
     "no evaluation, line or move out of turn is in it before the game is over", quick=True)
async def B16_comments(settings, report):
    async with beside_games(settings, report) as bed:
        black, white = await pair(bed, "talk")
        game = next(line for line in black.heard if line.startswith("START:")).removeprefix("START:")
        with await log_in(bed.server.csa, "spectator", "127.9.0.2") as spectator:
            for ply, player in enumerate((black, white, black, white)):
                player.wire.say(f"{walk(ply)},'* 30 {walk(ply + 1)}")
                await white.hears(walk(ply))
                if ply == 3:
                    player.wire.say(walk(ply + 2))  # out of turn
                told = await _record(spectator, game)
                report.require(walk(ply) in told, f"no record: {told[-300:]}")
                report.require("* 30" not in told and "Deferred" not in told, f"it is told: {told[-300:]}")
                report.count("records that were read", 1)
        black.wire.say("%TORYO")
        await white.hears("#WIN")


async def _record(reader, game):
    await reader.say(f"%%MONITOR2ON {game}\n%%MONITOR2OFF {game}\n".encode())
    told = []
    while (line := await reader.line()) is not None and not (told and line.endswith(b"] +OK")):
        if told or line.endswith(b"] V2"):
            told.append(line.decode())
    return "\n".join(told)
