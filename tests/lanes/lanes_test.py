#!/usr/bin/env python3
"""Shows that what runs the tests tells what failed, what was skipped and what was not the same every time."""

import contextlib
import io
import json
import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import flaky
import lane
from outcome import FAILED, PASSED, SKIPPED, Outcome, command_for, outcomes
from progress import Progress

DEV = Path(__file__).resolve().parents[2] / "dev"
JUNIT = """<?xml version="1.0" encoding="UTF-8"?>
<testsuite name="x" tests="4" failures="1">
  <testcase name="test_core.1" classname="test_core.1" time="1.5" status="run"><system-out/></testcase>
  <testcase name="test_net.1" classname="test_net.1" time="2" status="fail">
    <failure message="Failed"/><system-out>net/a_test.cpp:7: Failure
</system-out></testcase>
  <testcase name="system.page" classname="system.page" time="0.1" status="notrun">
    <skipped message="SKIP_RETURN_CODE=77"/><system-out>no browser here
</system-out></testcase>
  <testcase name="system.web_node" classname="system.web_node" time="3" status="fail">
    <failure message="Timeout"/><system-out>it hangs</system-out></testcase>
</testsuite>
"""
CASES = {"testsuites": [{"name": "Poll", "testsuite": [
    {"name": "Waits", "status": "RUN", "result": "COMPLETED", "time": "0.25s"},
    {"name": "Ends", "status": "RUN", "result": "COMPLETED", "time": "0.5s", "failures": [{"failure": "7"}]},
    {"name": "Elsewhere", "status": "NOTRUN", "result": "SUPPRESSED", "time": "0s"}]}]}


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Lanes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "cases").mkdir()
        (self.folder / "junit.xml").write_text(JUNIT)
        (self.folder / "cases" / "test_net.1.json").write_text(json.dumps(CASES))
        (self.folder / "cases" / "test_core.1.json").write_text("{ cut o")

    def test_reads_what_ctest_and_googletest_say(self):
        core, net, page, node = outcomes(self.folder)
        self.assertEqual((PASSED, FAILED, SKIPPED, FAILED), (core.status, net.status, page.status, node.status))
        self.assertEqual({"Poll.Waits": (PASSED, 0.25), "Poll.Ends": (FAILED, 0.5)}, net.cases)
        self.assertEqual({}, core.cases)

    def test_says_what_failed_and_how_to_repeat_it(self):
        with contextlib.redirect_stdout(io.StringIO()) as said:
            lane.report(outcomes(self.folder), "release", self.folder, 40)
        said = said.getvalue()
        for wanted in ("net/a_test.cpp:7: Failure", "./dev test release --only 'Poll.Ends'", "it hangs",
                       r"./dev test release -- -R '^system\.web_node$'", "skipped system.page: no browser here",
                       "\n1 passed, 2 failed, 1 skipped\n"):
            self.assertIn(wanted, said)
        self.assertEqual("it hangs", (self.folder / "logs" / "system.web_node.log").read_text())

    def test_understands_lines_of_ctest(self):
        line = " 12/180 Test  #34: test_core.1 ......................***Failed   12.30 sec\n"
        self.assertEqual(("12", "180", "test_core.1", "***Failed", "12.30"), lane.ENDED.match(line).groups())
        self.assertEqual("Passed", lane.ENDED.match("1/2 Test #1: a ....   Passed    0.01 sec")[4])

    def test_a_terminal_sees_one_line_with_the_time_left_and_a_log_one_a_tenth(self):
        now = [0.0]
        for stream, wanted in ((Terminal(), "\r\x1b[Kbuild: 30 of 120, 1:00, 3:00 left  a.cpp"),
                               (io.StringIO(), "build: 30 of 120, 1:00, 3:00 left\n")):
            now[0] = 0.0
            progress = Progress("build", stream, lambda: now[0])
            now[0] = 60.0
            progress.show(30, 120, "a.cpp")
            progress.show(31, 120, "b.cpp")
            self.assertTrue(stream.getvalue().startswith(wanted), stream.getvalue())
        self.assertEqual(1, stream.getvalue().count("\n"))

    def test_names_what_was_not_the_same_every_time(self):
        steady, always, now_and_then = (Outcome("steady", PASSED, 1), Outcome("always", FAILED, 1, "red"),
                                        Outcome("lot", PASSED, 1))
        runs = [flaky.described([steady, always, now_and_then])]
        now_and_then = Outcome("lot", FAILED, 1, "by lot", {"A.B": (FAILED, 0.1)})
        runs.append(flaky.described([steady, always, now_and_then]))
        self.assertEqual({"always": {FAILED: 2}, "lot": {PASSED: 1, FAILED: 1}, "A.B": {"not run": 1, FAILED: 1}},
                         flaky.differing(runs))
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertFalse(flaky.report([{**run, "seconds": 1} for run in runs]))
        self.assertIn("in repetition 2 it said:\nby lot", said.getvalue())
        self.assertNotIn("steady", said.getvalue())
        self.assertEqual({}, flaky.differing([flaky.described([steady, Outcome("s", SKIPPED, 0)])] * 2))

    def test_nothing_that_a_test_started_outlives_its_runner_or_ctest(self):
        left, ctest = self.folder / "left", self.folder / "ctest"
        os.mkfifo(left)
        # Both processes, of which one is an orphan in a session of its own, hold the pipe open.
        ctest.write_text(f"#!/bin/sh\nexec > '{left}'\n(setsid sleep 1000 &)\necho $$\nexec sleep 1000\n")
        ctest.chmod(0o700)
        environment = {**os.environ, "PATH": f"{self.folder}:{os.environ['PATH']}"}
        for killed in ("runner", "ctest"):
            with subprocess.Popen([sys.executable, "-B", lane.__file__, self.folder], env=environment,
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as runner, left.open() as held:
                started = int(held.readline())
                os.kill(runner.pid if killed == "runner" else started, signal.SIGKILL)
                self.assertEqual("", held.read())

    def test_flags_of_ctest_stand_behind_two_hyphens(self):
        self.assertEqual((["build", "--slowest"], ["-R", "a"]), lane.split(["build", "--slowest", "--", "-R", "a"]))
        self.assertEqual((["build"], []), lane.split(["build"]))

    def test_help_on_a_verb_does_nothing_else(self):
        for verb, first, last in (("fuzz", "  fuzz [TARGET", "in turn"), ("clean", "  clean ", "data stay"),
                                  ("packages", "  packages ", "those of `build`")):
            said = subprocess.check_output([DEV, verb, "--help"], text=True)
            self.assertTrue(said.startswith(first) and said.rstrip().endswith(last), said)

    def test_a_case_is_repeated_by_its_name(self):
        self.assertEqual("./dev test asan --only 'A.B'", command_for(Outcome("test_a.1", FAILED, 1), "asan", "A.B"))


if __name__ == "__main__":
    unittest.main()
