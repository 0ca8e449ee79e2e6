#!/usr/bin/env python3
"""Players who come by WebSockets: against others, against a built-in player at the level that they ask for, and back
after the server was killed.

    web_players_test.py FUHYO FUHYO-NNUE
"""


from csa_client import CsaClient, begin, play, resign
from server_case import ServerCase, run_tests
from waiting import eventually
from web_player import WebPlayer


def waiting(server):
    """Who waits in the main room."""
    return [one["name"] for one in server.get("/api/v1/rooms").json()["rooms"][0]["waiting"] or []]


class WebPlayers(ServerCase):
    listeners = ("csa", "http")

    def open(self, *flags):
        return self.serve("--csa-websocket", "on", *flags)

    def test_a_game_with_somebody_at_a_socket(self):
        server = self.open()
        rooms = server.get("/api/v1/rooms").json()
        self.assertEqual(rooms["csa_websocket"], "/api/v1/csa")
        self.assertEqual(rooms["engines"], [])
        with WebPlayer(server.http, "LOGIN alice web-900-10-B,s") as alice:
            eventually(lambda: waiting(server) == ["alice"], lambda: waiting(server))
            with CsaClient(server.address, "LOGIN bob web-900-10-W,s") as bob:
                players = begin(alice, bob)
                play(players, "+7776FU", "-3334FU", "+2726FU")
                resign(bob, alice)
                self.assertEqual(alice.until("#"), "#WIN")
                self.assertEqual(alice.rest(), "")
        eventually(lambda: server.get("/api/v1/games").json()["games"], "the game is not in the archive")
        game = server.get("/api/v1/games").json()["games"][0]
        self.assertEqual((game["black"]["name"], game["outcome"]), ("alice", "black"))

    def test_a_player_comes_back_after_the_server_was_killed(self):
        server = self.open()
        alice = WebPlayer(server.http, "LOGIN alice web-900-10-B,s")
        bob = WebPlayer(server.http, "LOGIN bob web-900-10-W,s")
        begin(alice, bob)
        moves = ("+7776FU", "-3334FU")
        play((alice, bob), *moves)
        server.kill()
        alice.close()
        bob.close()
        server = self.open()
        with WebPlayer(server.http, "LOGIN alice web-900-10-B,s") as alice, \
             WebPlayer(server.http, "LOGIN bob web-900-10-W,s") as bob:
            players = begin(alice, bob)
            self.assertEqual([line[:7] for line in alice.heard if line.startswith(moves)], list(moves))
            play(players, "+2726FU")
            resign(bob, alice)

    def test_an_engine_plays_at_the_level_of_the_name(self):
        server = self.open("--engine", f"name=Fuhyo engine={self.engine} serve=level*-* level=game")
        served = [{"name": "Fuhyo", "games": ["level*-*"]}]
        eventually(lambda: server.get("/api/v1/rooms").json()["engines"] == served, "the engine is not told of")
        with WebPlayer(server.http, "LOGIN alice level1-900-10-B,s") as alice:
            begin(alice)
            alice.say("+7776FU")
            alice.until("+7776FU")
            self.assertRegex(alice.until("-"), r"^-\d{4}[A-Z]{2},T\d+")
            resign(alice)

    def test_a_game_may_be_shut_to_browsers(self):
        server = self.open("--entry", "games=club-* accounts=open browsers=nobody")
        said = "##[ERROR] club-900-10 is not open to you from a browser"
        with WebPlayer(server.http, "LOGIN alice club-900-10-B,s") as alice:
            self.assertEqual((alice.until("LOGIN"), alice.until("##")), ("LOGIN:incorrect", said))
        with CsaClient(server.address, "LOGIN alice club-900-10-B,s") as alice:
            self.assertEqual(alice.until("LOGIN"), "LOGIN:alice OK")

    def test_the_door_is_shut_unless_the_host_opens_it(self):
        server = self.serve()
        self.assertIsNone(server.get("/api/v1/rooms").json()["csa_websocket"])
        self.assertEqual(server.get("/api/v1/csa").status, 400)
        with self.assertRaisesRegex(AssertionError, "403"):
            WebPlayer(server.http, "LOGIN alice web-900-10-B,s")


if __name__ == "__main__":
    run_tests("engine")
