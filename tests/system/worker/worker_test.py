#!/usr/bin/env python3
"""Engines of other machines: a server, workers and their engines in processes of their own, and wires that are cut.

    worker_test.py FUHYO FAKE_ENGINE FUHYO_CLUSTER [CASE]
"""

import os
import re
import shutil
import signal
import socket
import ssl
import sys
import time
from pathlib import Path

sys.path += [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "tls")]
from certificates import make_pair, openssl  # noqa: E402
from csa_client import begin, resign, walk  # noqa: E402
from fuhyo_server import processes_of  # noqa: E402
from proxy import Proxy  # noqa: E402
from server_case import ServerCase, run_tests  # noqa: E402
from waiting import PATIENCE_S, eventually  # noqa: E402


class Workers(ServerCase):
    flags = ("--drain-timeout", "0")

    def setUp(self):
        super().setUp()
        (self.folder / "engines").mkdir()
        self.program_of_engines = shutil.copy(self.fake, self.folder / "engines" / "fake")  # whose processes are ours
        self.pair = make_pair(self.folder, "server")
        config = self.folder / "fuhyo.toml"
        config.write_text("", encoding="ascii")
        for name in ("lab", "club"):
            told = self.expect(0, "", "admin", "worker", "add", name, "--config", config)
            token = re.search(r"shown this once: (\S+)", told)[1]
            self.assertNotIn(token, config.read_text(encoding="ascii"))
            (self.folder / f"{name}.token").write_text(f"{name} {token}\n", encoding="ascii")
        self.workers = {}
        self.server = self.serve("--config", config, *self.pair.flags, listeners=("csa", "worker"))
        self.proxy = Proxy(self.server.listeners["worker"])

    def tearDown(self):
        for worker in self.workers.values():
            worker.terminate()
            worker.wait(PATIENCE_S)
        self.server.stop()

    def join_words(self, name, *engines, token=None, trust=None):
        return ["join", "--worker", f"127.0.0.1:{self.proxy.port}", "--threads", "4", "--token",
                token or self.folder / f"{name}.token", *(trust or ("--ca", self.pair.certificate)),
                *(word for engine in engines for word in ("--engine", engine))]

    def worker(self, name, *engines, **how):
        with open(self.folder / f"{name}.said", "a", encoding="utf-8") as said:
            self.workers[name] = self.start(self.program, *self.join_words(name, *engines, **how), stderr=said)
        return self.workers[name]

    def refused(self, why, engine, **how):
        """The worker of the lab gives up, and says why."""
        code, _, errors = self.run_program(*self.join_words("lab", engine, **how))
        self.assertNotEqual(code, 0)
        self.assertIn(why, errors)

    def engine(self, name, manner, *words):
        return " ".join((f"name={name}", f"engine='{self.program_of_engines} {manner}'", *words))

    def table(self, verb):
        return {row[0]: row for row in self.server.admin(verb)["rows"]}

    def until_engine(self, player, state):
        eventually(lambda: self.table("engines").get(player, [""] * 6)[5] == state,
                   lambda: f"{player} {state}: {self.table('engines')}\n{self.server.log()[-6000:]}")

    def until_worker(self, name, state):
        eventually(lambda: self.table("workers")[name][1] == state, lambda: f"{name} {state}: {self.table('workers')}")

    def start_game(self, name, game):
        player = self.player(self.server.csa, f"{name} {game}-B,pw{name}")
        begin(player)
        return player

    def move(self, player, ply):
        self.say_move(player, ply)
        return player.until("-")

    @staticmethod
    def say_move(player, ply):
        player.say(walk(2 * ply))
        player.until(walk(2 * ply))

    def test_players_of_two_machines(self):
        self.worker("lab", self.engine("lab-1", "good", "serve=club-*"),
                    self.engine("lab-2", "good", "game=duel-300-10"))
        self.worker("club", self.engine("club", "good", "game=duel-300-10 count=2"))
        self.until_engine("lab-1", "in the lobby")
        player = self.start_game("ann", "club-900-10")
        for ply in range(4):
            self.move(player, ply)
        self.assertEqual(self.table("engines")["lab-1"][5], "plays")
        for name in ("lab", "club"):
            self.until_worker(name, "connected")
        self.assertRegex(self.table("workers")["lab"][7], "lab-1.*lab-2")
        resign(player)
        eventually(lambda: "duel-300-10" in " ".join(map(str, (self.data / "records").rglob("*.csa"))),
                   "a game of two workers")
        self.server.done("worker-drop", "lab", "tired")
        self.assertNotEqual(self.workers["lab"].wait(PATIENCE_S), 0)
        self.assertNotIn("lab-1", self.table("engines"))
        self.assertFalse(self.server.admin("worker-drop", "nobody")["ok"])
        self.refused("dropped", self.engine("lab-1", "good"))
        self.server.done("reload")
        self.worker("lab", self.engine("lab-1", "good", "serve=club-*"))
        self.until_engine("lab-1", "in the lobby")
        self.workers["lab"].terminate()
        self.assertEqual(self.workers["lab"].wait(PATIENCE_S), 0)
        self.until_worker("lab", "away")
        self.until_engine("lab-1", "waits for a seat")

    def test_a_cut_wire(self):
        """The game goes on with the same engine: moves that were made meanwhile are answered after the reconnection."""
        self.worker("lab", self.engine("lab-1", "good", "serve=club-*"),
                    self.engine("lab-2", "shortlived", "serve=slow-*"))
        self.until_engine("lab-1", "in the lobby")
        self.until_engine("lab-2", "in the lobby")
        ann, bob = self.start_game("ann", "club-900-10"), self.start_game("bob", "slow-900-10")
        engines = processes_of(self.program_of_engines)  # which a game waits for, and a player in the lobby does not
        held, = (pid for pid in engines if b"shortlived" in Path(f"/proc/{pid}/cmdline").read_bytes())
        os.kill(held, signal.SIGSTOP)
        self.addCleanup(lambda: held in processes_of(self.program_of_engines) and os.kill(held, signal.SIGCONT))
        self.say_move(bob, 0)
        self.move(ann, 0)  # by now "go" is said to the other engine, too
        self.proxy.cut()
        self.say_move(ann, 1)
        self.until_worker("lab", "away")
        self.proxy.mend()
        self.until_worker("lab", "connected")
        os.kill(held, signal.SIGCONT)
        self.assertTrue(ann.until("-").startswith("-7262HI"))
        self.assertTrue(bob.until("-").startswith("-8272HI"))
        self.move(ann, 2)
        self.assertEqual(processes_of(self.program_of_engines), engines, "no engine was started anew")
        self.server.wait_for_log("with 2 engines; seats that go on: 2")
        resign(ann)
        resign(bob)

    def test_a_killed_worker(self):
        """Its engines die with it; when it is there again, the engine thinks again about the same game."""
        words = self.engine("club-1", "good", "serve=club-*")
        self.worker("club", words)
        self.until_engine("club-1", "in the lobby")
        ann = self.start_game("ann", "club-900-20")
        self.move(ann, 0)
        self.workers["club"].kill()
        self.workers["club"].wait()
        eventually(lambda: not processes_of(self.program_of_engines), "the engines have gone with their worker")
        self.say_move(ann, 1)
        self.worker("club", words)
        self.assertTrue(ann.until("-").startswith("-7262HI"))
        self.move(ann, 2)
        resign(ann)
        self.server.wait_for_log("began anew")

    def test_a_cluster_is_lent(self):
        """It is one engine with a seat; it goes with all its nodes when the worker is killed. The server's log names a
        node that is missing."""
        file, node = self.folder / "engines" / "cluster.toml", self.program_of_engines
        file.write_text("".join(f"[[node]]\nname = '{name}'\ncommand = '{command}'\n" for name, command in
                                (("one", node), ("two", node), ("gone", "/nonexistent"))), encoding="ascii")
        self.worker("lab", f"name=lab engine={self.cluster} serve=quick-* think-ms=100 threads=2 read={file.parent}"
                           f" option.ClusterFile={file}")
        self.until_engine("lab", "in the lobby")
        ann = self.start_game("ann", "quick-0-0")
        self.move(ann, 0)
        self.server.wait_for_log("Error! gone: has ended: cannot run")
        self.assertEqual(len(processes_of(node)), 2)
        self.move(ann, 1)
        self.workers["lab"].kill()
        self.workers["lab"].wait()
        eventually(lambda: not processes_of(node), "the nodes go with the worker")

    def test_bad_input(self):
        false_token = self.folder / "false.token"
        false_token.write_text("lab AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", encoding="ascii")
        words = self.engine("lab-1", "good")
        since = time.monotonic()
        self.refused("wrong name or token", words, token=false_token)
        self.assertGreaterEqual(time.monotonic() - since, 1)
        stranger = make_pair(self.folder, "stranger").certificate
        patience = ("usiok-timeout=1", "readyok-timeout=2")
        for why, engine, how in (
                ("not believed", words, {"trust": ("--ca", stranger)}),
                ("fingerprint is", words, {"trust": ("--fingerprint", "0" * 64)}),
                ("--token", words, {"token": self.folder / "none"}), ("not for a worker", words + " room=vip", {}),
                ("the engine ended", self.engine("lab-1", "exit3"), {}),
                ("no usiok within 1000 ms", self.engine("lab-1", "deaf", *patience), {}),
                ("no readyok within 2000 ms", self.engine("lab-1", "unready", *patience), {})):
            self.refused(why, engine, **how)
        shown = openssl("x509", "-in", self.pair.certificate, "-noout", "-fingerprint", "-sha256").stdout.decode()
        self.worker("lab", self.engine("lab-1", "choosy", "option.Strength=10"), self.engine("alice", "good"),
                    trust=("--fingerprint", shown.strip().split("=")[1]))
        self.until_engine("lab-1", "in the lobby")
        self.assertNotIn("alice", self.table("engines"))
        self.server.wait_for_log("may not be called alice")
        said = self.folder / "lab.said"
        eventually(lambda: "not seated: its players may not be called alice" in said.read_text(encoding="utf-8"),
                   "who runs the worker is told")
        self.assertIn("lab-1: option Strength: a number from 1 to 9 expected", said.read_text(encoding="utf-8"))
        self.server.wait_for_log("engine: option Strength: a number from 1 to 9 expected")
        for said, answer in ((b"worker 0 lab x y\n", b"refused it speaks another version of the protocol than 1"),
                             (b"LOGIN lab x\n", b"refused"), (b"x" * 500 + b"\n", b"refused a line is too long")):
            with self.wire() as wire:
                wire.sendall(said)
                self.assertTrue(b"".join(iter(lambda: wire.recv(4096), b"")).startswith(answer), said)
        self.assertEqual(self.table("workers")["lab"][1], "connected")

    def test_who_only_sits_at_the_door(self):
        for _ in range(60):
            self.enterContext(socket.create_connection(self.server.listeners["worker"]))
        with self.wire() as wire:
            wire.sendall(f"worker 1 lab {self.token('lab')} s1\n".encode())
            self.assertTrue(wire.recv(4096).startswith(b"welcome"))

    def test_players_without_end(self):
        """A worker brings so many and no more, however many it offers and how often; nobody else is kept waiting."""
        self.worker("club", self.engine("club-1", "good", "serve=club-*"))
        self.until_engine("club-1", "in the lobby")
        ann = self.start_game("ann", "club-900-10")
        for number in range(12):
            with self.wire() as wire:
                offers = [f"engine {one} 1 name=lab-{number}-{one} count=64 game=none-900-0" for one in range(64)]
                said = (f"worker 1 lab {self.token('lab')} s{number}", *offers, "ready 8", "")
                wire.sendall("\n".join(said).encode())
                wire.recv(4096)
            self.move(ann, number % 6)
            if number == 5:
                resign(ann)
                ann = self.start_game("ann", "club-900-10")
        self.assertLessEqual(len(self.table("engines")), 65)
        self.server.wait_for_log("it brings more than 64 players")
        self.server.wait_for_log("its offers change too often")
        resign(ann)

    def token(self, name):
        return (self.folder / f"{name}.token").read_text(encoding="ascii").split()[1]

    def wire(self):
        context = ssl.create_default_context(cafile=self.pair.certificate)
        plain = socket.create_connection(self.server.listeners["worker"], timeout=PATIENCE_S)
        return context.wrap_socket(plain, server_hostname="127.0.0.1")


if __name__ == "__main__":
    run_tests("fake", "cluster")
