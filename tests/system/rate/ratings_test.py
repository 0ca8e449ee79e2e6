#!/usr/bin/env python3
"""Ratings of a running server, as players see them by %%RATING: from its own games, and from the operator's file."""

import time

from csa_client import CsaClient, play, resign
from server_case import ServerCase, run_tests
from waiting import eventually


class Ratings(ServerCase):
    def play(self, address, black_wins):
        """A game of ann (Black) and bob."""
        players = self.sit_down(address, "cup-900-10", ("ann", "bob"))
        if black_wins:
            play(players, "+7776FU")
        resign(*(players[::-1] if black_wins else players))

    def rating(self, address, wanted):
        with CsaClient(address, f"LOGIN watcher {time.monotonic_ns()} x1") as watcher:
            watcher.until("##[LOGIN] +OK x1")

            def told():
                watcher.say("%%RATING")
                lines = [line.removeprefix("##[RATING] ") for line in watcher.lines_until("##[RATING] +OK")[:-1]]
                return (lines,) if wanted(lines) else None

            return eventually(told, "the list fits")[0]

    def test_own_games(self):
        server = self.serve()
        address = server.csa
        self.assertEqual(self.rating(address, lambda lines: True), [])
        for i in range(20):
            self.play(address, black_wins=i % 4 != 0)
        lines = self.rating(address, lambda lines: len(lines) == 2 and "1095" in lines[0])
        self.assertRegex(lines[0], r"^ann \t 1095 @\d{4}-\d\d-\d\d$")  # as mk_rate: 15 wins to 5
        self.assertRegex(lines[1], r"^bob \t  904 @")
        server.stop()
        self.assertIn("rate: 1095.0", (self.data / "players.yaml").read_text())
        self.assertEqual(self.rating(self.serve().csa, lambda lines: lines), lines)

    def test_a_file_of_the_operator(self):
        self.data.mkdir()
        file = self.data / "players.yaml"
        file.write_text("players:\n  0:\n    ann+1: {rate: 1500}\n")
        server = self.serve("--ratings", "file")
        address = server.csa
        self.assertRegex(self.rating(address, lambda lines: lines)[0], r"^ann \t 1500 @")
        file.write_text("players:\n  0:\n    ann+1: {rate: 1600}\n")
        server.done("reload")
        self.assertRegex(self.rating(address, lambda lines: "1600" in lines[0])[0], r"^ann \t 1600 @")
        server.stop()
        self.assertIn("1600", file.read_text(), "nobody else writes it")


if __name__ == "__main__":
    run_tests()
