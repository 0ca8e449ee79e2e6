#!/usr/bin/env python3
"""`fuhyo join` against a scripted CSA server, where real servers are hard to bring into trouble: refused logins, lost
lines, servers that are not there, engines that are not there, signals.

    join_test.py FUHYO ENGINE [CASE...]
"""

import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE_S = 30
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
Byoyomi:2
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
    """One accepted connection."""

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


class Client:
    def __init__(self, fuhyo, engine, server, *flags):
        self.errors = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen(
            [fuhyo, "join", "--server", server, "--name", "me", "--password", "game-1-1,secret", "--engine", engine,
             "--option", "Threads=1", "--option", "USI_Hash=1", *flags],
            stdout=subprocess.PIPE, stderr=self.errors, text=True)

    def ends(self, code, *words):
        try:
            out, _ = self.process.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        self.errors.seek(0)
        said = self.errors.read()
        assert self.process.returncode == code, f"exit code {self.process.returncode}, wanted {code}: {said}"
        for word in words:
            assert word in said, f"{word!r} is not in: {said}"
        return out


def begin(line):
    line.hears("LOGIN me game-1-1,secret")
    line.says("LOGIN:me OK\n" + SUMMARY)
    line.hears("AGREE")
    line.says("START:game1\n")


def case_wrong_flags(fuhyo, engine):
    for flags, word in ((["--game", "x", "--mode", "x2"], "--mode"), (["--option", "nonsense"], "Name=Value"),
                        (["--mode", "x1"], "--game"), (["--server", "host:port"], "port"),
                        (["--engine", "'"], "quote"), (["--frobnicate"], "--frobnicate")):
        command = [fuhyo, "join", "--name", "me", "--password", "p"]
        command += [] if "--server" in flags else ["--server", "127.0.0.1:1"]
        command += [] if "--engine" in flags else ["--engine", engine]
        done = subprocess.run(command + flags, capture_output=True, text=True, timeout=PATIENCE_S)
        assert done.returncode == EXIT_USAGE, (flags, done)
        assert word in done.stderr, (flags, done.stderr)


def case_no_server(fuhyo, engine):
    free = socket.create_server(("127.0.0.1", 0))
    address = "127.0.0.1:%d" % free.getsockname()[1]
    free.close()
    Client(fuhyo, engine, address).ends(EXIT_UNAVAILABLE, "cannot connect to " + address)


def case_no_engine(fuhyo, _):
    server = Server()
    Client(fuhyo, "/nonexistent/engine", server.address).ends(EXIT_NO_INPUT, "cannot run '/nonexistent/engine'")


def case_no_usi_engine(fuhyo, _):
    server = Server()
    Client(fuhyo, "/bin/false", server.address).ends(EXIT_FAILED, "the engine ended: exit status 1")


def case_refused(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address)
    line = server.accept()
    line.hears("LOGIN me game-1-1,secret")
    line.says("LOGIN:incorrect\n")
    client.ends(EXIT_FAILED, "refused the login of 'me'")


def case_password_file(fuhyo, engine):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("from-a-file\nsecond line\n")
        file.flush()
        server = Server()
        process = subprocess.Popen([fuhyo, "join", "--server", server.address, "--name", "me", "--password-file",
                                    file.name, "--game", "g-1-1", "--turn", "-", "--engine", engine],
                                   stderr=subprocess.DEVNULL)
        line = server.accept()
        line.hears("LOGIN me g-1-1-W,from-a-file")
        process.terminate()
        assert process.wait(PATIENCE_S) == EXIT_OK


def case_game(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address, "--games", "1")
    line = server.accept()
    begin(line)
    move = line.hears("+*")
    line.says(move + ",T1\n#TIME_UP\n#WIN\n")
    assert client.ends(EXIT_OK) == "game1\twin\t#TIME_UP\n"


def case_lost_line(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address, "--games", "1")
    line = server.accept()
    begin(line)
    line.hears("+*")
    line.drop()
    again = server.accept()
    begin(again)
    move = again.hears("+*")
    again.says(move + ",T0\n%TORYO\n#RESIGN\n#WIN\n")
    assert client.ends(EXIT_OK) == "game1\tlost line\tthe server closed the line\ngame1\twin\t#RESIGN\n"


def case_no_relogin(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address, "--no-relogin")
    line = server.accept()
    begin(line)
    line.hears("+*")
    line.drop()
    client.ends(EXIT_UNAVAILABLE, "the server closed the line")


def case_refused_after_a_lost_line(fuhyo, engine):
    """The server has not noticed yet that the former line is dead."""
    server = Server()
    client = Client(fuhyo, engine, server.address, "--games", "2")
    line = server.accept()
    begin(line)
    line.says("#TIME_UP\n#LOSE\n")
    line.drop()
    second = server.accept()
    second.hears("LOGIN me game-1-1,secret")
    second.says("LOGIN:incorrect\n")
    third = server.accept()
    begin(third)
    third.says("#TIME_UP\n#LOSE\n")
    client.ends(EXIT_OK)


def case_keep_alive(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address, "--keep-alive", "1")
    line = server.accept()
    line.hears("LOGIN me game-1-1,secret")
    line.says("LOGIN:me OK\n")
    before = time.monotonic()
    line.hears("")
    assert 0.9 <= time.monotonic() - before <= 5
    client.process.terminate()
    client.ends(EXIT_OK)


def case_signal_lets_the_game_end(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address)
    line = server.accept()
    begin(line)
    move = line.hears("+*")
    client.process.send_signal(signal.SIGTERM)
    time.sleep(0.3)
    assert client.process.poll() is None
    line.says(move + ",T0\n#TIME_UP\n#LOSE\n")
    client.ends(EXIT_OK, "leaving after this game")


def case_second_signal_leaves_at_once(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address)
    line = server.accept()
    begin(line)
    line.hears("+*")
    client.process.send_signal(signal.SIGINT)
    time.sleep(0.3)
    client.process.send_signal(signal.SIGINT)
    client.ends(EXIT_OK)
    line.hears_end()


def case_bytes_that_are_no_protocol(fuhyo, engine):
    server = Server()
    client = Client(fuhyo, engine, server.address, "--no-relogin")
    line = server.accept()
    line.hears("LOGIN me game-1-1,secret")
    line.sock.sendall(b"\x00\xff\r\n\n" + b"LOGIN:me OK\n" + b"x" * 20_000)
    client.ends(EXIT_UNAVAILABLE, "a line that does not end")


def main(fuhyo, engine, *wanted):
    failed = 0
    for name, case in list(globals().items()):
        if not name.startswith("case_") or (wanted and name not in wanted):
            continue
        try:
            case(fuhyo, engine)
            print("ok     " + name, flush=True)
        except (AssertionError, OSError, subprocess.TimeoutExpired) as error:
            failed += 1
            print(f"FAILED {name}: {error}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
