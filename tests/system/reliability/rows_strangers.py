"""Rows about who is no player: storms of connections, other protocols, lines without end, silence."""

import asyncio
import ssl
import sys
import time
from pathlib import Path

from hostile import Stranger, beside_games, log_in, log_of
from rows import row
from wire import until

KIB = 1024


@row("N8", "an accept storm: thousands of connections a second, from as many addresses",
     "games are not slowed, and the log is not flooded", quick=True)
async def N8_accept_storm(settings, report):
    seconds = 3 if settings.quick else 60
    async with beside_games(settings, report) as bed:
        since, began = len(bed.server.log()), time.monotonic()
        storm = await asyncio.create_subprocess_exec(
            sys.executable, "-B", str(Path(__file__).with_name("storm.py")), str(bed.server.csa[1]), str(seconds),
            "5000", str(100 * seconds), stdout=asyncio.subprocess.PIPE)
        told, _ = await storm.communicate()
        report.add("connections", int(told))
        minutes = (time.monotonic() - began) // 60
        lines = [line for line in log_of(bed, since) if "refused 127." in line or "stranger" in line]
        report.require(len(lines) <= 2 + minutes, f"{len(lines)} lines of the log: {lines[:3]}")
        with await log_in(bed.server.csa, "newcomer"):
            pass


def client_hello():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    try:
        context.wrap_bio(incoming, outgoing, server_hostname="fuhyo.example").do_handshake()
    except ssl.SSLWantReadError:
        pass
    return outgoing.read()


SPEAKERS = {
    "HTTP": b"GET / HTTP/1.1\r\nHost: fuhyo.example\r\nUser-Agent: scanner\r\nAccept: */*\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0",
    "proxy": b"CONNECT smtp.example:25 HTTP/1.0\r\n\r\n",
    "TLS": client_hello() + b"\n",  # bytes of an LF are in it often, not always
    "SSH": b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
    "RDP": b"\x03\0\0\x13\x0e\xe0\0\0\0\0\0\1\0\x08\0\3\0\0\0\n",
    "SMB": b"\0\0\0\x85\xffSMBr\0\0\0\0\x18\x53\xc8\0\n",
}


@row("N9", "scanners: HTTP, TLS, SSH and others speak on the CSA port",
     "closed after the first line with one short reply at most; the log is not flooded", quick=True)
async def N9_other_protocols(settings, report):
    async with beside_games(settings, report) as bed:
        since, began = len(bed.server.log()), time.monotonic()
        for number in range(3 if settings.quick else 30):
            for name, said in SPEAKERS.items():
                with await Stranger.connect(bed.server.csa, f"127.0.2.{2 + number}") as stranger:
                    await stranger.say(said)
                    told, over = await stranger.rest()
                    report.require(over, f"{name}: not closed")
                    report.require(told in (b"", b"LOGIN:incorrect\n", b"LOGIN:incorrect\r\n"), f"{name}: {told[:200]}")
                    report.count("connections", 1)
        await bed.is_told("no CSA", since)  # lines are written behind what they tell of
        said = [line for line in log_of(bed, since) if "no CSA" in line]
        minutes = (time.monotonic() - began) // 60
        report.require(1 <= len(said) <= 1 + minutes, f"the log says so {len(said)} times: {said[:3]}")


async def _flood(stranger, bytes_):
    """How many of so many bytes without an LF the server took before it hung up."""
    piece, taken = b"A" * 64 * KIB, 0
    while taken < bytes_ and await stranger.say(piece[:bytes_ - taken]):
        taken += len(piece[:bytes_ - taken])
    return taken


@row("B1", "lines without an end: one byte too many, a megabyte, a gigabyte; before and after the login",
     "cut at the limit, 1,024 and 4,096 bytes; nothing is kept of them", quick=True)
async def B1_lines_without_end(settings, report):
    async with beside_games(settings, report, memory_mib=8) as bed:
        for name, limit in (("a stranger", 1024), ("a player", 4096)):
            for bytes_, is_cut in ((limit, False), (limit + 1, True), (2 * limit, True)):
                with await _who(bed, name) as one:
                    await one.say(b"x" * bytes_ + b"\n")
                    told = await one.line()
                    report.require((told is None) == is_cut, f"{name}: {bytes_} bytes: {told}")
            for bytes_ in (1 << 20, 1 << (24 if settings.quick else 30)):
                with await _who(bed, name) as one:
                    began = time.monotonic()
                    taken = await _flood(one, bytes_)
                    report.require(taken < bytes_ or (await one.rest())[1], f"{name}: {bytes_} bytes did not end it")
                    report.add(f"{name}, {bytes_} bytes: taken, s", f"{taken}, {time.monotonic() - began:.1f}")


async def _who(bed, name):
    return await (Stranger.connect(bed.server.csa) if name == "a stranger" else log_in(bed.server.csa, "longwinded"))


def held(strangers):
    return sum(not one.reader.at_eof() for one in strangers)


@row("B4", "slowloris: thousands of connections that say one byte at a time and never log in",
     "at most 256 of them and 8 an address, 20 s each; who has something to say gets in")
async def B4_slowloris(settings, report):
    count = 400 if settings.quick else 5000
    async with beside_games(settings, report) as bed:
        slow, refused, began = [], 0, time.monotonic()
        inside = bed.server.descriptors()

        async def come(number):
            nonlocal refused
            try:
                one = await Stranger.connect(bed.server.csa, f"127.3.{number // 250}.{2 + number % 250}")
            except (OSError, TimeoutError):
                refused += 1
                return
            slow.append(one)
            await one.say(b"L")

        for first in range(0, count, 50):
            await asyncio.gather(*(come(number) for number in range(first, first + 50)))
        report.add("connections", count)
        await until(lambda: held(slow) <= 256, lambda: f"{held(slow)} strangers are inside")
        report.add("of them let in at a time", held(slow))
        report.require(held(slow) > 0, "no stranger is inside")
        same = [await Stranger.connect(bed.server.csa, "127.0.0.9") for _ in range(12)]
        waits = []
        for number in range(10):  # the oldest of the strangers makes room
            came = time.monotonic()
            with await log_in(bed.server.csa, f"early{number}"):
                waits.append(time.monotonic() - came)
            await asyncio.gather(*(one.say(b"O") for one in slow))
        report.add("login of an honest player meanwhile, at most ms", round(max(waits) * 1000))
        report.promise(max(waits) < 2, f"an honest player waited {max(waits):.1f} s")
        open_ = sum([not (await one.rest(0.05))[1] for one in same])
        report.require(open_ <= 8, f"{open_} strangers of one address")
        await until(lambda: bed.server.descriptors() - inside <= 20, "strangers are left")
        report.promise(time.monotonic() - began < 25, f"strangers were left for {time.monotonic() - began:.0f} s")
        for one in slow + same:
            one.drop()
