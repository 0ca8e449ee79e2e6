#!/usr/bin/env python3
"""Holds the include graph of ARCHITECTURE.md: which room may know which, and which headers a room may use at all.

    python3 tests/include_graph.py [ROOT]      prints one line a finding; exit code 1 if there is any
    python3 tests/include_graph.py --graph     prints the graph of rooms as it is, one line a room

tests/include_graph_test.py plants a violation of every rule and sees it caught.
"""

import re
import sys
from pathlib import Path

# What a room knows directly; knowing is transitive. A room that is not here may not exist.
ENGINES = {
    "machine": [],
    "manual": [],
    "shogi": [],
    "record": ["shogi"],
    "usi": ["record", "shogi"],
    "mate": ["shogi"],
    "nn": ["machine"],
    "book": ["usi"],
    "nnue": ["machine", "usi", "mate", "book"],
    "tree": ["nn"],
    "mcts": ["tree", "usi", "mate", "book", "nn"],
    "members": ["usi", "mate"],
    "mix": ["members"],
    "cluster": ["machine", "members"],
    "jobs": [],
    "match": ["usi", "jobs"],
    "othello": ["tree"],
    "learn": ["manual", "shogi", "record", "usi", "mate", "nn", "book", "nnue", "mcts", "mix", "jobs", "match",
              "othello"],
}
SERVER = {
    "csa": ["record", "shogi"],
    "secrets": ["csa"],
    "core": ["csa", "record", "shogi"],
    "store": ["core"],
    "net": ["core"],
    "host": ["core", "usi"],
    "app": ["store", "net", "host", "core", "secrets", "csa", *ENGINES],
}
DIRECT = {**ENGINES, **SERVER}
FOLDER = {**{room: f"engines/{room}" for room in ENGINES}, **{room: f"server/{room}" for room in SERVER}}
FOLDER["tree"] = "engines/mcts/tree"  # a room within a room: it knows no game, so nothing of its neighbours

# The parts of the core, by folder: whose public functions each may call, directly. To call a part is to include its
# header; Server alone calls them all.
CORE_PARTS = {
    "sessions": ["commands", "games", "lobby", "logins", "monitors", "rounds", "tournaments"],
    "commands": ["admin", "buoys", "games", "lobby", "monitors", "rooms", "sessions", "tournaments"],
    "logins": ["games", "lobby", "rooms", "sessions", "tournaments"],
    "lobby": ["admin", "buoys", "games", "logins", "rooms", "rounds", "sessions", "tournaments"],
    "rooms": ["admin", "buoys", "games", "lobby", "logins", "sessions"],
    "buoys": ["admin", "lobby", "monitors", "sessions"],
    "rounds": ["buoys", "games", "lobby", "rooms", "sessions", "tournaments"],
    "tournaments": ["admin", "games", "lobby", "logins", "monitors", "rooms", "rounds", "sessions"],
    "games": ["admin", "commands", "lobby", "logins", "monitors", "rooms", "rounds", "sessions", "tournaments"],
    "monitors": ["games", "rooms", "sessions"],
    "admin": ["buoys", "games", "lobby", "logins", "monitors", "rooms", "rounds", "sessions", "tournaments"],
}
PART_CLASS = re.compile(r"^class \w+ : Part \{", re.MULTILINE)
PART_CALLERS = {"server/core/server.cpp", "server/core/figures.cpp"}

# Rooms that are functions of their arguments: they may use these headers and no other ones.
PURE_ROOMS = {"csa", "core"}
PURE_HEADERS = set(
    """algorithm array bit bitset cassert cctype charconv climits cmath compare concepts cstddef cstdint cstdlib cstring
    deque expected functional initializer_list iterator limits list map memory numbers numeric optional queue ranges set
    source_location span stack string string_view tuple type_traits unordered_map unordered_set utility variant
    vector""".split()
)
PURE_PREFIXES = ("fmt/", "boost/graph/", "boost/container/", "made/")  # made/: by scripts of cmake/
# ... and none of these words, whichever header they came through.
IMPURE_WORDS = re.compile(
    r"\b(?:steady_clock|system_clock|high_resolution_clock|utc_clock|clock_gettime|gettimeofday|localtime|gmtime|mktime"
    r"|random_device|std::rand|srand|getenv|setenv|std::thread|jthread|mutex|condition_variable|thread_local"
    r"|[io]?fstream|fopen|std::c(?:out|err|in)|std::system|co_await|co_yield|co_return)\b"
)

# Rooms without a second thread (their tests carry UNTHREADED: the TSan lane has nothing to see in them): none of these
# headers, and none of these words.
UNTHREADED_ROOMS = PURE_ROOMS | {"machine", "manual", "shogi", "record", "mate"}
THREAD_HEADERS = {"thread", "stop_token", "mutex", "shared_mutex", "atomic", "condition_variable", "future",
                  "semaphore", "barrier", "latch", "execution", "pthread.h", "threads.h"}
