#!/usr/bin/env python3
"""The house rules that a machine can hold, over every text file of the project.

    python3 tests/tidy.py [ROOT]       prints one line a finding; exit code 1 if there is any

A function that is longer than the limit stands with its length in tests/tidy_long_functions.txt: it may become shorter,
never longer, and its entry goes when it is short enough. tests/tidy_test.py plants a violation of every rule.
"""

import re
import sys
from pathlib import Path

MAX_LINE = 120       # characters
MAX_FUNCTION = 70    # lines, from the line that opens the body to the line that closes it
MAX_FILE = 1 << 20   # bytes; what is larger is data, and is made or fetched instead

LONG_FUNCTIONS = "tests/tidy_long_functions.txt"
SKIPPED_FOLDERS = {"node_modules", "dist", "generated", "__pycache__"}
CODE = {".h", ".cpp", ".cu", ".py", ".sh", ".cmake", ".ts", ".js", ".svelte", ".html", ".css", ".sql", ".toml",
        ".yml", ""}
TEXT = CODE | {".md", ".txt", ".json"}
WEB = {".ts", ".js", ".svelte", ".html", ".h", ".cpp"}

# Spelled so that this file does not break its own rules.
UNDONE = re.compile(r"\b(?:FIX" r"ME|TO" r"DO|XX" r"X|HA" r"CK)\b")
CONFLICT = re.compile(r"^(?:<{7}|>{7}) ", re.MULTILINE)
PRIVATE_PATH = re.compile(r"(?<![\w.$}/-])/(?:wo" r"rk|ro" r"ot|ho" r"me/\w+)/")
DYNAMIC_HTML = re.compile(
    r"\b(?:inner" r"HTML|outer" r"HTML|insertAdjacent" r"HTML|document\.wri" r"te)\b|\{@ht" r"ml\b"
)

FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)#\s]*)(?:#([^)\s]*))?\)")
HEADING = re.compile(r"^#{1,6} (.*)$", re.MULTILINE)

NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|R\"([^(\s]*)\(.*?\)\1\"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL
)
SCOPE = re.compile(r"(?:^|[\s;}])(?:namespace|class|struct|union|enum|extern)\b[^()=]*$")
TYPE = re.compile(r"(?:^|[\s;}])(namespace|class|struct|union|enum)\b(?:\s+(?:class|struct))?(?:\s*\[\[[^]]*\]\])*"
                  r"\s*([\w:]*)")
BESIDE = re.compile(r"template\s*<[^{]*>\s*(?=class|struct|union)|alignas\s*\([^)]*\)")  # no part of a type's name


def anchors(document):
    """Of its headings, as GitHub makes them; of two alike the second has "-1"."""
    found, seen = set(), {}
    for heading in HEADING.findall(FENCED.sub("", document)):
        text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", text.strip().lower()).replace(" ", "-")
        found.add(f"{name}-{seen[name]}" if name in seen else name)
        seen[name] = seen.get(name, 0) + 1
    return found


def blank(match):
    """Code of the same shape without the comment or literal."""
    return re.sub(r"[^\n]", " ", match.group())


def code_of(source):
    """A C++ source without comments, literals and directives, in the same shape."""
    return re.sub(r"^[ \t]*#(?:[^\n\\]|\\.)*", blank, NOISE.sub(blank, source), flags=re.MULTILINE | re.DOTALL)


def types(source):
    """(name with its namespaces, line) of every type that a C++ source defines for other sources to meet: at the level
    of a namespace, which has a name. A specialisation is none."""
    source = code_of(source)
    stack, head_from = [], 0
    for match in re.finditer(r"[{};]", source):
        at = match.start()
        if match.group() == "{":
            head = BESIDE.sub("", source[head_from:at].strip())
            declared = TYPE.search(head) if SCOPE.search(head) else None
            if declared and declared.group(1) == "namespace":
                stack.append(declared.group(2) or None)
            else:
                if declared and declared.group(2) and all(stack) and not head[declared.end():].startswith("<"):
                    yield "::".join([*stack, declared.group(2)]), source.count("\n", 0, at) + 1
                stack.append(None)  # what is inside of it belongs to it
        elif match.group() == "}" and stack:
            stack.pop()
        head_from = at + 1


def functions(source):
    """(name, first line, lines) of every function body of a C++ source that is not inside another one."""
    source = code_of(source)
    stack, head_from, found = [], 0, []
    for match in re.finditer(r"[{};]", source):
        at = match.start()
        if match.group() == "{":
            head = source[head_from:at].strip()
            outside = all(kind == "scope" for kind, _, _ in stack)
            if outside and SCOPE.search(head):
                stack.append(("scope", "", at))
            elif outside and "(" in head and not head.endswith(("=", ",", "(", "return")):
                stack.append(("function", name_of(head), at))
            else:
                stack.append(("block", "", at))
        elif match.group() == "}" and stack:
            kind, name, began = stack.pop()
            if kind == "function":
                first = source.count("\n", 0, began) + 1
                found.append((name, first, source.count("\n", began, at) + 1))
        head_from = at + 1
    return found


def name_of(head):
    """The name before the first parenthesis of a declaration: 'void A::b(int) const' -> 'A::b'."""
    before = head[: head.index("(")].rstrip()
    if re.fullmatch(r"TEST(?:_[FP])?", before.split()[-1]):
        return re.sub(r"\s+", "", head[head.index("(") + 1 : head.index(")")]).replace(",", ".")
    match = re.search(r"(~?[\w:]+)$", before)
    return match.group(1) if match else before[-20:].strip()


