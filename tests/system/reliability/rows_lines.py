"""Rows about hostile lines on the CSA port: bytes, grammar, floods, lines out of their turn, numbers."""

import asyncio
import json
import random
import re
import time

from clients import Client, admin, agree, comments_of, game_number, say_with_moves, walk
from hostile import Stranger, beside_games, log_in, log_of
from hostile_texts import CONTROLS, ENCODINGS, FORMATS
from measures import ask_http
from rows import row
from wire import until

DISCONNECTED = frozenset({"toryo", "abnormal", "illegal move", "time up", "chudan"})
IDENTIFIER = re.compile(rb"[A-Za-z0-9_@.-]{1,32}")


def as_wire(data):
    return data.decode("utf-8", "surrogateescape")


@row("B2", "every byte, and text in every encoding, in names, passwords, comments and chat",
     "names are what the protocol says; comments reach pages as clean text; no control reaches a terminal", quick=True)
async def B2_every_byte(settings, report):
    async with beside_games(settings, report, "--spectator-comments", "live") as bed:
        for byte in range(256):
            if byte in b"\n":
                continue
            name = b"q%da" % byte + bytes([byte])
            with await Stranger.connect(bed.server.csa, "127.0.0.1") as one:
                await one.say(b"LOGIN " + name + b" trip x1\n")
                told = await one.until_line(b"LOGIN:")
                fits = IDENTIFIER.fullmatch(name) or byte in b"\t\v\f\r "  # blanks end the name
                report.require(told == (b"LOGIN:" + name.strip() + b" OK" if fits else b"LOGIN:incorrect"),
                               f"name with byte {byte:#x}: {told}")
            with await Stranger.connect(bed.server.csa, "127.0.0.1") as one:  # a password, with no answer but one
                await one.say(b"LOGIN p%d x" % byte + bytes([byte]) + b"y x1\n")
                told = await one.until_line(b"LOGIN:")
                report.require(told in (b"LOGIN:p%d OK" % byte, b"LOGIN:incorrect"), f"password with {byte:#x}: {told}")
        hears, says = [await Client(bed, name).log_in() for name in ("hears", "says")]
        texts = [text for text in ENCODINGS if b"," not in text and b"\n" not in text]
        for text in texts:
            says.wire.say("%%CHAT " + as_wire(text) + ".")
        await hears.hears_more("##[CHAT]", len(texts))
        for line in hears.heard:
            if line.startswith("##[CHAT]"):
                report.require(not re.search("[\0-\x08\x0b-\x1f\x7f]", line), f"a control was told on: {line!r}")
        since = len(bed.server.log())
        csa_id = await say_with_moves(bed, "bytes", texts)
        shown = await comments_of(bed, csa_id)
        report.add("comments said, and shown", f"{len(texts)}, {len(shown)}")
        report.require(len(shown) == len(texts), f"comments are missing: {shown}")
        for text in shown:
            report.require(not re.search(CONTROLS, text), f"a control is shown: {text!r}")
        report.require("先手の勝ち。" in shown, "clean text is not shown as it was said")
        number = await game_number(bed, csa_id)
        for extension in ("csa", "csa3", "kifu", "ki2u", "jkf", "usi"):
            status, record = await ask_http(bed.server.http, f"/api/v1/games/{number}.{extension}")
            report.require(status == 200, f"the record as {extension}: {status} {record[:80]}")
            obeyed = re.search("[\0-\x08\x0b-\x1f\x7f-\x9f]", record)
            report.require(not obeyed, f"a control is in the record as {extension}: {obeyed}")
        for line in log_of(bed, since):
            report.require(line.isprintable() and line.isascii(), f"the log has {line!r}")


TRANSCRIPT = ["%%GAME mutated-600-10 *", "%%LIST", "%%WHO", "AGREE", "+7776FU", "+7776FU,'* 30 -3334FU", "-3334FU,T1",
              "%TORYO", "%KACHI", "%CHUDAN", "REJECT", "", " ", "%%CHAT good evening",
              "%%SETBUOY buoy_m-300-10 +7776FU 3", "%%SETBUOYSFEN buoy_n-300-10 startpos moves 7g7f 2",
              "%%DELETEBUOY buoy_m-300-10", "%%SHOW x", "%%FORK x y 3", "%%MONITORON x", "%%MONITOR2OFF x",
              "%%ROOM LIST", "%%ROOM NEW a b", "%%TOURNAMENT TABLE x", "%%RATING", "%%CHALLENGE mutated-600-10 -",
              "%%GETBUOYCOUNT buoy_m-300-10", "%%%PING", "LOGIN a b x1", "%%ADMIN games"]


