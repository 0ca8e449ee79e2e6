#!/usr/bin/env python3
"""Rows E1-E6: engines that crash, hang, lie, eat, pry and break out, in a real server beside a game of two honest
players, who notice nothing; and engines of every honest kind, which the sandbox does not hinder.

    evil_test.py FUHYO EVIL_ENGINE FAKE_ENGINE FUHYO_NNUE FUHYO_MCTS FUHYO_CLUSTER [CASE]
"""

import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from csa_client import CsaClient, begin, play, resign, walk
from fuhyo_server import FuhyoServer, processes_of
from waiting import PATIENCE_S, eventually

REFUSED = 41
AT_ONCE = 3  # cases: each has a server of its own, and mostly waits
# Ten players log in at once, from one address.
FLAGS = ("--csa", "127.0.0.1:0", "--http", "off", "--engine-threads", "64", "--exempt", "127.0.0.1")


class Bed:
    def __init__(self, programs, folder, *flags):
        self.fuhyo, self.evil, self.fake, self.nnue, self.mcts, self.cluster = programs
        self.folder, self.data, self.flags = folder, folder / "data", flags
        self.start()

    def start(self):
        self.server = FuhyoServer(self.fuhyo, *FLAGS, *self.flags, data=self.data, log=self.folder / "log")
        self.log = self.server.log

    def log_until(self, wanted, since=0):
        return eventually(lambda: re.search(wanted, self.log()[since:]),
                          lambda: f"not in the log: {wanted}\n{self.log()[-4000:]}")

    def admin(self, *words):
        done = subprocess.run([self.fuhyo, "admin", "--data", str(self.data), *words], capture_output=True, text=True)
        assert done.returncode == 0, (words, done.stdout, done.stderr)
        return done.stdout

    def seat(self, name, engine, *words):
        self.admin("seat", " ".join((f"name={name}", f"engine='{engine}'", *words)))

    def unseat(self, name):
        self.admin("unseat", name)

    def evil_command(self, attempt):
        socket = next(iter(self.data.glob("*admin*")), self.data / "admin")
        return f"{self.evil} {attempt} {self.server.process.pid} {self.server.csa[1]} {self.data} {socket}"

    def login(self, name, game):
        return CsaClient(self.server.csa, f"LOGIN {name} {game},pw{name}")


class HonestGame(threading.Thread):
    """Two who play while all that goes on, a move each 50 ms; how long the slower echo of each took is kept: a figure.
    What holds on any machine: their game goes on, also when it is over."""

    def __init__(self, bed):
        super().__init__()
        self.bed, self.echoes_s, self.ended = bed, [], threading.Event()
        self.fault = None
        self.start()
        self.goes_on()

    def run(self):
        try:
            while not self.ended.is_set():
                self.play_one()
        except (AssertionError, OSError) as fault:
            self.fault = fault

    def play_one(self):
        with self.bed.login("alice", "honest-600-60-B") as alice, self.bed.login("bob", "honest-600-60-W") as bob:
            players = begin(alice, bob)
            for ply in range(110):
                begun = time.monotonic()
                play(players, walk(ply))
                self.echoes_s.append(time.monotonic() - begun)
                if self.ended.wait(0.05):
                    break
            resign(players[(ply + 1) % 2], players[ply % 2])

    def goes_on(self):
        plies = len(self.echoes_s) + 2
        eventually(lambda: self.fault or len(self.echoes_s) >= plies, "the honest game stands still")

    def finish(self):
        self.goes_on()
        self.ended.set()
        self.join(PATIENCE_S)
        assert self.fault is None and not self.is_alive(), self.fault
        usual, worst = statistics.median(self.echoes_s), max(self.echoes_s)
        print(f"honest game: {len(self.echoes_s)} plies, "
              f"echoes after {usual * 1000:.0f} ms, at most {worst * 1000:.0f} ms")


def attempts_of(evil):
    listed = subprocess.run([evil, "--list"], check=True, capture_output=True, text=True).stdout.split()
    assert len(listed) >= 20, listed
    return [name for name in listed if name not in ("spin", "daemon")]


# Of the attempts, those that only eat: memory in every shape, processes, threads, the disk.
HUNGER = ("memory", "memory-file", "secret-memory", "shared-memory", "zero-device", "huge-pages", "headless-memory",
          "orphaned-memory", "page-tables", "sockets", "wide-pipe", "pages-in-pipe", "shm", "messages", "processes",
          "threads", "write-own")
