"""Rows about peers that do not read, and peers that are no longer there."""

import asyncio
import re
import time

from bed import Bed
from clients import Client, agree
from crowd import Crowd, deaf
from machine import Island
from measures import echoes, in_ms
from rows import row
from wire import until

LOST_LINES = frozenset({"toryo", "abnormal"})


@row("N2", "a player who does not read",
     "cut at 256 KiB, or when nothing has got through for 30 s; nobody else is slowed")
async def N2_deaf_player(settings, report):
    async with Bed(settings) as bed, bed.games(report, 8, 100, ends=LOST_LINES):
        began = time.monotonic()
        await asyncio.sleep(2)
        other = await Client(bed, "hears").connect("LOGIN hears deafgame-3600-10-W,t")
        silent = await deaf(bed.server.csa, "LOGIN deaf trip x1", "%%GAME deafgame-3600-10 +")
        await other.hears("END Game_Summary")
        other.wire.say("AGREE")
        loop = asyncio.get_running_loop()
        await loop.sock_sendall(silent, b"AGREE\n")
        await other.hears("START:")
        asked, flood, heard = 0, time.monotonic(), other.heard
        while "#WIN" not in heard and time.monotonic() - flood < 60:
            try:
                await loop.sock_sendall(silent, b"%%HELP\n%%LIST\n%%WHO\n")
            except OSError:
                pass
            asked += 3
            await asyncio.sleep(0.15)
        took = time.monotonic() - flood
        report.require("#WIN" in heard, f"not cut within {took:.0f} s and {asked} questions")
        report.add("questions until the cut", asked)
        await bed.is_told("deaf (")
        why = re.findall(r"deaf \(.*disconnected: (.*)", bed.server.log())
        report.require(why, "the log does not say why")
        report.add("reason in the log", why[0] if why else "")
        report.add("seconds until the cut", f"{took:.1f}")
        report.add("echo before, ms", in_ms(echoes(bed.history, began, flood)))
        report.add("echo meanwhile, ms", in_ms(echoes(bed.history, flood)))
        silent.close()
        other.wire.drop()


@row("N3", "spectators who do not read, on the event stream and by %%MONITOR2ON",
     "a web page gets a snapshot instead of its backlog; memory is bounded, nobody is slowed")
async def N3_deaf_spectators(settings, report):
    count = 20 if settings.quick else 200
    async with Bed(settings, pause_s=(0.0, 0.05)) as bed, bed.games(report, 8, 48):
        began = time.monotonic()
        await asyncio.sleep(2)
        memory = bed.server.rss_kib()
        crowd = Crowd(bed.history, bed.server)
        await crowd.deaf_streams(count)
        ids = [player.csa_id for player in bed.hall.players() if player.sign == "+"]
        monitors = [await deaf(bed.server.csa, f"LOGIN deaf{n} t x1", *(f"%%MONITOR2ON {id_}" for id_ in ids))
                    for n in range(4)]
        flood = time.monotonic()
        await asyncio.sleep(4 if settings.quick else 20)
        report.add("deaf spectators", count)
        report.add("echo before, ms", in_ms(echoes(bed.history, began, flood)))
        report.add("echo meanwhile, ms", in_ms(echoes(bed.history, flood)))
        grown = bed.server.rss_kib() - memory
        report.add("memory grown, KiB each", round(grown / count, 1))
        report.require(grown < count * 1300 + 4 * 600 + 20_000, f"memory has grown by {grown} KiB")
        crowd.leave()
        for sock in monitors:
            sock.close()


@row("N1", "half-open connections: the cable of the mover, and of the one who waits, is pulled",
     "noticed within 60 s; the opponent is told, the game has one result")
async def N1_half_open(settings, report):
    with Island(2) as island:
        async with Bed(settings, wrap=island.wrap()) as bed:
            bed.server.host = "0.0.0.0"
            await bed.start()
            good, bad = ((address, bed.server.csa[1]) for address in island.addresses)
            games = [await _half_open_game(bed, good, bad, sign) for sign in "+-"]
            island.pull(1)
            began = time.monotonic()
            for sign, heard in zip("+-", games):
                await until(lambda heard=heard: "#WIN" in heard, f"the cut of {sign} was not noticed within 90 s",
                            pause_s=0.1)
                whose = "mover" if sign == "+" else "one who waits"
                report.add(f"seconds until the cut of the {whose} was noticed", f"{time.monotonic() - began:.1f}")
                report.promise(time.monotonic() - began <= 60, f"the cut of the {whose} took longer than 60 s")
            await asyncio.to_thread(bed.server.stop)
            report.take(bed.evidence(ends=LOST_LINES))


async def _half_open_game(bed, good, bad, sign):
    """One game in which the side `sign` sits on the bad cable; what the other one hears."""
    letters, players = {"+": "b", "-": "w"}, []
    for side in "+-":
        one = Client(bed, f"half{letters[side]}{letters[sign]}")
        players.append(await one.connect(
            f"LOGIN {one.name} half{letters[sign]}-3600-10-{letters[side].upper()}", bad if side == sign else good))
    await agree(players)
    for one, move in zip(players, ("+7776FU", "-3334FU")):
        one.wire.say(move)
        await players[1].hears(move)
    return players[sign == "+"].heard
