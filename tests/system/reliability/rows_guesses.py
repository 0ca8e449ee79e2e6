"""The row about guesses at the web login: what they tell, what they cost, and whom they keep out."""

import asyncio
import json
import tempfile
import time
from pathlib import Path

from clients import admin
from fuhyo_server import add_operator
from hostile import answer_to, beside_games
from rows import row
from web_client import Visitor
from wire import PATIENCE_S

PASSWORD = "twelve silver pawns"
BUSY = 503  # no answer within 15 s: hashes are compared below whatever plays, and a machine may have no time for them


async def guess(bed, name, password, source):
    """(status, body, seconds) of a login from this address."""
    said, began = json.dumps({"name": name, "password": password}).encode(), time.monotonic()
    told, _ = await answer_to(
        bed.server.http, b"POST /api/v1/session HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
        b"Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s" % (len(said), said), source)
    head, _, body = told.partition(b"\r\n\r\n")
    return int(head.split()[1]), body, time.monotonic() - began


async def add_owner(bed, name):
    """An account with a password of its owner's choice: one whose hash is slow."""
    await admin(bed, "account-add", name)
    first = (await admin(bed, "password", name))["rows"][0][2]

    def choose():
        owner, end = Visitor(bed.server.http), time.monotonic() + PATIENCE_S
        while (status := owner.log_in(name, first).status) == BUSY and time.monotonic() < end:
            pass
        assert status == 204, status
        status = owner.ask("PUT", "/api/v1/session/password", {"password": PASSWORD}).status
        assert status in (204, BUSY), status
        while status != 204 and time.monotonic() < end:  # told that it is not known, until it can be tried
            time.sleep(1)
            status = Visitor(bed.server.http).log_in(name, PASSWORD).status
        assert status == 204, status
    await asyncio.to_thread(choose)


def by_status(told):
    statuses = [status for status, *_ in told]
    return {status: statuses.count(status) for status in sorted(set(statuses))}


@row("W11", "guesses on the web at operators, accounts and nobody: one, many of one network, many from everywhere",
     "all names are refused alike, a second later; many at once are made to wait; owners get in meanwhile", quick=True)
async def W11_guesses(settings, report):
    with tempfile.TemporaryDirectory(prefix="fuhyo-") as folder:
        config = Path(folder) / "fuhyo.toml"
        secret = add_operator(settings.program, config, "hana")
        async with beside_games(settings, report, "--config", str(config), "--admin-networks", "192.0.2.0/24") as bed:
            await add_owner(bed, "ref")
            told = [await guess(bed, name, "wrong", f"127.7.{number}.2")
                    for number, name in enumerate(("hana", "ref", "nobody", "HANA"))]
            heard = {(status, body) for status, body, _ in told if status != BUSY}
            report.require(len(heard) <= 1 and set(by_status(told)) <= {401, BUSY}, f"names are told apart: {told}")
            report.promise(BUSY not in by_status(told), "the server was too busy for one")
            report.add("refused after s", ", ".join(f"{took_s:.2f}" for *_, took_s in told))
            report.require(all(took_s >= 1 for *_, took_s in told), "refused before a second was over")
            report.promise(all(took_s < 1.5 for *_, took_s in told), "refused later than a second")

            told = await asyncio.gather(*(guess(bed, "hana", "wrong", f"127.8.0.{2 + number}") for number in range(40)))
            found = by_status(told)
            report.add("40 at once of one network", found)
            report.require(set(found) <= {401, 429, BUSY}, f"40 at once of one network: {found}")
            report.promise(set(found) == {401, 429} and found[401] <= 6, f"more than five are looked at: {found}")

            flood = [asyncio.create_task(guess(bed, "ref", "wrong", f"127.9.{number}.2"))
                     for number in range(20 if settings.quick else 100)]
            await asyncio.wait(flood, return_when=asyncio.FIRST_COMPLETED)
            for number, (name, shown) in enumerate((("ref", PASSWORD), ("hana", secret))):
                status, body, took_s = await guess(bed, name, shown, f"127.10.{number}.2")
                report.require(status in (204, BUSY), f"{name} is kept out: {status} {body}")
                report.promise(status == 204, f"{name} is told that the server is busy")
                report.add(f"{name} is in meanwhile after s", round(took_s, 2))
                report.promise(took_s < 1, f"{name} waits for the guesses of others: {took_s:.1f} s")
            told = await asyncio.gather(*flood)
            report.add("many at once from everywhere", by_status(told))
            report.require(set(by_status(told)) <= {401, 429, BUSY}, f"many at once from everywhere: {by_status(told)}")
            report.promise(401 in by_status(told) and BUSY not in by_status(told), "the server was too busy for many")
