#!/usr/bin/env python3
"""Repeats the tests of a build folder beside busy neighbours, and prints each that was not the same every time.

    flaky.py FOLDER [--lane NAME] [--times N] [--one-core] [--state FOLDER] [-- CTEST-FLAG...]

Beside them spin as many processes as there are cores; with --one-core, tests and neighbours share a single one.
Each repetition is kept under --state (default: FOLDER/flaky), by commit, lane and kind: the same command goes on where
it was stopped, until N are done. Exit code 1 if anything failed in any of them.
"""

import argparse
import contextlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path

from lane import run, split
from outcome import FAILED, PASSED
from progress import Progress, minutes
from together import end_with_parent


@contextlib.contextmanager
def neighbours(count):
    """Processes that want a core each, all the time."""
    spinning = [subprocess.Popen([sys.executable, "-c", "while True: pass"], preexec_fn=end_with_parent)
                for _ in range(count)]
    try:
        yield
    finally:
        for one in spinning:
            one.kill()
            one.wait()


def described(found):
    """{name of a process or case: status}; the log of what failed beside it."""
    statuses, logs = {}, {}
    for one in found:
        statuses[one.name] = one.status
        statuses |= {case: status for case, (status, _) in one.cases.items()}
        if one.status == FAILED:
            logs[one.name] = one.log
    return {"statuses": statuses, "logs": logs}


def differing(runs):
    """{name: how often each status} of whatever did not pass, or was not seen, in each of `runs`; what was skipped
    every time is the same every time."""
    names = sorted({name for run in runs for name in run["statuses"]})
    found = {}
    for name in names:
        counts = {}
        for run in runs:
            status = run["statuses"].get(name, "not run")
            counts[status] = counts.get(status, 0) + 1
        if len(counts) > 1 or FAILED in counts:
            found[name] = counts
    return found


def report(runs):
    """Whether all were alike and nothing failed."""
    found = differing(runs)
    for name, counts in found.items():
        print(f"\n---- {name}: " + ", ".join(f"{status} {count} times" for status, count in sorted(counts.items())))
        for number, one in enumerate(runs, 1):
            if name in one["logs"]:
                print(f"in repetition {number} it said:\n" + "\n".join(one["logs"][name].rstrip().splitlines()[-60:]))
    took = sum(one["seconds"] for one in runs)
    passed = sum(PASSED == status for one in runs for status in one["statuses"].values())
    print(f"\n{len(runs)} repetitions, {minutes(took)} minutes, {passed} times something passed, "
          f"{len(found)} not the same every time")
    return not found


def commit():
    said = subprocess.run(["git", "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True)
    return said.stdout.strip() or "unknown"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("--lane", default="release")
    parser.add_argument("--times", type=int, default=10)
    parser.add_argument("--one-core", action="store_true")
    parser.add_argument("--state", type=Path)
    own, flags = split(sys.argv[1:])
    options = parser.parse_args(own)
    kind = "one-core" if options.one_core else "neighbours"
    state = options.state or Path(options.folder) / "flaky"
    state.mkdir(parents=True, exist_ok=True)
    file = state / f"{commit()}-{options.lane}-{kind}.jsonl"
    runs = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    if options.one_core:
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    while len(runs) < options.times:
        began = time.monotonic()
        with neighbours(len(os.sched_getaffinity(0))):
            progress = Progress(f"{options.lane}, {kind}, repetition {len(runs) + 1} of {options.times}")
            one = described(run(options.folder, flags, progress))
        one["seconds"] = round(time.monotonic() - began, 1)
        with file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(one) + "\n")
        runs.append(one)
    print(f"{file.name.removesuffix('.jsonl')}")
    sys.exit(not report(runs))


if __name__ == "__main__":
    main()