def mutated(rng):
    """A line of a game with one to four faults; never an LF."""
    line = bytearray(rng.choice(TRANSCRIPT).encode())
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(line))
        how = rng.randrange(5)
        if how == 0:
            line[at:at] = bytes([rng.randrange(256)])
        elif how == 1:
            del line[at:at + rng.randint(1, 4)]
        elif how == 2:
            line[at:at] = rng.choice(TRANSCRIPT).encode()[:rng.randint(1, 20)]
        elif how == 3:
            line[at:at] = rng.choice([b"99999999999999999999", b"-1", b"\xff", b"%%", b",'", b"\t", b"0" * 300])
        else:
            line[at:at + 1] = bytes([rng.randrange(256)])
    return bytes(line).replace(b"\n", b"")


@row("B3", "grammar: lines of real games with faults in them, from players in every state",
     "each line is a command or refused; who said them still gets his answers, and so do the others", quick=True)
async def B3_mutated_lines(settings, report):
    rng = random.Random(settings.seed)
    async with beside_games(settings, report, ends=DISCONNECTED) as bed:
        for number in range(settings.times or (10 if settings.quick else 200)):
            with await log_in(bed.server.csa, f"mut{number}") as one:
                for _ in range(60):
                    await one.say(mutated(rng) + b"\n")
                    report.count("lines", 1)
                await one.say(b"%%GAME\n%%VERSION\n")
                told = await one.until_line(b"##[VERSION] +OK")
                if told is None and one.reader.at_eof():  # LOGOUT is one of them
                    report.count("connections that ended", 1)
                    continue
                report.require(told is not None, f"player {number} hears nothing any more")


@row("B5", "a flood: 10,000 valid lines a second of one client",
     "read no more than he may say, then cut; nobody else is slowed", quick=True)
async def B5_flood(settings, report):
    async with beside_games(settings, report) as bed:
        for name, said in (("keeps-alive", b"\n"), ("lists", b"%%LIST\n"), ("chats", b"%%CHAT hello\n")):
            with await log_in(bed.server.csa, name) as one:
                began, lines = time.monotonic(), 0
                reads = asyncio.get_running_loop().create_task(one.rest())
                while not reads.done() and await one.say(said * 500):
                    lines += 500
                    await asyncio.sleep(0.05)
                told, over = await reads
                report.add(f"{name}: lines until the cut", lines)
                report.require(over, f"{name} was not cut")
                report.promise(time.monotonic() - began < 10, f"{name} was not cut within 10 s")
                report.require(len(told) < 4 << 20, f"{name} was told {len(told)} bytes")
                await until(lambda: any(f"{name} (" in line and "flood" in line for line in log_of(bed)),
                            f"the log does not say that {name} floods")


@row("B6", "amplification: short questions with long answers",
     "an answer costs whoever asked by its length; who does not read is cut")
