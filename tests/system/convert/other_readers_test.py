"""What `fuhyo convert` writes, read by the readers of ShogiHome (tsshogi) and Kifu for JS (json-kifu-format).

    python3 other_readers_test.py FUHYO RECORDS

FUHYO_RECORD_READERS names a folder in which `npm install tsshogi json-kifu-format` was run; without it, or without
node, the test is skipped. RECORDS: a folder of real records, which may be missing."""

import json
import os
import shutil
import subprocess
from pathlib import Path

from server_case import ServerCase, run_tests

SCRIPT = Path(__file__).with_name("other_readers.cjs")
READERS = {"tsshogi": ("kifu", "ki2u", "csa", "csa3", "jkf"), "json-kifu-format": ("kifu", "ki2u", "csa", "jkf")}

# How they call the ends of CSA; None: a file without an end.
ENDS = {
    "TORYO": ("resign", "TORYO"), "CHUDAN": ("interrupt", "CHUDAN"), "SENNICHITE": ("repetitionDraw", "SENNICHITE"),
    "TIME_UP": ("timeout", "TIME_UP"), "JISHOGI": ("impass", "JISHOGI"), "KACHI": ("enteringOfKing", "KACHI"),
    "TSUMI": ("mate", "TSUMI"), "FUZUMI": ("noMate", "FUZUMI"), "HIKIWAKE": (None, None), "MATTA": (None, None),
    "ERROR": (None, None), "MAX_MOVES": (None, None), "+ILLEGAL_ACTION": (None, None), "-ILLEGAL_ACTION": (None, None),
    "ILLEGAL_MOVE": (None, None),
}


# Records that one of them does not take, whoever writes them: illegal moves, a handicap that tsshogi does not know, a
# main line that just stops where a variation goes on, an end of CSA that is none.
OTHERS_DO_NOT_TAKE = ("variation_with_dou", "ki2/7mai", "complex_variation", "variation_mochigoma",
                      "test_various_pieces", "doh_branch", "csa-to-ki2-utf8_1")


class OtherReaders(ServerCase):
    def setUp(self):
        super().setUp()
        place = os.environ.get("FUHYO_RECORD_READERS")
        if not place or not shutil.which("node"):
            self.skipTest("FUHYO_RECORD_READERS names no folder with tsshogi and json-kifu-format, or there is no node")
        self.modules = Path(place) / "node_modules"

    def convert(self, source, to):
        """Into a folder of its own; what cannot be written is not there."""
        out = self.folder / to
        subprocess.run([self.program, "convert", "-q", str(source), str(out), "--to", to], capture_output=True)
        return {path.relative_to(out).with_suffix("").as_posix(): path for path in out.rglob("*." + to)}

    def read(self, jobs):
        done = subprocess.run(["node", str(SCRIPT)], input="".join(f"{reader} {path}\n" for reader, path in jobs),
                              text=True, capture_output=True, env={**os.environ, "NODE_PATH": str(self.modules)})
        self.assertEqual(done.returncode, 0, done.stderr)
        return [json.loads(line) for line in done.stdout.splitlines()]

    def read_all(self, source):
        """(reader, format, name, what it read, the line of USI, the branches) of every file that fuhyo writes."""
        lines = {name: path.read_text().split() for name, path in self.convert(source, "usi").items()}
        files = {to: self.convert(source, to) for to in READERS["tsshogi"]}
        forks = {name: path.read_text(encoding="utf-8").count('"forks":[[') for name, path in files["jkf"].items()}
        jobs = [(reader, to, name) for reader, formats in READERS.items() for to in formats for name in files[to]]
        found = self.read([(reader, files[to][name]) for reader, to, name in jobs])
        self.assertEqual(len(found), len(jobs))
        for (reader, to, name), answer in zip(jobs, found):
            words = lines.get(name, [])
            yield reader, to, name, answer, words[words.index("moves") + 1:] if "moves" in words else [], forks[name]

    def test_every_end(self):
        for end in ENDS:
            (self.folder / "in").mkdir(exist_ok=True)
            text = f"V2.2\nPI\n+\n+7776FU\nT1\n-3334FU\nT1\n%{end}\n'on the end\n'*too\n"
            (self.folder / "in" / f"{end}.csa").write_text(text)
        words = ("不戦勝", "封じ手", "引き分け", "最大手数")
        for word in words:
            (self.folder / "in" / f"{word}.kifu").write_text(f"手合割：平手\n1 ７六歩(77)\n2 ３四歩(33)\n3 {word}\n*on it\n",
                                                            encoding="utf-8")
        count = 0
        for reader, to, name, answer, moves, _ in self.read_all(self.folder / "in"):
            with self.subTest(reader=reader, format=to, end=name):
                self.assertEqual(answer.get("moves"), moves, answer)
                expected = ENDS.get(name, (None, None))[reader != "tsshogi"]
                # Of a declaration Kifu for JS knows no word, and KI2 has no line that both take.
                kept = expected and not (name == "KACHI" and (to == "ki2u" or (to == "kifu" and reader != "tsshogi")))
                if kept:
                    self.assertEqual(answer["end"], expected)
            count += 1
        self.assertEqual(count, 9 * (len(ENDS) + len(words)))

    def test_variations(self):
        (self.folder / "in").mkdir()
        (self.folder / "in" / "tree.kifu").write_text(
            "手合割：平手\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 ２六歩(27)\n   4 投了\n\n変化：4手\n   4 ８四歩(83)\n\n"
            "変化：3手\n*c\n   3 ６六歩(67)\n   4 ８四歩(83)\n   5 ６八銀(79)\n   6 入玉勝ち\n\n変化：5手\n   5 ７八銀(79)\n\n"
            "変化：3手\n   3 ７五歩(76)\n\n変化：1手\n   1 ５六歩(57)\n", encoding="utf-8")
        for reader, to, _, answer, moves, _ in self.read_all(self.folder / "in"):
            with self.subTest(reader=reader, format=to):
                self.assertEqual(answer.get("moves"), moves, answer)
                self.assertEqual(answer["branches"], 0 if to.startswith("csa") else 5)

    def test_real_records(self):
        if not Path(self.records).is_dir():
            self.skipTest("no real records")
        wrong = []
        count = 0
        for reader, to, name, answer, moves, forks in self.read_all(Path(self.records)):
            count += 1
            if answer.get("moves") != moves and not name.endswith(OTHERS_DO_NOT_TAKE):
                wrong.append((reader, to, name, answer.get("error") or f"{len(answer['moves'])} of {len(moves)} moves"))
        for each in wrong:
            print(*each)
        self.assertGreater(count, 1000)
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    run_tests("records")
