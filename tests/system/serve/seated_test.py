#!/usr/bin/env python3
"""Engines that `fuhyo admin seat` brought: back after a kill, in mid-game too; gone after `unseat`; and who is not back
is named."""


from csa_client import CsaClient, begin
from server_case import ServerCase, run_tests
from waiting import eventually

LOGIN = "LOGIN alice duel-3000-10-B,secret"


class Seated(ServerCase):
    flags = ("--resume", "position")

    def seat(self, server, name, game):
        return server.done("seat", f"name={name} engine='{self.engine}' game={game} option.USI_Hash=1 threads=1 "
                                   "option.NodesLimit=100")

    def states(self, server):
        return {row[0]: row[5] for row in server.admin("engines")["rows"]}

    def begin_game(self, server):
        """Against the engine, which has answered a move."""
        alice = CsaClient(server.address, LOGIN)
        begin(alice)
        alice.say("+7776FU")
        alice.until("-")
        return alice

    def test_who_plays_comes_back_and_so_does_who_waits(self):
        server = self.serve()
        self.assertIn("is there again after a restart", self.seat(server, "Oni", "duel-3000-10")["text"])
        self.seat(server, "Idle", "idle-900-0")
        with self.begin_game(server):
            server.kill()
        server = self.serve()
        self.assertEqual(self.states(server).keys(), {"Oni", "Idle"})
        again = CsaClient(server.address, LOGIN)
        begin(again)
        self.assertTrue(any(line.startswith("+7776FU") for line in again.heard), again.heard)
        again.say("+2726FU")
        again.until("-")
        server.done("unseat", "Idle")
        server.kill()
        server = self.serve()
        self.assertEqual(self.states(server).keys(), {"Oni"})

    def test_who_does_not_come_back_is_named(self):
        server = self.serve()
        self.seat(server, "Oni", "duel-3000-10")
        with self.begin_game(server):
            server.kill()
        (self.data / "seated-engines").write_text("Oni name=Oni\n", encoding="ascii")
        server = self.serve()
        server.wait_for_log("Oni, who was seated before the restart: ")
        server.wait_for_log("waits for Oni, a built-in player that is not here")
        self.assertRegex(self.states(server)["Oni"], r"^not here: game .*duel-3000-10")
        self.seat(server, "Oni", "duel-3000-10")
        alice = CsaClient(server.address, LOGIN)
        begin(alice)
        eventually(lambda: self.states(server)["Oni"] == "plays", lambda: self.states(server))


if __name__ == "__main__":
    run_tests("engine")
