"""The engines of docs/first-engine: they know the rules, see a network as fuhyo-nnue does, answer as USI wants it, and
play games without a fault.

    first_engine_test.py FUHYO FUHYO_NNUE FIRST_ENGINE        without numpy: exit code 77
"""

import re
import shlex
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    print("numpy is not there (Debian: python3-numpy): nothing was tested")
    sys.exit(77)

from waiting import PATIENCE_S

SOURCE = Path(__file__).resolve().parents[3]
FOLDER = SOURCE / "docs/first-engine"
OPENINGS = SOURCE / "engines/match/openings/balanced_12.txt"
NETWORK = SOURCE / "engines/nnue/nets/kp256.nn.bin"
FUHYO, NNUE, IN_CPP = (str(Path(word).resolve()) for word in sys.argv[1:4])
IN_PYTHON = [sys.executable, "-B", str(FOLDER / "first_engine.py")]
# Of each: its command, its file, less than so many lines, so many positions are counted in about a second.
ENGINES = {"cpp": ([IN_CPP], "first_engine.cpp", 400, 3_000_000), "python": (IN_PYTHON, "first_engine.py", 250, 20_000)}
# Positions, depths and numbers of moves, which the rules of fuhyo are tested with.
PERFT = re.findall(r"""\{"([\w-]+)",\s*"([^"]+)",\s*\{([\d', ]+)\}\}""",
                   (SOURCE / "tests/unit/shogi/perft_test.cpp").read_text(encoding="utf-8"))
# A dropped pawn that would mate, or not quite; pins; two checks at once; rows where pieces stick.
FEW_MOVES = [
    "7nk/9/8G/9/9/9/9/9/K8 b P 1", "6r1k/9/8G/9/9/9/9/9/K8 b P 1", "7gk/9/8G/9/9/9/9/9/K8 b P 1",
    "R6gk/9/8G/9/9/9/9/9/K8 b P 1", "4k4/9/9/9/4r4/9/3n5/9/4K4 b RB 1", "4k4/9/9/4r4/b7b/9/2P1G1S2/9/4K4 b N 1",
    "4k4/P1L6/9/N8/4N4/9/9/9/4K4 b PLN 1", "4k4/9/9/9/4n4/n8/9/p1l6/4K4 w pln 1"]
HANDICAP = "sfen lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"
HALF_KP = (
    "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform[32<-32]"
    "(ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))")


