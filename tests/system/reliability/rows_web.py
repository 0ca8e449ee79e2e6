"""Rows about the web: frames, pages, paths, requests of a kind that no browser sends, what strangers are told."""

import asyncio
import json
import re
import subprocess
import sys
import time
from pathlib import Path

from bed import CannotRun
from hostile import Stranger, answer_to, beside_games
from measures import ask_http
from rows import row
from wire import until

GET = b"GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
UPGRADE = (b"GET %s HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
           b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
FRAMES = {"unmasked": b"\x81\x05hello", "bad opcode": b"\x8f\x80\0\0\0\0", "reserved bits": b"\xf1\x80\0\0\0\0",
          "2^63 bytes": b"\x82\xff\x80\0\0\0\0\0\0\0\0\0\0\0", "endless fragments": b"\x01\x81\0\0\0\0a" * 2000,
          "pings": b"\x89\x80\0\0\0\0" * 20_000, "a long ping": b"\x89\xfe\xff\xff\0\0\0\0" + b"x" * 65535,
          "compressed bomb": b"\xc1\xfe\xff\xff\0\0\0\0" + b"\0" * 65535}


@row("W1", "WebSocket frames: an upgrade that is not there, bad masks, fragments, lengths, pings, bombs",
     "players alone have one; what is no frame of a client ends it; streams and games of others go on", quick=True)
async def W1_frames(settings, report):
    async with beside_games(settings, report, "--csa-websocket", "on") as bed:
        seen = len(bed.history.events)
        for name, frame in FRAMES.items():
            for path, status in ((b"/api/v1/events", b"200"), (b"/api/v1/csa", b"101")):
                with await Stranger.connect(bed.server.http) as one:
                    await one.say(UPGRADE % path)
                    head = await one.line()
                    report.require(head is not None and head.startswith(b"HTTP/1.1 " + status), f"{name}: {head}")
                    for _ in range(5):
                        if not await one.say(frame):
                            break
                    if status == b"101" and name != "pings":
                        report.require((await one.rest())[1], f"{name}: not closed")
            with await Stranger.connect(bed.server.http) as one:  # without asking first
                await one.say(frame)
                one.end()
                told, _ = await one.rest()
                report.require(not told or told.startswith(b"HTTP/1.1 4"), f"{name}: {told[:80]}")
            report.count("frames", 1)
        streams = {number for number, one in enumerate(bed.history.sessions) if one.role == "stream"}
        await until(lambda: any(event.session in streams for event in bed.history.events[seen:]),
                    "the stream stands still")


@row("W3", "cross-site scripting: hostile texts in names, comments, titles, engines' words, in a real browser",
     "each is text on every page; nothing runs, nothing is asked for, no policy is broken")
async def W3_cross_site_scripting(settings, report):
    if settings.store != "sqlite":
        raise CannotRun("is not about the store")
    script = Path(__file__).resolve().parents[1] / "xss" / "xss_test.py"
    await run_test(report, [sys.executable, "-B", str(script), settings.program], 900)
    texts = (script.parent / "hostile.txt").read_bytes().splitlines()
    report.add("texts", sum(not line.startswith(b"#") for line in texts))


async def run_test(report, command, limit_s):
    """A system test of its own as a row."""
    done = await asyncio.to_thread(subprocess.run, command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   errors="replace", timeout=limit_s, check=False)
    if done.returncode == 77:
        raise CannotRun(done.stdout.strip().splitlines()[-1])
    report.require(done.returncode == 0, f"ended with {done.returncode}: {done.stdout[-1500:]}")
    return done.stdout


SECRETS = re.compile(rb"root:.*:0:0:|SQLite format 3|BEGIN (RSA |EC )?PRIVATE KEY|N\+\w+\nN-")
# A page that may stand in frames must not be had under a path that leads elsewhere.
DOTTED = [b"/embed/../console", b"/embed/%2e%2e/console", b"/embed/..%2fconsole", b"/embed/..%5Cconsole", b"/embed/."]
TARGETS = [b"/../../../../etc/passwd", b"/..%2f..%2f..%2fetc/passwd", b"/%2e%2e/%2e%2e/etc/passwd",
           b"/%252e%252e/etc/passwd", b"/..\\..\\etc\\passwd", b"/..%5c..%5cetc", b"//etc/passwd", b"/./fuhyo.db",
           b"/fuhyo.db", b"/secret.key", b"/data/secret.key", b"/records/00LIST", b"/.git/config", b"/.env",
           b"/assets/../fuhyo.db",
           b"/assets/..%2ffuhyo.db", b"/assets/", b"/assets", b"/assets/.", b"/assets/%00", b"/assets/x%00.js",
           b"/%c0%ae%c0%ae/etc/passwd", b"/\xc0\xae\xc0\xae/", b"/%", b"/%zz", b"/%2", b"file:///etc/passwd",
           b"http://e.example/", b"http://127.0.0.1/server-status", b"*", b"e.example:443", b"/" + b"../" * 900,
           b"/" + b"a/" * 2000, b"/game/../../x", b"/api/v1/games/../../../etc/passwd", b"/api/v1/games/1.csa/../x",
           b"/api/v1/games/%2e%2e.csa", b"/api/v1/tournaments/../x/tables.csv", b"/?../../etc/passwd", b"/;/etc/passwd",
           b"/cgi-bin/x", b"/server-status", b"/actuator/env", b"/wp-login.php", b"/index.html~", b"/\x7f",
           b"/\xff\xfe", *DOTTED]


@row("W4", "paths on the web: parents, encodings, dot files, other sites' addresses",
     "no path of a file system is made of a URL: the page, a refusal, or nothing", quick=True)
async def W4_paths(settings, report):
    async with beside_games(settings, report) as bed:
        _, page = await ask_http(bed.server.http, "/")
        for target in TARGETS:
            for method in (b"GET", b"HEAD", b"PUT", b"DELETE", b"TRACE", b"PROPFIND"):
                told, over = await answer_to(
                    bed.server.http, method + b" " + target + b" HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                head, _, body = told.partition(b"\r\n\r\n")
                report.require(over, f"{method} {target[:40]}: no end")
                report.require(not SECRETS.search(told), f"{method} {target[:40]}: {told[:200]}")
                status = int(head.split()[1]) if head else 0
                fine = status in (0, 304, 400, 404, 405, 414, 431) or status == 200 and (
                    method == b"HEAD" or method == b"GET" and (body == page.encode() or body.startswith(b"{")))
                report.require(fine, f"{method} {target[:40]}: {status} {body[:80]}")
                report.require(target not in DOTTED or status == 404, f"{method} {target[:40]}: {status}")
                report.count("requests", 1)
            await asyncio.sleep(0)


SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: inner\r\n\r\n"
BAD_REQUESTS = {
    "two lengths": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 40\r\n\r\n" + SMUGGLED,
    "length and chunks": b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n"
                         b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + SMUGGLED,
    "chunks by another name": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding : chunked\r\n\r\n"
                              b"0\r\n\r\n" + SMUGGLED,
    "negative length": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n" + SMUGGLED,
    "length of 2^64": b"GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 18446744073709551616\r\n\r\n" + SMUGGLED,
    "header without a name": b"GET / HTTP/1.1\r\n: x\r\n\r\n" + SMUGGLED,
    "NUL in a header": b"GET / HTTP/1.1\r\nHost: x\0y\r\n\r\n" + SMUGGLED,
    "chunk of 2^64": b"POST /api/v1/session HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                     b"fffffffffffffffff\r\nx\r\n" + SMUGGLED,
    "header of 9 KiB": b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"y" * 9216 + b"\r\n\r\n",
    "thousands of headers": b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a:b\r\n" * 4000 + b"\r\n",
    "line of 9 KiB": b"GET /" + b"y" * 9216 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "an unknown coding": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n" + SMUGGLED,
    "a coding before chunks": b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                              b"0\r\n\r\n" + SMUGGLED,
    "no host": b"GET / HTTP/1.1\r\n\r\n" + SMUGGLED,
    "two hosts": b"GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n" + SMUGGLED,
    "folded header": b"GET / HTTP/1.1\r\nHost: x\r\nX: y\r\n Content-Length: 40\r\n\r\n" + SMUGGLED,
    "HTTP/9.9": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n", "no HTTP": b"hello\r\n\r\n", "nothing": b"\r\n" * 5000}


@row("W5", "requests that no browser sends: smuggled ones, header bombs, slow ones, idle ones by the hundred",
     "refused, one answer at most and then the end; 64 connections an address, 15 s for a request", quick=True)
async def W5_requests(settings, report):
    async with beside_games(settings, report) as bed:
        for name, said in BAD_REQUESTS.items():
            began = time.monotonic()
            told, over = await answer_to(bed.server.http, said)
            took_s = time.monotonic() - began
            answers = re.findall(rb"HTTP/1\.[01] (\d+)", told)
            report.require(over, f"{name}: not closed: {told[:80]}")
            report.promise(took_s < 3, f"{name}: closed after {took_s:.1f} s: {told[:80]}")
            report.require(len(answers) <= 1 and b"inner" not in told, f"{name}: answered {answers}")
            report.require(all(answer.startswith((b"4", b"5")) for answer in answers), f"{name}: {answers}")
            report.count("bad requests", 1)
        idle = [await Stranger.connect(bed.server.http, "127.0.4.4") for _ in range(100)]
        held = 100
        while held > 64:
            held = sum([not (await one.rest(0.001))[1] for one in idle])
        report.add("idle connections of one address that are held, of 100", held)
        report.require(held > 0, "none is held")
        with await Stranger.connect(bed.server.http, "127.0.4.5") as other:
            await other.say(GET % b"/healthz")
            report.require((await other.line()) == b"HTTP/1.1 200 OK", "another address gets no answer")
        if not settings.quick:
            began = time.monotonic()
            slow = [await Stranger.connect(bed.server.http, "127.0.4.6") for _ in range(20)]
            while time.monotonic() - began < 18 and any([await one.say(b"G") for one in slow]):
                await asyncio.sleep(1)
            left = sum([not (await one.rest(0.05))[1] for one in slow])
            report.add("seconds until slow ones are cut", round(time.monotonic() - began, 1))
            report.require(left == 0, f"{left} slow ones are left")
            for one in slow:
                one.drop()
        for one in idle:
            one.drop()


TELLING = re.compile(r"boost|beast|asio|openssl|sqlite|postgres|libpq|clang|debian|linux|\d+\.\d+\.\d+", re.I)


@row("W9", "what strangers are told: health, headers, errors, versions",
     "one word of health, no figures, no names or versions of parts", quick=True)
async def W9_health(settings, report):
    async with beside_games(settings, report, "--metrics-networks", "192.0.2.0/24") as bed:  # where we are not
        for path in ("/healthz", "/readyz"):
            status, body = await ask_http(bed.server.http, path)
            report.require((status, body) == (200, "ok\n"), f"{path}: {status} {body!r}")
        for path in ("/metrics", "/debug/vars", "/status", "/api/v1/admin", "/api/v1/metrics", "/api/v1/limits"):
            status, body = await ask_http(bed.server.http, path)
            report.require(status in (403, 404, 405), f"{path}: {status} {body[:80]}")
        for target in (b"/healthz", b"/nothing", b"/api/v1/games/x", b"/api/v1/games?x=1", b"/api/v1/session", b"/%"):
            for method in (b"GET", b"POST", b"OPTIONS", b"BREW"):
                told, _ = await answer_to(bed.server.http, method + b" " + target + b" HTTP/1.1\r\nHost: x\r\n"
                                          b"Content-Length: 0\r\nConnection: close\r\n\r\n")
                told = told.decode("utf-8", "replace")
                head, _, body = told.partition("\r\n\r\n")
                found = TELLING.search(re.sub(r"\d{4}-\d\d-\d\d|Date:.*", "", head + body).replace("HTTP/1.1", ""))
                report.require(not found, f"{method} {target}: tells {found and found[0]!r}")
                report.require(re.search(r"^Server: fuhyo\r?$", head, re.M), f"{method} {target}: {head[:200]}")
                report.require(not body.startswith("{") or json.loads(body) is not None, f"{target}: no JSON")
                report.count("answers", 1)
    async with beside_games(settings, report) as bed:  # here we may, but no page that has made its name lead here
        for host, wanted in (b"127.0.0.1", 200), (b"fuhyo:8081", 200), (b"evil.example", 403):
            told, _ = await answer_to(
                bed.server.http, b"GET /metrics HTTP/1.1\r\nHost: " + host + b"\r\nConnection: close\r\n\r\n")
            report.require(told.startswith(b"HTTP/1.1 %d " % wanted), f"/metrics as {host}: {told[:40]}")
