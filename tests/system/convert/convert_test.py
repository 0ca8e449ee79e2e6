"""`fuhyo convert` as its users run it: any record into any format, many at once, out of folders and archives."""

import gzip
import io
import lzma
import subprocess
import zipfile

from server_case import ServerCase, run_tests

CSA = "V2.2\nN+one\nN-two\n$EVENT:cup\nPI\n+\n+7776FU\nT3\n-3334FU\nT4\n%TORYO\nT1\n"
KIF = ("手合割：平手\n先手：甲\n後手：乙\n手数----指手---------消費時間--\n   1 ７六歩(77)\n   2 ３四歩(33)\n   3 投了\n\n"
       "変化：2手\n   2 ８四歩(83)\n")


class Convert(ServerCase):
    def setUp(self):
        super().setUp()
        self.write("a.csa", CSA.encode())
        self.write("b.kif", KIF.encode("cp932"))

    def write(self, name, data):
        self.file(name).parent.mkdir(parents=True, exist_ok=True)
        self.file(name).write_bytes(data)

    def text(self, name, encoding="utf-8"):
        return self.file(name).read_bytes().decode(encoding)

    def convert(self, code, said, *words):
        return self.expect(code, said, "convert", *words, cwd=self.folder)

    def test_folders_archives_and_compressed_files(self):
        self.write("in/x/a.csa.gz", gzip.compress(CSA.encode()))
        self.write("in/b.kif.xz", lzma.compress(KIF.encode("cp932")))
        self.write("in/notes.txt", b"no record")
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w") as archive:
            archive.writestr("deep/z.csa", CSA)
            archive.writestr("../../out.csa", CSA)
            archive.writestr("readme.txt", "no record")
        self.write("in/more.zip", packed.getvalue())
        self.convert(0, "4 records written, 0 not", "in", "out", "--to", "kifu")
        found = sorted(path.relative_to(self.file("out")).as_posix() for path in self.file("out").rglob("*.*"))
        self.assertEqual(found, ["b.kifu", "deep/z.kifu", "out.kifu", "x/a.kifu"])
        self.assertIn("先手：甲\n", self.text("out/b.kifu"))

    def test_standard_input_and_output(self):
        def run(data, *words):
            return subprocess.run([self.program, "convert", *words], input=data, capture_output=True, cwd=self.folder)

        done = run(KIF.encode(), "-", "-", "--to", "usi")
        self.assertEqual((done.returncode, done.stdout), (0, b"position startpos moves 7g7f 3c3d\n"), done.stderr)
        self.assertIn(b"standard input: 1 variation is left out", done.stderr)
        done = run(KIF.encode(), "-", "-", "--to", "usi", "--quiet")
        self.assertEqual(done.stderr, b"")
        self.assertEqual(run(b"7g7f resign\n", "-", "-", "--to", "csa", "-q").stdout.splitlines()[-1], b"%TORYO")

    def test_many_games_in_a_file(self):
        self.write("many.csa", (CSA + "/\n" + CSA.replace("one", "three")).encode())
        self.convert(0, "", "many.csa", "out", "--to", "kif")
        self.assertIn("先手：three\n", self.text("out/many-2.kif", "cp932"))
        self.convert(0, "3 records written, 0 not", "many.csa", "b.kif", "all.csa")
        self.assertEqual(self.text("all.csa").count("\n/\n"), 2)
        self.convert(0, "3 records written", "all.csa", "lines.usi")
        self.assertEqual(self.text("lines.usi").count("startpos moves 7g7f 3c3d\n"), 3)
        self.convert(1, "many.csa (game 2): the format holds one game", "many.csa", "one.kif")

    def test_one_bad_file_stops_no_other(self):
        self.write("in/a.csa", CSA.encode())
        self.write("in/bad.csa", b"PI\n+\n+7775\n")
        self.write("in/z.kif", KIF.encode("cp932"))
        said = self.convert(1, "2 records written, 2 not", "in", "none.csa", "out", "--to", "kif")
        self.assertIn("in/bad.csa: line 3: not a move", said)
        self.assertIn("none.csa: there is no such file", said)
        self.assertTrue(self.file("out/a.kif").exists() and self.file("out/z.kif").exists())

    def test_nothing_is_replaced_unasked(self):
        self.write("mine.kif", b"mine")
        self.convert(64, "mine.kif: is there already (--force replaces it)", "a.csa", "mine.kif")
        self.convert(1, "out/a.kif is another record's already", "a.csa", "./a.csa", "out", "--to", "kif")
        self.convert(1, "out/a.kif is there already (--force replaces it)", "a.csa", "out", "--to", "kif")
        self.convert(0, "", "a.csa", "out", "--to", "kif", "--force")
        self.convert(64, "a.csa: is the record itself", "a.csa", "a.csa", "--force")
        self.convert(1, "a.csa is the record itself", "a.csa", ".", "--to", "csa", "--force")
        self.assertEqual(self.text("a.csa"), CSA)
        self.assertEqual(self.text("mine.kif"), "mine")

    def test_what_is_wrong_is_said(self):
        self.convert(64, "IN and OUT are needed", "a.csa")
        self.convert(64, "which format? --to NAME", "a.csa", "-")
        self.convert(64, "which format? --to NAME", "a.csa", "out")
        self.convert(64, "--to", "a.csa", "out", "--to", "pdf")
        self.write("empty.zip", b"PK\x05\x06" + bytes(18))
        self.convert(1, "empty.zip: no record in it", "empty.zip", "out", "--to", "csa")


if __name__ == "__main__":
    run_tests()
