#!/usr/bin/env python3
"""Has conversations with shogi-server and writes them down for wire_test.cpp.

    record.py SHOGI_SERVER NAME...      e.g. ~/src/shogi-server before_agree      writes NAME.txt beside this file
    record.py --records SHOGI_SERVER NAME...      writes records/NAME.txt only: what the server wrote of the games

Needs Debian's ruby and ruby-webrick. What Fuhyo deliberately does otherwise (`<-`, `<+`) is marked by hand
afterwards; so recording again is for new scenarios. Each step is said when everybody has been silent for a moment.
"""

import difflib
import re
import selectors
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUIET_S = 0.12


def pair(game, black="A", white="B", wish=("+", "-")):
    """Login, %%GAME and AGREE of two in extended mode."""
    return [(black, f"LOGIN {black}_{game} pw{black} x1"), (white, f"LOGIN {white}_{game} pw{white} x1"),
            (black, f"%%GAME {game}-300-10 {wish[0]}"), (white, f"%%GAME {game}-300-10 {wish[1]}")]


def started(game, **clients):
    black, white = clients.get("black", "A"), clients.get("white", "B")
    return [*pair(game, **clients), (black, "AGREE"), (white, "AGREE")]


def part(title, *steps):
    return [("---", title), *steps]


def turned(moves):
    """The same moves with the board turned round and colours exchanged."""
    def turn(move):
        squares = "".join(digit if digit == "0" else str(10 - int(digit)) for digit in move[1:5])
        return "-+"[move[0] == "-"] + squares + move[5:]
    return [turn(move) for move in moves]


def played(moves, black="A", white="B"):
    return [(black if move[0] == "+" else white, move) for move in moves]


# White's rook comes in behind Black's king, and checks it on two squares.
INROAD = ("+2726FU -8384FU +2625FU -8485FU +6978KI -4132KI +2524FU -2324FU +2824HI -0023FU +2484HI -8284HI +4938KI "
          "-1314FU +5969OU -0049HI").split()
CHASE = "+6968OU -4948RY +6869OU -4849RY".split()


def before_agree():
    steps = []
    for number, (title, lines) in enumerate([
            ("Black has agreed, White logs out", [("A", "AGREE"), ("B", "LOGOUT")]),
            ("White has agreed, Black logs out", [("B", "AGREE"), ("A", "LOGOUT")]),
            ("White logs out at once", [("B", "LOGOUT")]),
            ("Black logs out at once", [("A", "LOGOUT")]),
            ("Black rejects", [("A", "REJECT")]),
            ("White rejects after Black has agreed, and both are free again",
             [("A", "AGREE"), ("B", "REJECT"), ("A", "%%WHO")]),
            ("who has agreed can no longer reject", [("A", "AGREE"), ("A", "REJECT"), ("B", "AGREE")])]):
        steps += part(title, *pair(f"ba{number}"), *lines)
    return steps


def malformed():
    lines = ["+7776", "+7776FUX", "+7776fu", "+7776XX", "+7776FU 'without a comma", "+7776FU,T12", "+0000FU",
             "+7799FU", "+", "-3334FU"]
    steps = []
    for number, line in enumerate(lines):
        steps += part(f"Black's first line is {line}", *started(f"mf{number}"), ("A", line))
    return steps + part("a move without its sign is no move", *started("mfsign"), ("A", "7776FU"), ("A", "+7776FU"),
                        ("B", "%TORYO"))


def ahead():
    return (part("two moves and a resignation of White wait for their turns", *started("ah0"), ("A", "+7776FU"),
                 ("A", "+8786FU"), ("A", "+9796FU"), ("B", "-7374FU"), ("B", "-8384FU"), ("B", "%TORYO"), ("sleep", 4))
            + part("Black's resignation waits for its turn", *started("ah1"), ("A", "+7776FU"), ("A", "+8786FU"),
                   ("A", "%TORYO"), ("B", "-7374FU"), ("B", "-8384FU"), ("sleep", 4))
            + part("the newest move sent twice is not a second move, whoever sends it", *started("ah2"),
                   ("A", "+7776FU"), ("B", "-8384FU"), ("B", "-8384FU"), ("A", "-8384FU"), ("A", "+2726FU"),
                   ("B", "%TORYO")))


