#!/usr/bin/env python3
"""Shows that tests/tidy.py catches a violation of each of its rules, and nothing in a clean tree."""

import tempfile
import unittest
from pathlib import Path

import tidy

CLEAN = "// What this is.\n#pragma once\n\nint one();\n"


def function_of(lines, head="int f(int x) {"):
    return "\n".join([head, *["  x();"] * (lines - 2), "}"]) + "\n"


class Tidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def found(self, path, text):
        """The findings when this file holds this text (or these bytes)."""
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return tidy.Tidy(self.root).run()

    def assert_found(self, path, text, words):
        findings = self.found(path, text)
        self.assertEqual(len(findings), 1, findings)
        self.assertIn(words, findings[0])
        (self.root / path).unlink()

    def test_clean_file(self):
        self.assertEqual(self.found("engines/shogi/x.h", CLEAN), [])

    def test_lines(self):
        self.assert_found("x.h", CLEAN + "\tint a;\n", "a tab")
        self.assert_found("x.h", CLEAN + "int a; \n", "space at the end")
        self.assert_found("x.h", CLEAN + "int a;", "has no end")
        self.assert_found("x.h", CLEAN + "int a;\r\n", "carriage return")
        self.assertEqual(self.found("x.h", CLEAN + "x" * tidy.MAX_LINE + "\n"), [])
        self.assert_found("x.h", CLEAN + "x" * (tidy.MAX_LINE + 1) + "\n", "121 characters")
        self.assertEqual(self.found("x.h", CLEAN + "浮" * tidy.MAX_LINE + "\n"), [])

    def test_words(self):
        self.assert_found("x.h", CLEAN + "// TO" "DO: later\n", "issue of the tracker")
        self.assert_found("x.h", CLEAN + "// FIX" "ME\n", "issue of the tracker")
        self.assert_found("x.h", CLEAN + "<<<" "<<<< HEAD\n", "unfinished merge")
        self.assert_found("x.h", CLEAN + '"/wo' 'rk/main"\n', "path of one machine")
        self.assert_found("notes.md", "see `/ho" "me/alice/x`\n", "path of one machine")

    def test_web(self):
        self.assert_found("web/a.ts", "e.inner" "HTML = name;\n", "lets text become markup")
        self.assertEqual(self.found("web/a.ts", "e.textContent = name;\n"), [])

    def test_opening(self):
        self.assert_found("x.h", "#pragma once\nint a;\n", "does not open with")
        self.assert_found("x.h", "// What this is.\nint a;\n", "#pragma once")
        self.assert_found("x.cpp", '#include "x.h"\n', "does not open with")
        self.found("x.h", CLEAN)
        (self.root / "x.cpp").write_text('#include "x.h"\n')
        self.assertEqual(tidy.Tidy(self.root).run(), [])  # the header beside it says what it is

    def test_links(self):
        self.found("docs/there.md", "# A (long) name\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n")
        good = ("there.md", "there.md#a-long-name", "there.md#twice-1", "#here", "https://example.org/x", "../docs/")
        self.assertEqual(self.found("docs/x.md", "## Here\n" + " ".join(f"[a]({to})" for to in good) + "\n"), [])
        for to in ("gone.md", "there.md#no-heading", "#twice"):
            with self.subTest(to=to):
                self.assert_found("docs/y.md", f"## Here\n\n[a]({to})\n", f"{to} leads nowhere")
        self.assertEqual(self.found("docs/y.md", "```\n[a](gone.md)\n```\n"), [])

    def test_functions(self):
        opening = "// What this is.\n"
        self.assertEqual(self.found("a.cpp", opening + function_of(tidy.MAX_FUNCTION)), [])
        self.assert_found("a.cpp", opening + function_of(tidy.MAX_FUNCTION + 1), "a.cpp:2: f has 71 lines")
        self.assert_found("a.cpp", opening + "namespace a {\nclass B : C {\n" + function_of(80) + "};\n}\n", "f has 80")
        self.assert_found("a.cpp", opening + function_of(80, "B::B(int x) : y_(x) {"), "B::B has 80")
        self.assert_found("a.cpp", opening + function_of(80, "TEST_F(Suite, Case) {"), "Suite.Case has 80")

    def test_what_is_no_function(self):
        opening = "// What this is.\n"
        self.assertEqual(self.found("a.cpp", opening + function_of(80, "constexpr int kTable[] = {")), [])
        self.assertEqual(self.found("a.cpp", opening + function_of(80, "class A {")), [])
        self.assertEqual(self.found("a.cpp", opening + function_of(80, "namespace a::b {")), [])
        braces = 'auto a = "{"; // {\n/* { */ char b = \'{\';\nauto c = R"x({)x";\n'
        self.assertEqual(self.found("a.cpp", opening + braces + function_of(10) * 8), [])

    def test_types(self):
        opening = "// What this is.\n#pragma once\n"
        self.assertEqual(self.found("a.h", opening + "namespace a {\nstruct S { int x; };\nenum class E : char { x };\n"
                                    "template <class T>\nclass V {\n};\n}\n"), [])
        others = ("namespace b {\nstruct S { int x; };\n}\n", "namespace a {\nstruct S;\nclass V* v();\n}\n",
                  "namespace a {\nnamespace {\nstruct S { int x; };\n}\n}\n",
                  "namespace a {\nstruct T { struct S { int x; }; };\n}\n", "int f() {\n  struct S { int x; };\n}\n",
                  "namespace a {\ntemplate <>\nclass V<int> {\n};\n}\n")
        for other in others:
            self.assertEqual(self.found("b.h", opening + other), [], other)
        for other in ("struct S { int y; };", "class S final : B { int y; };", "enum class E { y };",
                      "template <class U>\nclass V {\n};", "struct alignas(64) S {\n};"):
            self.assert_found("b.h", opening + "namespace a {\n" + other + "\n}\n", "is also defined by a.h:")

    def test_ratchet(self):
        self.found("a.cpp", "// What this is.\n" + function_of(80))
        self.assertEqual(self.found(tidy.LONG_FUNCTIONS, "# why\na.cpp f 80 a generated table\n"), [])
        findings = self.found("a.cpp", "// What this is.\n" + function_of(79))
        self.assertIn("delete or lower its entry", findings[0])
        findings = self.found("a.cpp", "// What this is.\n" + function_of(81))
        self.assertIn("f has 81 lines; 80 are allowed", findings[0])

    def test_encoding_and_size(self):
        self.assert_found("x.md", b"\xff\xfe\n", "not UTF-8")
        self.assert_found("data.bin", b"x" * (tidy.MAX_FILE + 1), "larger than")
        self.assertEqual(self.found("data.csa", b"\x82\xa0\n"), [])  # records come in other encodings

    def test_built_and_foreign_folders_are_left_alone(self):
        for folder in ("build", "build-asan", ".cache", "web/node_modules", "web/generated"):
            self.assertEqual(self.found(f"{folder}/x.h", "\t\n"), [])


if __name__ == "__main__":
    unittest.main()
