"""`fuhyo match` as its users run it: what it prints, writes and exits with, and what a kill leaves behind."""

import json
import resource
import signal
from pathlib import Path

from server_case import ServerCase, run_tests
from waiting import PATIENCE_S, eventually

SOURCE = Path(__file__).resolve().parents[3]
OPENINGS = SOURCE / "engines/match/openings/balanced_12.txt"
BUILT_IN = ["-e", "player=material-1 name=one", "-e", "player=random name=two", "--openings", str(OPENINGS)]
SLOW = ["-e", "player=material-3 name=one", "-e", "player=material-2 name=two", "--openings", str(OPENINGS)]


class Match(ServerCase):
    def expect_match(self, code, said, *words, **options):
        return self.expect(code, said, "match", *words, **options)

    def games(self, name="games.jsonl"):
        lines = self.file(name).read_text(encoding="utf-8").splitlines()
        return [json.loads(line) for line in lines[1:]]

    def test_a_match_is_played_written_and_reported(self):
        files = ["--out", self.file("games.jsonl"), "--pgn", self.file("a.pgn"), "--csa", self.file("a.csa")]
        done = self.expect_match(0, "one against two: +", *BUILT_IN, "-n", 20, "-j", 2, "--every", 5, *files)
        self.assertIn("10/20  ", done)
        self.assertEqual(sorted(game["game"] for game in self.games()), list(range(20)))
        for game in self.games():
            self.assertEqual(game["names"], ["one", "two"] if game["game"] % 2 == 0 else ["two", "one"])
            self.assertEqual(len(game["start"].split()), 14, "12 plies of an opening")
        pgn = self.file("a.pgn").read_text(encoding="utf-8")
        self.assertEqual(pgn.count('[White "one"]'), 10)
        self.assertEqual(self.file("a.csa").read_text(encoding="utf-8").count("\n%"), 20)

        report = self.expect_match(0, "one", "--report", self.file("games.jsonl"), "--pgn", self.file("b.pgn"))
        self.assertIn("two", report)
        self.assertEqual(self.file("b.pgn").read_text(encoding="utf-8"), pgn)
        self.expect(0, "20 games, 2 players", "rate", self.file("a.pgn"))

    def wait_for_games(self, count):
        file = self.file("games.jsonl")
        eventually(lambda: file.exists() and file.read_bytes().count(b"\n") > count, f"{count} games")

    def slow(self, *words):
        return self.start(self.program, "match", *words)

    def test_a_match_goes_on_after_a_kill_and_after_an_interruption(self):
        arguments = [*SLOW, "-n", 12, "--max-moves", 60, "--out", self.file("games.jsonl")]
        for number, code in ((signal.SIGKILL, -signal.SIGKILL), (signal.SIGINT, 130)):
            had = self.file("games.jsonl").read_bytes().count(b"\n") if number == signal.SIGINT else 1
            process = self.slow(*arguments)
            self.wait_for_games(had + 1)
            process.send_signal(number)
            process.wait(PATIENCE_S)
            self.assertEqual(process.returncode, code)
        with open(self.file("games.jsonl"), "ab") as file:
            file.write(b'{"game":11,"eng')  # as a power cut in mid-write leaves it
        self.expect_match(0, "going on after", *arguments)
        self.assertEqual(sorted(game["game"] for game in self.games()), list(range(12)))

    def test_a_full_disk_ends_it_with_every_game_whole(self):
        arguments = [*BUILT_IN, "-n", 40, "-j", 2, "--out", self.file("games.jsonl"), "--pgn", self.file("a.pgn")]
        # What a game takes depends on the digits of its times: half of what the same match has just needed.
        self.expect_match(0, "40 games", *BUILT_IN, "-n", 40, "-j", 2, "--out", self.file("whole.jsonl"))
        limit = self.file("whole.jsonl").stat().st_size // 2
        # SIGXFSZ stays ignored, as Python has it: a write beyond the limit fails.
        self.expect_match(74, "games.jsonl: File too large", *arguments, restore_signals=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
        self.assertGreater(len(self.games()), 2)
        self.expect_match(0, f"going on after {len(self.games())} games", *arguments)
        self.assertEqual(sorted(game["game"] for game in self.games()), list(range(40)))
        self.assertEqual(self.file("a.pgn").read_text(encoding="utf-8").count("[Event "), 40)

    def test_a_test_ends_with_its_verdict(self):
        self.expect_match(0, "H1 accepted", *BUILT_IN, "-n", 1000, "--sprt", "0,50", "--sprt-elo", "logistic")
        turned = [*BUILT_IN[2:4], *BUILT_IN[:2], *BUILT_IN[4:]]
        self.expect_match(3, "H0 accepted", *turned, "-n", 1000, "--sprt", "0,50", "--sprt-elo", "logistic")
        self.expect_match(4, "LLR", *BUILT_IN, "-n", 2, "--sprt", "0,5")

    def test_what_is_wrong_is_said_with_its_exit_code(self):
        engine, players = ["-e", f"'{self.fake}' good name=fake"], BUILT_IN[:4]
        self.file("bad.sfen").write_text("startpos moves 7g7f\nstartpos moves 7g7f 7g7f\n", encoding="utf-8")
        self.file("text").write_text("what is this\n", encoding="utf-8")
        for code, said, *words in (
                (64, "'fast' is no time control", *engine, *engine, "--tc", "fast"),
                (64, "has no time control", *engine, *BUILT_IN),
                (64, "two engines are called", *engine, *engine, "--tc", "nodes=1"),
                (64, "--sprt 5: ELO0,ELO1", *BUILT_IN, "--sprt", "5"),
                (66, "nowhere.sfen", *players, "--openings", self.file("nowhere.sfen")),
                (66, "bad.sfen:2:", *players, "--openings", self.file("bad.sfen")),
                (66, "another match", *BUILT_IN, "--out", self.file("text")),
                (73, "a.pgn", *BUILT_IN, "--pgn", self.file("no/such/a.pgn")),
                (1, "cannot run", "-e", "./no-engine", *BUILT_IN[:2], "--tc", "nodes=1"),
                (1, "no option named 'Hsah'", *engine, *BUILT_IN[:2], "--tc", "nodes=1", "--each", "Hsah=1")):
            with self.subTest(said):
                self.expect_match(code, said, *words)
        self.assertFalse(self.file("a.pgn").exists(), "nothing is begun")

    def test_a_check_needs_one_engine_and_no_clock(self):
        self.expect_match(0, "Fake good\n", "--check", "-e", f"'{self.fake}' good")
        self.expect_match(1, "exit status 3", "--check", "-e", f"'{self.fake}' exit3")
        self.expect_match(64, "--check needs an engine", "--check")

    def test_an_engine_has_as_long_to_start_as_the_flags_say(self):
        words = [*BUILT_IN[:2], "--tc", "nodes=1", "--usiok-timeout", 1, "--readyok-timeout", 2]
        self.expect_match(1, "no usiok within 1000 ms", "-e", f"'{self.fake}' deaf", *words)
        self.expect_match(1, "no readyok within 2000 ms", "-e", f"'{self.fake}' unready", *words)
        self.expect_match(1, "no usiok within 7 ms", "-e", f"'{self.fake}' deaf start=7", *words)

    def test_a_cluster_is_an_engine(self):
        self.file("cluster.toml").write_text(
            "".join(f"[[node]]\nname = '{name}'\ncommand = '{self.fake} {manner}'\n"
                    for name, manner in (("steady", "good"), ("dying", "crash"))), encoding="ascii")
        engine = ["-e", f"'{self.cluster}' name=cluster ClusterFile={self.file('cluster.toml')}"]
        done = self.expect_match(0, "cluster against two", *engine, *BUILT_IN[2:4], "--tc", "nodes=100", "-n", 2,
                                 "--max-moves", 12, "--out", self.file("games.jsonl"))
        self.assertNotIn("FAULTS", done)
        self.assertEqual(len(self.games()), 2)

    def test_faults_are_counted_and_may_end_it(self):
        engine = ["-e", f"'{self.fake}' illegal name=fake", *BUILT_IN[:2], "--tc", "byoyomi=300000", "-n", 4]
        done = self.expect_match(0, "FAULTS: 0 crashes, 0 hangs, 4 illegal moves", *engine)
        self.assertIn("illegal_move 5e5d", done)
        self.expect_match(1, "illegal_move", *engine, "--stop-at-fault")


if __name__ == "__main__":
    run_tests("fake", "cluster")
