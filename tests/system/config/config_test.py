"""`fuhyo config`: what it says, where, and how it ends."""

import os

from server_case import ServerCase, run_tests

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
        self.assertEqual(self.fuhyo("config", "check", self.file),
                         (NO_INPUT, "", f"cannot read {self.file}: No such file or directory\n"))

    def test_a_variable_that_nobody_reads_is_a_warning(self):
        code, _, error = self.fuhyo("config", "check", FUHYO_MAX_MOVE="3")
        self.assertEqual((code, error.count("warning: FUHYO_MAX_MOVE: ")), (OK, 1), error)

    def test_what_is_printed_is_a_good_file(self):
        self.file.write_text('store = "postgres://fuhyo:s3cret@db/fuhyo"\n', encoding="utf-8")
        words = ("config", "print", "--config", self.file, "--event", "cup")
        self.assertEqual(self.fuhyo(*words, FUHYO_MAX_MOVES="3"), (OK, (
            'event = "cup"  # --event\nmax-moves = 3  # FUHYO_MAX_MOVES\n'
            f'store = "postgres://fuhyo:***@db/fuhyo"  # {self.file}:1: store\n'), ""))
        for printed in ((*words, "--effective"), ("config", "example")):
            code, out, _ = self.fuhyo(*printed)
            self.assertEqual(code, OK)
            self.assertNotIn("s3cret", out)
            self.file.write_text(out.replace("***", "other"), encoding="utf-8")
            self.assertEqual(self.fuhyo("config", "check", self.file)[0], OK)
        self.assertEqual(self.fuhyo("config", "print", "--config", self.file), (OK, "", ""), "an example says nothing")

    def test_a_flag_that_there_is_not(self):
        code, _, error = self.fuhyo("serve", "--max-move", "3")
        self.assertEqual((code, error.splitlines()[-1].endswith("did you mean --max-moves?")), (USAGE, True), error)
        self.assertEqual(self.fuhyo("config")[0], USAGE)


if __name__ == "__main__":
    run_tests()
