"""Rows about what texts of strangers may reach: files, the database, the time of the server."""

import asyncio
import re
import time
import urllib.parse
from pathlib import Path

from clients import Client, agree, comments_of, say_with_moves
from hostile import answer_to, beside_games, log_in
from hostile_texts import SQL
from measures import as_json, ask_http
from rows import row
from wire import PATIENCE_S, until

MOST_S = 2.0  # that any one answer may take, on a machine that may be busy with other things


@row("B10", "path traversal: names of players, games, buoys and rooms that are parts of paths",
     "files are made below the data folder only, under harmless names", quick=True)
async def B10_path_traversal(settings, report):
    async with beside_games(settings, report) as bed:
        outside = _files(bed.folder.parent, 1) - {bed.folder}
        for name, game in (("..", "..-600-60"), (".", ".-600-60"), ("-rf", "-rf-600-60"),
                                               ("a..b", "...-600-60"), ("@", "@-600-60"), (".htaccess", ".git-600-60")):
            players = [await Client(bed, name + sign).connect(
                f"LOGIN {name}{tail} {game}-{sign.upper()},trip") for sign, tail in zip("bw", ("", "."))]
            await agree(players)
            players[0].wire.say("+7776FU,'../../../../tmp/x")
            await players[1].hears("+7776FU")
            players[1].wire.say("%TORYO")
            for one in players:
                await one.hears("#RESIGN")
                one.wire.drop()
            report.count("games", 1)
        with await log_in(bed.server.csa, "paths") as one:
            for path in ("../../x", "/etc/passwd", "..", "C:\\x", "x\0y", "%2e%2e%2fx", "~root"):
                for line in (f"%%SETBUOY {path}-300-10 +7776FU", f"%%ROOM NEW {path} x", f"%%ROOM JOIN {path}",
                             f"%%SHOW {path}", f"%%FORK {path} {path}", f"%%TOURNAMENT SHOW {path}",
                             f"%%MONITOR2ON {path}", f"%%GAME {path}-300-10 +", "%%GAME"):
                    await one.say(line.encode() + b"\n")
                    await asyncio.sleep(0.03)
            await one.say(b"%%VERSION\n")
            report.require(await one.until_line(b"##[VERSION] +OK") is not None, "no answer after paths")
        await until(lambda: len(_files(bed.server.records)) >= 6, "no records were written")
        found = _files(bed.folder)
        records = {path for path in found if path.is_relative_to(bed.server.records)}
        for path in found:
            inside = path.relative_to(bed.folder).parts
            report.require(not re.search(r"passwd|^x$|^-", inside[-1]), f"a file of a stranger's: {path}")
            report.require(path in records or inside[0] != "data" or "20" not in inside, f"not among records: {path}")
        for path in records:
            # What is being written has .tmp at its end until it is whole.
            parts = path.relative_to(bed.server.records).with_name(path.name.removesuffix(".tmp")).parts
            ours = parts[0] in ("00LIST", "00LIST.others", ".fuhyo-cursor")
            fits = ours and len(parts) == 1 or len(parts) == 4 and re.fullmatch(r"[\w@%+-][\w@.%+-]*\.csa", parts[3])
            report.require(fits, f"a record at {'/'.join(parts)}")
        report.require(not {path for path in _files(bed.folder.parent, 1) - {bed.folder} - outside
                            if path.name in ("x", "passwd")}, "a file outside of the folder")


def _files(folder, depth=9):
    if depth == 1:
        return set(Path(folder).iterdir())
    return {path for path in Path(folder).rglob("*") if path.is_file()}


@row("B11", "SQL injection: 200 texts in comments, and in every key of the archive's questions",
     "what is said is stored and read back byte by byte; a question finds what it names, or nothing", quick=True)