def talk(engine, *lines, until=None):
    """What it says to these lines, and then to quit: at once, or when it has said a line that begins so."""
    with subprocess.Popen(engine, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        watch = threading.Timer(PATIENCE_S, process.kill)
        watch.start()
        said = ""
        try:
            process.stdin.write("\n".join((*lines, "")))
            process.stdin.flush()
            while until and not said.rpartition("\n")[2].startswith(until):
                line = process.stdout.readline()
                assert line, (engine, lines, said)
                said += "\n" + line.rstrip("\n")
            said += "\n" + process.communicate("quit\n")[0]
        finally:
            watch.cancel()
    assert process.returncode == 0, (engine, lines, said)
    return said


def values(engine, network, scale, positions):
    """Of each position, as `eval` says them."""
    asked = (line for position in positions for line in (f"position {position}", "eval"))
    said = talk(engine, f"setoption name EvalFile value {network}", f"setoption name FV_SCALE value {scale}", "isready",
                *asked)
    return [int(value) for value in re.findall(r"^eval = (-?\d+)$", said, re.MULTILINE)]


def random_half_kp(path):
    """Weights as large as those of a trained network; the hashes, which nobody has to believe, are 0."""
    random = np.random.default_rng(7)

    def layer(outputs, inputs, bias, weight):
        return (random.integers(-bias, bias, outputs, "<i4").tobytes() +
                random.integers(-weight, weight, (outputs, inputs), "i1").tobytes())

    path.write_bytes(b"".join((
        np.array([0x7AF32F16, 0, len(HALF_KP)], "<u4").tobytes(), HALF_KP.encode(), bytes(4),
        random.integers(-40, 80, 256, "<i2").tobytes(), random.integers(-25, 26, (125388, 256), "<i2").tobytes(),
        bytes(4),
        layer(32, 512, 2000, 20), layer(32, 32, 2000, 60), layer(1, 32, 2000, 120))))


class FirstEngine(unittest.TestCase):
    def test_they_are_as_short_as_the_page_says(self):
        for _, file, limit, _ in ENGINES.values():
            self.assertLess(len((FOLDER / file).read_text(encoding="utf-8").splitlines()), limit)

    def test_they_know_the_rules(self):
        self.assertGreater(len(PERFT), 8)
        few = [line for sfen in FEW_MOVES for line in (f"position sfen {sfen}", "perft 2")]
        right_of_few = [int(number) for number in re.findall(r"^nodes: (\d+)$", talk([NNUE], *few), re.MULTILINE)]
        self.assertEqual(len(right_of_few), len(FEW_MOVES))
        for engine, _, _, most in ENGINES.values():
            asked, right = [], []
            for _, sfen, numbers in PERFT:
                for depth, number in enumerate(numbers.replace("'", "").split(", "), 1):
                    if int(number) <= most:
                        asked += [f"position sfen {sfen}", f"perft {depth}"]
                        right.append(int(number))
            said = [int(number) for number in re.findall(r"^(\d+) moves$", talk(engine, *asked, *few), re.MULTILINE)]
            self.assertEqual(said, right + right_of_few)

    def test_they_see_in_networks_what_fuhyo_nnue_sees(self):
        lines = [line for line in OPENINGS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        positions = [*lines[:40], *(f"sfen {sfen}" for name, sfen, _ in PERFT if name != "corner-drops"), HANDICAP]
        half_kp = Path(self.enterContext(tempfile.TemporaryDirectory())) / "nn.bin"
        random_half_kp(half_kp)
        for network in (NETWORK, half_kp):
            for scale in (16, 24):
                right = values([NNUE], network, scale, positions)
                self.assertEqual(len(right), len(positions))
                self.assertGreater(len(set(right)), 30)
                self.assertLess(min(right), 0, "rounding shows")
                for engine, *_ in ENGINES.values():
                    self.assertEqual(values(engine, network, scale, positions), right)

    def test_without_a_network_pieces_count(self):
        bishop, horse, rook = 855, 945, 990
        with tempfile.NamedTemporaryFile(suffix=".nn.bin") as broken:
            broken.write(NETWORK.read_bytes()[:-1])
            broken.flush()
            for engine, *_ in ENGINES.values():
                for network in ("nothing.bin", broken.name):
                    said = values(engine, network, 16, ["startpos", HANDICAP, "startpos moves 7g7f 3c3d 8h2b+"])
                    self.assertEqual(said, [0, -bishop - rook, -bishop - horse])

    def test_they_see_the_same_in_a_search(self):
        asked = (f"setoption name EvalFile value {NETWORK}", "isready", "position startpos moves 7g7f 3c3d 8h2b+ 3a2b",
                 "go depth 2")
        scores = [re.findall(r"depth (\d) score cp (-?\d+)", talk(engine, *asked, until="bestmove"))
                  for engine, *_ in ENGINES.values()]
        self.assertEqual(scores[0], scores[1])
        self.assertEqual([depth for depth, _ in scores[0]], ["1", "2"])

    def test_they_search_so_many_nodes(self):
        asked = ("isready", "position startpos moves 7g7f 3c3d 2g2f 2b8h+", "go nodes 2000")
        for engine, *_ in ENGINES.values():
            said = talk(engine, *asked, until="bestmove")
            self.assertRegex(said, r"info depth 1 .*\n(.*\n)*bestmove 7i8h")

    def test_they_answer_as_usi_wants_it(self):
        mate = "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G 1"
        for engine, *_ in ENGINES.values():
            self.assertRegex(talk(engine, "usi"), r"(?s)id name .*\nusiok\n")
            for lines, answer in (
                    ((mate, "go btime 0 wtime 0 byoyomi 100000"), "score mate 1 "),
                    ((mate, "go btime 0 wtime 0 byoyomi 100000"), "bestmove G*5b\n"),
                    ((mate, "go infinite", "stop", "", "isready"), "bestmove "),
                    ((mate, "go ponder btime 1000 wtime 1000", "ponderhit"), "bestmove "),
                    (("position sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "go movetime 1000"), "bestmove resign\n"),
                    (("position startpos", "go btime 0 wtime 0"), "bestmove ")):
                said = talk(engine, *lines, until="bestmove")
                self.assertEqual(said.count("bestmove"), 1, said)
                self.assertIn(answer, said)

    def test_they_know_that_a_repetition_is_a_draw(self):
        """White has lost a rook and a bishop, and can have a position for the second time."""
        game = "position " + HANDICAP.replace(" w ", " b ") + " moves 6i6h 4a4b 6h6i 4b4a 6i6h"
        for engine, *_ in ENGINES.values():
            said = talk(engine, game, "go depth 1", until="bestmove")
            self.assertIn("score cp 0 ", said)
            self.assertIn("bestmove 4a4b", said)

    def test_the_one_in_cpp_knows_that_perpetual_check_loses(self):
        """Black would have a draw against two golds and two silvers, if he might go on checking."""
        game = "position sfen 8k/9/9/9/9/9/9/9/K6R1 b 2g2s 1 moves 2i1i 1a2a 1i2i 2a1a"
        self.assertNotIn("bestmove 2i1i", talk([IN_CPP], game, "go depth 1", until="bestmove"))
        self.assertIn("bestmove 2i1i", talk(IN_PYTHON, game, "go depth 1", until="bestmove"), "he might")

    def test_they_play_games_without_a_fault(self):
        words = []
        for name, (engine, *_) in ENGINES.items():
            words += ["-e", f"name={name} {shlex.join([*engine, f'EvalFile={NETWORK}'])}"]
        # The clock of a busy machine is no matter of this test: only an engine that never answers would lose on time.
        done = subprocess.run([FUHYO, "match", *words, "-e", "player=material-1 name=material", "--openings", OPENINGS,
                               "--rounds", "1", "--tc", "byoyomi=100", "--max-moves", "80", "--margin", "1000000",
                               "--stop-at-fault"], capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("6 games: ", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
