#!/usr/bin/env python3
"""A small event by the commands of its host: announced, begun, played by four in three rounds, tabulated, exported and
deleted. Rows T1-T4 of the reliability page kill and starve its server, with clients of all manners."""

import json
import zipfile

from csa_client import begin_games, play, resign
from event_files import event_text
from server_case import ServerCase, run_tests
from waiting import eventually

PLAYERS = ["ann", "bob", "cat", "dan"]
EVENT = event_text(PLAYERS, name="cup", title="Club cup", title_ja="クラブ杯", format="round-robin", time="600-5F",
                   countdown_s=1, gap_s=1, forfeit_s=3600)


class Cup(ServerCase):
    flags = ("--exempt", "127.0.0.1", "--resume-window", "3600")

    def tournament(self, said, *words, code=0):
        return self.expect(code, said, "tournament", *words, "--data", self.data)

    def test_is_held_and_deleted(self):
        self.points = dict.fromkeys(PLAYERS, 0)
        self.file, self.archive = self.folder / "cup.toml", self.folder / "cup.zip"
        self.file.write_text(EVENT, encoding="utf-8")
        server = self.serve()
        self.tournament("announced", "new", self.file)
        self.tournament("", "start", "nowhere", code=1)
        players = {name: self.player(server.csa, f"{name} cup-1-1,trip{name}") for name in PLAYERS}
        self.tournament("", "start", "cup")
        for _ in range(3):
            games = begin_games(players)
            self.tournament("has begun", "new", self.file, code=1)
            for black, white in games:
                play((players[black], players[white]), "+7776FU")
                resign(players[white], players[black])
                self.points[black] += 1
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