THREAD_WORDS = re.compile(r"\bstd::(?:j?thread|async|atomic\w*|(?:\w+_)?mutex|execution|promise|packaged_task)\b")

# Headers with owners: nobody else includes them.
OWNERS = [
    ("SQLite", re.compile(r"sqlite3.*\.h$"), {"store"}),
    ("yaml-cpp", re.compile(r"yaml-cpp/"), {"store"}),
    ("libpq", re.compile(r"(?:postgresql/)?libpq-.*\.h$|libpq/"), {"store", "jobs"}),
    ("OpenSSL", re.compile(r"openssl/"), {"secrets", "store", "net", "app"}),
    ("libsodium", re.compile(r"sodium(?:\.h$|/)"), {"secrets"}),
    ("zxcvbn", re.compile(r"zxcvbn\.h$"), {"secrets"}),
    ("libqrencode", re.compile(r"qrencode\.h$"), {"app"}),
    ("Asio", re.compile(r"boost/asio"), {"net", "host", "app"}),
    ("Beast", re.compile(r"boost/beast"), {"net", "app"}),
    ("Boost.JSON", re.compile(r"boost/json"), {"record", "net", "app", "learn", "match", "mix"}),
    ("CLI11", re.compile(r"CLI/"), {"app", "learn", "manual", "match", "mix", "jobs"}),
    ("toml++", re.compile(r"toml\+\+/"), {"machine"}),
    ("libarchive", re.compile(r"archive(?:_entry)?\.h$"), {"learn", "net"}),
    ("zlib", re.compile(r"zlib\.h$"), {"net"}),
    ("spdlog", re.compile(r"spdlog/"), {"app"}),
    ("MPI", re.compile(r"mpi\.h$"), {"cluster"}),
    ("CUDA", re.compile(r"cuda_?\w*\.h$"), {"nn"}),
    ("GoogleTest", re.compile(r"g(?:test|mock)/"), set()),
]
OS_HEADERS = re.compile(
    r"(?:sys|linux|arpa|net|netinet|asm)/|(?:unistd|fcntl|spawn|signal|poll|pthread|sched|dlfcn|dirent|netdb|termios"
    r"|pwd|grp|glob|syslog|ucontext|execinfo)\.h$|csignal$"
)
WINDOWS_HEADERS = re.compile(
    r"(?:windows|winbase|winnt|windef|winsock2?|ws2tcpip|psapi|tlhelp32|shellapi|io|direct)\.h$"
)
# The files of engines/ that may know the operating system; those for Windows end in _windows and know no other one.
OS_FILE_NAMES = (
    "usi/process_*, mapped_file*, huge_pages*, record/encoding_windows*, nn/onnxruntime/library_file*,"
    " jobs/files/{durable_file,file_lock}*"
)
OS_FILES = re.compile(
    r"engines/(?:usi/process_|(?:[a-z]+/)+(?:mapped_file|huge_pages)|nn/onnxruntime/library_file"
    r"|record/encoding_windows|jobs/files/(?:durable_file|file_lock))[a-z_]*\.(?:h|cpp)$"
)

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<([^>]+)>)', re.MULTILINE)
NOISE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])+'|R\"([^(\s]*)\(.*?\)\1\"", re.DOTALL
)
LINKS = re.compile(r"\b(?:fuhyo_room|fuhyo_program|target_link_libraries)\s*\(\s*[\w-]+([^)]*)\)")


def closure(direct):
    """Room -> every room it may know, itself included."""
    known = {}

    def visit(room):
        if room not in known:
            known[room] = {room}.union(*(visit(other) for other in direct[room]))
        return known[room]

    for room in direct:
        visit(room)
    return known


MAY_KNOW = closure(DIRECT)


def room_of(path):
    """'server/core/games/game.h' -> 'core'; None outside of the rooms."""
    parts = path.split("/")
    if path.startswith(FOLDER["tree"] + "/"):
        return "tree"
    return parts[1] if len(parts) > 2 and parts[0] in ("engines", "server") else None


def without_noise(source):
    """The source without comments and literals, line numbers kept."""
    return NOISE.sub(lambda match: "\n" * match.group().count("\n") or " ", source)


def line_at(source, offset):
    return source.count("\n", 0, offset) + 1


