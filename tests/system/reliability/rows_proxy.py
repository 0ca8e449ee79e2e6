"""The row about the one address of two servers: players behind docker/haproxy.cfg."""

import asyncio
import contextlib
import re
import subprocess
import time
from pathlib import Path

from bed import Bed, CannotRun
from children import dying_with_us
from machine import Island, need_root, tool
from measures import told_moves
from rows import row
from rows_standby import second_program
from rows_store import is_replaced
from server import Port, Server
from wire import until

EXAMPLE = Path(__file__).resolve().parents[3] / "docker" / "haproxy.cfg"
MOST_S = 10  # from the fault to the first move that anybody is told by the other server
NETWORKS, LOOPBACK = "10.77.0.0/16", "127.0.0.0/8"  # of the island's cable to players, and of the other server
PLAYERS, DATABASE = 0, 1  # cables
SETTLES_S = 3  # the proxy has seen who is ready
TAKES_OVER = "this one takes over"


def example_for(listeners, backends):
    """The example's text with the addresses of this run. listeners: (csa, http) ports; backends: two servers."""
    text = EXAMPLE.read_text(encoding="utf-8")
    text = text.replace("maxconn 20000\n", "maxconn 2000\n")  # of what this user may open
    text = text.replace("gt 64 }", "gt 640 }")  # all players of the row have one address
    for theirs, ours in ((4081, listeners[0]), (8081, listeners[1])):
        text = text.replace(f"bind :{theirs}\n", f"bind 127.0.0.1:{ours}\n")
    for theirs, server in zip(("192.0.2.11", "192.0.2.12"), backends):
        ours = f"{server.host}:{server.csa[1]} check port {server.http[1]}"
        text = text.replace(f"{theirs}:4081 check port 8081", ours)
        text = text.replace(f"{theirs}:8081", f"{server.host}:{server.http[1]}")
    left = re.findall(r"192\.0\.2\.\d+|:[48]081\b|port [48]081\b", text)
    assert not left, f"the example has addresses that this row does not know: {left}"
    return text


@contextlib.contextmanager
def proxy(folder, text):
    file = folder / "haproxy.cfg"
    file.write_text(text, encoding="utf-8")
    log = folder / "haproxy.log"
    with open(log, "ab") as out:
        process = subprocess.Popen([*dying_with_us(), tool("haproxy"), "-db", "-f", str(file)], stdout=out, stderr=out)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(0.5)
    try:
        if process.poll() is not None:
            raise CannotRun(f"haproxy ended: {log.read_text(errors='replace')}")
        yield
    finally:
        process.kill()
        process.wait()


@row("A22", "two servers behind docker/haproxy.cfg: the active one is cut off from the database, then the next killed",
     "the first move in the other one within 10 s; every move that anybody was told is stored; the former one ends",
     stores=("postgres",))
async def A22_one_address(settings, report):
    need_root("a network namespace")
    tool("haproxy")
    with Island(2) as island:
        bed = Bed(settings, pause_s=(0.0, 0.15))
        here, there = (re.sub(r"\d+$", end, island.addresses[DATABASE]) for end in ("1", "2"))
        bed.store.cluster.settings = f"listen_addresses = '{here}'\n"
        async with bed:
            cluster = bed.store.cluster
            cluster.allow(there)
            await _play(settings, report, bed, island, here)


async def _play(settings, report, bed, island, database):
    # Both listen on the proxy's port, each at an address of its own.
    shared = ["--role", "standby", "--records", str(bed.server.records)]
    for network in (NETWORKS, LOOPBACK):  # from where the proxy comes; and all players, whose address is one
        shared += ["--proxy-protocol", network, "--exempt", network]
    far, near = bed.server, Server(second_program(settings), bed.folder / "near", *bed.server.flags, *shared)
    near.data.mkdir(parents=True)
    far.flags = ("--store", f"postgres://fuhyo@{database}/games", *shared, *settings.serve)
    far.wrap, far.host = island.wrap(), island.addresses[PLAYERS]
    near.host, near.csa, near.records = "127.0.0.2", far.csa, far.records
    for server in (far, near):
        server.http = (server.host, server.http[1])
    web = Port()
    with proxy(bed.folder, example_for((far.csa[1], web.number), (far, near))):
        try:
            await asyncio.to_thread(far.start)
            for key in far.data.glob("*.key"):
                (near.data / key.name).write_bytes(key.read_bytes())
            await asyncio.to_thread(near.start)
            await asyncio.sleep(SETTLES_S)
            await bed.open(settings.pairs or 24, stream=False, start=False)
            await asyncio.sleep(2)
            async with _first_move(bed, report, "cut", near):
                island.pull(DATABASE)
            island.push(DATABASE)
            await is_replaced(report, far)

            await asyncio.to_thread(far.start)
            await asyncio.sleep(SETTLES_S)
            async with _first_move(bed, report, "kill", far):
                await asyncio.to_thread(near.kill)
            await bed.end(report)
        finally:
            for server in (far, near):
                if server.is_running():
                    await asyncio.to_thread(server.kill)
    report.take(bed.evidence())


@contextlib.asynccontextmanager
async def _first_move(bed, report, fault, other):
    """From the fault that the block makes until `other` plays with everybody."""
    before, began = other.log().count(TAKES_OVER), time.monotonic()
    bed.history.mark(f"died: {fault}")
    yield
    await until(lambda: other.log().count(TAKES_OVER) > before,
                lambda: f"nobody takes over: {other.last_lines()}")
    taken = time.monotonic()
    await until(lambda: told_moves(bed.history, taken, time.monotonic()) > 0,
                lambda: f"nobody plays: {other.last_lines()}")
    took_s = time.monotonic() - began
    bed.history.mark("back: the other one")
    bed.server = other
    report.add(f"from the {fault} to the taking over, s", f"{taken - began:.1f}")
    report.add(f"from the {fault} to the first move, s", f"{took_s:.1f}")
    report.promise(took_s <= MOST_S, f"{fault}: {took_s:.1f} s until somebody moved")
    await bed.all_play()
