#!/usr/bin/env python3
"""`fuhyo relay` follows a real shogi-server, and its records are compared with those that the server writes.

    shogi_server_relay.py FUHYO SHOGI_SERVER [CASE...]      e.g. build/bin/fuhyo ~/src/shogi-server

By hand only: it needs a checkout of shogi-server, and Debian's ruby and ruby-webrick. Each case has a server of its own
on loopback, in a copy of the checkout, with room for more than 100 connections: 50 games and the relay.
"""

import contextlib
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import begin, game_id, play, walk  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402
from proxy import Proxy  # noqa: E402
from server_case import ServerCase, run_tests  # noqa: E402
from waiting import PATIENCE_S, eventually  # noqa: E402

# No watcher is told of these lines of a record.
UNTOLD = re.compile(r"'(\$END_TIME:|Deferred |ILLEGAL_MOVE\()")

# Nor what sort of an end it was.
SAME = (("abnormal", "toryo"), ("uchifuzume", "illegal move"), ("oute_kaihimore", "illegal move"))


class ShogiServer:
    def __init__(self, checkout, folder, *flags):
        self.folder, self.flags = folder, flags
        shutil.copytree(checkout, folder, ignore=shutil.ignore_patterns(".git"))
        (folder / "many.rb").write_text("require 'webrick'\nWEBrick::Config::General[:MaxClients] = 400\n",
                                        encoding="ascii")
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.address = listener.getsockname()
        self.process = None
        self.start()

    def start(self):
        with open(self.folder / "log", "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["ruby", "-r./many.rb", "./shogi-server", *self.flags, "ev", str(self.address[1])], cwd=self.folder,
                stdout=log, stderr=log)
        eventually(self.listens, "shogi-server listens")

    def listens(self):
        with contextlib.suppress(OSError):
            socket.create_connection(self.address).close()
            return True
        return False

    def kill(self):
        self.process.kill()
        self.process.wait(PATIENCE_S)

    def record(self, csa_id):
        return next(self.folder.glob(f"20*/**/{csa_id}.csa")).read_text(encoding="euc_jp", errors="surrogateescape")


def told(record):
    """What watchers are told of a record: its lines without comments; the comments behind each of its moves."""
    lines, comments = [], {}
    for line in record.splitlines():
        if line.startswith("'*"):
            comments.setdefault(sum(1 for other in lines if re.match(r"T\d", other)), []).append(line)
        elif not UNTOLD.match(line):
            for kind, same in SAME:
                line = line.replace(f"'summary:{kind}:", f"'summary:{same}:")
            lines.append(line)
    return lines, comments


