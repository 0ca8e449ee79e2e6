"""A game node and its PostgreSQL, and web nodes behind a proxy, each in a network namespace of its own."""

import json
import os
import shutil
import subprocess
import sys
import threading
import time
from collections import defaultdict
from contextlib import ExitStack, suppress
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "system"), str(TESTS / "system" / "reliability")]
from before_nodes import Nginx  # noqa: E402
from children import dying_with_us  # noqa: E402
from cluster import Cluster  # noqa: E402  (the private PostgreSQL of the reliability rows)
from fuhyo_server import listeners_of  # noqa: E402
from own_network import Switch  # noqa: E402
from web_client import connect  # noqa: E402

ROLE = TESTS.parent / "docker" / "web-node.sql"
CSA, HTTP = 4081, 8081
NODES, LOADERS = 3, 4
TICKS = os.sysconf("SC_CLK_TCK")


class Node:
    """`fuhyo serve` at `place`; ends with stop()."""

    def __init__(self, binary, folder, place, *flags, csa=False):
        self.place, folder = place, folder / place.name
        folder.mkdir(exist_ok=True)
        listeners = ["--http", f"{place.address}:{HTTP}"] + (["--csa", f"{place.address}:{CSA}"] if csa else [])
        with open(folder / "server.log", "ab") as log:
            self.process = subprocess.Popen(
                [*dying_with_us(), *place.words(), str(binary), "serve", *listeners, "--data", str(folder),
                 "--log-level", "warning", *flags], stdout=subprocess.PIPE, stderr=log, text=True)
        if "http" not in listeners_of(self.process, "http"):
            raise SystemExit(f"{place.name} did not start: {(folder / 'server.log').read_text(errors='replace')}")

    @property
    def address(self):
        return f"{self.place.address}:{HTTP}"

    def kill(self):
        self.process.kill()
        self.process.wait()

    def stop(self):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()


class Witness(threading.Thread):
    """A reader of the game node's own stream: the number of each game and the ids of its moves in order, by name."""

    def __init__(self, address):
        super().__init__(daemon=True)
        self.games, self.moves = {}, defaultdict(list)
        self.connection = connect(address)
        self.connection.request("GET", "/api/v1/events.ndjson")
        self.answer = self.connection.getresponse()
        self.start()

    def run(self):
        names = {}
        with suppress(OSError, ValueError):
            for event in map(json.loads, self.answer.fp):
                data = event.get("data")
                if event["event"] == "opened":
                    names[data["game"]["id"]] = data["game"]["name"]
                    self.games[data["game"]["name"]] = data["game"]["id"]
                elif event["event"] == "moved":
                    self.moves[names[data["id"]]].append(event["id"])

    def count(self, names):
        return sum(len(self.moves[name]) for name in names)


class Ground:
    """The switch, PostgreSQL, and the game node with its players' place. With `apart` they and this program have the
    first processor, and whatever spectators need the other ones. A context manager."""

    def __init__(self, binary, folder, apart=False):
        self.binary, self.folder, self.ends = binary, folder, ExitStack()
        ours, theirs = ("0", f"1-{os.cpu_count() - 1}") if apart else (None, None)
        if apart:
            os.sched_setaffinity(0, {0})
        self.switch = Switch()
        self.game_place, self.players = self.switch.plug("game", ours), self.switch.plug("players", ours)
        self.proxy = self.switch.plug("proxy", theirs)
        # 10,000 readers of a node and what a stopped proxy left take half of the usual 28,000 ports: then looking for a
        # free one is most of a connection's work.
        subprocess.run([*self.proxy.words(), "sh", "-c",
                        "echo 10240 65535 > /proc/sys/net/ipv4/ip_local_port_range"], check=True)
        self.nodes = [self.switch.plug(f"web{number}", theirs) for number in range(NODES)]
        self.loaders = [self.switch.plug(f"load{number}", theirs) for number in range(LOADERS)]

    def __enter__(self):
        settings = f"listen_addresses = '{self.switch.address}'\n"
        self.cluster = Cluster(self.folder / "postgres", settings=settings)
        self.cluster.make()
        self.ends.callback(self.cluster.close)
        for place in (self.game_place, *self.nodes):
            self.cluster.allow(place.address)
        self.game = Node(self.binary, self.folder, self.game_place, "--store", self.store("fuhyo"), "--exempt",
                         self.switch.network, "--max-moves", "0", "--drain-timeout", "0", csa=True)
        self.ends.callback(self.game.stop)
        self.cluster.script(ROLE)
        self.witness = Witness((self.game_place.address, HTTP))
        return self

    def __exit__(self, *_):
        self.ends.close()

    def store(self, user):
        return f"postgres://{user}@{self.switch.address}/games"


class Fleet:
    """Fresh web nodes and a fresh proxy with places for so many readers. A context manager."""

    def __init__(self, ground, readers):
        self.ground, self.readers, self.ends = ground, readers, ExitStack()

    def __enter__(self):
        ground = self.ground
        flags = ("--role", "web", "--store", ground.store("fuhyo_web"), "--web-proxy", ground.proxy.address, "--exempt",
                 ground.switch.network)
        self.nodes = []
        for place in ground.nodes:
            self.nodes.append(Node(ground.binary, ground.folder, place, *flags))
            self.ends.callback(self.nodes[-1].stop)
        folder = ground.folder / "nginx"
        self.ends.callback(shutil.rmtree, folder, ignore_errors=True)
        self.proxy = self.ends.enter_context(
            Nginx(folder, ground.proxy, [node.address for node in self.nodes], self.readers))
        return self

    def __exit__(self, *_):
        self.ends.close()

    def kill_one(self):
        """The first web node; nanoseconds of the steady clock at which it was."""
        at = time.monotonic_ns()
        self.nodes[0].kill()
        return at

    def used(self):
        """Of the web nodes and of the proxy: (seconds of processor, KiB of memory)."""
        return tuple(used_by(pids) for pids in ([node.process.pid for node in self.nodes], self.proxy.processes()))


def used_by(pids):
    cpu_s = kib = 0
    for pid in pids:
        with suppress(FileNotFoundError, ProcessLookupError):
            stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
            cpu_s += (int(stat[11]) + int(stat[12])) / TICKS
            status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
            kib += next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")), 0)
    return cpu_s, kib
