#!/usr/bin/env python3
"""Lines and branches of server/ and engines/ that a run of tests reached, by room.

    coverage.py BUILD-FOLDER [--json FILE]

The programs in BUILD-FOLDER/bin were built with the preset `coverage`, and left BUILD-FOLDER/profiles/*.profraw. A
process that was killed leaves none, and adds nothing.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

PROFDATA, COV = "llvm-profdata-19", "llvm-cov-19"


def exported(folder):
    """llvm-cov's summary: [{"filename": ..., "summary": {"lines": {"count", "covered"}, "branches": ...}}, ...]."""
    profiles = sorted(str(file) for file in (folder / "profiles").glob("*.profraw") if file.stat().st_size)
    if not profiles:
        sys.exit(f"coverage.py: there is no profile in {folder / 'profiles'}")
    listed = folder / "profiles.txt"
    listed.write_text("\n".join(profiles), encoding="utf-8")
    merged = folder / "merged.profdata"
    subprocess.run([PROFDATA, "merge", "-sparse", "--failure-mode=all", "-f", listed, "-o", merged], check=True)
    programs = sorted(str(file) for file in (folder / "bin").iterdir()
                      if file.is_file() and file.stat().st_mode & 0o100)
    objects = [word for program in programs[1:] for word in ("-object", program)]
    said = subprocess.run([COV, "export", "-summary-only", f"-instr-profile={merged}", programs[0], *objects,
                           "-ignore-filename-regex=(^/usr/|/tests/|/build)"], check=True, stdout=subprocess.PIPE)
    return json.loads(said.stdout)["data"][0]["files"]


def rooms_of(files, root):
    """{room: [lines, reached, branches, reached]}; a room is a folder of server/ or engines/."""
    rooms = {}
    for file in files:
        try:
            parts = Path(file["filename"]).resolve().relative_to(root).parts
        except ValueError:
            continue
        if parts[0] not in ("server", "engines"):
            continue
        lines, branches = file["summary"]["lines"], file["summary"]["branches"]
        row = rooms.setdefault("/".join(parts[:2]), [0, 0, 0, 0])
        for at, value in enumerate((lines["count"], lines["covered"], branches["count"], branches["covered"])):
            row[at] += value
    return rooms


def print_table(rooms):
    print(f"{'room':20} {'lines':>8} {'reached':>9} {'branches':>9} {'reached':>9}")
    total = [sum(row[at] for row in rooms.values()) for at in range(4)]
    for room, (lines, line_hits, branches, branch_hits) in [*sorted(rooms.items()), ("all", total)]:
        print(f"{room:20} {lines:8} {100 * line_hits / max(1, lines):8.2f}% {branches:9} "
              f"{100 * branch_hits / max(1, branches):8.2f}%")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--json", type=Path, help="the same figures, for comparisons")
    options = parser.parse_args()
    rooms = rooms_of(exported(options.folder), Path.cwd().resolve())
    print_table(rooms)
    if options.json:
        options.json.write_text(json.dumps(rooms, indent=1, sort_keys=True), encoding="utf-8")


if __name__ == "__main__":
    main()
