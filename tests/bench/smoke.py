#!/usr/bin/env python3
"""Runs every bench for a moment, so that none of them rots; what they print of speeds means nothing then.

    ./dev bench smoke build/bin [NAME ...]

A line for each with its seconds. Exit code 1: one failed, or printed nothing (what it printed follows), or there is a
bench in this folder or its CMakeLists.txt that SMOKE does not know. One that ends with 77 lacks something of this
machine: a graphics card, a browser, a proxy.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "system"))
from waiting import PATIENCE_S  # noqa: E402

NOT_HERE = 77
# Words of its smoke run. {bin}: the programs; {tests}: the folder of tests; {tmp}: what make_inputs() makes.
SMOKE = {
    "ablation": "--bin {bin} --program {tmp}/tuned --games 4 --nodes 5 --state {tmp}/ablation",
    "book": "1000",
    "catalogue": "--dir {tmp} --games 200 --times 2",
    "cluster": "50 2",
    "cluster_games": "--bin {bin} --dir {tmp} --nodes 8000 --positions 2 bytes",
    "convert": "--games 2 --nodes 10 --candidates 3",
    "csa_parse": "{tests}/system/replay/games --seconds 0.05",
    "log_ins": "--bin {bin} --dir {tmp} --seconds 3 --games 2 --newcomers 1 --handshakes 20 handshakes",
    "engine_games": "--bin {bin} --dir {tmp} --games 2 --jobs 1 --nodes 10 --max-moves 10 --game bench-600-60F"
                    " --fault-ms 600000",
    "floodgate_month": "1 20 1",
    "gpu": "--nets 1x16 --batches 1 --threads 1 --rounds 1 --window-ms 20",
    "journal": "--dir {tmp} --seconds 0.1 --groups 10",
    "load_pair": "--bin {bin} --dir {tmp} --pairs 1 --smoke {bin}/fuhyo",
    "load_table": "--bin {bin} --dir {tmp} --runs 1 --smoke",
    "match_overhead": "{bin}/fake_engine 2 1",
    "mate": "{tests}/bench/long_mates.sfen --hash 1 --ms 2 --each",
    "mate_in_one": "200",
    "mcts": "--playouts 20 --rounds 1 --hash-mb 8",
    "network": "",
    "network_values": "{tests}/../engines/match/openings/balanced_12.txt --positions 20 --bin {bin} fuhyo-nnue"
                      " fuhyo-nnue 'fuhyo-nnue USI_Hash=1 nodes=200'",
    "nn": "--nets 1x16 --batches 1 --threads 1 --rounds 1 --window-ms 1",
    "pages": "--bin {bin} --loads 1 --smoke load",
    "perft": "1 3",
    "policy_speed": "1 16 1",
    "rating": "small",
    "rating_service": "small",
    "relay": "--bin {bin} --dir {tmp} --games 2 --plies 4 --pace-ms 10 --smoke",
    "scale_plan": "--spectators 100 2000 --games 3 --seconds 30",
    "search_speed": "--nodes 200 --rounds 1 --option USI_Hash=1 {bin}/fuhyo-nnue",
    "self_play_policy": "--games 2 --window 0.05 --rounds 1",
    "site": "--bin {bin} --dir {tmp} --entrants 4 --rounds 1 --nodes 10 --smoke",
    "soak": "--bin {bin} --dir {tmp} --games 1 --pace-ms 20 --spectators 4 --smoke",
    "spectators": "--bin {bin} --dir {tmp} --readers 5 --pace-ms 10 --plies 10 --runs 1 --smoke",
    "sprt_length": "1 0 50",
    "start": "--dir {tmp} --rows 505 --live 1 --times 1",
    "swiss_checker": "--bin {bin} --events 1",
    "train_speed": "K+P 64 1",
    "transfer": "--dir {tmp} --games 5 --plies 10",
    "web_nodes": "wall kill packed look http2 --bin {bin} --dir {tmp} --readers 12 --packed-readers 8 --pace-ms 50"
                 " --plies 10 --others 2 --runs 1 --back-ms 100 --look-s 0.2 --smoke",
}
# An engine with one technique that can be switched off, and the options that `ablation` sets.
TUNED = """#!/bin/sh
{bin}/fake_engine good | while read -r line; do
  if [ "$line" = usiok ]; then
    echo "option name Use_Nothing type check default true"
    echo "option name Threads type spin default 1 min 1 max 1"
    echo "option name USI_Hash type spin default 16 min 1 max 16"
    echo "option name USI_OwnBook type check default false"
    echo "option name FV_SCALE type spin default 24 min 1 max 128"
  fi
  echo "$line"
done
"""


def benches():
    """Name: the command, as `./dev bench` finds it."""
    listed = re.findall(r"^fuhyo_bench\((\w+)", (HERE / "CMakeLists.txt").read_text(encoding="utf-8"), re.MULTILINE)
    scripts = {path.stem: [sys.executable, "-B", str(path)] for path in HERE.glob("*.py") if path.stem != "smoke"}
    return {name: ["{bin}/bench_" + name] for name in listed} | scripts


def make_inputs(tmp, programs):
    tuned = tmp / "tuned"
    tuned.write_text(TUNED.format(bin=programs), encoding="utf-8")
    tuned.chmod(0o755)


def run(command, tmp, programs):
    """What went wrong, and what it printed."""
    words = [word.format(bin=programs, tests=HERE.parent, tmp=tmp) for word in command]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              cwd=tmp, env={**os.environ, "TMPDIR": str(tmp)}, timeout=PATIENCE_S, check=False,
                              text=True, errors="replace")
    except subprocess.TimeoutExpired as late:
        return f"not over within {PATIENCE_S} s", (late.stdout or b"").decode(errors="replace")
    except OSError as error:
        return "cannot be run", str(error)
    if done.returncode == NOT_HERE:
        return "not here", done.stdout
    if done.returncode != 0:
        return f"exit code {done.returncode}", done.stdout
    return None if done.stdout.strip() else "printed nothing", done.stdout


def main(programs, *names):
    known = benches()
    faults = [f"{name}: SMOKE says nothing of this bench" for name in sorted(known.keys() - SMOKE.keys())]
    faults += [f"{name}: SMOKE names it, and it is not there" for name in sorted(SMOKE.keys() - known.keys())]
    programs = Path(programs).resolve()
    for name in names or sorted(known.keys() & SMOKE.keys()):
        with tempfile.TemporaryDirectory(prefix="fuhyo-smoke-") as folder:
            tmp = Path(folder)
            tmp.chmod(0o755)  # a private PostgreSQL in it is no root
            make_inputs(tmp, programs)
            began = time.monotonic()
            fault, said = run([*known[name], *shlex.split(SMOKE[name])], tmp, programs)
        print(f"{name:<17} {time.monotonic() - began:6.1f} s  {fault or ''}", flush=True)
        if fault == "not here":
            print("    " + said.strip())
        elif fault:
            faults.append(f"{name}: {fault}:\n{said}")
    print("\n".join(faults) or "all of them run")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