def perpetual():
    black_checks = ["+1716FU", *turned(INROAD)]
    white_first = "C", "%%SETBUOY buoy_chase-300-10 " + "".join(INROAD[:15])
    login = ("C", "LOGIN C pwC x1")
    return (part("Black checks for ever and loses by its own move", *started("pp0"),
                 *played(black_checks + turned(CHASE) * 3 + turned(CHASE)[:2]))
            + part("White checks for ever from a position where White is to move", login, white_first,
                   *started("buoy_chase"), *played([INROAD[15]] + CHASE * 3 + CHASE[:2])))

def least_time():
    return [*[(c, line.replace("lt-300-10", "lt-3-5")) for c, line in started("lt")],
            ("#", "at least 2 s a move"), ("A", "+7776FU"), ("B", "-3334FU"),
            ("#", "Black has 1 s left and uses 3: what is missing comes from the byoyomi, and nothing is left"),
            ("sleep", 3.2), ("A", "+2726FU"), ("B", "-8384FU"), ("sleep", 4.2), ("A", "+2625FU"), ("B", "-8485FU"),
            ("#", "all of the byoyomi is too much"), ("sleep", 5.1), ("A", "+2524FU")]


def relogin():
    names = {"A": "kuro", "B": "shiro", "C": "kuro", "D": "shiro"}
    steps = []
    for black, white in (("A", "B"), ("C", "D")):
        steps += [(black, f"LOGIN {names[black]} again-300-10-B,k"), (white, f"LOGIN {names[white]} again-300-10-W,s"),
                  (black, "AGREE"), (white, "AGREE"), (black, "+7776FU"), (white, "%TORYO"), (black, "")]
    return steps


def fork():
    return [("C", "LOGIN C pwC x1"), *started("fk"), ("A", "+7776FU"), ("B", "-3334FU"), ("A", "+2726FU"),
            ("C", "%%FORK nosuch-300-10"), ("C", "%%FORK nosuch-300-10 buoy_fk-300-10"),
            ("#", "without a name: the name of the game, and how many moves"),
            ("C", "%%FORK ev+fk-300-10+A_fk+B_fk+<stamp>"), ("C", "%%GETBUOYCOUNT buoy_fk_2-300-10"),
            ("C", "%%FORK ev+fk-300-10+A_fk+B_fk+<stamp> buoy_fk_2-300-10"),
            ("C", "%%FORK ev+fk-300-10+A_fk+B_fk+<stamp> buoy_zero-300-10 0"),
            ("C", "%%FORK ev+fk-300-10+A_fk+B_fk+<stamp> buoy_many-300-10 9"),
            ("C", "%%FORK ev+fk-300-10+A_fk+B_fk+<stamp> nobuoy-300-10"),
            ("D", "LOGIN D pwD x1"), ("E", "LOGIN E pwE x1"), ("D", "%%GAME buoy_fk_2-300-10 +"),
            ("E", "%%GAME buoy_fk_2-300-10 -"), ("D", "AGREE"), ("E", "AGREE"), ("D", "+2726FU"), ("E", "%TORYO"),
            ("C", "%%GETBUOYCOUNT buoy_fk_2-300-10"), ("B", "%TORYO")]


