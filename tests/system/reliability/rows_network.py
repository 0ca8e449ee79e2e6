"""Rows about the network between players and the server."""

import asyncio
import random
import socket
import time

from bed import Bed
from clients import Client, agree
from fault_proxy import FaultProxy
from measures import in_ms, share
from rows import row
from wire import Wire, until


@row("N4", "bytes split at every place, and lines that end in CR LF",
     "the same meaning as unsplit", quick=True)
async def N4_split_bytes(settings, report):
    async with Bed(settings) as bed, FaultProxy(bed.server.csa, piece=1) as proxy:
        bed.hall.address, bed.hall.line_end = proxy.address, "\r\n"
        async with bed.games(report, 8, 50):
            await bed.moves_go_on(40 if settings.quick else 200)


@row("N5", "300 ms of latency, more or less 100, and a line of 8 kbit/s for each connection",
     "games go on; the time of the network is the player's, that of the opponent's is not")
async def N5_bad_line(settings, report):
    async with (Bed(settings, clock="30-10") as bed,
                FaultProxy(bed.server.csa, latency_s=(0.2, 0.4), bytes_s=1000.0) as proxy):
        bed.hall.address = proxy.address
        # The proxy's own time is within the moves': two ways of 0.4 s, and up to a second a kilobyte.
        async with bed.games(report, 6, 30, slack_s=4.0):
            await asyncio.sleep(6 if settings.quick else 30)


STATES = ("connected", "waiting", "agreeing", "agreed", "own turn", "other's turn", "move under way")


@row("N6", "an RST in each state of the protocol",
     "the opponent is told, one result; who is not yet in a game leaves nothing behind", quick=True)
async def N6_reset_in_each_state(settings, report):
    async with Bed(settings) as bed, bed.games(report, 4, 20, ends=frozenset({"toryo", "abnormal"})):
        for state in STATES:
            for sign in "+-":
                await _reset(bed, state, sign)
        report.add("resets", 2 * len(STATES))
        await bed.all_play()


async def _reset(bed, state, sign):
    """Brings a new pair to `state`, resets the connection of `sign`, and waits until the other knows."""
    tag = f"rst{STATES.index(state)}{'b' if sign == '+' else 'w'}"
    pair = {side: Client(bed, f"{tag}{'b' if side == '+' else 'w'}") for side in "+-"}
    one, other = pair[sign], pair["-" if sign == "+" else "+"]
    logins = {side: f"LOGIN {pair[side].name} {tag}-600-10-{'B' if side == '+' else 'W'}" for side in "+-"}
    if state == "connected":
        one.wire = await Wire.connect(bed.server.csa, bed.history, bed.history.session(one.name, "player"),
                                      one.heard.append, lambda: None)
    else:
        await one.connect(logins[sign])
    if state not in ("connected", "waiting"):
        await other.connect(logins["-" if sign == "+" else "+"])
        for each in pair.values():
            await each.hears("END Game_Summary")
    if state == "agreed":
        one.wire.say("AGREE")
    if state in ("own turn", "other's turn", "move under way"):
        await agree(pair.values())
        await _come_to(pair, state, sign)
    one.wire.drop(reset=True)
    if other.wire:
        await until(lambda: any(line in ("#WIN", "#LOSE") or line.startswith("REJECT:") for line in other.heard),
                    f"the opponent of a reset in '{state}' is not told")
        other.wire.drop()


async def _come_to(pair, state, sign):
    if (sign == "-") == (state == "own turn") or state == "move under way" and sign == "-":
        pair["+"].wire.say("+7776FU")
        await pair[sign].hears("+7776FU")
    if state == "move under way":
        pair[sign].wire.say("+7776FU" if sign == "+" else "-3334FU")
        await asyncio.sleep(0.0003)


@row("N7", "flapping: the connection breaks and comes back within a second, 100 times",
     "one session of the name at a time; who flaps is never locked out", quick=True)
async def N7_flapping(settings, report):
    random.seed(settings.seed)
    async with Bed(settings) as bed, bed.games(report, 4, 4):
        waits = []
        for number in range(settings.times or (30 if settings.quick else 100)):
            heard = []
            session = bed.history.session("flap", "player")
            began = time.monotonic()
            wire = await Wire.connect(bed.server.csa, bed.history, session, heard.append, lambda: None)
            wire.say(f"LOGIN flap alone-{600 + number}-10,trip")
            await until(lambda: heard, "no answer to LOGIN", pause_s=0.002)
            if not report.require(heard[0] == "LOGIN:flap OK", f"login {number + 1}: {heard[0]}"):
                break
            waits.append(time.monotonic() - began)
            wire.say("")
            await asyncio.sleep(random.uniform(0.0, 0.05))
            wire.drop(reset=number % 2 == 1)
        report.add("logins", len(waits))
        report.add("from connecting to LOGIN OK, ms", in_ms(waits))


@row("N10", "small writes: an idle %%VERSION",
     "a round trip takes at most 2 ms")
async def N10_round_trip(settings, report):
    async with Bed(settings) as bed:
        await bed.start()
        trips = await asyncio.to_thread(_ask_version, bed.server.csa, 100)
        report.add("round trip, ms", in_ms(trips))
        report.require(share(trips, 0.5) <= 0.002, f"half of them take more than {share(trips, 0.5) * 1000:.1f} ms")


def _ask_version(address, count):
    """By a plain socket: this program's loop is not to be measured."""
    with socket.create_connection(address) as sock:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        file = sock.makefile("rb")
        sock.sendall(b"LOGIN asks trip x1\n")
        while b"+OK" not in file.readline():
            pass
        trips = []
        for _ in range(count):
            time.sleep(0.06)  # within what a client may ask
            began = time.perf_counter()
            sock.sendall(b"%%VERSION\n")
            while b"+OK" not in file.readline():
                pass
            trips.append(time.perf_counter() - began)
        return trips
