"""`fuhyo analyze` as its users run it: what it writes into records, what it says of bad ones and of bad engines."""

import json

from server_case import ServerCase, run_tests

RECORD = "V2.2\nN+one\nPI\n+\n'* kept\n+7776FU\n'** 999 -8384FU\n-3334FU\n+8822UM\n%TORYO\n"
MATED = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1 moves G*5b\n"


class Analyze(ServerCase):
    def setUp(self):
        super().setUp()
        self.file("a.csa").write_text(RECORD, encoding="utf-8")

    def expect_analysis(self, code, said, *words, engine=None):
        return self.expect(code, said, "analyze", *words, "--engine", engine or f"'{self.nnue}'", cwd=self.folder)

    def analyse(self, *arguments):
        small = ["--option", "USI_Hash=16", "--option", "Threads=1", "--option", "USI_OwnBook=false"]
        return self.expect_analysis(0, "depth", *arguments, *small, "--nodes", 2000)

    def test_comments_and_json_say_the_same(self):
        self.analyse("a.csa", "--multipv", 2, "-o", "b.csa", "-o", "b.kifu", "-o", "b.json")
        found = json.loads(self.file("b.json").read_text(encoding="utf-8"))
        self.assertEqual(found["limits"], "nodes=2000")
        self.assertEqual(found["moves"], ["7g7f", "3c3d", "8h2b+"])
        self.assertEqual([each["ply"] for each in found["positions"]], [0, 1, 2, 3])
        lines = self.file("b.csa").read_text(encoding="utf-8").splitlines()
        self.assertIn("'* kept", lines)
        self.assertNotIn("'** 999 -8384FU", lines, "an older analysis is replaced")
        heads = [line for line in lines if line.startswith("'** ")]
        self.assertEqual(len(heads), 4)
        kif = self.file("b.kifu").read_text(encoding="utf-8")
        for each, head in zip(found["positions"], heads):
            self.assertEqual(len(each["lines"]), 2)
            self.assertNotEqual(each["lines"][0]["pv"].split()[0], each["lines"][1]["pv"].split()[0])
            self.assertEqual(head.split()[1], str(each["lines"][0]["black"]))
            self.assertEqual(each["best"], each["lines"][0]["pv"].split()[0])
            self.assertEqual(len(head.split()) - 2, len(each["lines"][0]["pv"].split()))
            self.assertIn(head[1:], kif)
            second = next(line for line in lines[lines.index(head) + 1:] if line.startswith("'*2: "))
            self.assertEqual(second.split()[1], str(each["lines"][1]["black"]))
        # Where they stand: before the first move, and behind each.
        self.assertLess(lines.index(heads[0]), lines.index("+7776FU"))
        self.assertLess(lines.index("+7776FU"), lines.index(heads[1]))
        self.assertLess(lines.index(heads[1]), lines.index("-3334FU"))

    def test_a_part_of_a_game(self):
        self.analyse("a.csa", "--from", 1, "--to", 2, "-o", "b.json")
        found = json.loads(self.file("b.json").read_text(encoding="utf-8"))
        self.assertEqual([each["ply"] for each in found["positions"]], [1, 2])

    def test_mates_and_ends(self):
        self.file("m.usi").write_text(MATED, encoding="utf-8")
        self.analyse("m.usi", "-o", "m.json", "-o", "m.csa")
        found = json.loads(self.file("m.json").read_text(encoding="utf-8"))["positions"]
        self.assertTrue(found[0]["lines"][0]["score"].startswith("mate +1"), found)
        self.assertEqual(found[0]["lines"][0]["black"], 100_000)
        self.assertEqual(found[1]["lines"], [])
        self.assertIn("'** 100000 +0052KI", self.file("m.csa").read_text(encoding="utf-8"))

    def test_any_engine(self):
        done = self.expect_analysis(0, "depth", "a.csa", "--time", 50, engine=f"'{self.fake}' nan")
        self.assertNotIn("inf", done)
        for mode, why in (("exit3", "exit status 3"), ("crash", "signal 6")):
            self.expect_analysis(1, why, "a.csa", "--nodes", 10, engine=f"'{self.fake}' {mode}")
        self.expect_analysis(1, "position after 3 moves: no answer", "a.csa", "--nodes", 10, "--hang", 1,
                             engine=f"'{self.fake}' hang")
        self.expect_analysis(1, "option Strength: a number from 1 to 9 expected, not '10'", "--option",
                             "Strength=10", "a.csa", "--nodes", 10, engine=f"'{self.fake}' choosy")
        self.expect_analysis(1, "no option named 'MultiPV'", "a.csa", "--nodes", 10, "--multipv", 2,
                             engine=f"'{self.fake}' choosy")
        self.expect_analysis(1, "no-such-engine", "a.csa", "--nodes", 10, engine="./no-such-engine")

    def test_an_illegal_move_ends_what_is_looked_at(self):
        self.file("i.csa").write_text("PI\n+\n+2726FU\n-3334FU\n+8833UM\n%TORYO\n", encoding="utf-8")
        done = self.analyse("i.csa", "-o", "i.json")
        self.assertIn("move 3, 8h3c+, is illegal", done)
        found = json.loads(self.file("i.json").read_text(encoding="utf-8"))
        self.assertEqual([each["ply"] for each in found["positions"]], [0, 1, 2])

    def test_variations_stay(self):
        kif = ("手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n変化：2手\n   2 ８四歩(83)\n*branch\n"
               "   3 ２六歩(27)\n\n変化：1手\n   1 ５六歩(57)\n")
        self.file("v.kif").write_bytes(kif.encode("cp932"))
        done = self.analyse("v.kif", "-o", "w.kif", "-o", "w.jkf", "-o", "w.csa", "-o", "w.json")
        self.assertIn("変化：2手\n   2 ８四歩(83)\n*branch\n   3 ２六歩(27)\n\n変化：1手\n   1 ５六歩(57)\n",
                      self.file("w.kif").read_bytes().decode("cp932"))
        moves = json.loads(self.file("w.jkf").read_text(encoding="utf-8"))["moves"]
        self.assertEqual([len(each.get("forks", [])) for each in moves], [0, 1, 1, 0])
        self.assertEqual(moves[2]["forks"][0][0]["comments"], ["branch"])
        self.assertIn("w.csa: 2 variations are left out: the format has none", done)
        self.assertIn("w.json: 2 variations are left out", done)
        self.assertNotIn("w.kif: ", done)

    def test_one_output_that_cannot_be_written_takes_no_other_with_it(self):
        self.file("i.csa").write_text("PI\n+\n+7776FU\n-3334FU\n+2725FU\n%ILLEGAL_MOVE\n", encoding="utf-8")
        self.expect_analysis(73, "i.ki2: move 3, +2725FU, cannot be told in words", "i.csa", "--nodes", 10,
                             "-o", "i.ki2", "-o", "no/i.kif", "-o", "j.csa", "-o", "i.json")
        self.assertIn("+2725FU", self.file("j.csa").read_text(encoding="utf-8"))
        self.assertEqual(len(json.loads(self.file("i.json").read_text(encoding="utf-8"))["moves"]), 3)
        self.assertFalse(self.file("i.ki2").exists())

    def test_what_is_wrong_is_said(self):
        self.expect_analysis(64, "one of --nodes, --time and --depth is needed", "a.csa")
        self.expect_analysis(64, "one of --nodes, --time and --depth is needed", "a.csa", "--nodes", 1, "--time", 1)
        self.expect_analysis(64, "NAME=VALUE", "a.csa", "--nodes", 1, "--option", "x")
        self.expect_analysis(64, "which format?", "a.csa", "--nodes", 1, "-o", "b.txt")
        self.expect_analysis(64, "is the record itself", "a.csa", "--nodes", 1, "-o", "a.csa", "--force")
        self.file("b.csa").write_text("mine", encoding="utf-8")
        self.expect_analysis(64, "is there already", "a.csa", "--nodes", 1, "-o", "b.csa")
        self.expect_analysis(66, "none.csa: cannot be read", "none.csa", "--nodes", 1)
        self.file("x.csa").write_text("PI\n+\n+7775\n", encoding="utf-8")
        self.expect_analysis(66, "x.csa: line 3", "x.csa", "--nodes", 1)


if __name__ == "__main__":
    run_tests("fake", "nnue")
