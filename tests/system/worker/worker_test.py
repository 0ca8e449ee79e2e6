#!/usr/bin/env python3
"""Engines of other machines: a server, workers and their engines in processes of their own, and wires that are cut.

    worker_test.py FUHYO FAKE_ENGINE [CASE]
"""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
sys.path.append(str(Path(__file__).resolve().parents[1] / "tls"))
from certificates import make_pair, openssl  # noqa: E402
from csa_client import CsaClient  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PATIENCE_S = 60
BLACK = ["+2838HI", "+3848HI", "+4858HI", "+5868HI", "+6878HI", "+7828HI"]


class Proxy:
    """A wire to `target` on a port of its own, that can be cut and mended."""

    def __init__(self, target):
        self.target, self.cut_now, self.links = target, False, []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            near, _ = self.listener.accept()
            if self.cut_now:
                near.close()
                continue
            far = socket.create_connection(self.target)
            self.links += [near, far]
            for source, sink in ((near, far), (far, near)):
                threading.Thread(target=self.carry, args=(source, sink), daemon=True).start()

    @staticmethod
    def carry(source, sink):
        try:
            while some := source.recv(65536):
                sink.sendall(some)
        except OSError:
            pass
        for end in (source, sink):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def cut(self):
        self.cut_now = True
        for link in self.links:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        self.links = []

    def mend(self):
        self.cut_now = False


class Bed:
    """A server with a door for workers, and the workers that were started."""

    def __init__(self, fuhyo, fake, folder):
        self.fuhyo, self.folder = fuhyo, folder
        (folder / "engines").mkdir()
        self.fake = shutil.copy(fake, folder / "engines" / "fake")  # whose processes are those of this test
        self.data, self.log_path, self.config = folder / "data", folder / "log", folder / "fuhyo.toml"
        self.pair = make_pair(folder, "server")
        self.config.write_text("", encoding="ascii")
        for name in ("lab", "club"):
            told = subprocess.run([fuhyo, "admin", "worker", "add", name, "--config", self.config], check=True,
                                  capture_output=True, text=True).stdout
            token = re.search(r"shown this once: (\S+)", told)[1]
            assert token not in self.config.read_text(encoding="ascii")
            (folder / f"{name}.token").write_text(f"{name} {token}\n", encoding="ascii")
        self.workers = {}
        self.log_file = open(self.log_path, "a", encoding="utf-8")
        self.server = subprocess.Popen(
            [fuhyo, "serve", "--config", self.config, "--data", self.data, "--csa", "127.0.0.1:0", "--http", "off",
             "--drain-timeout", "1", "--worker-door", "127.0.0.1:0", *self.pair.flags],
            stdout=subprocess.PIPE, stderr=self.log_file, text=True)
        self.doors = doors_of(self.server, "csa", "worker")
        self.proxy = Proxy(self.doors["worker"])

    def join_words(self, name, *engines, port=None, token=None, trust=None):
        words = [self.fuhyo, "join", "--worker", f"127.0.0.1:{port or self.proxy.port}", "--threads", "4", "--token",
                 token or self.folder / f"{name}.token", *(trust or ("--ca", self.pair.certificate))]
        for engine in engines:
            words += ["--engine", engine]
        return list(map(str, words))

    def worker(self, name, *engines, **how):
        said = open(self.folder / f"{name}.said", "a", encoding="utf-8")
        self.workers[name] = subprocess.Popen(self.join_words(name, *engines, **how), stderr=said)
        said.close()
        return self.workers[name]

    def refused(self, name, *engines, **how):
        """What a worker says that gives up."""
        done = subprocess.run(self.join_words(name, *engines, **how), capture_output=True, text=True,
                              timeout=PATIENCE_S)
        assert done.returncode != 0, done.stderr
        return done.stderr

    def engine(self, name, manner, *words):
        return " ".join((f"name={name}", f"engine='{self.fake} {manner}'", *words))

    def admin(self, *words):
        done = subprocess.run([self.fuhyo, "admin", "--data", self.data, *words, "--json"], capture_output=True,
                              text=True)
        return json.loads(done.stdout)

    def table(self, verb):
        return {row[0]: row for row in self.admin(verb)["rows"]}

    def log(self):
        return self.log_path.read_text(encoding="utf-8", errors="replace")

    def wait_for_state(self, player, state):
        wait_until(f"{player}: {state}", lambda: self.table("engines").get(player, [""] * 6)[5] == state)

    def login(self, name, game):
        return CsaClient(self.doors["csa"], f"LOGIN {name} {game},pw{name}", wait_s=PATIENCE_S)

    def stop(self):
        for worker in self.workers.values():
            if worker.poll() is None:
                worker.terminate()
            worker.wait(PATIENCE_S)
        self.server.terminate()
        code = self.server.wait(PATIENCE_S)
        self.server.stdout.close()
        self.log_file.close()
        assert code == 0, code


