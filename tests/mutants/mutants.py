#!/usr/bin/env python3
"""Plants faults one by one in a copy of the project, and says which of them no test finds.

    mutants.py [NAME...] [--check] [--room ROOM]

A fault is an entry of faults/ROOM.toml: one piece of a source (it stands there once), what it becomes, and the test
programs of which one must fail. The copy is build-mutants/tree, built there unoptimised, so that a fault costs the
compilation of one source. --check: only whether every entry still fits its source. Exit code 1 if a fault was not
found.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TREE = ROOT / "build-mutants" / "tree"
HANGS_S = 600
FOUND, MISSED, UNFIT = "found", "MISSED", "DOES NOT COMPILE"


@dataclass(frozen=True)
class Fault:
    room: str
    name: str
    file: str
    old: str
    new: str
    tests: tuple

    def misfit(self, root=ROOT):
        """Why it cannot be planted; "" if it can."""
        source = root / self.file
        if not source.is_file():
            return f"{self.name}: there is no {self.file}"
        count = source.read_text(encoding="utf-8").count(self.old)
        if count != 1:
            return f"{self.name}: {self.old!r} stands {count} times in {self.file}"
        return f"{self.name}: changes nothing" if self.old == self.new else ""


def faults(folder=ROOT / "tests" / "mutants" / "faults"):
    found = []
    for file in sorted(folder.glob("*.toml")):
        for entry in tomllib.loads(file.read_text(encoding="utf-8"))["fault"]:
            found.append(Fault(file.stem, entry["name"], entry["file"], entry["old"], entry["new"],
                               tuple(entry["tests"])))
    return found


def copy_tree():
    """The project as git sees it, with what is not committed; unchanged files keep their times."""
    said = subprocess.run(["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, check=True,
                          stdout=subprocess.PIPE)
    wanted = {name for name in said.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in wanted:
        source, target = ROOT / name, TREE / name
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
    for file in [one for one in TREE.rglob("*") if one.is_file()]:
        name = str(file.relative_to(TREE))
        if name not in wanted and not name.startswith(("build-mutants/", "web/node_modules/")):
            file.unlink()


def build(targets):
    """Whether it could be; what was said."""
    done = subprocess.run(["cmake", "--build", "--preset", "mutants", "-j", os.environ.get("FUHYO_JOBS", "2"),
                           "--target", *targets], cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode == 0, done.stdout


def fails(program):
    """Whether a case of it does, or the program dies or hangs."""
    environment = {**os.environ, "GTEST_FAIL_FAST": "1", "GTEST_BRIEF": "1"}
    try:
        done = subprocess.run([TREE / "build-mutants" / "bin" / program], cwd=TREE, env=environment, timeout=HANGS_S,
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return True
    return done.returncode not in (0, 77)


def outcome_of(fault):
    source = TREE / fault.file
    sound = source.read_text(encoding="utf-8")
    try:
        source.write_text(sound.replace(fault.old, fault.new), encoding="utf-8")
        built, said = build(fault.tests)
        if not built:
            print(said[-2000:])
            return UNFIT
        return FOUND if any(fails(program) for program in fault.tests) else MISSED
    finally:
        source.write_text(sound, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--room")
    options = parser.parse_args()
    chosen = [one for one in faults() if (not options.names or one.name in options.names) and
              options.room in (None, one.room)]
    misfits = [why for one in chosen if (why := one.misfit())]
    if misfits or not chosen:
        sys.exit("\n".join(misfits) or "mutants.py: no such fault")
    if options.check:
        return
    copy_tree()
    subprocess.run(["cmake", "--preset", "mutants"], cwd=TREE, check=True, stdout=subprocess.DEVNULL)
    programs = sorted({program for one in chosen for program in one.tests})
    print(f"building {' '.join(programs)}", flush=True)
    built, said = build(programs)
    if not built:
        sys.exit(said[-4000:])
    if red := [program for program in programs if fails(program)]:
        sys.exit(f"mutants.py: fails without any fault: {' '.join(red)}")
    counts = {}
    for fault in chosen:
        began = time.monotonic()
        outcome = outcome_of(fault)
        counts[outcome] = counts.get(outcome, 0) + 1
        print(f"{outcome:17} {fault.room:10} {fault.name} ({time.monotonic() - began:.0f} s)", flush=True)
    print(", ".join(f"{count} {outcome.lower()}" for outcome, count in sorted(counts.items())))
    sys.exit(set(counts) != {FOUND})


if __name__ == "__main__":
    main()
