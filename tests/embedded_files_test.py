#!/usr/bin/env python3
"""Shows that a changed file comes into the program although a compiler cache keeps what was made of the former one.

embedded_files_test.py REPOSITORY BUILD-FOLDER
"""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

REPOSITORY, BUILD = (Path(path).resolve() for path in sys.argv[1:])
COMMANDS = json.loads((BUILD / "compile_commands.json").read_text())


class EmbeddedFiles(unittest.TestCase):
    def test_pages_that_changed_are_not_taken_from_the_cache(self):
        compiler = next(word for word in shlex.split(COMMANDS[0]["command"]) if "clang" in word)
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            (root / "pages").mkdir()
            # As ./dev sets it, with a cache of its own.
            cache = dict(re.findall(r"(CCACHE_(?:DEPEND|SLOPPINESS))=(\S+)", (REPOSITORY / "dev").read_text()))
            self.assertEqual(cache["CCACHE_DEPEND"], "1")
            environment = {**os.environ, **cache, "CCACHE_DIR": str(root / "cache"),
                           "CCACHE_LOGFILE": str(root / "log")}
            embed = [sys.executable, REPOSITORY / "cmake/embed_files.py", root / "pages", root / "pages.cpp"]
            compile_them = ["ccache", compiler, "-std=c++20", f"-I{REPOSITORY}", "-MD", "-MF", root / "pages.d",
                            "-c", root / "pages.cpp", "-o", root / "pages.o"]
            for text in ("former", "latter", "former"):
                (root / "pages" / "index.html").write_text(text)
                subprocess.run(embed, check=True)
                subprocess.run(compile_them, env=environment, check=True)
                self.assertEqual(re.findall(rb"former|latter", (root / "pages.o").read_bytes()), [text.encode()])
            self.assertIn("Result: direct_cache_hit", (root / "log").read_text(), "the cache was not in use")

    def test_the_compiler_is_told_what_is_in_the_files_of_the_engines(self):
        sources = [path.relative_to(REPOSITORY) for path in (REPOSITORY / "engines").rglob("*.cpp")
                   if "FUHYO_EMBED(" in path.read_text()]
        self.assertEqual(len(sources), 3, sources)
        for source in sources:
            command = next(entry["command"] for entry in COMMANDS if entry["file"].endswith(str(source)))
            words = shlex.split(command)
            files = re.findall(r"FUHYO_EMBED\(\w+, (\w+)\)", (REPOSITORY / source).read_text())
            self.assertTrue(files)
            for macro in files:
                file = next(word for word in words if word.startswith(f"-D{macro}=")).partition("=")[2].strip('"')
                digest = hashlib.sha256(Path(file).read_bytes()).hexdigest()
                self.assertIn(f"-D{macro}_SHA256={digest}", words)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