def wait_until(what, fine):
    deadline = time.monotonic() + PATIENCE_S
    while not fine():
        assert time.monotonic() < deadline, what
        time.sleep(0.1)


def processes_of(program):
    """Process ids that run the program."""
    found = []
    for link in Path("/proc").glob("[0-9]*/exe"):
        try:
            if os.readlink(link) == str(Path(program).resolve()):
                found.append(int(link.parent.name))
        except OSError:
            continue
    return found


def start_game(bed, name, game):
    player = bed.login(name, f"{game}-B")
    player.until("END Game_Summary")
    player.say("AGREE")
    player.until("START:")
    return player


def move(player, ply):
    """Says the next move and hears the answer."""
    player.say(BLACK[ply % 6])
    player.until(BLACK[ply % 6])
    return player.until("-")


def resign(player):
    player.say("%TORYO")
    player.until("#RESIGN")
    player.close()


def case_players_of_two_machines(bed):
    """They play with guests and with each other, are listed, and are taken away."""
    bed.worker("lab", bed.engine("lab-1", "good", "serve=club-*"), bed.engine("lab-2", "good", "game=duel-300-10"))
    bed.worker("club", bed.engine("club", "good", "game=duel-300-10 count=2"))
    bed.wait_for_state("lab-1", "in the lobby")
    player = start_game(bed, "ann", "club-300-10")
    for ply in range(4):
        move(player, ply)
    assert bed.table("engines")["lab-1"][5] == "plays"
    workers = bed.table("workers")
    assert workers["lab"][1] == "connected" and workers["club"][1] == "connected", workers
    assert "lab-1" in workers["lab"][7] and "lab-2" in workers["lab"][7], workers
    resign(player)
    wait_until("no game of two workers", lambda: "duel-300-10" in " ".join(
        str(path) for path in (bed.data / "records").rglob("*.csa")))
    assert bed.admin("worker-drop", "lab", "tired")["ok"]
    assert bed.workers["lab"].wait(PATIENCE_S) != 0
    assert "lab-1" not in bed.table("engines")
    assert not bed.admin("worker-drop", "nobody")["ok"]
    assert "dropped" in bed.refused("lab", bed.engine("lab-1", "good"))
    assert bed.admin("reload")["ok"]
    bed.worker("lab", bed.engine("lab-1", "good", "serve=club-*"))
    bed.wait_for_state("lab-1", "in the lobby")
    bed.workers["lab"].terminate()
    assert bed.workers["lab"].wait(PATIENCE_S) == 0
    wait_until("it is still there", lambda: bed.table("workers")["lab"][1] == "away")
    bed.wait_for_state("lab-1", "waits for a seat")