async def B6_amplification(settings, report):
    count = 200 if settings.quick else 1000
    async with beside_games(settings, report, memory_mib=96) as bed:
        crowd = [await log_in(bed.server.csa, f"{'n' * 24}{number}") for number in range(count)]
        began = time.monotonic()
        with await log_in(bed.server.csa, "asks") as one:
            reads = asyncio.get_running_loop().create_task(one.rest(12))
            while time.monotonic() - began < 10 and await one.say(b"%%WHO\n"):
                await asyncio.sleep(0.005)
            told, _ = await reads
            took = time.monotonic() - began
            length = len(told) / max(1, told.count(b"##[WHO] +OK"))
            report.add("bytes of an answer", round(length))
            report.add("KiB told in a second", round(len(told) / took / 1024))
            # A burst of a hundred, and twenty a second, of 2 KiB each or of what it is long.
            most = (100 + 20 * took) * max(2 * 1024, length) / (1 + length // (2 * 1024)) + 2 * length
            report.require(len(told) <= most, f"{len(told)} bytes within {took:.0f} s, {most:.0f} may be")
        for stranger in crowd:
            stranger.drop()


@row("B7", "confusion: lines in the wrong state, for other games, both at once, ten ahead",
     "answered as the protocol says, in order; no other game is touched", quick=True)
async def B7_wrong_order(settings, report):
    async with beside_games(settings, report) as bed:
        early = await Client(bed, "early").log_in()
        for line in ("+7776FU", "%TORYO", "%KACHI", "AGREE", "REJECT", "%%GAME late-600-10 +", "AGREE none", "%TORYO"):
            early.wire.say(line)
        await early.hears_more("##[ERROR] you are in", 3)
        late = await Client(bed, "late").log_in()
        late.wire.say("%%GAME late-600-10 -")
        for one in (early, late):
            await one.hears("END Game_Summary")
            one.wire.say("+7776FU")  # before START
            other = next(player.csa_id for player in bed.hall.players() if player.csa_id)
            one.wire.say(f"AGREE {other}")
        await late.hears("##[ERROR] AGREE is for another game")
        begun = early.has_heard("START:") or late.has_heard("START:")
        report.require(not begun, "it began by another game's AGREE")
        await agree((early, late))
        moves = [walk(ply) for ply in range(10)]
        late.wire.transport.pause_reading()  # crossing: neither has heard the other
        for side, one in enumerate((early, late)):
            for move in moves[side::2]:
                one.wire.say(move)
        late.wire.transport.resume_reading()
        for one in (early, late):
            await one.hears(moves[-1])
            told = [line.split(",")[0] for line in one.heard if re.match(r"[+-]\d{4}", line)]
            report.require(told == moves, f"{one.name} heard {told}")
        early.wire.say("%TORYO")
        for one in (early, late):
            await one.hears("#RESIGN")
            heard = len(one.heard)
            one.wire.say("+3948GI")
            one.wire.say("%TORYO")
            one.wire.say("%%VERSION")
            await one.hears("##[VERSION] +OK")
            after = [line for line in one.heard[heard:] if not line.startswith(("##[VERSION]", "##[ERROR]", "#"))]
            report.require(not after, f"after the result {one.name} heard {after}")


NUMBERS = ["0", "-1", "-0", "+1", "00", "1e9", "0x10", "2147483647", "2147483648", "99999999999", "9223372036854775807",
           "9223372036854775808", "18446744073709551616", "9" * 300, "١", "1.5", " ", "NaN"]


@row("B8", "numbers at their edges: counts, plies, times, sizes",
     "refused outside of what the protocol says, and nothing wraps around", quick=True)
async def B8_numbers(settings, report):
    async with beside_games(settings, report) as bed:
        one = await Client(bed, "counts").log_in()
        for number, text in enumerate(NUMBERS):
            for line in (f"%%SETBUOY buoy_c{number}-300-10 +7776FU {text}", f"%%FORK x buoy_f-300-10 {text}",
                         f"%%SETBUOYSFEN buoy_s{number}-300-10 startpos {text}", f"%%GAME g-{text}-10 +",
                         f"%%GAME g-300-{text} +", f"%%GAME g-300-{text}F +", "%%GAME"):
                one.wire.say(line)
                await asyncio.sleep(0.03)
        one.wire.say("%%BUOYS")
        await one.hears("##[BUOYS] +OK")
        counts = [int(line.split()[2]) for line in one.heard if line.startswith("##[BUOYS] buoy_")]
        report.add("buoys that were set, and their largest count", f"{len(counts)}, {max(counts)}")
        report.require(all(0 < count <= 1000 for count in counts), f"counts of buoys: {counts}")
        for text in NUMBERS:
            for query in (f"limit={text}", f"before={text}", f"offset={text}"):
                status, _ = await ask_http(bed.server.http, f"/api/v1/games?{query}".replace(" ", "%20").encode()
                                           .decode("latin-1"))
                report.require(status in (200, 400), f"?{query}: {status}")
            status, _ = await ask_http(bed.server.http, f"/api/v1/games/{text.strip() or 0}".encode().decode("latin-1"))
            report.require(status in (200, 400, 404), f"game {text}: {status}")
        one.wire.drop()


@row("B9", "log injection: line ends, escapes, formats and quotes in every field",
     "one event, one line, of harmless characters; no secret is in it", quick=True)
async def B9_log_injection(settings, report):
    for form in ("text", "json"):
        async with beside_games(settings, report, log=form) as bed:
            secret = "Se5cr3t-of-mine"
            for text in ENCODINGS + FORMATS:
                with await Stranger.connect(bed.server.csa, "127.0.0.1") as one:
                    with_secret = secret.encode() + text.replace(b" ", b"")
                    for line in (b"LOGIN " + text + b" " + secret.encode(), b"login a" + text + b" " + with_secret,
                                 b"LOGIN quoted " + with_secret + b" x1", text, text * 100):
                        await one.say(line.replace(b"\n", b" ") + b"\n")
                    await one.rest(0.05)
                status, _ = await ask_http(bed.server.http, "/" + text.replace(b" ", b"").hex())
                report.require(status in (200, 400, 404), f"HTTP: {status}")
            await admin(bed, "say", "\x1b[2Jhello\r\nerror all is lost")
            lines = log_of(bed)
            report.add(f"lines of the log, {form}", len(lines))
            for line in lines:
                report.require(line.isascii() and line.isprintable(), f"the log has {line!r}")
                report.require(secret not in line, f"a secret is in the log: {line}")
                if form == "json":
                    json.loads(line)
                else:
                    report.require(re.match(r"\d{4}-\d\d-\d\dT", line), f"a line that is none of the log's: {line!r}")
