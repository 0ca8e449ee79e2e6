#!/usr/bin/env python3
"""A small event on the real server: four players in both modes, three rounds, a player who logs out after each game and
one who just closes, a server that is killed in the middle of a round. Tables and records afterwards; then the event is
deleted."""

import json
import sys
import zipfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import begin_games, play  # noqa: E402
from event_files import event_text  # noqa: E402
from server_case import ServerCase, run_tests  # noqa: E402
from waiting import eventually  # noqa: E402

PLAYERS = ["ann", "bob", "cat", "dan"]
EVENT = event_text(PLAYERS, name="cup", title="Club cup", title_ja="クラブ杯", format="round-robin", time="600-5F",
                   countdown_s=1, gap_s=1, forfeit_s=3600)
X1 = {"bob", "dan"}


def win(players, black, white, begun=False):
    if not begun:
        play((players[black], players[white]), "+7776FU")
    players[white].say("%TORYO")
    players[black].until("#WIN")
    players[white].until("#LOSE")


class Cup(ServerCase):
    flags = ("--exempt", "127.0.0.1", "--resume-window", "3600")

    def tournament(self, said, *words, code=0):
        return self.expect(code, said, "tournament", *words, "--data", self.data)

    def come(self, server, name):
        if name in X1:
            player = self.player(server.csa, f"{name} trip{name} x1")
            player.say("%%GAME cup-1-1 *")
        else:
            player = self.player(server.csa, f"{name} cup-1-1,trip{name}")
        player.until("LOGIN:")
        return player

    def test_is_held_over_a_kill_and_deleted(self):
        self.points = dict.fromkeys(PLAYERS, 0)
        self.file, self.archive = self.folder / "cup.toml", self.folder / "cup.zip"
        self.file.write_text(EVENT, encoding="utf-8")
        server = self.serve()
        self.tournament("announced", "new", self.file)
        self.tournament("", "start", "nowhere", code=1)
        under_way = self.play_until_mid_round(server)
        server.kill()
        server = self.serve()
        self.tournament("has begun", "new", self.file, code=1)
        self.play_to_the_end(server, under_way)
        self.tournament("cup is over", "show", "cup")
        shown = self.tournament("", "table", "cup")
        eventually(self.is_exported_whole, "an export with the end of every game")  # records follow the journal
        self.tournament("--yes", "delete", "cup", code=64)  # a script has to mean it
        self.tournament("", "delete", "cup", "a", "trial", "--yes")
        self.tournament("there is no event", "show", "cup", code=1)
        server.kill()
        self.serve()
        self.tournament("there is no event", "show", "cup", code=1)
        self.tournament("announced", "new", self.file)  # its name is free
        self.check_archive(shown)

    def win(self, players, black, white, begun=False):
        win(players, black, white, begun)
        self.points[black] += 1

    def play_until_mid_round(self, server):
        """The game that has one move when the server is killed."""
        players = {name: self.come(server, name) for name in PLAYERS}
        self.tournament("", "start", "cup")
        for black, white in begin_games(players):
            self.win(players, black, white)
        # As clients do that play one game a connection, each in its way.
        players["ann"].say("LOGOUT")
        players["ann"].until("LOGOUT:completed")
        players["dan"].close()
        for name in ("ann", "dan"):
            players[name] = self.come(server, name)
        first, second = begin_games(players)
        self.win(players, *first)
        play([players[name] for name in second], "+7776FU")
        return second

    def play_to_the_end(self, server, under_way):
        players = {name: self.come(server, name) for name in PLAYERS}
        for name in under_way:  # the game goes on with its move
            summary = players[name].lines_until("END Game_Summary")
            self.assertTrue(any(line.startswith("+7776FU") for line in summary), summary)
            players[name].say("AGREE")
        for name in under_way:
            players[name].until("START:")
        self.win(players, *under_way, begun=True)
        for black, white in begin_games(players):
            self.win(players, black, white)
        for player in players.values():
            player.close()

    def is_exported_whole(self):
        self.archive.unlink(missing_ok=True)
        self.tournament("", "export", "cup", "--output", self.archive)
        with zipfile.ZipFile(self.archive) as files:
            records = [files.read(name) for name in files.namelist() if name.startswith("records/")]
        return len(records) == 6 and all(b"%TORYO" in record for record in records)

    def check_archive(self, shown):
        with zipfile.ZipFile(self.archive) as files:
            records = [files.read(name).decode() for name in files.namelist() if name.startswith("records/")]
            table = json.loads(files.read("tables.json"))
            self.assertEqual(files.read("tables.txt").decode().strip(), shown.strip())
            self.assertIn("クラブ杯", files.read("tables.ja.html").decode())
        self.assertEqual(len(records), 6)
        for record in records:
            self.assertTrue("%TORYO" in record and "+7776FU" in record, "each game once, and to its end")
        self.assertEqual((table["final"], table["rounds"]), (True, 3))
        self.assertEqual({row["player"]: float(row["points"]) for row in table["rows"]}, self.points)


if __name__ == "__main__":
    run_tests()
