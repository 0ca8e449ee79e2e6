"""The programs for another machine, as their users run them, on a machine that is played: wine or qemu-user.

    python3 smoke.py --programs build-windows/bin --native build/bin --run "wine" --suffix .exe

What they print is compared with what the programs of this machine print for the same: the counts of `bench`, which
identify an engine's behaviour, and the moves of a match by nodes.
"""

import argparse
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ENGINES = ("fuhyo-nnue", "fuhyo-mcts")
SOURCE = Path(__file__).resolve().parents[3]
OPENINGS = SOURCE / "engines/match/openings/balanced_12.txt"
PATIENCE_S = 300  # a processor that is played takes thirty times as long
# Of this machine's kind, both calculate in the same instructions; of another kind, the networks' last bits may differ.
GIVEN = None

# What a Windows brings, and what every Linux does.
SYSTEM_LIBRARIES = {
    ".exe": re.compile(r"(?:kernel32|msvcrt|ntdll|user32|advapi32|shell32|ucrtbase|api-ms-win-[a-z0-9-]+)\.dll", re.I),
    "": re.compile(r"(?:libc|libm|libdl|libpthread|ld-linux-aarch64)\.so\.\d"),
}


def foreign(name):
    return [*shlex.split(GIVEN.run), str(Path(GIVEN.programs).resolve() / (name + GIVEN.suffix))]


def native(name):
    return [str(Path(GIVEN.native).resolve() / name)]


def as_the_program_sees(path):
    return f"Z:{path}".replace("/", "\\") if GIVEN.suffix == ".exe" else str(path)


def engine_command(name):
    """As its user there would name it."""
    return as_the_program_sees(foreign(name)[-1]) if GIVEN.suffix else " ".join(foreign(name))


def run(command, said="", code=0):
    done = subprocess.run(command, input=said, capture_output=True, text=True, timeout=PATIENCE_S)
    if done.returncode != code:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def counts(text):
    found = dict(re.findall(r"^(nodes|trace): (\d+)\s*$", text, re.MULTILINE))
    assert found, text[-500:]
    return found


class Engine(unittest.TestCase):
    def test_it_speaks_usi(self):
        end = "\r\n" if GIVEN.suffix else "\n"
        for name in ENGINES:
            with self.subTest(engine=name):
                said = ["usi", "setoption name USI_Hash value 16", "setoption name Threads value 2", "isready",
                        "usinewgame", "position startpos moves 7g7f", "go nodes 20"]
                command = foreign(name)
                with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as child:
                    child.stdin.write(end.join(said) + end)
                    child.stdin.flush()
                    heard = []
                    for line in child.stdout:  # its own patience is the test's: a hang is seen by who runs this
                        heard.append(line.strip())
                        if line.startswith("bestmove"):
                            break
                    child.stdin.write("quit" + end)
                    child.stdin.close()
                    self.assertEqual(child.wait(timeout=PATIENCE_S), 0)
                self.assertIn("usiok", heard)
                self.assertIn("readyok", heard)
                self.assertRegex(heard[-1], r"^bestmove \d[a-i]\d[a-i]")

    def test_bench_says_what_it_says_here(self):
        for name, limit in (("fuhyo-nnue", "5"), ("fuhyo-mcts", "10")):
            with self.subTest(engine=name):
                arguments = ["bench", limit]
                self.assertEqual(counts(run(foreign(name) + arguments)), counts(run(native(name) + arguments)))


class Match(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-cross-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def played(self, program, engine, out, seen):
        """The moves of two games between both engines, by what the ledger says."""
        arguments = ["match", "-n", "2", "--openings", seen(OPENINGS), "--out", seen(out), "--max-moves", "24"]
        for name, nodes in (("fuhyo-nnue", 300), ("fuhyo-mcts", 4)):
            arguments += ["-e", f"cmd='{engine(name)}' name={name} tc=nodes={nodes} USI_Hash=16 Threads=1"]
        text = run(program + arguments)
        self.assertIn("fuhyo-nnue", text)
        lines = out.read_text(encoding="utf-8").splitlines()
        games = [json.loads(line) for line in lines[1:]]
        self.assertEqual(len(games), 2, text)
        for game in games:
            self.assertNotIn(game["ending"], ("crashed", "hung", "illegal_move", "time_up"), game)
        return [(game["names"], game["start"], game["moves"], game["ending"]) for game in games]

    def test_two_engines_play_the_games_that_they_play_here(self):
        there = self.played(foreign("fuhyo"), engine_command, self.folder / "there.jsonl", as_the_program_sees)
        here = self.played(native("fuhyo"), lambda name: native(name)[0], self.folder / "here.jsonl", str)
        self.assertEqual(there, here)

    def test_what_it_cannot_do_it_says(self):
        for words, why in ((["--tc", "depth=1", "-e", "no-such-program", "-e", "player=random"],
                            "cannot run 'no-such-program'"),
                           (["--worker", "postgres://nobody@localhost/nothing"], "without PostgreSQL")):
            wrong = subprocess.run([*foreign("fuhyo"), "match", *words], capture_output=True, text=True,
                                   timeout=PATIENCE_S)
            self.assertNotEqual(wrong.returncode, 0)
            self.assertIn(why, wrong.stdout + wrong.stderr)

    def test_records_in_shift_jis_are_read(self):
        record = self.folder / "game.kif"
        record.write_bytes("手合割：平手\r\n先手：一\r\n後手：二\r\n手数----指手---------消費時間--\r\n"
                           "   1 ７六歩(77)   ( 0:01/00:00:01)\r\n   2 投了\r\n".encode("cp932"))
        out = self.folder / "analysed.kif"
        arguments = ["analyze", "--engine", engine_command("fuhyo-nnue"), "--nodes", "50", "-o",
                     as_the_program_sees(out)]
        done = subprocess.run(foreign("fuhyo") + [*arguments, as_the_program_sees(record)], capture_output=True,
                              text=True, timeout=PATIENCE_S)
        if not GIVEN.suffix and "this system cannot convert" in done.stderr:
            self.skipTest("Debian's C library for ARM comes without its conversions")
        self.assertEqual(done.returncode, 0, done.stderr)
        written = out.read_bytes()
        self.assertTrue(any("７六歩".encode(encoding) in written for encoding in ("utf-8", "cp932")), written)


class Libraries(unittest.TestCase):
    def test_they_need_what_the_system_brings(self):
        system = SYSTEM_LIBRARIES[GIVEN.suffix]
        for name in (*ENGINES, "fuhyo"):
            with self.subTest(program=name):
                text = run([GIVEN.objdump, "-p", foreign(name)[-1]])
                needed = re.findall(r"(?:DLL Name:|NEEDED)\s+(\S+)", text)
                self.assertTrue(needed)
                self.assertEqual([library for library in needed if not system.fullmatch(library)], [])


def main():
    global GIVEN
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", required=True, help="folder of the programs for the other machine")
    parser.add_argument("--native", required=True, help="folder of the programs for this one")
    parser.add_argument("--run", required=True, help="what runs them: a command")
    parser.add_argument("--suffix", default="", help="of their names: .exe")
    parser.add_argument("--objdump", required=True, help="that prints what they need")
    GIVEN, rest = parser.parse_known_args()
    os.environ.setdefault("WINEDEBUG", "-all")
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)


if __name__ == "__main__":
    main()