class Tidy:
    def __init__(self, root):
        self.root = Path(root)
        self.findings = []
        self.long_functions = {}  # (path, name) -> lines that are granted
        self.types = {}           # name -> (path, line) of its definition

    def report(self, path, line, text):
        self.findings.append(f"{path}:{line}: {text}")

    def run(self):
        self.read_long_functions()
        for path in self.files():
            self.check(path)
        for (path, name), lines in sorted(self.long_functions.items()):
            self.report(LONG_FUNCTIONS, 1, f"{path} {name} {lines}: is no longer so long; delete or lower its entry")
        return self.findings

    def files(self):
        def walk(folder):
            for entry in sorted(folder.iterdir()):
                if entry.is_symlink():
                    continue
                if entry.is_file():
                    yield entry
                elif self.is_ours(entry):
                    yield from walk(entry)

        for file in walk(self.root):
            if file.suffix in TEXT or file.stat().st_size > MAX_FILE:
                yield file.relative_to(self.root).as_posix()

    def is_ours(self, folder):
        top = folder.parent == self.root
        hidden = folder.name.startswith(".") and folder.name not in (".ci", ".github")
        return not hidden and folder.name not in SKIPPED_FOLDERS and not (top and folder.name.startswith("build"))

    def read_long_functions(self):
        file = self.root / LONG_FUNCTIONS
        if not file.exists():
            return
        for line in file.read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                path, name, lines = line.split()[:3]
                self.long_functions[path, name] = int(lines)

    def check(self, path):
        file = self.root / path
        if file.stat().st_size > MAX_FILE:
            self.report(path, 1, f"is larger than {MAX_FILE} bytes")
            return
        try:
            source = file.read_bytes().decode("utf-8")
        except UnicodeDecodeError:
            self.report(path, 1, "is not UTF-8")
            return
        if "\0" in source:
            return
        self.check_lines(path, source)
        self.check_words(path, source)
        if file.suffix == ".md":
            self.check_links(path, source)
        if file.suffix in (".h", ".cpp", ".py"):
            self.check_opening(path, source)
        if file.suffix in (".h", ".cpp", ".cu"):
            self.check_functions(path, source)
            self.check_types(path, source)

    def check_lines(self, path, source):
        if source and not source.endswith("\n"):
            self.report(path, source.count("\n") + 1, "the last line has no end")
        for number, line in enumerate(source.splitlines(), 1):
            if "\t" in line and Path(path).suffix in CODE:
                self.report(path, number, "a tab")
            if line != line.rstrip() and Path(path).suffix in CODE:
                self.report(path, number, "space at the end of the line")
            if len(line) > MAX_LINE and Path(path).suffix in CODE:
                self.report(path, number, f"{len(line)} characters; the longest line has {MAX_LINE}")
        if "\r" in source:
            self.report(path, 1, "a carriage return")

    def check_words(self, path, source):
        rules = [(UNDONE, "is an issue of the tracker, not a word in the source"), (CONFLICT, "of an unfinished merge"),
                 (PRIVATE_PATH, "is a path of one machine")]
        if Path(path).suffix in WEB:
            rules.append((DYNAMIC_HTML, "lets text become markup"))
        for pattern, why in rules:
            for match in pattern.finditer(source):
                self.report(path, source.count("\n", 0, match.start()) + 1, f"'{match.group().strip()}' {why}")

    def check_opening(self, path, source):
        """A header says what it is, and so does a source that has none beside it."""
        file = self.root / path
        if file.suffix == ".h":
            if "#pragma once\n" not in source:
                self.report(path, 1, "has no #pragma once")
        elif file.suffix == ".cpp" and (file.with_suffix(".h").exists() or path.startswith("tests/unit/")):
            return
        if file.suffix == ".py":
            source = re.sub(r"\A#!.*\n", "", source)
        if not source.startswith(("//", '"""')) and source.strip():
            self.report(path, 1, "does not open with what it is")

    def check_links(self, path, source):
        """A link of a document leads to a file of the project, and to a heading of it."""
        for match in LINK.finditer(FENCED.sub(blank, source)):
            target, heading = match.groups()
            if "://" in target or target.startswith("mailto:"):
                continue
            file = (self.root / path).parent / target if target else self.root / path
            there = file.exists() and (not heading or file.suffix != ".md"
                                       or heading in anchors(file.read_text(encoding="utf-8")))
            if not there:
                line = source.count("\n", 0, match.start()) + 1
                self.report(path, line, f"{match.group()[2:-1]} leads nowhere")

    def check_functions(self, path, source):
        for name, first, lines in functions(source):
            granted = self.long_functions.get((path, name), MAX_FUNCTION)
            if lines > granted:
                self.report(path, first, f"{name} has {lines} lines; {granted} are allowed")
            if MAX_FUNCTION < lines == granted:
                self.long_functions.pop((path, name), None)

    def check_types(self, path, source):
        """Two types of one name in one namespace are one type to the linker: the functions of one serve the other."""
        for name, line in types(source):
            first = self.types.setdefault(name, (path, line))
            if first != (path, line):
                self.report(path, line, f"{name} is also defined by {first[0]}:{first[1]}")


def main(arguments):
    root = Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent
    findings = Tidy(root).run()
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
