#!/usr/bin/env python3
"""A web node shows what the journal of a game node holds, outlives it, and says when the store is away."""

from pathlib import Path

from csa_client import play
from server_case import NoPostgres, ServerCase, new_cluster, run_tests
from waiting import eventually
from web_client import EventStream


def moves_at(node):
    """How many moves each game has that a reader sees who comes now."""
    with EventStream(node.http) as late:
        return [len(game["moves"]) for game in late.next("snapshot")["games"]]


WEB_ROLE = Path(__file__).resolve().parents[3] / "docker/web-node.sql"
START = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL+b+-"
LOCK = 0x46554859  # of the game server (server/store/postgres/lease.cpp)
# What a web node that is somebody else's by now may try, and why it may not.
REFUSED = {
    "INSERT INTO journal VALUES (1000000, 1, 1, 1, '')": "denied for table journal",
    "UPDATE game SET outcome = 'draw'": "denied for table game",
    "DELETE FROM standing": "denied for table standing",
    "TRUNCATE rating": "denied for table rating",
    "DROP TABLE player": "must be owner",
    "SELECT epoch FROM lease": "denied for table lease",
    "SELECT * FROM audit": "denied for table audit",
    "SELECT seq FROM journal FOR UPDATE": "denied for table journal",
    "BEGIN; LOCK TABLE journal IN SHARE MODE; COMMIT": "denied for table journal",
    "CREATE TABLE mine ()": "denied for schema public",
    "CREATE TEMPORARY TABLE mine ()": "temporary tables",
    "CREATE SCHEMA mine": "denied for database",
    "SELECT lo_create(0)": "denied for function lo_create",
    f"SELECT pg_advisory_lock({LOCK})": "denied for function pg_advisory_lock",
    f"SELECT pg_try_advisory_xact_lock_shared({LOCK})": "denied for function",
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'fuhyo'": "must",
    "SET temp_file_limit = -1": "denied to set parameter",
    "SET ROLE fuhyo": "denied to set role",
    "COPY game TO PROGRAM 'true'": "must",
}


class WebNode(ServerCase):
    flags = ("--resume-window", "3600")

    def web_node(self, *store):
        return self.serve("--role", "web", *store, listeners=("http",))

    def follow(self, *store, of_web=()):
        game = self.serve(*store)
        web, other = self.web_node(*(of_web or store)), self.web_node(*(of_web or store))
        events = EventStream(web.http)
        self.addCleanup(events.close)
        self.assertEqual(events.next("snapshot")["games"], [])
        players = self.sit_down(game.csa)
        self.assertEqual(events.next("opened")["game"]["black"]["name"], "alice")
        for move in ("+7776FU", "-3334FU"):
            play(players, move)
            self.assertTrue(events.next("moved")["move"].startswith(f"{move},T"))
        # Each node follows the store at its own pace.
        eventually(lambda: moves_at(other) == [2], "a reader who comes later sees the same")
        game.kill()
        self.assertEqual(web.get("/healthz").status, 200, "what was durable is shown without the game node")
        again = self.serve(*store)
        self.assertEqual(events.next("suspended")["why"], "the server stopped")
        players = self.sit_down(again.csa)
        self.assertIn("id", events.next("continued"))
        players[0].say("%TORYO")
        self.assertEqual(events.next("ended")["outcome"], "white")
        self.assertIn("</article>", web.get("/docs").text, "a web node has the documents, too")
        again.stop()
        web.stop()
        return other

    def test_sqlite(self):
        self.follow().stop()

    def test_postgres(self):
        cluster = new_cluster(self)
        web = self.follow("--store", cluster.url)
        cluster.kill()
        eventually(lambda: web.get("/healthz").status == 503, "503 while the store is away")
        cluster.start()
        eventually(lambda: web.get("/healthz").status == 200, "200 when it is back")
        web.stop()

    def test_a_role_that_only_reads(self):
        cluster = new_cluster(self)
        self.expect(74, "is empty; a game node", "serve", "--role", "web", "--store", cluster.url, "--http",
                    "127.0.0.1:0")
        self.expect(0, "", "migrate", "--store", cluster.url)
        for _ in range(2):  # again does no harm
            cluster.script(WEB_ROLE)
        password = "SELECT rolpassword LIKE 'SCRAM-SHA-256$%' FROM pg_authid WHERE rolname = 'fuhyo_web'"
        self.assertEqual(cluster.sql(password), [[""]], "none was given")
        cluster.script(WEB_ROLE, FUHYO_WEB_DB_PASSWORD="it's \\")
        self.assertEqual(cluster.sql(password), [["t"]])
        reads = ("--store", cluster.url.replace("fuhyo@", "fuhyo_web@"))
        web = self.follow("--store", cluster.url, of_web=reads)
        for path in ("games", f"games?position={START}", "players", "rounds", "buoys", "tournaments", "crosstable",
                     f"openings?sfen={START}"):
            self.assertEqual(web.get(f"/api/v1/{path}").status, 200, path)
        game = self.serve("--store", cluster.url)
        for text, why in REFUSED.items():
            with self.assertRaises(NoPostgres, msg=text) as refusal:
                cluster.sql(text, user="fuhyo_web")
            self.assertIn(why, str(refusal.exception), text)
        cluster.sql("NOTIFY fuhyo, 'nothing is new'", user="fuhyo_web")
        self.sit_down(game.csa)
        eventually(lambda: 0 in moves_at(web), "readers look, and find what is there")

    def test_a_store_that_no_game_node_has_set_up_is_refused(self):
        self.data.mkdir()
        self.expect(74, "fuhyo.db", "serve", "--role", "web", "--data", self.data, "--http", "127.0.0.1:0")
        self.assertFalse((self.data / "fuhyo.db").exists(), "it only reads")
        (self.data / "fuhyo.db").touch()
        self.expect(74, "fuhyo.db: is empty; a game node", "serve", "--role", "web", "--data", self.data, "--http",
                    "127.0.0.1:0")

    def test_a_standby_says_that_it_is_one(self):
        cluster = new_cluster(self)
        game = self.serve("--role", "standby", "--store", cluster.url)
        other = self.folder / "other"
        other.mkdir()
        self.expect(74, "secret.key is not there: it was the key of the store", "serve", "--role", "standby", "--store",
                    cluster.url, "--http", "off", "--data", other)
        (other / "secret.key").write_bytes((self.data / "secret.key").read_bytes())
        spare = self.serve("--role", "standby", "--store", cluster.url, "--csa", "127.0.0.1:0", listeners=("http",),
                           data=other)
        for words in (("admin", "--data", other, "games"), ("tournament", "show", "--data", other)):
            self.expect(1, "this server stands by: give commands to the one that writes postgres://", *words)
        self.expect(0, "", "admin", "--data", self.data, "games")
        game.kill()
        eventually(lambda: self.run_program("admin", "--data", other, "games")[0] == 0, "it takes over")
        spare.stop()
        self.assertEqual(list(other.glob("*.sock")), [])


if __name__ == "__main__":
    run_tests()