def case_a_cut_wire(bed):
    """The game goes on with the same engine: the move that was made meanwhile is answered after the reconnection."""
    bed.worker("lab", bed.engine("lab-1", "good", "serve=club-*"), bed.engine("lab-2", "late", "serve=slow-*"))
    bed.wait_for_state("lab-1", "in the lobby")
    bed.wait_for_state("lab-2", "in the lobby")
    engines = set(processes_of(bed.fake))
    ann, bob = start_game(bed, "ann", "club-300-10"), start_game(bed, "bob", "slow-5-5")
    move(ann, 0)
    bob.say(BLACK[0])
    bob.until(BLACK[0])  # "go" is said, and not answered before "stop"
    time.sleep(0.5)
    bed.proxy.cut()
    ann.say(BLACK[1])
    ann.until(BLACK[1])
    time.sleep(1.5)
    assert bed.table("workers")["lab"][1] == "away"
    bed.proxy.mend()
    assert ann.until("-").startswith("-7262HI")
    assert bob.until("-").startswith("-8272HI")
    move(ann, 2)
    assert set(processes_of(bed.fake)) == engines, "no engine was started anew"
    assert "with 2 engines and 2 seats that go on" in bed.log(), bed.log()
    resign(ann)
    resign(bob)


def case_a_killed_worker(bed):
    """Its engines die with it; when it is there again, the engine thinks again about the same game."""
    words = bed.engine("club-1", "good", "serve=club-*")
    bed.worker("club", words)
    bed.wait_for_state("club-1", "in the lobby")
    ann = start_game(bed, "ann", "club-300-20")
    move(ann, 0)
    bed.workers["club"].send_signal(signal.SIGKILL)
    bed.workers["club"].wait()
    wait_until("engines outlive their worker", lambda: not processes_of(bed.fake))
    ann.say(BLACK[1])
    ann.until(BLACK[1])
    bed.worker("club", words)
    assert ann.until("-").startswith("-7262HI")
    move(ann, 2)
    resign(ann)
    assert "began anew" in bed.log(), bed.log()


def case_bad_input(bed):
    """Wrong tokens, certificates and lines, and names that are somebody else's."""
    false_token = bed.folder / "false.token"
    false_token.write_text("lab AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\n", encoding="ascii")
    words = bed.engine("lab-1", "good")
    since = time.monotonic()
    assert "wrong name or token" in bed.refused("lab", words, token=false_token)
    assert time.monotonic() - since >= 1
    stranger = make_pair(bed.folder, "stranger")
    assert "not believed" in bed.refused("lab", words, trust=("--ca", stranger.certificate))
    assert "fingerprint is" in bed.refused("lab", words, trust=("--fingerprint", "0" * 64))
    assert "--token" in bed.refused("lab", words, token=bed.folder / "none")
    assert "not for a worker" in bed.refused("lab", words + " room=vip")
    assert "the engine ended" in bed.refused("lab", bed.engine("lab-1", "exit3"))
    shown = openssl("x509", "-in", bed.pair.certificate, "-noout", "-fingerprint", "-sha256").stdout.decode()
    bed.worker("lab", bed.engine("lab-1", "good"), bed.engine("alice", "good"),
               trust=("--fingerprint", shown.strip().split("=")[1]))
    bed.wait_for_state("lab-1", "in the lobby")
    assert "alice" not in bed.table("engines") and "may not be called alice" in bed.log()
    for said, answer in ((b"worker 0 lab x y\n", b"refused it speaks another version of the protocol than 1"),
                         (b"LOGIN lab x\n", b"refused"), (b"x" * 500 + b"\n", b"refused a line is too long")):
        assert ask(bed, said).startswith(answer), said
    assert bed.table("workers")["lab"][1] == "connected"


def ask(bed, line):
    context = ssl.create_default_context(cafile=bed.pair.certificate)
    with socket.create_connection(bed.doors["worker"], timeout=PATIENCE_S) as plain:
        with context.wrap_socket(plain, server_hostname="127.0.0.1") as wire:
            wire.sendall(line)
            heard = b""
            while some := wire.recv(4096):
                heard += some
            return heard


def main(fuhyo, fake, *wanted):
    for name, case in list(globals().items()):
        if not name.startswith("case_") or (wanted and wanted[0] not in name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            bed = Bed(fuhyo, fake, Path(folder))
            try:
                print(name, flush=True)
                case(bed)
            except BaseException:
                print(bed.log()[-6000:])
                for said in bed.folder.glob("*.said"):
                    print(said.name, said.read_text(encoding="utf-8", errors="replace")[-3000:])
                for process in (bed.server, *bed.workers.values()):
                    process.kill()
                raise
            bed.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
