#!/usr/bin/env python3
"""`fuhyo join` against a scripted CSA server, where real servers are hard to bring into trouble: refused logins, lost
lines, servers that are not there, engines that are not there, signals."""

import os
import signal
import socket
import subprocess
import time

from server_case import ServerCase, run_tests
from waiting import PATIENCE_S, eventually

EXIT_OK, EXIT_FAILED, EXIT_USAGE, EXIT_NO_INPUT, EXIT_UNAVAILABLE = 0, 1, 64, 66, 69

SUMMARY = """BEGIN Game_Summary
Protocol_Version:1.2
Protocol_Mode:Server
Format:Shogi 1.0
Declaration:Jishogi 1.1
Game_ID:game1
Name+:me
Name-:you
Your_Turn:+
Rematch_On_Draw:NO
To_Move:+
Max_Moves:256
BEGIN Time
Time_Unit:1sec
Total_Time:0
Byoyomi:3600
Increment:0
Least_Time_Per_Move:0
END Time
BEGIN Position
P1-KY-KE-GI-KI-OU-KI-GI-KE-KY
P2 * -HI *  *  *  *  * -KA *\x20
P3-FU-FU-FU-FU-FU-FU-FU-FU-FU
P4 *  *  *  *  *  *  *  *  *\x20
P5 *  *  *  *  *  *  *  *  *\x20
P6 *  *  *  *  *  *  *  *  *\x20
P7+FU+FU+FU+FU+FU+FU+FU+FU+FU
P8 * +KA *  *  *  *  * +HI *\x20
P9+KY+KE+GI+KI+OU+KI+GI+KE+KY
+
END Position
END Game_Summary
"""


class Line:
    def __init__(self, sock):
        self.sock = sock
        self.sock.settimeout(PATIENCE_S)
        self.file = sock.makefile("r", newline="\n")

    def hears(self, wanted):
        got = self.file.readline().rstrip("\n")
        assert got == wanted or (wanted.endswith("*") and got.startswith(wanted[:-1])), f"{got!r}, wanted {wanted!r}"
        return got

    def hears_end(self):
        assert self.file.readline() == "", "the line should be closed"

    def says(self, text):
        self.sock.sendall(text.encode())

    def drop(self):
        self.file.close()
        self.sock.close()


class Server:
    def __init__(self):
        self.sock = socket.create_server(("127.0.0.1", 0))
        self.sock.settimeout(PATIENCE_S)
        self.address = "127.0.0.1:%d" % self.sock.getsockname()[1]

    def accept(self):
        return Line(self.sock.accept()[0])


def begin(line):
    line.hears("LOGIN me game-1-1,secret")
    line.says("LOGIN:me OK\n" + SUMMARY)
    line.hears("AGREE")
    line.says("START:game1\n")