class Checker:
    def __init__(self, root):
        self.root = Path(root)
        self.findings = []
        self.includes = {}  # path -> [(line, included path)], own files only

    def report(self, path, line, text):
        self.findings.append(f"{path}:{line}: {text}")

    def run(self):
        for part in ("engines", "server"):
            for file in sorted((self.root / part).rglob("*")):
                path = file.relative_to(self.root).as_posix()
                if file.suffix in (".h", ".cpp", ".cu"):
                    self.check_source(path, file.read_text(encoding="utf-8"))
                elif file.name == "CMakeLists.txt":
                    self.check_links(path, file.read_text(encoding="utf-8"))
        self.check_cycles()
        return self.findings

    def check_source(self, path, source):
        room = room_of(path)
        if room not in DIRECT or not path.startswith(FOLDER[room] + "/"):
            self.report(path, 1, "is in no room of the architecture (tests/include_graph.py lists them)")
            return
        for match in INCLUDE.finditer(source):
            line = line_at(source, match.start())
            if match.group(1) is not None:
                self.check_own(path, room, line, match.group(1))
            else:
                self.check_foreign(path, room, line, match.group(2))
        code = without_noise(INCLUDE.sub("", source))
        if room in PURE_ROOMS:
            self.check_words(path, code, IMPURE_WORDS, f"in {room}, which is pure")
        elif room in UNTHREADED_ROOMS:
            self.check_words(path, code, THREAD_WORDS, f"in {room}, which has one thread")

    def check_own(self, path, room, line, included):
        self.includes.setdefault(path, []).append((line, included))
        other = room_of(included)
        if other is None or not (self.root / included).is_file():
            self.report(path, line, f'"{included}" is no file of a room, named from the root of the project')
        elif other not in MAY_KNOW[room]:
            self.report(path, line, f"{room} may not know {other} ({included})")
        elif room == "core" and PART_CLASS.search((self.root / included).read_text(encoding="utf-8")):
            self.check_part(path, line, included)

    def check_part(self, path, line, included):
        """`included` declares a part of the core."""
        caller, part = path.split("/")[2], included.split("/")[2]
        if path not in PART_CALLERS and part not in [caller, *CORE_PARTS.get(caller, [])]:
            self.report(path, line, f"{caller} may not call {part} ({included})")

    def check_foreign(self, path, room, line, header):
        if room in PURE_ROOMS and header not in PURE_HEADERS and not header.startswith(PURE_PREFIXES):
            self.report(path, line, f"<{header}> is not on the list of pure headers, and {room} is pure")
            return
        if room in UNTHREADED_ROOMS and header in THREAD_HEADERS:
            self.report(path, line, f"<{header}> in {room}, which has one thread")
        for name, pattern, rooms in OWNERS:
            if pattern.match(header) and room not in rooms:
                owners = ", ".join(sorted(rooms)) or "only tests"
                self.report(path, line, f"{room} may not use {name} (<{header}>); {owners} may")
        for_windows = re.search(r"_windows\.(?:h|cpp)$", path) is not None
        if WINDOWS_HEADERS.match(header):
            if not (for_windows and OS_FILES.match(path)):
                self.report(path, line, f"<{header}>: of engines/ {OS_FILE_NAMES} know it, in files for Windows")
        elif path.startswith("engines/") and OS_HEADERS.match(header) and (for_windows or not OS_FILES.match(path)):
            self.report(path, line, f"<{header}>: of engines/ {OS_FILE_NAMES} know it, but those for Windows")

    def check_words(self, path, source, words, where):
        for match in words.finditer(source):
            self.report(path, line_at(source, match.start()), f"'{match.group()}' {where}")

    def check_links(self, path, source):
        """A library that is linked is a room that is known."""
        for match in LINKS.finditer(re.sub(r"#[^\n]*", "", source)):
            room = room_of(path)
            for other in re.findall(r"\bfuhyo_(\w+)", match.group(1)):
                if room in MAY_KNOW and other in DIRECT and other not in MAY_KNOW[room]:
                    self.report(path, line_at(source, match.start()), f"{room} links {other}, which it may not know")

    def check_cycles(self):
        done, way = set(), []

        def visit(path):
            if path in way:
                circle = way[way.index(path):] + [path]
                self.report(path, 1, "includes itself: " + " -> ".join(circle))
                return
            if path in done:
                return
            way.append(path)
            for _, included in self.includes.get(path, []):
                visit(included)
            way.pop()
            done.add(path)

        for path in list(self.includes):
            visit(path)


def graph(root):
    """Room -> rooms that its files include, as the sources are."""
    checker = Checker(root)
    checker.run()
    known = {}
    for path, includes in checker.includes.items():
        rooms = {room_of(included) for _, included in includes} - {room_of(path), None}
        known.setdefault(room_of(path), set()).update(rooms)
    return known


def main(arguments):
    root = Path(__file__).resolve().parent.parent
    if arguments[:1] == ["--graph"]:
        for room, others in graph(root).items():
            print(f"{FOLDER[room]:16} -> {', '.join(sorted(others)) or '(nothing)'}")
        return 0
    if arguments:
        root = Path(arguments[0])
    findings = Checker(root).run()
    for finding in findings:
        print(finding)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
