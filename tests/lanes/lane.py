#!/usr/bin/env python3
"""Runs the tests of a build folder by CTest, shows how far it is, and says at the end what failed and how to repeat it.

    lane.py FOLDER [--lane NAME] [--only GLOB] [--slowest] [-- CTEST-FLAG...]

--only: the GoogleTest cases of these names (Suite.Case, with * and ?, several joined by :), and no other test.
--slowest: where the time went: processes, cases, and steps of the last build. Exit code 1 if a test failed or none ran.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from outcome import FAILED, PASSED, SKIPPED, command_for, outcomes
from progress import Progress, minutes

ENDED = re.compile(r"\s*(\d+)/(\d+) Test\s+#\d+: (\S+) \.*\s*(\S.*?)\s+([\d.]+) sec")
AT_ONCE = 3        # a core: most of the longer tests wait for a disk, a database or a clock
LAST_LINES = 40    # of the log of what failed; all of it lies in the build folder
LAST_LINES_CI = 400  # of a machine that is thrown away
SLOWEST = 20
TOGETHER = Path(__file__).resolve().with_name("together.py")


def split(words):
    """What stands before "--", and what behind it."""
    at = words.index("--") if "--" in words else len(words)
    return words[:at], words[at + 1:]


def run(folder, flags, progress, environment=None):
    """The outcomes of CTest's tests that `flags` choose."""
    folder = Path(folder)
    shutil.rmtree(folder / "cases", ignore_errors=True)
    (folder / "cases").mkdir()
    (folder / "junit.xml").unlink(missing_ok=True)
    command = [sys.executable, "-B", str(TOGETHER), str(os.getpid()), "ctest", "--test-dir", str(folder),
               "-j", str(AT_ONCE * len(os.sched_getaffinity(0))), "--no-tests=error",
               "--output-junit", str((folder / "junit.xml").resolve()),
               "--test-output-size-passed", "4096", "--test-output-size-failed", "4000000", *flags]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, errors="replace", env={**os.environ, **(environment or {})}) as process:
        said = []
        for line in process.stdout:
            if ended := ENDED.match(line):
                if "***" in ended[4] and "Skipped" not in ended[4]:
                    progress.say(f"{ended[3]}: {ended[4].strip('*')} after {ended[5]} s")
                progress.show(int(ended[1]), int(ended[2]), ended[3])
            else:
                said.append(line)
    progress.end()
    if not (folder / "junit.xml").exists():
        sys.exit("".join(said) + f"\nlane.py: ctest ended with {process.returncode} and no report")
    return outcomes(folder)


def report(found, lane, folder, last_lines):
    """What failed or was skipped, and why; then the count."""
    for one in found:
        if one.status == SKIPPED:
            print(f"skipped {one.name}: {(one.log.strip().splitlines() or ['it says nothing'])[-1]}")
    logs = Path(folder) / "logs"
    shutil.rmtree(logs, ignore_errors=True)
    for one in found:
        if one.status != FAILED:
            continue
        logs.mkdir(exist_ok=True)
        (logs / f"{one.name}.log").write_text(one.log, encoding="utf-8", errors="replace")
        print(f"\n---- {one.name} failed after {one.seconds:.1f} s; all it said: {logs / one.name}.log")
        print("\n".join(one.log.rstrip().splitlines()[-last_lines:]))
        for case in one.failed_cases() or [None]:
            print(f"repeat: {command_for(one, lane, case)}")
    count = {status: sum(one.status == status for one in found) for status in (PASSED, FAILED, SKIPPED)}
    cases = sum(len(one.cases) for one in found)
    print(f"\n{lane}: {cases} cases in {sum(bool(one.cases) for one in found)} processes of programs, "
          f"{sum(not one.cases for one in found)} scripts; {sum(one.seconds for one in found):.0f} s of processes")
    print(f"{count[PASSED]} passed, {count[FAILED]} failed" + (f", {count[SKIPPED]} skipped" if count[SKIPPED] else ""))


def print_slowest(found, folder):
    print("\nslowest processes, s")
    for one in sorted(found, key=lambda one: -one.seconds)[:SLOWEST]:
        print(f"{one.seconds:8.1f}  {one.name}")
    cases = {f"{one.name}: {case}": seconds for one in found for case, (_, seconds) in one.cases.items()}
    print("slowest cases, s")
    for case, seconds in sorted(cases.items(), key=lambda pair: -pair[1])[:SLOWEST]:
        print(f"{seconds:8.1f}  {case}")
    steps = {}
    log = Path(folder) / ".ninja_log"
    for line in log.read_text(encoding="utf-8").splitlines()[1:] if log.exists() else []:
        begin, end, _, step, *_ = line.split("\t")
        if not step.startswith("/"):
            steps[step] = (int(end) - int(begin)) / 1000
    print("slowest steps of the build when last done, s")
    for step, seconds in sorted(steps.items(), key=lambda pair: -pair[1])[:SLOWEST]:
        print(f"{seconds:8.1f}  {step}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--lane", default="release")
    parser.add_argument("--only")
    parser.add_argument("--slowest", action="store_true")
    own, flags = split(sys.argv[1:])
    options = parser.parse_args(own)
    environment = {}
    if options.only:
        environment["GTEST_FILTER"] = options.only
        flags += ["-R", "^test_"]
    progress = Progress(f"{options.lane}: tests")
    found = run(options.folder, flags, progress, environment)
    report(found, options.lane, options.folder, LAST_LINES_CI if os.environ.get("CI") else LAST_LINES)
    if options.slowest:
        print_slowest(found, options.folder)
    print(f"{minutes(progress.clock() - progress.began)} minutes")
    if options.only and not any(one.cases for one in found):
        sys.exit(f"lane.py: there is no case {options.only}")
    sys.exit(any(one.status == FAILED for one in found))


if __name__ == "__main__":
    main()
