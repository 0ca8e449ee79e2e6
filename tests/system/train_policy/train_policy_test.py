"""The trainer in Python beside the programs: it sees the same positions, legal moves, losses and networks.

    python3 train_policy_test.py FUHYO_MCTS FUHYO_LEARN        without numpy: exit code 77; without PyTorch no training
"""

import json
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
except ModuleNotFoundError:
    print("numpy is not there (Debian: python3-numpy): nothing was tested")
    sys.exit(77)

sys.path.append(str(Path(__file__).resolve().parents[1]))
from waiting import PATIENCE_S  # noqa: E402

POLICY = Path(__file__).resolve().parents[3] / "engines/learn/policy"
sys.path.insert(0, str(POLICY / "python"))

import network  # noqa: E402
import onnx_file  # noqa: E402
import positions  # noqa: E402
import samples as sample_files  # noqa: E402
import validation  # noqa: E402

MCTS = LEARN = ""
SMALL = network.Shape(channels=16, blocks=1, value_planes=2, value_hidden=8)
SMALL_FLAGS = ["--channels", "16", "--blocks", "1", "--value-planes", "2", "--value-hidden", "8"]
# What games seldom have: pawns that would mate or not, two checks at once, pins, ranks where pieces stick.
POSITIONS = [
    "7nk/9/8G/9/9/9/9/9/K8 b P 1",              # P*1b would mate
    "7rk/9/8G/9/9/9/9/9/K8 b P 1",              # ... here too: no piece takes it but the king, which may not
    "6r1k/9/8G/9/9/9/9/9/K8 b P 1",             # the king goes away
    "7gk/9/8G/9/9/9/9/9/K8 b P 1",              # the gold takes it
    "R6gk/9/8G/9/9/9/9/9/K8 b P 1",             # ... but not while it is pinned
    "4k4/9/9/9/4r4/9/3n5/9/4K4 b RB 1",         # a rook and a knight give check
    "4k4/9/9/4r4/b7b/9/2P1G1S2/9/4K4 b N 1",    # pinned along three lines
    "4k4/P1L6/9/N8/4N4/9/9/9/4K4 b PLN 1",      # ranks where pieces would stick
    "4k4/9/9/9/4n4/n8/9/p1l6/4K4 w pln 1",
    "4k4/4r4/9/9/9/9/9/9/4K4 b G 1",            # between, or aside
    "4k4/9/9/9/9/9/9/4+r4/4K4 b G 1",
    "9/9/9/9/4+B4/9/9/9/4k4 w 2r 1",
]