class Join(ServerCase):
    def join(self, server, *flags, engine=None):
        """Its process; what it says besides its results goes to a file."""
        self.said = self.folder / "said"
        with open(self.said, "w", encoding="utf-8") as errors:
            return self.start(self.program, "join", "--server", server, "--name", "me", "--password",
                              "game-1-1,secret", "--engine", engine or self.engine, "--option", "Threads=1",
                              "--option", "USI_Hash=1", "--option", "NodesLimit=100", *flags, stderr=errors)

    def expect_end(self, client, code, said=""):
        out, _ = self.end_of(client, code)
        self.assertIn(said, self.said.read_text(encoding="utf-8"))
        return out

    def until_said(self, text):
        eventually(lambda: text in self.said.read_text(encoding="utf-8"), lambda: self.said.read_text(encoding="utf-8"))

    def begin_game(self, *flags):
        """The server, the client, and the line on which its game has begun."""
        server = Server()
        client = self.join(server.address, *flags)
        line = server.accept()
        begin(line)
        return server, client, line

    def answer_login(self, said, *flags):
        """The client, and the line on which its login was answered so."""
        server = Server()
        client = self.join(server.address, *flags)
        line = server.accept()
        line.hears("LOGIN me game-1-1,secret")
        line.sock.sendall(said)
        return client, line

    def leaves(self, client):
        client.terminate()
        self.end_of(client, EXIT_OK)

    def test_wrong_flags(self):
        for flags, word in ((["--game", "x", "--mode", "x2"], "--mode"), (["--option", "nonsense"], "Name=Value"),
                            (["--mode", "x1"], "--game"), (["--server", "host:port"], "port"),
                            (["--engine", "'"], "quote"), (["--frobnicate"], "--frobnicate")):
            words = ["join", "--name", "me", "--password", "p"]
            words += [] if "--server" in flags else ["--server", "127.0.0.1:1"]
            words += [] if "--engine" in flags else ["--engine", self.engine]
            self.expect(EXIT_USAGE, word, *words, *flags)

    def test_no_server(self):
        free = socket.create_server(("127.0.0.1", 0))
        address = "127.0.0.1:%d" % free.getsockname()[1]
        free.close()
        self.expect_end(self.join(address), EXIT_UNAVAILABLE, "cannot connect to " + address)

    def test_no_engine(self):
        server = Server()  # kept: with it goes its listener
        for engine, code, said in (("/nonexistent/engine", EXIT_NO_INPUT, "cannot run '/nonexistent/engine'"),
                                   ("/bin/false", EXIT_FAILED, "the engine ended: exit status 1")):
            self.expect_end(self.join(server.address, engine=engine), code, said)

    def test_an_engine_has_as_long_to_start_as_the_flags_say(self):
        server = Server()
        for mode, said in ("deaf", "no usiok within 1000 ms"), ("unready", "no readyok within 2000 ms"):
            client = self.join(server.address, "--usiok-timeout", "1", "--readyok-timeout", "2",
                               engine=f"'{self.fake}' {mode}")
            self.expect_end(client, EXIT_FAILED, said)

    def test_refused(self):
        client, _ = self.answer_login(b"LOGIN:incorrect\n")
        self.expect_end(client, EXIT_FAILED, "refused the login of 'me'")

    def test_a_game_name_that_is_none(self):
        server = Server()
        client = self.join(server.address, "--game", "floodgate-300")
        server.accept().hears("LOGIN me floodgate-300,game-1-1,secret")
        self.until_said("floodgate-300 is no game name as shogi-server has them")
        self.leaves(client)

    def test_password_file(self):
        file = self.folder / "password"
        file.write_text("from-a-file\nsecond line\n", encoding="ascii")
        server = Server()
        client = self.start(self.program, "join", "--server", server.address, "--name", "me", "--password-file", file,
                            "--game", "g-1-1", "--turn", "-", "--engine", self.engine, stderr=subprocess.DEVNULL)
        line = server.accept()
        line.hears("LOGIN me g-1-1-W,from-a-file")
        self.leaves(client)

    def test_password_variable(self):
        """Which the engine is not told, and which a flag wins over."""
        told = self.folder / "told"
        engine = self.folder / "engine"
        engine.write_text(f"#!/bin/sh\nenv > {told}\nexec {self.engine}\n", encoding="ascii")
        engine.chmod(0o755)
        server = Server()
        for flags, password in (("--password", "from-a-flag"), "from-a-flag"), ((), "from-a-variable"):
            client = self.start(self.program, "join", "--server", server.address, "--name", "me", "--engine", engine,
                                *flags, stderr=subprocess.DEVNULL,
                                env={**os.environ, "FUHYO_JOIN_PASSWORD": "from-a-variable"})
            server.accept().hears(f"LOGIN me {password}")
            self.leaves(client)
        self.assertNotIn("from-a-variable", told.read_text(encoding="utf-8"))

    def test_no_password(self):
        words = ("join", "--server", "127.0.0.1:1", "--name", "me", "--engine", self.engine)
        bare = {name: value for name, value in os.environ.items() if name != "FUHYO_JOIN_PASSWORD"}
        empty = self.folder / "empty"
        empty.write_text("\nsecond line\n", encoding="ascii")
        self.expect(EXIT_USAGE, "--password-file, FUHYO_JOIN_PASSWORD or --password", *words, env=bare)
        self.expect(EXIT_USAGE, "FUHYO_JOIN_PASSWORD is empty", *words, env={**bare, "FUHYO_JOIN_PASSWORD": ""})
        self.expect(EXIT_USAGE, "--password excludes --password-file", *words, "--password", "x", "--password-file",
                    empty)
        for file, why in ((empty, "its first line is empty"), (self.folder / "none", "No such file"),
                          (self.folder, "Is a directory")):
            self.expect(EXIT_NO_INPUT, f"--password-file {file}: {why}", *words, "--password-file", file)

    def test_lost_line(self):
        server, client, line = self.begin_game("--games", "1")
        line.hears("+*")
        line.drop()
        again = server.accept()
        begin(again)
        move = again.hears("+*")
        again.says(move + ",T0\n%TORYO\n#RESIGN\n#WIN\n")
        self.assertEqual(self.expect_end(client, EXIT_OK),
                         "game1\tlost line\tthe server closed the line\ngame1\twin\t#RESIGN\n")

    def test_no_relogin(self):
        _, client, line = self.begin_game("--no-relogin")
        line.hears("+*")
        line.drop()
        self.expect_end(client, EXIT_UNAVAILABLE, "the server closed the line")

    def test_refused_after_a_lost_line(self):
        """The server has not noticed yet that the former line is dead."""
        server, client, line = self.begin_game("--games", "2")
        line.says("#TIME_UP\n#LOSE\n")
        line.drop()
        second = server.accept()
        second.hears("LOGIN me game-1-1,secret")
        second.says("LOGIN:incorrect\n")
        third = server.accept()
        begin(third)
        third.says("#TIME_UP\n#LOSE\n")
        self.expect_end(client, EXIT_OK)

    def test_keep_alive(self):
        before = time.monotonic()
        client, line = self.answer_login(b"LOGIN:me OK\n", "--keep-alive", "1")
        line.hears("")
        self.assertGreaterEqual(time.monotonic() - before, 1)
        self.leaves(client)

    def test_a_signal_lets_the_game_end(self):
        _, client, line = self.begin_game()
        move = line.hears("+*")
        client.terminate()
        self.until_said("leaving after this game")
        self.assertIsNone(client.poll())
        line.says(move + ",T0\n#TIME_UP\n#LOSE\n")
        self.expect_end(client, EXIT_OK)

    def test_a_second_signal_leaves_at_once(self):
        _, client, line = self.begin_game()
        line.hears("+*")
        client.send_signal(signal.SIGINT)
        self.until_said("leaving after this game")
        client.send_signal(signal.SIGINT)
        self.expect_end(client, EXIT_OK)
        line.hears_end()

    def test_bytes_that_are_no_protocol(self):
        client, _ = self.answer_login(b"\x00\xff\r\n\n" + b"LOGIN:me OK\n" + b"x" * 20_000, "--no-relogin")
        self.expect_end(client, EXIT_UNAVAILABLE, "a line that does not end")


if __name__ == "__main__":
    run_tests("engine", "fake")
