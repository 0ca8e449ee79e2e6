#!/usr/bin/env python3
"""The real server under faults: is every acknowledged move kept, whatever happens?

    reliability.py --fuhyo PROGRAM --judge PROGRAM --shims DIR [ROW...] [--store sqlite|postgres] [--times N]
                   [--pairs N] [--seed N] [--quick] [--jobs N] [--results FILE] [--serve=FLAG] [--other COMMIT]
    reliability.py --list

A row is a fault (A1: the server is killed, ...). Without one, all but those that only measure. Each says "held",
"failed" with what was seen, or "cannot run here" with the reason. Exit code: 1 if a row failed, 77 if none could run.
--quick: the short ones, small, some at a time, on a machine that may do anything else beside it: how fast things happen
is told, and not asked for.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import platform
import subprocess
import sys
import time
import traceback
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from bed import CannotRun, Report, Settings, legal_lines
from children import adopt_orphans, end_with_parent
from rows import ROWS, read_rows
from stores import STORES

sys.path.append(str(Path(__file__).resolve().parents[2] / "support"))
from other_build import built  # noqa: E402

read_rows()
QUICK_JOBS = 8  # most of what a row does is waiting


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", nargs="*", metavar="ROW")
    parser.add_argument("--fuhyo", default="build/bin/fuhyo")
    parser.add_argument("--judge", default="build/bin/reliability_judge")
    parser.add_argument("--shims", default="build/tests/system/reliability", type=Path)
    parser.add_argument("--store", default="sqlite", choices=sorted(STORES))
    parser.add_argument("--times", type=int, default=0)
    parser.add_argument("--pairs", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--jobs", type=int, default=0, help=f"rows at a time (1, with --quick {QUICK_JOBS})")
    parser.add_argument("--serve", action="append", default=[], metavar="FLAG",
                        help="for every `fuhyo serve`, as in --serve=--resume=abort")
    parser.add_argument("--other", metavar="COMMIT", default="",
                        help="the second of two servers is this commit's; or a program fuhyo")
    parser.add_argument("--results", type=Path, help="adds what was found, a JSON object a line, for page.py")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args(words)
    unknown = [name for name in options.rows if name not in ROWS]
    if unknown:
        parser.error(f"no row {', '.join(unknown)}; --list names them")
    return options


def where_and_when():
    here = Path(__file__).resolve().parent
    git = subprocess.run(["git", "-C", str(here), "describe", "--always", "--dirty"], capture_output=True, text=True,
                         check=False)
    return {"commit": git.stdout.strip(), "date": time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime()),
            "machine": f"{os.cpu_count()} cores, Linux {platform.release().split('-')[0]}"}


def run_row(name, settings):
    row = ROWS[name]
    report, began = Report(quick=settings.quick), time.monotonic()
    outcome, why = "held", ""
    try:
        if settings.store not in row.stores:
            raise CannotRun(f"is not about {settings.store}")
        asyncio.run(row.run(settings, report))
    except CannotRun as reason:
        outcome, why = "cannot run here", str(reason)
    except Exception as fault:  # whatever goes wrong in a row is that row's failure, and the next one is tried
        traceback.print_exc()
        report.faults.append(f"{type(fault).__name__}: {fault}")
    if report.faults:
        outcome = "failed"
    return {**where_and_when(), "row": row.id, "store": settings.store, "outcome": outcome, "why": why,
            "figures": report.figures, "faults": report.faults, "seconds": round(time.monotonic() - began, 1),
            "seed": settings.seed}


def say(result):
    print(f"{result['row']:4} {result['store']:8} {result['outcome']:15} {result['seconds']:6.1f} s"
          f"  {ROWS[result['row']].title}")
    for name, value in result["figures"].items():
        print(f"       {name}: {value}")
    if result["why"]:
        print(f"       {result['why']}")
    for fault in result["faults"]:
        print(f"     ! {fault}")
    sys.stdout.flush()


def results_of(rows, settings, jobs):
    if jobs == 1 or len(rows) == 1:
        yield from (run_row(row.id, settings) for row in rows)
        return
    with ProcessPoolExecutor(jobs, multiprocessing.get_context("fork"), end_with_parent) as pool:
        for done in as_completed([pool.submit(run_row, row.id, settings) for row in rows]):
            yield done.result()


def main(words):
    options = parse(words)
    adopt_orphans()
    chosen = [ROWS[name] for name in options.rows] or [
        row for row in ROWS.values() if (row.quick and options.store in row.stores or not options.quick)
        and (options.list or not row.measures)]
    if options.list:
        for row in chosen:
            print(f"{row.id:4} {row.title}")
        return 0
    settings = Settings(options.fuhyo, options.judge, options.shims, options.store, options.times, options.pairs,
                        options.seed, options.quick, legal_lines(options.judge, 64, options.seed),
                        options.serve, str(built(options.other)) if options.other else "")
    outcomes = []
    for result in results_of(chosen, settings, options.jobs or (QUICK_JOBS if options.quick else 1)):
        say(result)
        outcomes.append(result["outcome"])
        if options.results:
            with open(options.results, "a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
    if "failed" in outcomes:
        return 1
    return 0 if "held" in outcomes else 77


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
