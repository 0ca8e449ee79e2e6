#!/usr/bin/env python3
"""What each technique of engine 1 is worth: matches of the engine without it against the engine with it.

    ./dev bench ablation [--program FILE] [--eval-dir DIR] [--openings FILE] [--games N] [--nodes N] [--state DIR]
                         [--bin build/bin] [TECHNIQUE ...]

The program is a build with options for every technique (FUHYO_TUNE, see engines/nnue/SEARCH.md). Without names all of
its techniques are taken, in its own order. Each match plays fixed nodes with one thread, every opening with both
colours. Games are kept in the state folder, and what was interrupted goes on there. Printed at the end: the table of
SEARCH.md, Elo lost without the technique and its 95% interval, the most valuable first.
"""

import argparse
import os
import re
import subprocess
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system" / "reliability"))
from children import dying_with_us  # noqa: E402

LAST_LINE = re.compile(r"^without against with: .* Elo (?P<elo>[-+][\d.]+)"
                       r"(?: \[(?P<low>[-+]\d+), (?P<high>[-+]\d+)\])?", re.MULTILINE)
TECHNIQUE = re.compile(r"^option name Use_(\w+) type check default true", re.M)


def techniques_of(program):
    """The techniques that the program can leave out, as it lists them."""
    try:
        answer = subprocess.run([program], input="usi\nquit\n", capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        sys.exit(f"ablation: {program}: {error}")
    found = TECHNIQUE.findall(answer.stdout)
    if not found:
        sys.exit(f"ablation: {program} has no option Use_...: build it with -DFUHYO_TUNE=ON")
    return found


def loss(output):
    """(Elo, low, high) that is lost without the technique, out of the output of a match that is over."""
    last = LAST_LINE.search(output)
    # Without an interval where all pairs ended alike.
    return last and tuple(-round(float(last[side] or last["elo"])) for side in ("elo", "high", "low"))


def play(technique, options, state):
    """Plays the match, or what is left of it."""
    each = f"Threads=1 USI_Hash=16 USI_OwnBook=false FV_SCALE={options.fv_scale}"
    if options.eval_dir:
        each += f" EvalDir={options.eval_dir.resolve()}"
    program = options.program.resolve()
    command = [
        *dying_with_us(), options.bin / "fuhyo", "match",
        *("--games", str(options.games), "--tc", f"nodes={options.nodes}", "-j", "1"),
        *("-e", f"name=without cmd={program} Use_{technique}=false", "-e", f"name=with cmd={program}", "--each", each),
        *("--shuffle", "--seed", str(options.seed), "--every", "50", "--out", state / f"{technique}.jsonl"),
    ]
    if options.openings:
        command += ["--openings", options.openings]
    with (state / f"{technique}.log").open("w+") as log:
        rc = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, check=False).returncode
        log.seek(0)
        output = log.read()
    found = loss(output)
    if found is None:
        sys.exit(f"ablation: {technique}: the match ended with {rc}: {output[-500:]}")
    return found


def main():
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, default=Path("build-tune/bin/fuhyo-nnue"))
    parser.add_argument("--bin", type=Path, default=Path("build/bin"), help="where fuhyo is")
    parser.add_argument("--eval-dir", type=Path, help="folder of nn.bin; without it the network that is built in")
    parser.add_argument("--fv-scale", type=int, default=24)
    parser.add_argument("--openings", type=Path, help="openings as fuhyo match reads them")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--nodes", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--state", type=Path, default=data / "fuhyo/ablation")
    parser.add_argument("technique", nargs="*")
    options = parser.parse_args()
    known = techniques_of(options.program)
    for technique in options.technique:
        if technique not in known:
            parser.error(f"no technique '{technique}'; there are {', '.join(known)}")
    options.state.mkdir(parents=True, exist_ok=True)
    rows = []
    for technique in options.technique or known:
        elo, low, high = play(technique, options, options.state)
        print(f"{technique}: {elo:+d} [{low:+d}, {high:+d}]", file=sys.stderr, flush=True)
        rows.append((elo, low, high, technique))
    print("| technique | Elo | 95% |\n| --- | ---: | --- |")
    for elo, low, high, technique in sorted(rows, reverse=True):
        print(f"| {technique} | {elo:+d} | {low:+d}, {high:+d} |")


if __name__ == "__main__":
    main()