# Those that would tell of others' games.
SIZES = ("size", "size-of-key")
SIGHT = ("watch", "watch-as-of-old", "watch-all", "lease", "list-data", *SIZES)


def case_E3_hunger(bed):
    """What eats ends at its limit, and the honest players' machine is not eaten."""
    try_out(bed, HUNGER)


def case_E4_every_attempt_fails(bed):
    """Each breaks out of nothing, and says so by its exit status; what it does to itself ends it."""
    try_out(bed, attempts_of(bed.evil))


def case_E6_nothing_is_seen(bed):
    """Nobody is told of files that come and grow; what holds sizes and memory here is said."""
    held = try_out(bed, SIGHT)
    assert (UNSEEN in held) != (GUESSED in held), held
    assert "held to its memory by cgroups" in held or "memory is counted ten times a second: the" in held, held


UNSEEN = "engines do not see the server's files, nor their names and sizes"
GUESSED = "engines can tell the sizes of the server's files, if they guess the names: there are no mount namespaces"
# Runs a program where nobody can have a mount namespace; its process is the one that this script began as.
WITHOUT_MOUNTS = """#!/bin/sh
exec unshare --user --map-root-user sh -c 'echo 0 > /proc/sys/user/max_mnt_namespaces && exec "$0" "$@"' PROGRAM "$@"
"""


def case_E6_what_can_be_seen_is_said(bed):
    """Without mount namespaces sizes can be asked for, nothing else; it is said; and required does not start."""
    script = bed.folder / "without-mounts"
    script.write_text(WITHOUT_MOUNTS.replace("PROGRAM", str(bed.fuhyo)))
    script.chmod(0o755)
    lent = subprocess.run([script, "--version"], capture_output=True, text=True)
    if lent.returncode != 0:
        print(f"nothing can be taken away here: {lent.stderr}")
        return
    required = subprocess.run([script, "serve", "--data", bed.folder / "other", *FLAGS, "--engine-sandbox", "required"],
                              capture_output=True, text=True, timeout=PATIENCE_S)
    assert required.returncode != 0 and "no mount namespaces" in required.stderr, required
    bed.server.stop()
    bed.fuhyo, bed.flags = script, ("--engine", f"name=Oni engine='{bed.fake} good' serve=club-*")
    bed.start()
    bed.log_until(f"{GUESSED}")
    bed.log_until("sandbox of engines: no mount namespaces: engines may ask whether")
    assert GUESSED in try_out(bed, SIGHT)


def try_out(bed, names):
    game = HonestGame(bed)
    held = bed.admin("engines")
    told = () if UNSEEN in held else SIZES
    for first in range(0, len(names), 6):
        some = names[first:first + 6]
        since = len(bed.log())
        for name in some:
            bed.seat(f"E-{name}", f"{bed.evil_command(name)} exit", "memory=200", "game=evil-60-0")
        for name in some:
            # As the host's thread says it: the engine's own word, or that it was killed for what it ate.
            ended = bed.log_until(rf"built-in player E-{name}: the engine ended: ([^\n]*)", since)[1]
            refused = f"exit status {REFUSED}" in ended or "more than " in ended
            assert refused != (name in told), f"{name}: {ended}"
        for name in some:
            bed.unseat(f"E-{name}")
    game.finish()
    check_unharmed(bed)
    print(f"{len(names) - len(set(names) & set(told))} attempts failed")
    return held


def case_E5_bad_networks(bed):
    """An engine whose network is none never gets ready, and says why; it has no seat, and the server goes on."""
    game = HonestGame(bed)
    noise = random.Random(5).randbytes(100_000)
    for name, data in (("empty", b""), ("header", noise[:12]), ("noise", noise), ("zeros", bytes(1 << 20))):
        (bed.folder / name).write_bytes(data)
        bed.seat(f"N-{name}", bed.nnue, f"game=net-{name}-60-0", f"option.EvalFile={bed.folder / name}")
    for name in ("empty", "header", "noise", "zeros"):
        bed.log_until(rf"built-in player N-{name}: no readyok")
        assert f"N-{name} logged in" not in bed.log(), name
        bed.unseat(f"N-{name}")
    game.finish()
    check_unharmed(bed)


def check_unharmed(bed):
    assert bed.server.process.poll() is None
    assert not (bed.data / "evil").exists() and (bed.data / "fuhyo.db").stat().st_size > 0


