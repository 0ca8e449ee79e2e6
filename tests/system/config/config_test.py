"""`fuhyo config`: what it says, where, and how it ends."""

import os
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from server_case import ServerCase, run_tests  # noqa: E402

OK, USAGE, NO_INPUT = 0, 64, 66


class Config(ServerCase):
    def setUp(self):
        super().setUp()
        self.file = self.folder / "fuhyo.toml"

    def fuhyo(self, *words, **environment):
        clean = {key: value for key, value in os.environ.items() if not key.startswith("FUHYO_")}
        return self.run_program(*words, env={**clean, **environment})

    def test_a_good_file_is_called_so(self):
        self.file.write_text("max-moves = 320\n", encoding="utf-8")
        good = (OK, f"{self.file}: nothing is wrong\n", "")
        self.assertEqual(self.fuhyo("config", "check", self.file), good)
        self.assertEqual(self.fuhyo("config", "check", "--config", self.file), good)
        self.assertEqual(self.fuhyo("config", "check", FUHYO_CONFIG=str(self.file)), good)
        self.assertEqual(self.fuhyo("config", "check"), (OK, "flags and environment: nothing is wrong\n", ""))

    def test_all_errors_at_once_with_their_lines(self):
        self.file.write_text("max_moves = 320\nrole = \"king\"\nexempt = 3\n", encoding="utf-8")
        said = (f"{self.file}:1: max_moves: there is no such setting; did you mean max-moves?\n"
                f"{self.file}:2: role: 'king' is none of: game, web, standby\n"
                f"{self.file}:3: exempt: takes a string or an array of strings\n")
        self.assertEqual(self.fuhyo("config", "check", self.file), (USAGE, "", said))
        self.assertEqual(self.fuhyo("config", "print", "--config", self.file), (USAGE, "", said))
        self.assertEqual(self.fuhyo("serve", "--config", self.file), (USAGE, "", "fuhyo serve: " + said))

    def test_a_file_that_is_not_there(self):
        code, out, error = self.fuhyo("config", "check", self.file)
        self.assertEqual((code, out, error), (NO_INPUT, "", f"cannot read {self.file}: No such file or directory\n"))

    def test_a_variable_that_nobody_reads_is_a_warning(self):
        code, _, error = self.fuhyo("config", "check", FUHYO_MAX_MOVE="3", FUHYO_JOBS_OF_CI="2")
        self.assertEqual((code, error),
                         (OK, "warning: FUHYO_MAX_MOVE: no setting is called so; did you mean FUHYO_MAX_MOVES?\n"))

    def test_print_says_who_said_it_and_no_secret(self):
        self.file.write_text('trip = "md5"\nstore = "postgres://fuhyo:s3cret@db/fuhyo"\n', encoding="utf-8")
        words = ("config", "print", "--config", self.file, "--event", "cup")
        code, out, error = self.fuhyo(*words, FUHYO_MAX_MOVES="3")
        self.assertEqual((code, error), (OK, ""))
        self.assertEqual(out.splitlines(), [
            'event = "cup"  # --event', "max-moves = 3  # FUHYO_MAX_MOVES", f'trip = "md5"  # {self.file}:1: trip',
            f'store = "postgres://fuhyo:***@db/fuhyo"  # {self.file}:2: store'])
        code, out, _ = self.fuhyo(*words, "--effective", FUHYO_MAX_MOVES="3")
        self.assertEqual(code, OK)
        self.assertIn('log-format = "auto"  # default\n', out)
        self.assertNotIn("s3cret", out)
        self.file.write_text(out.replace("***", "other"), encoding="utf-8")
        self.assertEqual(self.fuhyo("config", "check", self.file)[0], OK)

    def test_the_example_is_a_good_file_that_says_nothing(self):
        code, out, _ = self.fuhyo("config", "example")
        self.assertEqual(code, OK)
        self.file.write_text(out, encoding="utf-8")
        self.assertEqual(self.fuhyo("config", "print", "--config", self.file), (OK, "", ""))

    def test_a_flag_that_there_is_not(self):
        code, _, error = self.fuhyo("serve", "--max-move", "3")
        self.assertEqual(code, USAGE)
        self.assertTrue(error.endswith("did you mean --max-moves?\n"), error)
        self.assertEqual(self.fuhyo("config")[0], USAGE)


if __name__ == "__main__":
    run_tests()