def csa_mode():
    def begun(black, white, *lines):
        return [("A", f"LOGIN kuro {black}"), ("B", f"LOGIN shiro {white}"), *lines]

    agreed = ("A", "AGREE"), ("B", "AGREE")
    watched = ("C", "LOGIN watcher pwC x1"), ("C", "%%WHO")
    return (part("a trip each, and a colour for one of them", *begun("cm0-300-10F,k", "cm0-300-10F-W,s,more"), *watched,
                 *agreed, ("A", "CHALLENGE"), ("A", "%%VERSION"), ("A", "+7776FU"), ("B", "%TORYO"), ("A", ""))
            + part("no trip, and the colour in small letters", *begun("cm1-300-10-b", "cm1-300-10"), *watched, *agreed,
                   ("A", "%TORYO"), ("B", ""))
            + part("a trip alone, and one after what is no game, wait for the usual game", ("A", "LOGIN kuro secret"),
                   *watched, ("A", "LOGOUT"), ("B", "LOGIN shiro nogame,secret"), ("C", "%%WHO"), ("B", "LOGOUT"))
            + part("a handicap game needs a colour", ("A", "LOGIN kuro hc2p_x-300-10"), *watched, ("A", "LOGOUT"))
            + part("Black rejects", *begun("cm2-300-10-B,k", "cm2-300-10-W,s"), ("A", "REJECT"), ("B", ""))
            + part("nobody is told of a chat, but may chat", ("A", "LOGIN kuro cm3-300-10,k"), *watched,
                   ("C", "%%CHAT hello"), ("A", "%%CHAT good evening"), ("A", "LOGOUT")))


def second_login():
    lines = ["LOGIN kuro secret", "LOGIN kuro secret x1", "login kuro secret", "LOGin  kuro secret", "LOGINkuro secret",
             "again: LOGIN kuro secret", "LOGIN kuro", "LOGIN ku@ro.1 secret"]
    return [("A", "LOGIN kuro k x1"), *[("A", line) for line in lines], ("A", "LOGOUT")]


def waiting():
    def login(*who):
        return [(client, f"LOGIN {client} pw{client} x1") for client in who]

    wrong = ["foo", "foo-300", "foo-300-10", "foo-300-10 x", "foo-300-10 + -", "foo--10 +", "foo-x-10 +", "-300-10 +",
             "foo-300-10G +", "foo-300-10FF +", "fo$o-300-10 +", "a" * 33 + "-300-10 +", "a" * 32 + "-300-10 +",
             "a-b-300-10 +", "foo-300-10F *", "", "floodgate-300-10 +", "floodgate-300-10 -", "hc4p_x-300-10 *",
             "hc4p_x-300-10 -", ""]
    return (part("names and wishes that are taken or not", *login("A", "W"),
                 *[step for line in wrong for step in (("A", f"%%GAME {line}".rstrip()), ("W", "%%WHO"))])
            + part("the first in login order, not of those who wait", *login("W", "B", "A", "D"),
                   ("A", "%%GAME w-300-10 +"), ("B", "%%GAME w-300-10 +"), ("W", "%%GAME w-300-10F -"),
                   ("D", "%%GAME w-300-10 -"), ("A", "%%WHO"), ("D", "REJECT"), ("W", "%%CHALLENGE w-300-10 +"),
                   ("W", "%%CHALLENGE w-300-10F *"), ("W", "%%CHALLENGE w-300-10 *"), ("A", "REJECT"),
                   ("W", "%%CHALLENGE w-300-10 x"), ("A", "%%WHO"))
            + part("who changes its wish waits anew", *login("A", "B"), ("A", "%%GAME w-300-10 +"),
                   ("B", "%%GAME w-300-10 +"), ("A", "%%GAME w-300-10 -"), ("B", "REJECT"),
                   ("A", "%%GAME w-300-10 +"), ("A", "%%GAME w-300-10F +"), ("B", "%%GAME w-300-10 -"),
                   ("B", "%%WHO")))


# Bytes other than ASCII are written \xNN: the first two characters of "comment" in Japanese, in three encodings.
COMMENTS = [r"\xe6\xb3\xa8\xe9\x87\x88", r"\xc3\xed\xbc\xe1", r"\x92\x8d\x8e\xdf", "plain", "* 30 +2625FU -8485FU",
            "*", "", "'", " two  blanks ", "one, two"]
OPENING = "+7776FU -3334FU +2726FU -8384FU +2625FU -8485FU +6978KI -4132KI +2524FU -2324FU".split()