class AgainstShogiServer(ServerCase):
    def shogi_server(self, *flags):
        server = ShogiServer(self.checkout, self.folder / "theirs", *flags)
        self.addCleanup(server.kill)
        return server

    def relay(self, address, every="0.1"):
        relay = FuhyoServer(self.program, *free_ports("http"), "--every", every, "--from", "{}:{}".format(*address),
                            "--name", "there", command="relay", listeners=("http",), data=self.data,
                            log=self.folder / "relay.log")
        self.addCleanup(relay.kill)
        return relay

    def pair(self, server, game="g-900-10", names=("alice", "bob")):
        return begin(*(self.player(server.address, f"{name} {game}-{side},{name}")
                       for name, side in zip(names, "BW")))

    def ours(self, csa_id):
        for path in (self.data / "records").rglob(f"{csa_id}.csa"):
            return path.read_text(encoding="euc_jp", errors="surrogateescape")
        return ""

    def followed(self, csa_id):
        eventually(lambda: self.ours(csa_id), f"{csa_id} is followed")

    def comments_come(self, csa_id, *texts):
        eventually(lambda: all(text in self.ours(csa_id) for text in texts), lambda: self.ours(csa_id))

    def missing(self, server, csa_id):
        """Both records say the same, but for so many comments that only the server has."""
        eventually(lambda: "$END_TIME" in self.ours(csa_id) and "$END_TIME" in server.record(csa_id),
                   lambda: (self.ours(csa_id), server.record(csa_id), (self.folder / "relay.log").read_text()))
        (ours, our_comments), (theirs, their_comments) = told(self.ours(csa_id)), told(server.record(csa_id))
        self.assertEqual(ours, theirs)
        for ply, texts in our_comments.items():
            self.assertEqual(texts, their_comments.get(ply), csa_id)
        return sum(map(len, their_comments.values())) - sum(map(len, our_comments.values()))

    def commented(self, players, first, last):
        """They make the moves behind ply `first` up to `last`, and say something of each."""
        for ply in range(first, last):
            players[ply % 2].say(f"{walk(ply)},'* {ply} {walk(ply)}")
            for player in players:
                player.until(walk(ply))

    def resign(self, players, ply):
        players[ply % 2].say("%TORYO")
        for player in players:
            player.until("#")

    def test_every_end(self):
        server = self.shogi_server("--max-moves", "14")
        self.relay(server.address)
        shuffle = ("+2838HI", "-8272HI", "+3828HI", "-7282HI")
        for number, (end, lines) in enumerate({
                "toryo": ["B%TORYO"], "illegal": ["B+7775FU"], "kachi": ["B%KACHI"], "repetition": ["B+2838HI"],
                "max": ["B+2726FU", "W-8384FU"], "mover-left": ["B+2726FU", "W"], "other-left": ["W", "B+2726FU"],
                }.items()):
            players = self.pair(server, f"{end}-900-10F", (f"a{number}", f"b{number}"))
            csa_id = game_id(players[0])
            self.followed(csa_id)
            for ply in range(12):
                players[ply % 2].say(f"{shuffle[ply % 4]},'* {ply}")
                for player in players:
                    player.until(shuffle[ply % 4])
            self.comments_come(csa_id, *(f"'** {ply}\n" for ply in range(12)))
            for side, line in ((line[0], line[1:]) for line in lines):
                player = players["BW".index(side)]
                if line:
                    player.say(line)
                else:
                    player.socket.shutdown(socket.SHUT_RDWR)
            self.assertEqual(self.missing(server, csa_id), 0, end)

    def test_time_up(self):
        server = self.shogi_server()
        self.relay(server.address)
        players = self.pair(server, "short-3-0")
        self.followed(game_id(players[0]))
        players[0].say("+7776FU")
        players[0].until("#TIME_UP")  # a shogi-server looks at clocks once a minute
        self.missing(server, game_id(players[0]))

    def test_joined_in_the_middle(self):
        server = self.shogi_server()
        players = self.pair(server)
        csa_id = game_id(players[0])
        self.commented(players, 0, 30)
        self.relay(server.address)
        self.comments_come(csa_id, "'** 29 ")
        self.commented(players, 30, 40)
        self.comments_come(csa_id, "'** 39 ")
        self.resign(players, 40)
        self.assertEqual(self.missing(server, csa_id), 0)

    def test_a_line_that_is_cut(self):
        server = self.shogi_server()
        wire = Proxy(server.address)
        relay = self.relay(("127.0.0.1", wire.port))
        players = self.pair(server)
        csa_id = game_id(players[0])
        self.followed(csa_id)
        self.commented(players, 0, 10)
        wire.cut()
        relay.wait_for_log("the next try is in")
        self.commented(players, 10, 20)
        wire.mend()
        self.comments_come(csa_id, "'** 19 ")
        self.commented(players, 20, 30)
        self.comments_come(csa_id, "'** 29 ")
        self.resign(players, 30)
        self.assertEqual(self.missing(server, csa_id), 0)

    def test_a_server_that_is_restarted(self):
        server = self.shogi_server()
        relay = self.relay(server.address)
        players = self.pair(server)
        lost = game_id(players[0])
        self.followed(lost)
        self.commented(players, 0, 10)
        self.comments_come(lost, "'** 9 ")
        server.kill()
        relay.wait_for_log("the next try is in")
        server.start()
        players = self.pair(server, names=("carol", "dave"))
        csa_id = game_id(players[0])
        self.followed(csa_id)
        self.commented(players, 0, 10)
        self.comments_come(csa_id, "'** 9 ")
        self.resign(players, 10)
        self.assertEqual(self.missing(server, csa_id), 0)
        eventually(lambda: "%CHUDAN" in self.ours(lost), lambda: self.ours(lost))
        theirs, ours = told(server.record(lost)), told(self.ours(lost))
        self.assertEqual((ours[0][:len(theirs[0])], ours[1]), theirs)

    # It closes the line of who asks for such a record. Only the game that has it is lost.
    def test_comments_that_are_not_ascii(self):
        server = self.shogi_server()
        relay = self.relay(server.address, every="0.5")
        games = {}
        for names in (("alice", "bob"), ("carol", "dave")):
            players = self.pair(server, names=names)
            games[game_id(players[0])] = players
        bad, good = games
        for csa_id in games:
            self.followed(csa_id)
        games[bad][0].say(walk(0) + ",'* 30 歩")
        self.commented(games[good], 0, 10)
        relay.wait_for_log("in place of its record")
        self.commented(games[good], 10, 20)
        self.comments_come(good, "'** 19 ")
        self.resign(games[good], 20)
        self.assertEqual(self.missing(server, good), 0)
        self.resign(games[bad], 1)
        players = self.pair(server, names=("alice", "erin"))
        csa_id = game_id(players[0])
        self.followed(csa_id)
        players[0].say(walk(0) + ",'* 30 歩")
        self.commented(players, 1, 10)
        self.resign(players, 10)
        self.missing(server, csa_id)

    def test_fifty_games(self):
        server = self.shogi_server()
        self.relay(server.address)
        games = [self.pair(server, f"g{n}-900-10", (f"a{n}", f"b{n}")) for n in range(50)]
        for ply in range(60):
            for players in games:
                self.commented(players, ply, ply + 1)
                if ply == 30:
                    self.followed(game_id(players[0]))
        for players in games:
            self.resign(players, 60)
        missing = sum(self.missing(server, game_id(players[0])) for players in games)
        print(f"50 games at once: {missing} of {50 * 60} comments are missing")


if __name__ == "__main__":
    run_tests("checkout")
