"""Man pages and completions of a program: each command and flag of its help has its place, and what reads them does."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from server_case import ServerCase, new_folder, run_tests
from waiting import PATIENCE_S

HAND_WRITTEN = Path(__file__).resolve().parents[3] / "docs/man"
SECTION = re.compile(r"^(Subcommands|Commands):$", re.MULTILINE)


def run(*words, code=0):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=PATIENCE_S,
                          stdin=subprocess.DEVNULL)
    assert done.returncode == code, (words, done.returncode, done.stdout + done.stderr)
    return done.stdout


def commands_of(help_text):
    match = SECTION.search(help_text)
    return re.findall(r"^  ([a-z][\w-]*)", help_text[match.end():], re.MULTILINE) if match else []


def flags_of(help_text):
    return re.findall(r"^  (?:-\w,|\S+ )?(--[a-z][\w-]*)", help_text, re.MULTILINE)


class Manual(ServerCase):
    @classmethod
    def setUpClass(cls):
        cls.pages = new_folder(cls)
        cls.name = Path(cls.program).name
        run(cls.program, "manual", cls.pages)
        cls.help = {}
        cls.read_help(())

    @classmethod
    def read_help(cls, words):
        if words and words[-1] == "admin":
            text = ""  # reads its words itself
        else:
            text = run(cls.program, *words, "--help")
        cls.help[words] = text
        for command in commands_of(text):
            cls.read_help((*words, command))

    def page(self, words):
        name = "-".join([self.name, *words[:1]])
        return (self.pages / f"{name}.1").read_text(encoding="utf-8").replace("\\-", "-")

    def test_every_command_and_flag_has_its_place(self):
        self.assertGreater(len(self.help), 10)
        scripts = {shell: run(self.program, "completion", shell) for shell in ("bash", "zsh", "fish")}
        for words, text in self.help.items():
            place = " ".join([self.name, *words])
            self.assertIn(place if words else self.name, self.page(words), place)
            for shell in ("bash", "zsh"):
                self.assertIn(f"'{place}'", scripts[shell])
            for flag in flags_of(text):
                self.assertIn(f"\\fB{flag}\\fR", self.page(words), place)
                for shell in ("bash", "zsh"):
                    self.assertRegex(scripts[shell], re.escape(flag) + r"[ ':]", place)
                self.assertRegex(scripts["fish"], rf'"{place}"\'.* -l {flag[2:]} ', place)

    def test_readers_of_man_pages_find_nothing_wrong(self):
        readers = [words for words in (["man", "--warnings", "-l"], ["mandoc", "-Tlint", "-Wwarning"])
                   if shutil.which(words[0])]
        if not readers:
            self.skipTest("there is neither man nor mandoc")
        for page in [*sorted(self.pages.glob("*.1")), *sorted(HAND_WRITTEN.glob("*.1"))]:
            for words in readers:
                done = subprocess.run([*words, page], capture_output=True, text=True, timeout=PATIENCE_S)
                wrong = done.stderr + (done.stdout if words[0] == "mandoc" else "")
                self.assertEqual((done.returncode, wrong), (0, ""), page.name)

    def test_shells_read_their_scripts(self):
        read = 0
        for shell in ("bash", "zsh", "fish"):
            if shutil.which(shell):
                script = self.pages / f"completion.{shell}"
                script.write_text(run(self.program, "completion", shell), encoding="utf-8")
                run(shell, "-n", script)
                read += 1
        if read == 0:
            self.skipTest("there is no shell")

    def offered(self, *words):
        script = (f"eval \"$('{self.program}' completion bash)\"; COMP_WORDS=({' '.join(map(repr, words))}); "
                  f"COMP_CWORD={len(words) - 1}; _{self.name.replace('-', '_')}; printf '%s\\n' \"${{COMPREPLY[@]}}\"")
        return run("bash", "-c", script).split()

    @unittest.skipUnless(shutil.which("bash"), "there is no bash")
    def test_bash_completes(self):
        self.assertEqual(self.offered(self.name, "compl"), ["completion"])
        self.assertEqual(self.offered(self.name, "completion", ""), ["bash", "zsh", "fish", "-h", "--help"])
        if self.name == "fuhyo":
            self.assertEqual(self.offered("fuhyo", "serve", "--max-m"), ["--max-moves"])
            roles = self.offered("fuhyo", "serve", "--max-moves", "3", "--role", "")
            self.assertEqual(roles, ["game", "web", "standby"])
            self.assertEqual(self.offered("fuhyo", "config", "c"), ["check"])
            self.assertEqual(self.offered(self.program, "admin", "paus"), ["pause"])

    def test_a_shell_that_there_is_not(self):
        run(self.program, "completion", "tcsh", code=1)
        run(self.program, "manual", "/dev/null/pages", code=73)


if __name__ == "__main__":
    run_tests()