def records():
    at = {"A": "B@p1", "B": "W@p2"}
    named = [(client, f"LOGIN {at[client]} pw{client} x1") for client in "AB"]
    commented = [(["A", "B"][i % 2], f"{move},'{comment}") for i, (move, comment) in enumerate(zip(OPENING, COMMENTS))]
    return (part("names with a sign, no moves", *named, ("A", "%%GAME atmark-1500-0 +"),
                 ("B", "%%GAME atmark-1500-0 -"), ("A", "AGREE"), ("B", "AGREE"), ("A", "%TORYO"))
            + part("two pieces less", *started("hc2p_rec"), ("A", "+7776FU"), ("B", "-3334FU"), ("A", "%TORYO"))
            + part("comments", *started("comment"), *commented, ("A", "%TORYO"))
            + part("comments on what is no move", *started("nocomment"), ("A", "%KACHI,'too early"))
            + part("without trips, and by a clock of Fischer's", ("A", "LOGIN kuro rec-60-5F-B"),
                   ("B", "LOGIN shiro rec-60-5F-W"), ("A", "AGREE"), ("B", "AGREE"), ("A", "+7776FU"), ("B", "-3335FU"))
            + part("four times the same", *started("again"),
                   *played(["+2838HI", "-8272HI", "+3828HI", "-7282HI"] * 3 + ["+2838HI"])))


def buoy_moves():
    moves = ["+7776FU+8786FU", "-3334FU", "+7776FU-3334FU,T5", "+7776FU,T-3334FU", "+7776FU,T5,-3334FU", "+7776fu",
             "+7776FU 0", "+7776FU -1", "+7776FU x", "+7776FU 2x", "+7776FU 3 more", "+0055FU", "+7776FUx", "x+7776FU",
             "+5958OU-5152OU+5859OU-5251OU" * 3, "+5958OU-5152OU+5859OU-5251OU" * 3 + "+5958OU"]
    steps = [("A", "LOGIN A pwA x1"), ("B", "LOGIN B pwB x1")]
    for number, text in enumerate(moves):
        steps += [("A", f"%%SETBUOY buoy_{number}-300-10 {text}"), ("B", f"%%GETBUOYCOUNT buoy_{number}-300-10"),
                  ("B", f"%%DELETEBUOY buoy_{number}-300-10")]
    return steps


def watching():
    def watched(number, *lines):
        game = f"wt{number}"
        name = f"ev+{game}-300-10+A_{game}+B_{game}+<stamp>"
        return part(f"{game}", ("W", "LOGIN W pwW x1"), ("V", "LOGIN V pwV x1"), *started(game), ("A", "+7776FU"),
                    ("W", f"%%MONITORON {name}"), ("V", f"%%MONITOR2ON {name}"), *lines)

    return (watched(0, ("B", "-3334FU,'* 12 +2726FU"), ("A", "%TORYO"))
            + watched(1, ("B", "-3335FU"))
            + watched(2, ("B", "%KACHI"))
            + watched(3, ("B", "LOGOUT"))
            + watched(4, ("A", "+2726FU"), ("B", "-3334FU"), ("B", "%TORYO"), ("sleep", 2.5))
            + watched(5, ("W", "%%MONITOROFF ev+wt5-300-10+A_wt5+B_wt5+<stamp>"), ("B", "-3334FU"),
                      ("V", "%%MONITOR2OFF ev+wt5-300-10+A_wt5+B_wt5+<stamp>"), ("A", "+2726FU"), ("B", "%TORYO")))


def stopwatch():
    steps = [(c, line.replace("sw-300-10", "sw-120-060")) for c, line in started("sw")]
    return [*steps, ("A", "+7776FU"), ("sleep", 58.5), ("B", "-3334FU"), ("#", "whole minutes count, and no others"),
            ("sleep", 60.5), ("A", "+2726FU"), ("B", "-8384FU"), ("#", "the rest is less than another"),
            ("sleep", 61), ("A", "+2625FU")]


