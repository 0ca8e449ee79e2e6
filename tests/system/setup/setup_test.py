#!/usr/bin/env python3
"""`fuhyo setup`: what it writes is a server that holds the tournament by the commands that it prints.

    setup_test.py FUHYO FUHYO-NNUE
"""

import os
import re
import shlex
import signal
import subprocess

from csa_client import CsaClient
from server_case import ServerCase, run_tests
from waiting import eventually
from web_player import WebPlayer

OK, USAGE, CANNOT_CREATE = 0, 64, 73
FILES = ["fuhyo.toml", "tournament.toml"]
ENGINES = ["Chidori", "Kamome"]
ADDRESS = "192.0.2.7"
SYMBOL = 25 + 2 * 4  # modules of a QR code of version 2, with its margin


def lose(player):
    """A game from its summary on: the player resigns at the first turn that comes after a move of the opponent."""
    colour = player.until("Your_Turn:")[-1]
    player.until("END Game_Summary")
    player.say("AGREE")
    player.until("START:")
    if colour == "+":
        player.say("+7776FU")
    player.until("-" if colour == "+" else "+")
    player.say("%TORYO")
    player.until("#LOSE")


class Setup(ServerCase):
    listeners = ("csa", "http")

    def setUp(self):
        super().setUp()
        self.home = self.folder / "my evening"
        self.data = self.home / "data"

    def set_up(self, *flags, code=OK, says="", **options):
        return self.expect(code, says, "setup", "--dir", self.home, *flags, **options)

    def type(self, report, command):
        """One of the commands that were printed, as a shell reads it."""
        line = re.search(rf"^  fuhyo ({command} .*?)   ", report, re.MULTILINE)
        self.assertIsNotNone(line, report)
        return self.expect(OK, "", *shlex.split(line[1]))

    def written(self):
        return sorted(path.name for path in self.home.iterdir()) if self.home.exists() else []

    def test_the_tournament_is_held_by_what_is_printed(self):
        report = self.set_up("--yes", "--lang", "en", "--address", ADDRESS, "--engines", "8,8")
        self.assertEqual(self.written(), FILES)
        self.expect(OK, "nothing is wrong", "config", "check", self.home / "fuhyo.toml")
        self.expect(OK, "round robin", "tournament", "check", self.home / "tournament.toml", "--entrants", 4)
        server = self.serve("--config", self.home / "fuhyo.toml", data=False)
        server.data = self.data
        # Both wait under the name of the event, and play nobody yet.
        eventually(lambda: [one["name"] for one in self.waiting(server)] == ENGINES, lambda: self.waiting(server))
        self.type(report, "tournament new")
        with CsaClient(server.address, "LOGIN ann evening-300-5F,word") as ann:
            self.is_here(server, [*ENGINES, "ann"])
            with WebPlayer(server.http, "LOGIN bob evening-300-5F,word") as bob:
                self.is_here(server, [*ENGINES, "ann", "bob"])
                self.type(report, "tournament start")  # counts down
                self.type(report, "tournament start")  # now
                for player in (ann, bob):  # those who entered last meet those who entered first
                    lose(player)
                eventually(lambda: self.winners(server) == ENGINES, lambda: self.winners(server))
        secret = re.search(r"operator host, shown this once: (\S+)", report)[1]
        with CsaClient(server.address, f"LOGIN host {secret} x1") as host:
            host.until("##[LOGIN] +OK x1")
            host.say("%%ADMIN tournament-pause evening\r")
            host.until("##[ADMIN] +OK")
        server.stop()

    def waiting(self, server):
        room = server.get("/api/v1/rooms").json()["rooms"][0]
        return sorted(room["waiting"] or [], key=lambda one: one["name"])

    def is_here(self, server, players):
        def here():
            return sorted(row[0] for row in server.done("tournament", "evening")["rows"] if row[-1] == "waits")

        eventually(lambda: here() == sorted(players), here)

    def winners(self, server):
        """Of the games of the first round that are over."""
        rows = server.done("tournament-pairings", "evening", "1")["rows"]
        return sorted(row[1 if row[3].startswith("black") else 2] for row in rows if " wins " in row[3])

    def test_the_code_is_that_of_the_page(self):
        lines = self.set_up("--yes", "--address", ADDRESS).splitlines()
        symbol = lines[-(SYMBOL + 1) // 2:]
        self.assertEqual({len(line) for line in symbol}, {SYMBOL})
        self.assertEqual({character for line in symbol for character in line}, set(" ▀▄█"))
        self.assertEqual(symbol[0], "█" * SYMBOL)

    def test_on_this_machine_alone_there_is_nothing_for_phones(self):
        self.assertNotIn("█", self.set_up("--yes", "--lang", "en", "--address", "127.0.0.1", "--http-port", 8082,
                                          says="http://127.0.0.1:8082/play?game=evening-300-5F"))

    def test_answers_come_from_standard_input(self):
        report = self.set_up("--lang", "ja", "--port", 4999, says="アカウントを作った人だけ",
                             input="cup\n?\naccounts\n600-30\nnone\n127.0.0.1\noff\n")
        config = (self.home / "fuhyo.toml").read_text(encoding="utf-8")
        for line in ('csa = "127.0.0.1:4999"', 'http = "off"', 'event = "cup"', 'accounts = "closed"'):
            self.assertIn("\n" + line, config)
        self.assertIn('time = "600-30"', (self.home / "tournament.toml").read_text(encoding="utf-8"))
        self.assertIn("127.0.0.1:4999   cup-600-30,WORD ", report)
        server = self.serve("--config", self.home / "fuhyo.toml", listeners=("csa",), data=False)
        self.assertEqual(server.process.stdout.readline(), "participants send: LOGIN <name> cup-600-30,<password>\n")

    def test_the_language_is_that_of_the_environment(self):
        environment = {**os.environ, "LC_ALL": "", "LC_MESSAGES": "", "LANG": "ja_JP.UTF-8"}
        self.set_up(env=environment, code=USAGE, says="大会の名前")
        self.set_up("--lang", "en", env=environment, code=USAGE, says="Name of the event")

    def test_what_is_there_stays_as_it_is(self):
        self.set_up("--yes")
        for there in (FILES, FILES[1:]):
            for name in set(self.written()) - set(there):
                (self.home / name).unlink()
            before = [(self.home / name).read_bytes() for name in there]
            self.set_up("--yes", "--lang", "en", code=CANNOT_CREATE, says="is there already; nothing is written")
            self.assertEqual(self.written(), there)
            self.assertEqual([(self.home / name).read_bytes() for name in there], before)

    def test_without_all_answers_nothing_is_written(self):
        self.set_up("--lang", "en", code=USAGE, says="nothing is written")
        self.set_up("--lang", "en", code=USAGE, says="nothing is written", input="cup\n\n\n\n\n")
        self.set_up("--yes", "--lang", "en", "--clock", "5", code=USAGE, says="--clock: A clock is written in seconds")
        self.set_up("--yes", "--port", 0, code=USAGE, says="--port")
        self.assertEqual(self.written(), [])

    def test_interrupted_it_has_written_nothing(self):
        process = self.start(self.program, "setup", "--dir", self.home, stdin=subprocess.PIPE)
        process.stdout.readline()  # it asks
        process.send_signal(signal.SIGINT)
        self.end_of(process, -signal.SIGINT)
        self.assertEqual(self.written(), [])


if __name__ == "__main__":
    run_tests("engine")
