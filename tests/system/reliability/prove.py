#!/usr/bin/env python3
"""Proves a commit, over as many nights as it takes, and writes tests/system/RELIABILITY.md.

    ./dev prove [--state FOLDER]

Every row of `./dev reliability` on each store that it is about (not those that only measure), 2,000 kills of the server
on each store (A1), 100,000 seeds of the simulator, an hour of each fuzzer. All of it is done in pieces of some minutes:
each leaves a file under --state (${XDG_DATA_HOME:-~/.local/share}/fuhyo/proofs/COMMIT), and the same command goes on
where it was stopped. A piece that failed stays failed. Exit code: 1 if one has.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

import page
from reliability import where_and_when
from rows import ROWS

HERE = Path(__file__).resolve().parent
TREE = HERE.parents[2]
KILLS, KILLS_A_PIECE = 2_000, 100
SEEDS, SEEDS_A_PIECE = 100_000, 1_000
FUZZ_S, FUZZ_S_A_PIECE = 3_600, 600


class Piece(NamedTuple):
    name: str       # of its file: "A1.sqlite.7"
    command: list   # {out}: the file for --results
    tells: str = ""  # numbers in what it prints, as named groups; empty: a row, which writes a file itself


def row_pieces():
    command = [sys.executable, "-B", HERE / "reliability.py"]
    for row in ROWS.values():
        for store in row.stores if not row.measures else ():
            words = [*command, row.id, "--store", store, "--results", "{out}"]
            if row.id != "A1":
                yield Piece(f"{row.id}.{store}", words)
            for number in range(1, KILLS // KILLS_A_PIECE + 1) if row.id == "A1" else ():
                yield Piece(f"A1.{store}.{number}", [*words, "--times", KILLS_A_PIECE, "--seed", number])


def pieces():
    yield from sorted(row_pieces(), key=lambda piece: piece.name.startswith("A1."))  # the short ones first
    for first in range(1, SEEDS, SEEDS_A_PIECE):
        yield Piece(f"sim.{first}", ["build/bin/fuhyo_sim", "--seeds", SEEDS_A_PIECE, "--first", first],
                    r"(?P<seeds>\d+) seeds from \d+, (?P<broken>\d+) broken; (?P<games>\d+) games")
    for fuzzer in sorted(file.name.removeprefix("fuzz_") for file in (TREE / "build-fuzz/bin").glob("fuzz_*")):
        for number in range(FUZZ_S // FUZZ_S_A_PIECE):
            yield Piece(f"fuzz_{fuzzer}.{number + 1}", ["./dev", "fuzz", fuzzer, FUZZ_S_A_PIECE],
                        r"number_of_executed_units: (?P<runs>\d+)")


def told(piece, done, began):
    """What a piece that writes no file came to."""
    found = re.search(piece.tells, done.stdout)
    figures = {name: int(number) for name, number in found.groupdict().items()} if found else {}
    return {"what": piece.name.rsplit(".", 1)[0], "outcome": "held" if done.returncode == 0 and found else "failed",
            "figures": {**figures, "seconds": round(time.monotonic() - began)},
            "said": [] if done.returncode == 0 else done.stdout.splitlines()[-20:]}


def carry_out(piece, state):
    """Leaves the piece's file, or none if it is stopped."""
    unfinished = state / "unfinished"
    unfinished.unlink(missing_ok=True)
    began = time.monotonic()
    words = [str(unfinished if word == "{out}" else word) for word in piece.command]
    done = subprocess.run(words, cwd=TREE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", check=False)
    if piece.tells:
        unfinished.write_text(json.dumps(told(piece, done, began)) + "\n", encoding="utf-8")
    elif not unfinished.exists():
        sys.exit(f"{piece.name} says nothing:\n{done.stdout}")
    unfinished.rename(state / f"{piece.name}.json")


def summed(results):
    """One result out of those of several pieces: numbers are added, of other figures the last one stands."""
    whole = results[-1] | {"figures": {}, "faults": [fault for one in results for fault in one.get("faults", ())]}
    for name, last in results[-1]["figures"].items():
        count = isinstance(last, int) and name != "games at a time"
        whole["figures"][name] = sum(one["figures"].get(name, 0) for one in results) if count else last
    if "seconds" in whole:
        whole["seconds"] = round(sum(one["seconds"] for one in results), 1)
    outcomes = {one["outcome"] for one in results}
    whole["outcome"] = next(one for one in ("failed", "cannot run here", "held") if one in outcomes)
    return whole


def gathered(state):
    """Of every row and store, and of the simulator and each fuzzer, one result."""
    groups = {}
    for file in sorted(state.glob("*.json")):
        result = json.loads(file.read_text(encoding="utf-8"))
        groups.setdefault(result.get("what") or (result["row"], result["store"]), []).append(result)
    return [summed(results) for results in groups.values()]


def prove(state, todo):
    """Whether nothing failed."""
    state.mkdir(parents=True, exist_ok=True)
    todo = list(todo)
    for number, piece in enumerate(todo, 1):
        file = state / f"{piece.name}.json"
        if not file.exists():
            carry_out(piece, state)
            print(f"{number} of {len(todo)}: {piece.name} {json.loads(file.read_text(encoding='utf-8'))['outcome']}",
                  flush=True)
    return all(result["outcome"] != "failed" for result in gathered(state))


def main(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", type=Path)
    options = parser.parse_args(words)
    changed = ["git", "diff", "--quiet", "HEAD", "--", ".", ":!tests/system/RELIABILITY.md"]
    if subprocess.run(changed, cwd=TREE, check=False).returncode != 0:
        sys.exit("prove: what is proven is a commit; the work tree has changes")
    commit = where_and_when()["commit"].removesuffix("-dirty")
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    state = options.state or data / "fuhyo/proofs" / commit
    fine = prove(state, pieces())
    results = state / "gathered"
    results.write_text("".join(json.dumps(result) + "\n" for result in gathered(state)), encoding="utf-8")
    page.main(str(results))
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
