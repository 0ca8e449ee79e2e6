"""Rows about the network between players and the server."""

import asyncio
import ctypes
import random
import socket
import struct
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


SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27  # asm-generic/socket.h


def _lose_what_comes(sock):
    """The kernel drops each packet that comes for this socket, and answers none: a program of one return (bpf(4))."""
    drop_all = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    sock.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, struct.pack("HxxxxxxQ", 1, ctypes.addressof(drop_all)))


@row("N11", "a line on which nothing comes through for 15 s while both players think, and one that stays so",
     "the first game goes on; the second one's opponent is told within 35 s, and it has one result")
async def N11_lost_packets(settings, report):
    async with Bed(settings) as bed:
        await bed.start()
        pairs = []
        for name in ("back", "gone"):
            pair = [await Client(bed, name + side).connect(f"LOGIN {name}{side} {name}-3600-10-{side.upper()}")
                    for side in "bw"]
            await agree(pair)
            pairs.append(pair)
        back, gone = pairs
        silent = [pair[0].wire.transport.get_extra_info("socket") for pair in pairs]
        await asyncio.sleep(22)  # a probe that is sent after 30 s of silence would be lost, too
        for sock in silent:
            _lose_what_comes(sock)
        began = time.monotonic()
        await asyncio.sleep(15)
        silent[0].setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)
        await until(lambda: "#WIN" in gone[1].heard, "the loss of a line was not noticed", pause_s=0.1)
        took = time.monotonic() - began
        report.add("seconds until the loss was noticed", f"{took:.1f}")
        report.promise(took <= 35, f"it took {took:.0f} s to notice the loss")
        await asyncio.sleep(10)  # the line that came back has had more probes
        back[0].wire.say("+7776FU")
        await back[1].hears("+7776FU")
        back[1].wire.say("%TORYO")
        await back[0].hears("#WIN")
        await asyncio.to_thread(bed.server.stop)
        report.take(bed.evidence(ends=frozenset({"toryo", "abnormal"})))


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