def run(*words, code=0, **options):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE_S, **options)
    if done.returncode != code:
        raise AssertionError(f"{words}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def script(*words, code=0):
    return run(sys.executable, "-B", POLICY / "train_policy.py", *words, code=code)


def sfen_of(board, hands, white):
    if white:
        board, hands = positions.swapped(board[::-1, ::-1]), hands[::-1]

    def letter(piece):
        kind = (piece - 1) % positions.THEIRS + 1
        promoted = "+" if kind > positions.KING else ""
        name = "PLNSBRGK"[(kind - positions.PROMOTED if promoted else kind) - 1]
        return promoted + (name.lower() if piece > positions.THEIRS else name)
    rows = ["".join(letter(piece) if piece else "1" for piece in board[::-1, rank]) for rank in range(9)]
    held = "".join(f"{hands[side, kind]}{letter(kind + positions.THEIRS * side)}" for side in (0, 1)
                   for kind, _ in positions.HAND if hands[side, kind])
    return f"{'/'.join(rows)} {'w' if white else 'b'} {held or '-'} 1"


def random_network(seed=1):
    lots = np.random.default_rng(seed)
    return {name: lots.normal(0, (np.prod(size[1:]) or 1) ** -0.5, size).astype(np.float32)
            for name, size in SMALL.tensors().items()}


class WithSamples(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-train-policy-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        run(LEARN, "generate", cls.folder / "games", "-n", 24, "--nodes", 20, "-j", 1)
        run(LEARN, "samples", "--games", cls.folder / "games/self-play.games", "-o", cls.folder, "--held-back", 4)
        cls.train, cls.test = cls.folder / "train.samples", cls.folder / "test.samples"

    def setUp(self):
        self.own = Path(tempfile.mkdtemp(dir=self.folder))

    def isready(self, file):
        return run(MCTS, input=f"usi\nsetoption name DNN_Model value {file}\nisready\nquit\n")


class WithoutTorch(WithSamples):
    def test_files_of_samples_are_read_and_written_to_the_byte(self):
        found, made_by, _ = sample_files.read_samples(self.train)
        self.assertGreater(len(found), 300)
        sample_files.write_samples(self.own / "copy.samples", made_by, found)
        self.assertEqual((self.own / "copy.samples").read_bytes(), self.train.read_bytes())
        self.assertEqual(sample_files.crc32c(b"123456789"), 0xe3069283)  # the check value of the catalogues

    def test_bad_files_are_told(self):
        good = self.train.read_bytes()
        bad = self.own / "bad.samples"
        for data, said in ((b"", "no file of samples"), (good[:12], "ends within its head"),
                           (good[:-1], "bytes for them"), (good[:8] + b"\2" + good[9:], "its version is 2"),
                           (good[:200] + bytes([good[200] ^ 1]) + good[201:], "it is damaged")):
            bad.write_bytes(data)
            with self.subTest(said), self.assertRaisesRegex(sample_files.BadFile, said):
                sample_files.read_samples(bad)
        found = sample_files.read_samples(self.train)[0].copy()
        for field, value, said in (("move", 0, "is not legal"), ("move", 0xffff, "is not legal"),
                                   ("position", 0xff, "king stands beside the board")):
            wrong = found[:4].copy()
            wrong[field][2] = value
            with self.subTest(said), self.assertRaisesRegex(positions.BadPosition, f"position 2: .*{said}"):
                sample_files.examples(wrong, 0.7)
        self.assertIn("train.samples: it does not begin", script("validate", self.train, "--test", self.test, code=1))
        self.assertIn("required", script("validate", code=64))

    def test_knows_the_legal_moves(self):
        found = sample_files.read_samples(self.train)[0][:400]
        boards = [positions.unpack(found["position"]), *[positions.from_sfen(sfen) for sfen in POSITIONS]]
        board, hands, white = (np.concatenate(parts) for parts in zip(*boards))
        legal = positions.legal_labels(board, hands).reshape(len(board), -1)
        sfens = [sfen_of(*each) for each in zip(board, hands, white)]
        said = run(MCTS, input="".join(f"position sfen {sfen}\nperft 1\n" for sfen in sfens) + "quit\n")
        theirs = [set(re.findall(r"^(\S+): 1$", part, re.M)) for part in re.split(r"^nodes: \d+$", said, flags=re.M)]
        self.assertEqual(len(theirs), len(sfens) + 1)
        for i, sfen in enumerate(sfens):
            mine = {positions.usi_of(label, board[i], white[i]) for label in np.nonzero(legal[i])[0]}
            self.assertEqual(mine, theirs[i], sfen)
        self.assertGreater(positions.Views(board).in_check().sum(), 10)

    def interrupt(self, _):
        raise KeyboardInterrupt

    def test_several_processes_make_the_same_examples(self):
        from examples import PART, Examples
        found = sample_files.read_samples(self.train)[0]
        found = np.tile(found, 3 * PART // len(found) + 1)
        alone, together = (Examples(found, 0.7, self.own, workers) for workers in (0, 3))
        self.assertEqual(alone.data.tobytes(), together.data.tobytes())
        self.assertEqual(list(self.own.iterdir()), [])
        for workers in 0, 3:
            with self.assertRaises(KeyboardInterrupt):
                Examples(found, 0.7, self.own, workers, self.interrupt)
            wrong = found.copy()
            wrong["move"][PART + 7] = 0
            with self.assertRaisesRegex(ValueError, f"sample {PART + 7}: .* is not legal"):
                Examples(wrong, 0.7, self.own, workers)

    def test_fits_scores_far_from_results(self):
        found = validation.logistic_loss(np.array([3000.0, -3000.0]), np.array([0.75, 0.25]))
        self.assertAlmostEqual(found, 0.562335, places=6)

    def test_finds_what_the_trainer_in_cpp_finds(self):
        run(LEARN, "policy", self.train, "--test", self.test, "-o", self.own, *SMALL_FLAGS, "--batch", 64,
            "--epochs", 2, "--warm-up", 5)
        lines = (self.own / "log.jsonl").read_text(encoding="utf-8").splitlines()
        theirs = [line for line in map(json.loads, lines) if line["kind"] == "validation"][-1]
        mine = json.loads(script("validate", self.own / "policy.nn", "--test", self.test))
        self.assertEqual(mine["positions"], theirs["positions"])
        self.assertGreater(mine["values"], 50)
        for key in "accuracy", "loss", "value_loss", "result_loss", "score_loss":
            # The log is of weights in 32 bits, the file has 16.
            self.assertAlmostEqual(mine[key], theirs[key], delta=0.02 if key == "accuracy" else 2e-3, msg=key)
        script("page", self.own)
        self.assertIn("<polyline", (self.own / "index.html").read_text(encoding="utf-8"))

    def test_figures_of_a_validation_are_numbers_of_python(self):
        from examples import Examples
        found = sample_files.read_samples(self.test)[0]

        def evaluate(planes, scalars):
            return tuple(part.astype(np.float32) for part in network.forward(SMALL, random_network(), planes, scalars))
        figures = validation.validate(evaluate, found, Examples(found, 0.7), 600)
        self.assertEqual(figures["positions"], min(600, len(found)))
        # numpy's 32-bit floats, which sums of them are from numpy 2 on, are nothing that JSON can hold.
        self.assertEqual({name for name, value in figures.items() if type(value) not in (int, float, list)}, set())

    def test_the_engine_thinks_what_the_definition_says(self):
        tensors, own, onnx = random_network(), self.own / "own.nn", self.own / "other.onnx"
        network.leave(own, SMALL, tensors, "by chance")
        self.assertEqual(network.read_container(own)[0], SMALL)
        script("export", own, "-o", onnx)
        self.assertEqual(onnx.read_bytes(), onnx_file.to_onnx(SMALL, network.rounded(tensors)))
        self.assertIn("readyok", self.isready(own))
        found = sample_files.read_samples(self.test)[0][:3]
        sfens = [sfen_of(*each) for each in zip(*positions.unpack(found["position"]))]
        for i, sfen in enumerate([*POSITIONS[5:8], *sfens]):
            move, value = network.opinion(SMALL, network.rounded(tensors), *positions.from_sfen(sfen))
            for file in own, onnx:
                for off, wanted in (0, "readyok"), (0.01, "where"):
                    ini = (f"SelfTest_Position={sfen}\nSelfTest_Move={move}\nSelfTest_Value={value + off:.6f}\n"
                           "SelfTest_Tolerance=0.001\n")
                    Path(f"{file}.ini").write_text(ini, encoding="ascii")
                    self.assertIn(wanted, self.isready(file), f"{sfen} {file}")
                if i > 1:
                    break

    def test_an_export_on_a_full_disk_leaves_what_was_there(self):
        own, onnx = self.own / "full.nn", self.own / "full.onnx"
        network.leave(own, SMALL, random_network(), "by chance")
        onnx.write_bytes(b"of before")

        def narrow():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

        # SIGXFSZ stays ignored, as Python has it: a write beyond the limit fails.
        said = run(sys.executable, "-B", POLICY / "train_policy.py", "export", own, "-o", onnx, code=1,
                   preexec_fn=narrow, restore_signals=False)
        self.assertIn("File too large", said)
        self.assertEqual(onnx.read_bytes(), b"of before")
        self.assertFalse(Path(f"{onnx}.new").exists())

    def test_weights_that_no_file_can_hold_are_told(self):
        for value in float("nan"), 70000.0:
            tensors = random_network()
            tensors["value.bias"][0] = value
            with self.assertRaisesRegex(network.BadNetwork, "value.bias holds what 16 bits cannot"):
                network.write_container(self.own / "policy.nn", SMALL, tensors, "")
        self.assertFalse((self.own / "policy.nn").exists())


class WithTorch(WithSamples):
    @classmethod
    def setUpClass(cls):
        try:
            import torch  # noqa: F401
        except ModuleNotFoundError:
            raise unittest.SkipTest("PyTorch is not there (Debian: python3-torch)") from None
        super().setUpClass()

    def words(self, folder, *more):
        return ["train", self.train, "--test", self.test, "-o", folder, *SMALL_FLAGS, "--batch", "50", "--epochs", "2",
                "--warm-up", "5", "--workers", "0", "--validations", "2", "--device", "cpu", *more]

    def test_mirrors_what_is_played_and_legal_alike(self):
        import torch

        import trainer
        from examples import Examples
        found = sample_files.read_samples(self.train)[0][:64]
        terms = {"batch": 64, "epochs": 1, "seed": 1}
        batches = trainer.Batches(Examples(found, 0.7), terms, torch.device("cpu"))
        for mirror in np.zeros(64, bool), np.ones(64, bool), np.arange(64) % 3 == 0:
            shown = [part.numpy() for part in batches.shown(np.arange(64), mirror)]
            planes, scalars, legal, label, value = shown
            board, hands, _ = positions.unpack(found["position"])
            board[mirror] = board[mirror, ::-1]
            views = positions.Views(board)
            self.assertTrue((planes == positions.inputs(board, hands, views)[0]).all())
            self.assertTrue((scalars == positions.inputs(board, hands, views)[1]).all())
            self.assertTrue((legal == positions.legal_labels(board, hands, views).reshape(64, -1)).all())
            self.assertTrue(legal[np.arange(64), label].all())
            theirs = sample_files.examples(found, 0.7)
            self.assertTrue((label == theirs[3])[~mirror].all())
            np.testing.assert_array_equal(value, theirs[4])

    def test_a_training_that_was_stopped_comes_to_the_same_network(self):
        whole, parts = self.own / "whole", self.own / "parts"
        script(*self.words(whole))
        for _ in range(2):
            stopped = subprocess.Popen([sys.executable, "-B", str(POLICY / "train_policy.py"),
                                        *map(str, self.words(parts))], stdout=subprocess.PIPE, text=True)
            stopped.stdout.readline()
            stopped.stdout.readline()
            stopped.send_signal(signal.SIGTERM)
            stopped.communicate(timeout=PATIENCE_S)
        said = script(*self.words(parts))
        self.assertIn("going on after", said)
        self.assertEqual((parts / "policy.nn").read_bytes(), (whole / "policy.nn").read_bytes())
        for name in "policy.nn.ini", "policy.onnx", "index.html", "log.jsonl":
            self.assertGreater((parts / name).stat().st_size, 100)
        self.assertIn("readyok", self.isready(parts / "policy.nn"))
        self.assertIn("its rate is 0.002, not 0.5", script(*self.words(parts, "--rate", "0.5"), code=1))

    def test_what_is_left_is_what_was_validated(self):
        script(*self.words(self.own))
        log = [json.loads(line) for line in (self.own / "log.jsonl").read_text(encoding="utf-8").splitlines()]
        theirs = min((line for line in log if line["kind"] == "validation"),
                     key=lambda line: line["loss"] + line["value_loss"])
        mine = json.loads(script("validate", self.own / "policy.nn", "--test", self.test))
        self.assertAlmostEqual(mine["loss"], theirs["loss"], delta=2e-3)
        self.assertAlmostEqual(mine["value_loss"], theirs["value_loss"], delta=2e-3)

    def test_ends_when_nothing_gets_better(self):
        said = script(*self.words(self.own, "--patience", "1", "--rate", "1", "--last-rate", "1", "--epochs", "50"))
        steps = int(re.search(r"policy.nn: (\d+) steps", said).group(1))
        self.assertLess(steps, len(sample_files.read_samples(self.train)[0]) // 50 * 50)


if __name__ == "__main__":
    LEARN, MCTS = sys.argv.pop(), sys.argv.pop()
    unittest.main()