SCENARIOS = {
    # name: (steps, --max-moves, --least-time-per-move, what it is about)
    "before_agree": (before_agree, 256, 0, "who leaves or rejects between the Game_Summary and START"),
    "malformed": (malformed, 256, 0, "lines that are nearly moves"),
    "ahead": (ahead, 256, 0, "lines that come before their turn, and moves that are sent twice"),
    "perpetual": (perpetual, 256, 0, "perpetual check by Black, and by White, who has the first move"),
    "least_time": (least_time, 256, 2, "least time for a move, byoyomi, and more time than what remains"),
    "relogin": (relogin, 256, 0, "two games in CSA mode under the same names, with a new connection each"),
    "csa_mode": (csa_mode, 256, 0, "logging in for a game in CSA mode, in every form, and what follows"),
    "waiting": (waiting, 256, 0, "names of games, wishes for colours, and who meets whom"),
    "records": (records, 256, 0, "games of every kind, for what is written of them"),
    "buoy_moves": (buoy_moves, 256, 0, "what is taken for the moves and the count of a buoy"),
    "watching": (watching, 256, 0, "games that are watched in both ways, and how they end"),
    "stopwatch": (stopwatch, 256, 0, "a clock that counts whole minutes"),
    "second_login": (second_login, 256, 0, "lines like LOGIN after the login"),
    "fork": (fork, 256, 0, "%%FORK of a running game, and a game from it"),
}


def raw(line):
    return re.sub(rb"\\x([0-9a-f]{2})", lambda code: bytes.fromhex(code[1].decode()), line.encode())


def ascii_only(line):
    return "".join(chr(byte) if byte < 128 else f"\\x{byte:02x}" for byte in line)


class Talk:
    def __init__(self, port, out):
        self.port, self.out = port, out
        self.clients, self.rest, self.stamp = {}, {}, ""
        self.selector = selectors.DefaultSelector()
        self.began = time.monotonic()

    def say(self, client, line):
        if client not in self.clients:
            sock = socket.create_connection(("127.0.0.1", self.port))
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.clients[client], self.rest[client] = sock, b""
            self.selector.register(sock, selectors.EVENT_READ, client)
        self.out.append(f"{(time.monotonic() - self.began) * 1000:.0f} {client} > {line}")
        try:
            self.clients[client].sendall(raw(line.replace("<stamp>", self.stamp)) + b"\n")
        except OSError:
            self.out.append(f"{client} < [EOF]")

    def listen(self, quiet_s):  # until everybody has been silent for so long
        while events := self.selector.select(quiet_s):
            for key, _ in events:
                self.read(key.data, key.fileobj)

    def read(self, client, sock):
        try:
            data = sock.recv(1 << 16)
        except OSError:
            data = b""
        if not data:
            self.selector.unregister(sock)
            self.out.append(f"{client} < [EOF]")
        *lines, self.rest[client] = (self.rest[client] + data).split(b"\n")
        for line in (line.decode(errors="replace") for line in lines):
            if found := re.search(r"\+(20\d{12})\b", line):
                self.stamp = found.group(1)
            line = re.sub(r"_TIME:\d+/\d+/\d+ \d+:\d+:\d+$", "_TIME:<time>", line)
            self.out.append(f"{client} < " + re.sub(r"\+20\d{12}\b", "+<stamp>", line))

    def hang_up(self):
        for client, sock in self.clients.items():
            if sock.fileno() in {key.fd for key in self.selector.get_map().values()}:
                self.selector.unregister(sock)
            sock.close()
        self.clients.clear()
        time.sleep(0.5)