def play_against(bed, name, game, plies):
    """"played" if the engine answers each move, or the result that the game came to before."""
    with bed.login(name, f"{game}-B") as player:
        begin(player)
        for ply in range(0, plies, 2):
            player.say(walk(ply))
            told = next((line for line in player.lines if re.match("-|#(?!#)", line)), None)
            assert told, "the connection ended"
            if told.startswith("#"):
                return told.rstrip("\n")
        resign(player)
        return "played"


LONG = "600-60"
# (clock, plies, results). Without a clock a silent engine is told to move after 10 s. With one, something is played for
# an engine that hangs just before its flag falls: a machine that is late in that moment costs it that game, no other.
MANNERS = {"crash": (LONG, 6, {"played"}), "hang": ("0-5", 4, {"played", "#TIME_UP"}), "late": ("0-0", 2, {"played"}),
           "flood": (LONG, 6, {"#RESIGN"}), "longline": (LONG, 6, {"#RESIGN"}), "illegal": (LONG, 6, {"#RESIGN"}),
           "malformed": (LONG, 6, {"#RESIGN"}), "garbage": (LONG, 6, {"played"}), "nan": (LONG, 6, {"played"}),
           "double": (LONG, 6, {"played"})}


def case_E1_E2_bad_manners(bed):
    """Crash, hang, flood, endless line, illegal and malformed moves, garbage and evaluations that are none: each harms
    its own game at most."""
    game = HonestGame(bed)
    for manner, (clock, _, _) in MANNERS.items():
        bed.seat(f"M-{manner}", f"{bed.fake} {manner}", f"game={manner}-{clock}", "turn=-", "comments=true",
                 "think-ms=100")
    with ThreadPoolExecutor(len(MANNERS)) as players:
        games = {manner: players.submit(play_against, bed, f"H-{manner}", f"{manner}-{clock}", plies)
                 for manner, (clock, plies, _) in MANNERS.items()}
    game.finish()
    for manner, (_, _, results) in MANNERS.items():
        assert games[manner].result() in results, (manner, games[manner].result())
    for said in ("killed by signal", "output flood", "a line over 8192 bytes", "illegal move"):
        assert said in bed.log(), said
    assert "the engine is late" in bed.log() or games["hang"].result() == "#TIME_UP", bed.log()[-4000:]
    check_unharmed(bed)


def case_E1_death_with_the_server(bed):
    """Nothing that an engine has started is left when the server is killed. For a player that was in a game see
    seated_test.py."""
    fake, evil = bed.folder / "engines" / "fake", bed.folder / "engines" / "evil"
    fake.parent.mkdir()
    shutil.copy(bed.fake, fake)
    shutil.copy(bed.evil, evil)
    bed.flags = ("--engine", f"name=Oni engine='{fake} good' serve=club-*")
    bed.server.stop()
    bed.start()
    for name in ("spin", "daemon"):
        bed.seat(name, f"{evil} {' '.join(bed.evil_command(name).split()[1:])}", "game=evil-60-0")
    with bed.login("carol", "club-600-10-B") as carol:
        begin(carol)
        carol.say("+2838HI")
        carol.until("-8272HI")
        eventually(lambda: len(processes_of(evil)) >= 3, "the evil ones are there")
        bed.server.process.send_signal(signal.SIGKILL)
        bed.server.process.wait()
    eventually(lambda: not processes_of(fake, evil), "engines outlive the server")
    bed.start()
    check_unharmed(bed)


def begins(guest, game):
    guest.say(f"%%CHALLENGE {game} +")
    for line in guest.lines:
        if "can't find rival" in line:
            return False
        if line.startswith("BEGIN Game_Summary"):
            return True
    raise AssertionError("the connection ended")


