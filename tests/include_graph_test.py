#!/usr/bin/env python3
"""Shows that tests/include_graph.py catches a violation of each of its rules, and nothing in a clean tree."""

import tempfile
import unittest
from pathlib import Path

import include_graph
from include_graph import CORE_PARTS, DIRECT, FOLDER, MAY_KNOW, OWNERS, PURE_ROOMS, THREAD_HEADERS, UNTHREADED_ROOMS


class IncludeGraph(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def write(self, path, text="#pragma once\n"):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def findings(self):
        return include_graph.Checker(self.root).run()

    def found_in(self, path, text):
        """The findings when one file holds this text; the file is gone afterwards."""
        self.write(path, text)
        findings = self.findings()
        (self.root / path).unlink()
        return findings

    def test_every_pair_of_rooms(self):
        for room in DIRECT:
            self.write(f"{FOLDER[room]}/door.h")
        for room in DIRECT:
            for other in DIRECT:
                with self.subTest(room=room, other=other):
                    found = self.found_in(f"{FOLDER[room]}/x.cpp", f'#include "{FOLDER[other]}/door.h"\n')
                    self.assertEqual(len(found), 0 if other in MAY_KNOW[room] else 1, found)

    def test_the_walls_that_matter_most(self):
        for room in ("store", "net", "host", "secrets"):
            self.assertTrue({"store", "net", "host", "secrets"} & MAY_KNOW[room] == {room})
        for room in include_graph.ENGINES:
            self.assertFalse(MAY_KNOW[room] & set(include_graph.SERVER))
        self.assertEqual(MAY_KNOW["core"], {"core", "csa", "record", "shogi"})
        self.assertEqual(MAY_KNOW["csa"], {"csa", "record", "shogi"})
        self.assertEqual(MAY_KNOW["shogi"], {"shogi"})
        self.assertEqual(MAY_KNOW["app"], set(DIRECT))

    def test_parts_of_the_core_call_those_that_they_may(self):
        for part in CORE_PARTS:
            self.write(f"server/core/{part}/{part}.h", "#pragma once\nclass Some : Part {\n};\n")
            self.write(f"server/core/{part}/value.h")
        for caller in CORE_PARTS:
            for part in CORE_PARTS:
                with self.subTest(caller=caller, part=part):
                    self.assertEqual(self.found_in(f"server/core/{caller}/x.cpp",
                                                   f'#include "server/core/{part}/value.h"\n'), [])
                    found = self.found_in(f"server/core/{caller}/x.cpp", f'#include "server/core/{part}/{part}.h"\n')
                    self.assertEqual(len(found), 0 if part == caller or part in CORE_PARTS[caller] else 1, found)
        self.assertEqual(len(self.found_in("server/core/x.cpp", '#include "server/core/games/games.h"\n')), 1)
        self.assertEqual(self.found_in("server/core/server.cpp", '#include "server/core/games/games.h"\n'), [])

    def test_the_architecture_tells_who_calls_whom(self):
        text = (Path(__file__).resolve().parent.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
        rows = "".join(f"  | {part} | {', '.join(called)} |\n" for part, called in CORE_PARTS.items())
        self.assertIn(f"  | part | calls |\n  | --- | --- |\n{rows}\n", text)

    def test_pure_rooms_refuse_impure_headers(self):
        impure = """thread mutex shared_mutex atomic condition_variable chrono ctime random fstream filesystem iostream
            cstdio boost/asio.hpp boost/beast.hpp boost/json.hpp libpq-fe.h sqlite3.h openssl/ssl.h unistd.h
            sys/socket.h spdlog/spdlog.h coroutine""".split()
        for room in PURE_ROOMS:
            for header in impure:
                with self.subTest(room=room, header=header):
                    self.assertEqual(len(self.found_in(f"server/{room}/x.h", f"#include <{header}>\n")), 1)

    def test_pure_rooms_take_pure_headers(self):
        text = "#include <string>\n#include <fmt/format.h>\n#include <boost/graph/max_cardinality_matching.hpp>\n"
        self.assertEqual(self.found_in("server/core/x.h", text), [])

    def test_pure_rooms_refuse_impure_words(self):
        for word in ("std::chrono::steady_clock::now()", "std::random_device{}()", "std::getenv(name)",
                     "std::cout << 1", "std::mutex m", "std::ofstream f", "co_await x"):
            with self.subTest(word=word):
                self.assertEqual(len(self.found_in("server/core/x.cpp", f"auto x() {{ {word}; }}\n")), 1)

    def test_rooms_of_one_thread_start_no_other(self):
        for room in UNTHREADED_ROOMS:
            self.assertLessEqual(MAY_KNOW[room], UNTHREADED_ROOMS, "what it knows starts none either")
            for header in THREAD_HEADERS:
                with self.subTest(room=room, header=header):
                    self.assertTrue(self.found_in(f"{FOLDER[room]}/x.cpp", f"#include <{header}>\n"))
        for word in ("std::jthread t(f)", "std::async(f)", "std::atomic<int> n", "std::shared_mutex m"):
            with self.subTest(word=word):
                self.assertEqual(len(self.found_in("engines/shogi/x.cpp", f"auto x() {{ {word}; }}\n")), 1)
                self.assertEqual(self.found_in("engines/nnue/x.cpp", f"auto x() {{ {word}; }}\n"), [])

    def test_words_in_comments_and_strings_are_free(self):
        text = '// no mutex here\n/* std::cout\n steady_clock */\nauto a = "std::thread";\n'
        self.assertEqual(self.found_in("server/core/x.cpp", text), [])

    def test_headers_with_owners(self):
        examples = {"SQLite": "sqlite3.h", "yaml-cpp": "yaml-cpp/yaml.h", "libpq": "libpq-fe.h",
                    "OpenSSL": "openssl/evp.h", "libsodium": "sodium.h", "zxcvbn": "zxcvbn.h", "Asio": "boost/asio.hpp",
                    "libqrencode": "qrencode.h", "Beast": "boost/beast/http.hpp", "Boost.JSON": "boost/json.hpp",
                    "CLI11": "CLI/CLI.hpp", "toml++": "toml++/toml.h", "spdlog": "spdlog/spdlog.h",
                    "GoogleTest": "gtest/gtest.h", "libarchive": "archive.h", "zlib": "zlib.h",
                    "CUDA": "cuda_runtime.h", "MPI": "mpi.h"}
        self.assertEqual(set(examples), {name for name, _, _ in OWNERS})
        for name, _, owners in OWNERS:
            for room in set(DIRECT) - PURE_ROOMS:
                with self.subTest(name=name, room=room):
                    found = self.found_in(f"{FOLDER[room]}/x.cpp", f"#include <{examples[name]}>\n")
                    self.assertEqual(len(found), 0 if room in owners else 1, found)

    def test_engines_do_not_know_the_system(self):
        for header in ("unistd.h", "sys/mman.h", "spawn.h", "signal.h", "csignal"):
            with self.subTest(header=header):
                self.assertEqual(len(self.found_in("engines/nnue/x.cpp", f"#include <{header}>\n")), 1)
                self.assertEqual(self.found_in("engines/usi/process_posix.cpp", f"#include <{header}>\n"), [])
                self.assertEqual(self.found_in("engines/nn/mapped_file.cpp", f"#include <{header}>\n"), [])
                self.assertEqual(self.found_in("engines/nn/onnxruntime/library_file.cpp", f"#include <{header}>\n"), [])
                self.assertEqual(self.found_in("server/host/x.cpp", f"#include <{header}>\n"), [])

    def test_windows_has_files_of_its_own(self):
        windows, linux = "#include <windows.h>\n", "#include <unistd.h>\n"
        for stem in ("usi/process", "machine/mapped_file", "record/encoding", "jobs/files/file_lock"):
            with self.subTest(stem=stem):
                self.assertEqual(self.found_in(f"engines/{stem}_windows.cpp", windows), [])
                self.assertEqual(len(self.found_in(f"engines/{stem}_windows.cpp", linux)), 1)
                self.assertEqual(len(self.found_in(f"engines/{stem}_linux.cpp", windows)), 1)
        for path in ("engines/nnue/x_windows.cpp", "engines/nnue/x.cpp", "server/host/x_windows.cpp"):
            with self.subTest(path=path):
                self.assertEqual(len(self.found_in(path, windows)), 1)

    def test_includes_are_from_the_root(self):
        self.write("engines/shogi/types.h")
        for name in ("types.h", "../shogi/types.h", "engines/shogi/gone.h", "tests/x.h"):
            with self.subTest(name=name):
                self.assertEqual(len(self.found_in("engines/shogi/x.cpp", f'#include "{name}"\n')), 1)

    def test_unknown_rooms(self):
        for path in ("engines/misc/x.cpp", "server/util/x.cpp", "server/x.cpp", "engines/core/x.cpp"):
            with self.subTest(path=path):
                self.assertEqual(len(self.found_in(path, "int x;\n")), 1)

    def test_links_are_held_like_includes(self):
        for text, count in (("fuhyo_room(core DEPS fuhyo_csa fmt::fmt)\n", 0),
                            ("fuhyo_room(core DEPS\n  fuhyo_store)\n", 1),
                            ("target_link_libraries(fuhyo_core PUBLIC fuhyo_net)\n", 1)):
            with self.subTest(text=text):
                self.assertEqual(len(self.found_in("server/core/CMakeLists.txt", text)), count)

    def test_include_cycles(self):
        self.write("engines/shogi/a.h", '#include "engines/shogi/b.h"\n')
        self.write("engines/shogi/b.h", '#include "engines/shogi/c.h"\n')
        self.write("engines/shogi/c.h", '#include "engines/shogi/a.h"\n')
        self.assertEqual(len(self.findings()), 1)

    def test_findings_name_file_and_line(self):
        found = self.found_in("server/csa/x.h", "// x\n\n#include <thread>\n")
        self.assertTrue(found[0].startswith("server/csa/x.h:3: "), found)


if __name__ == "__main__":
    unittest.main()