def written(folder):
    """The records and lines of 00LIST that a server wrote, by Game_ID, without times of day and paths."""
    listed = {}
    if (folder / "00LIST").exists():
        for line in (folder / "00LIST").read_bytes().splitlines():
            fields = line.split(b"\t")
            listed[Path(fields[6].decode()).name] = b"\t".join([b"00LIST", *fields[1:6], *fields[7:]])
    games = []
    for file in folder.glob("[0-9]*/[0-9]*/[0-9]*/*.csa"):
        lines = file.read_bytes().split(b"\n")
        event = next(line for line in lines if line.startswith(b"$EVENT:"))
        kept = [line for line in lines[:-1] if not re.match(rb"'?\$(START|END)_TIME:", line)]
        games.append((event, [*kept, *([listed[file.name]] if file.name in listed else [])]))
    return [re.sub(rb"\+20\d{12}\b", b"+<stamp>", line) for _, lines in sorted(games) for line in lines]


def record(checkout, name, records_only):
    steps, max_moves, least_time, about = SCENARIOS[name]
    out = [f"# max_moves={max_moves} least_time={least_time} seed=0", f"# scenario: {about}"]
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
        free.close()
        copy = shutil.copytree(checkout, Path(folder) / "server", ignore=shutil.ignore_patterns(".git"))
        server = subprocess.Popen(
            ["ruby", copy / "shogi-server", "--max-moves", str(max_moves), "--least-time-per-move", str(least_time),
             "ev", str(port)], cwd=copy, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        talk = Talk(port, out)
        try:
            wait_for(port)
            for who, what in steps():
                if who == "---":
                    talk.hang_up()
                    out.append(f"--- {what}")
                elif who == "#":
                    out.append(f"# {what}")
                elif who == "sleep":
                    talk.listen(what)
                else:
                    talk.say(who, what)
                    talk.listen(QUIET_S)
            if records_only:
                talk.hang_up()
                lines = "".join(ascii_only(line) + "\n" for line in written(copy))
                (Path(__file__).parent / f"records/{name}.txt").write_text(lines)
        finally:
            server.kill()
            server.wait()
    if records_only:
        return
    (Path(__file__).parent / f"{name}.txt").write_text("\n".join(joined(shortened(out))) + "\n")


def shortened(lines):
    """A Game_Summary like one before it of that colour, but for names, becomes <Game_Summary>."""
    kept, block, known = [], None, []
    for line in lines:
        client, _, said = line.partition(" < ")
        if said == "BEGIN Game_Summary":
            block = []
        if block is None:
            kept.append(line)
            continue
        block.append(line)
        if said == "END Game_Summary":
            facts = [b.split(" <", 1)[1] for b in block if not re.search(r" < (Game_ID|Name.):", b)]
            kept += [f"{client} < <Game_Summary>"] if facts in known else block
            known.append(facts)
            block = None
    return kept


def joined(lines):
    """What several clients hear between two lines that are sent, in one line each."""
    kept, heard = [], {}
    for line in [*lines, "#"]:
        found = re.fullmatch(r"([^ <]+) (<.*)", line)
        if found:
            heard.setdefault(found.group(1), []).append(found.group(2))
            continue
        together = []
        for client, said in heard.items():
            merged = []
            match = difflib.SequenceMatcher(None, [text for _, text in together], said, autojunk=False)
            for kind, a, a_end, b, b_end in match.get_opcodes():
                if kind == "equal":
                    merged += [([*clients, client], text) for clients, text in together[a:a_end]]
                else:
                    merged += together[a:a_end] + [([client], text) for text in said[b:b_end]]
            together = merged
        kept += [" ".join([*sorted(clients), text]) for clients, text in together] + [line]
        heard = {}
    return kept[:-1]


def wait_for(port):
    for _ in range(200):
        try:
            return socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.1)
    raise RuntimeError("shogi-server does not start")


if __name__ == "__main__":
    only_records = "--records" in sys.argv
    arguments = [argument for argument in sys.argv[1:] if argument != "--records"]
    if len(arguments) < 2 or any(name not in SCENARIOS for name in arguments[1:]):
        sys.exit(__doc__ + "\nNAME is one of " + ", ".join(SCENARIOS))
    for scenario in arguments[1:]:
        record(arguments[0], scenario, only_records)