def case_honest_engines(bed):
    """Ours, a cluster, a shell script and a Python program play in the sandbox; %%CHALLENGE finds those that serve a
    game."""
    scripts = bed.folder / "scripts"
    scripts.mkdir()
    (scripts / "engine.sh").write_text(SHELL_ENGINE)
    (scripts / "engine.py").write_text(PYTHON_ENGINE)
    (scripts / "engine.sh").chmod(0o755)
    quick = ("option.USI_OwnBook=false", "think-ms=100")
    bed.seat("Nnue", bed.nnue, "serve=nnue-*", "threads=2", "level=3", "memory=1024", "option.USI_Hash=64", *quick)
    bed.seat("Mcts", bed.mcts, "serve=mcts-*", "option.DNN_Backend=uniform", "memory=2048", *quick)
    bed.seat("Shell", scripts / "engine.sh", "serve=shell-*", "count=2")
    bed.seat("Python", f"/usr/bin/python3 {scripts / 'engine.py'}", "serve=python-*")
    (bed.folder / "nodes").mkdir()
    node = shutil.copy(bed.nnue, bed.folder / "nodes")
    (scripts / "cluster.toml").write_text(
        "".join(f"[[node]]\nname = '{name}'\ncommand = '{command}'\nmemory = 16\n"
                for name, command in (("beside", "fuhyo-nnue"), ("elsewhere", node))))
    cluster = (bed.cluster, f"option.ClusterFile={scripts / 'cluster.toml'}", "threads=2", "memory=1024",
               "think-ms=100")
    bed.seat("Cluster", *cluster, "serve=cluster-*", f"read={bed.folder / 'nodes'}")
    bed.seat("Half", *cluster, "serve=half-*")
    bed.log_until("built-in player Half: .*Error! elsewhere: .*Permission denied")
    for kind in ("nnue", "mcts", "shell", "python", "cluster", "half"):
        with CsaClient(bed.server.csa, f"LOGIN guest-{kind} pw x1") as guest:
            guest.until("LOGIN:")
            eventually(lambda: begins(guest, f"{kind}-0-0"), lambda: f"{kind}: {bed.log()[-4000:]}")
            begin(guest)
            for ply in (0, 2, 4):
                guest.say(walk(ply))
                guest.until(walk(ply))
                guest.until("-")
                for pid in processes_of(node) if kind == "cluster" and ply == 0 else ():
                    os.kill(pid, signal.SIGKILL)
            if kind == "cluster":
                eventually(lambda: processes_of(node), "the node is started again")
            resign(guest)
    table = bed.admin("engines")
    assert all(name in table for name in ("Nnue", "Mcts", "Shell-1", "Shell-2", "Python", "Cluster", "Half")), table
    assert re.search(r"Nnue.*\b3\b", table), table
    print(table)


SHELL_ENGINE = """#!/bin/sh
# Answers with the rook's walk; forks, as scripts do.
while read -r line; do
  case $line in
    usi) echo id name Shell; echo usiok ;;
    isready) echo readyok ;;
    position*) plies=$(echo "$line" | sed 's/.* moves //' | wc -w) ;;
    go*) echo bestmove $(echo 8b7b 7b6b 6b5b 5b4b | cut -d ' ' -f $(((plies + 1) / 2))) ;;
    quit) exit 0 ;;
  esac
done
"""
PYTHON_ENGINE = """import asyncio, json, mmap, random, subprocess, sys, threading
walk = ["8b7b", "7b6b", "6b5b", "5b4b"]
# As engines do: a network is mapped, a loop of events has a pair of sockets, others are started and asked.
with open(__file__, "rb") as file:
    network = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
asyncio.run(asyncio.sleep(0))
assert subprocess.run(["/usr/bin/tr", "a", "b"], input=b"a", capture_output=True).stdout == b"b"
plies = 0
for line in sys.stdin:
    words = line.split()
    if words[:1] == ["usi"]:
        print("id name Python", "usiok", sep="\\n", flush=True)
    elif words[:1] == ["isready"]:
        print("readyok", flush=True)
    elif words[:1] == ["position"]:
        plies = len(words) - words.index("moves") - 1 if "moves" in words else 0
    elif words[:1] == ["go"]:
        print("bestmove", walk[plies // 2], flush=True)
    elif words[:1] == ["quit"]:
        break
"""


def run(programs, name, case):
    with tempfile.TemporaryDirectory() as folder:
        bed = Bed(programs, Path(folder))
        try:
            print(name, flush=True)
            began = time.monotonic()
            case(bed)
            print(f"{name}: {time.monotonic() - began:.1f} s", flush=True)
        except BaseException:
            print(name, bed.log()[-6000:])
            bed.server.process.kill()
            bed.server.process.wait()
            raise
        bed.server.stop()


def main(*arguments):
    programs, wanted = arguments[:6], arguments[6:]
    os.environ["FUHYO_TEST_SECRET"] = "secret"
    # E4 has the attempts of E3 and E6, too. E5 is the longest.
    cases = {name: case for name, case in sorted(globals().items(), key=lambda one: "E5" not in one[0])
             if name.startswith("case_") and (wanted[0] in name if wanted else "E3" not in name)}
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for done in [threads.submit(run, programs, name, case) for name, case in cases.items()]:
            done.result()


if __name__ == "__main__":
    main(*sys.argv[1:])
