#!/usr/bin/env python3
"""Games of one server on the pages of a relay: moves, comments and ends as they come, and in the end the same record,
also where the relay was away meanwhile."""


from csa_client import game_id, play, resign
from fuhyo_server import FuhyoServer, free_ports
from server_case import ServerCase, run_tests
from waiting import eventually
from web_client import EventStream


def record_of(data, csa_id):
    """The record file without the time of its end, which each machine takes from its own clock; "" if there is none."""
    for path in (data / "records").rglob(f"{csa_id}.csa"):
        lines = path.read_text(encoding="euc_jp").splitlines()
        return [line for line in lines if not line.startswith("'$END_TIME:")]
    return ""


class RelayTest(ServerCase):
    flags = ("--spectator-comments", "live")

    def relay(self, *words):
        """A relay of servers, shown as `a`, `b`, ... in their order."""
        self.relayed = self.folder / "relayed"
        relay = FuhyoServer(self.program, *free_ports("http"), "--every", "0.05", *words, command="relay",
                            listeners=("http",), data=self.relayed, log=self.folder / "relay.log")
        self.addCleanup(relay.kill)
        return relay

    def stream(self, relay):
        events = EventStream(relay.http)
        self.addCleanup(events.close)
        return events

    def test_a_game_is_shown_as_it_is_played(self):
        server = self.serve()
        relay = self.relay("--from", server.address, "--name", "there")
        events = self.stream(relay)
        self.assertEqual(events.next("snapshot")["games"], [])
        players = self.sit_down(server.csa)
        opened = events.next("opened")["game"]
        self.assertEqual((opened["room"], opened["black"]["name"], opened["white"]["name"]), ("there", "alice", "bob"))
        self.assertEqual(opened["time"]["total_s"], 900)
        events.next("started")
        players[0].say("+7776FU,'* 30 -3334FU")
        for player in players:
            player.until("+7776FU")
        self.assertEqual(events.next("moved")["move"].split(",")[0], "+7776FU")
        self.assertEqual(events.next("commented")["comment"], "* 30 -3334FU")
        play(players, "-3334FU")
        players[0].say("+2726FU,'* 40")
        for player in players:
            player.until("+2726FU")
        self.assertEqual([events.next("moved")["ply"] for _ in range(2)], [2, 3])
        csa_id = game_id(players[0])
        resign(players[1], players[0])
        ended = events.next("ended")
        self.assertEqual((ended["kind"], ended["outcome"]), ("toryo", "black"))
        eventually(lambda: record_of(self.data, csa_id)[-1:] == ["'summary:toryo:alice win:bob lose"],
                   lambda: record_of(self.data, csa_id))
        for comment in ("'** 30 -3334FU", "'** 40"):
            self.assertIn(comment, record_of(self.data, csa_id))
        eventually(lambda: record_of(self.relayed, csa_id) == record_of(self.data, csa_id),
                   lambda: (record_of(self.relayed, csa_id), record_of(self.data, csa_id)))
        games = relay.get("/api/v1/games?room=there").json()["games"]
        self.assertEqual([game["csa_id"] for game in games], [csa_id])
        self.assertIn("there", [room["name"] for room in relay.get("/api/v1/rooms").json()["rooms"]])
        relay.stop()

    def test_what_was_missed_is_made_up_for(self):
        server = self.serve()
        players = self.sit_down(server.csa)
        play(players, "+7776FU", "-3334FU")
        relay = self.relay("--from", server.address, "--name", "there")
        self.assertEqual(len(self.moves_seen(relay, 2)), 2)
        relay.kill()
        play(players, "+2726FU", "-8384FU")
        relay = self.relay("--from", server.address, "--name", "there")
        self.assertEqual(self.moves_seen(relay, 4), ["+7776FU", "-3334FU", "+2726FU", "-8384FU"])
        csa_id = game_id(players[0])
        events = self.stream(relay)
        resign(players[0], players[1])
        events.next("ended")
        eventually(lambda: len(record_of(self.relayed, csa_id)) == len(record_of(self.data, csa_id)) > 0,
                   lambda: (record_of(self.relayed, csa_id), record_of(self.data, csa_id)))
        self.assertEqual(record_of(self.relayed, csa_id), record_of(self.data, csa_id))

    def moves_seen(self, relay, count):
        def seen():
            game = relay.get("/api/v1/games/1")
            moves = [move.split(",")[0] for move in game.json()["game"]["moves"]] if game.status == 200 else []
            return moves if len(moves) == count else None

        return eventually(seen, f"{count} moves")

    def test_two_servers_are_two_rooms(self):
        servers = [self.serve(data=self.folder / name) for name in ("first", "second")]
        relay = self.relay("--from", servers[0].address, "--name", "first",
                           "--from", servers[1].address, "--name", "second")
        events = self.stream(relay)
        events.next("snapshot")
        for server, room in zip(servers, ("first", "second")):
            self.sit_down(server.csa)
            self.assertEqual(events.next("opened")["game"]["room"], room)

    def test_it_says_what_it_would_send(self):
        said = self.expect(0, "shown as there", "relay", "--from", "example.org", "--name", "there", "--dry-run")
        self.assertIn("0.0 s  LOGIN fuhyo-relay PASSWORD x1\n", said)
        self.assertIn("2.0 s  %%MONITOR2ON EVENT+GAME-900-5F+BLACK+WHITE+20260101120000 comments\n", said)
        self.assertEqual({line.split()[2] for line in said.splitlines()[1:]}, {"LOGIN", "%%LIST", "%%MONITOR2ON"})
        words = ("relay", "--from", "a", "--from", "b")
        self.expect(64, "--name: each --from needs one", *words, "--name", "a")
        self.expect(64, "--name: two servers are a", *words, "--name", "a", "--name", "a")
        self.expect(64, "is no name of a room", *words, "--name", "A", "--name", "b")
        self.expect(66, "--password-file /nowhere", *words, "--name", "a", "--name", "b", "--password-file", "/nowhere")


if __name__ == "__main__":
    run_tests()
