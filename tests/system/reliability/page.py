#!/usr/bin/env python3
"""Writes tests/system/RELIABILITY.md from what reliability.py found.

    page.py [--keep] RESULTS...     RESULTS: its --results files; of each row and store the last one counts
                                    --keep: of every other row the page goes on saying what it says
"""

import json
import re
import sys
from pathlib import Path

from rows import ROWS, read_rows

read_rows()
STORES = {"sqlite": "SQLite", "postgres": "PostgreSQL"}
HEAD = Path(__file__).with_name("page_head.md")


def read(files):
    """By row and store; and what the simulator and the fuzzers came to (prove.py)."""
    results, others = {}, []
    for file in files:
        for line in file.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            if "row" in result:
                results[result["row"], result["store"]] = result
            else:
                others.append(result)
    return results, others


def outcome(result):
    if result is None:
        return ""
    word = {"held": "held", "failed": "**failed**", "cannot run here": "cannot run here"}[result["outcome"]]
    return word if result["outcome"] != "cannot run here" or "is not about" not in result["why"] else "-"


def line_of(row_id, results):
    """Of the table."""
    row = ROWS[row_id]
    cells = [row_id, row.title, row.promise, *(outcome(results.get((row_id, store))) for store in STORES)]
    return f"| {' | '.join(cells)} |"


def durability(results):
    """Kills and cuts, and what they came to: nothing lost in n trials says less than 3 in n at 95 %."""
    lines = ["| store | kills and power cuts | acknowledged moves | lost | of kills that lose one, at 95 % less than |",
             "| --- | ---: | ---: | ---: | ---: |"]
    for store, name in STORES.items():
        crashed = [result for (_, at), result in results.items() if at == store]
        kills = sum(result["figures"].get(key, 0) for result in crashed for key in ("kills", "power cuts"))
        moves = sum(result["figures"].get("acknowledged moves", 0) for result in crashed
                    if {"kills", "power cuts"} & result["figures"].keys())
        lost = sum(1 for result in crashed for fault in result["faults"] if fault.startswith("lost_move"))
        if kills:
            lines.append(f"| {name} | {kills} | {moves:,} | {lost} | {f'{300 / kills:.2g} %' if not lost else '-'} |")
    return "\n".join(lines)


def list_of(others):
    """The simulator and the fuzzers: their outcomes and figures."""
    return "".join(f"* {one['what']}: {outcome(one)}; " +
                   ", ".join(f"{number:,} {name}" for name, number in one["figures"].items()) + "\n" for one in others)


def details_of(row_id, results):
    parts = [f"{row_id}: {ROWS[row_id].title}\n"]
    for store, name in STORES.items():
        result = results.get((row_id, store))
        if result is None or "is not about" in result["why"]:
            continue
        why = f": {result['why']}" if result["why"] else ""
        parts.append(f"{name}: {outcome(result)}{why} ({result['seconds']} s).\n")
        parts += [f"* {key}: {value}" for key, value in result["figures"].items()]
        parts += [""] if result["figures"] else []
        if result["faults"]:
            parts += ["What did not hold:\n", *(f"* {fault}" for fault in result["faults"]), ""]
    return "\n".join(parts)


def new_parts(results, others):
    """The same as of a page."""
    runs = {f"{result['commit']}, {result['machine']}, {result['date'][:10]}, seed {result['seed']}"
            for result in results.values()}
    ids = {row_id for row_id, _ in results}
    kills = "\n".join(["", durability(results), "", *([list_of(others)] if others else []), ""])
    return (runs, kills, {row_id: line_of(row_id, results) for row_id in ids},
            {row_id: details_of(row_id, results) for row_id in ids})


def parts(text):
    """A page's line about its runs, what it says of kills, and by row its line of the table and its details."""
    runs = re.search(r"^Commit, machine, date and seed: (.*)\.$", text, re.M)[1].split("; ")
    kills = text.split("## Kills\n")[1].split("## What was seen\n")[0]
    lines = {line.split()[1]: line for line in text.splitlines() if re.match(r"\| [A-Z]\d+ \|", line)}
    seen = {part.split(":")[0]: part for part in re.split(r"^### ", text, flags=re.M)[1:]}
    return runs, kills, lines, seen


def render(runs, kills, lines, seen):
    ids = sorted(lines, key=lambda text: (text[0], int(text[1:])))
    return "\n".join([HEAD.read_text(encoding="utf-8"),
                      "Commit, machine, date and seed: " + "; ".join(sorted(runs)) + ".\n", "## Rows\n",
                      f"| row | fault | must hold | {' | '.join(STORES.values())} |",
                      "| --- | --- | --- | --- | --- |",
                      *(lines[row_id] for row_id in ids), "", "## Kills\n" + kills + "## What was seen\n",
                      *("### " + seen[row_id].rstrip() + "\n" for row_id in ids)])


def main(*words):
    page = Path(__file__).resolve().parents[1] / "RELIABILITY.md"
    runs, kills, lines, seen = new_parts(*read([Path(file) for file in words if file != "--keep"]))
    if "--keep" in words:  # what it says of kills, too
        old_runs, kills, old_lines, old_seen = parts(page.read_text(encoding="utf-8"))
        runs, lines, seen = {*old_runs, *runs}, {**old_lines, **lines}, {**old_seen, **seen}
    page.write_text(render(runs, kills, lines, seen).rstrip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