async def B11_sql_injection(settings, report):
    async with beside_games(settings, report) as bed:
        texts = [text for text in SQL if b"," not in text]
        ids = [await say_with_moves(bed, f"sql{first // 100}", texts[first:first + 100])
               for first in range(0, len(texts), 100)]
        report.add("comments", len(texts))
        stored, written = [], []
        for csa_id in ids:
            stored += await comments_of(bed, csa_id)
            written += re.findall(rb"^'\*(.*)$", await _record_of(bed, csa_id), re.MULTILINE)
        lost = [(text, other) for text, other in zip(texts, stored) if text.decode("utf-8", "replace") != other]
        report.require(len(stored) == len(texts) and not lost, f"{len(stored)} are stored; said and stored: {lost[:3]}")
        # Files are EUC-JP: what that has no sign for is written otherwise.
        lost = [(text, other) for text, other in zip(texts, written) if text.isascii() and text != other]
        report.require(len(written) == len(texts) and not lost, f"{len(written)} are written; otherwise: {lost[:3]}")
        all_ = await _total(bed, "")
        for text in SQL[::5] if settings.quick else SQL:
            quoted = urllib.parse.quote(text, safe="")
            for key in ("player", "black", "white", "game", "room", "end", "position", "from", "rating"):
                status, body = await ask_http(bed.server.http, f"/api/v1/games?{key}={quoted}")
                report.count("questions", 1)
                found = as_json(body).get("games") if status == 200 else None
                report.require(status in (200, 400, 404) and not found, f"{key}={text!r}: {status}, {found}")
            status, _ = await ask_http(bed.server.http, f"/api/v1/players/{quoted}")
            report.require(status in (400, 404), f"player {text!r}: {status}")
        report.require(await _total(bed, "") >= all_, "there are fewer games than before")


async def _total(bed, query):
    status, body = await ask_http(bed.server.http, f"/api/v1/games{query}")
    assert status == 200, (status, body)
    return len(as_json(body)["games"])


async def _record_of(bed, csa_id):
    async with asyncio.timeout(PATIENCE_S):
        while True:
            for path in bed.server.records.rglob("*.csa"):
                data = path.read_bytes()
                if csa_id.encode() in data and b"%TORYO" in data:
                    return data
            await asyncio.sleep(0.02)


# Black to move, in 593 ways: the largest number that is known.
MOST_MOVES = "R8/2K1S1SSk/4B4/9/9/9/9/9/1L1L1L3 b RBGSNLP3g3n17p 1"
LARGE = ["9" * 3000, "/".join(["9"] * 1500), "+" * 3000, "k" * 3000, "lnsgkgsnl/" * 300,
         "9/9/9/9/9/9/9/9/9 b " + "P" * 3000,
         "9/9/9/9/9/9/9/9/9 b " + "9" * 3000 + "P", MOST_MOVES, MOST_MOVES.replace(" 1", " 99999999999999999999"),
         "4k4/9/9/9/9/9/9/9/4K4 b 18p4l4n4s4g2b2r 1", "4k4/9/9/9/9/9/9/9/4K4 b 99999p 1",
         "startpos moves " + "7g7f " * 700]


@row("B12", "complexity: positions of thousands of signs, with most moves, most drops, most plies",
     "every answer comes within two seconds, nobody else waits", quick=True)
async def B12_complexity(settings, report):
    async with beside_games(settings, report) as bed:
        slowest = 0.0
        with await log_in(bed.server.csa, "complex") as one:
            for number, text in enumerate(LARGE):
                for line in (f"%%SETBUOYSFEN buoy_x{number}-300-10 {text}", f"%%SETBUOY buoy_y{number}-300-10 {text}",
                             f"%%GAME {text[:2000]}-300-10 +", "%%GAME"):
                    began = time.monotonic()
                    await one.say(line.encode() + b"\n%%VERSION\n")
                    told = await one.until_line(b"##[VERSION] +OK")
                    if told is None:  # a line too long ends it, as it may
                        report.require(len(line) > 4000, f"no answer to {line[:60]}")
                        one.drop()
                        one = await log_in(bed.server.csa, "complex")
                    slowest = max(slowest, time.monotonic() - began)
                    await asyncio.sleep(0.1)
            one.drop()
        for text in LARGE:
            for path in ("/api/v1/games?position=", "/api/v1/openings?position=", "/"):
                began = time.monotonic()
                status, _ = await ask_http(bed.server.http, path + urllib.parse.quote(text, safe=""))
                report.require(status in (200, 400, 404, 414, 431), f"{path}{text[:40]}: {status}")
                slowest = max(slowest, time.monotonic() - began)
        told, over = await answer_to(  # a hundred megabytes that nobody asked for
            bed.server.http, b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
            b"Content-Length: 104857600\r\n\r\n")
        report.require(over and re.match(rb"HTTP/1.1 4\d\d ", told), f"100 MiB: {told[:60]}")
        report.add("slowest answer, ms", round(slowest * 1000))
        report.promise(slowest < MOST_S, f"an answer took {slowest:.1f} s")
