#!/usr/bin/env python3
"""What a pairing program of chess says of our Swiss rounds: simulated events as FIDE's TRF, judged by rounds.

    ./dev bench swiss_checker [CHECKER] [--bin build/bin] [--events N] [--seed N]

CHECKER is the path of bbpPairings (or of what takes the same arguments); without it only "legal" is judged. Of each
event, with draws, forfeits and an odd or even field, after each round:

    read      CHECKER reads the file: every game is said alike by both, points are the sums of results
    goes on   it finds a next round by its own rules (nobody meets again, no second bye)
    legal     by the file alone: nobody meets again who has played, nobody has a bye after a bye or a win by forfeit
    the same  its own round by the Dutch system is ours, to the last pairing and colour (ours is another system)
"""

import argparse
import pathlib
import random
import re
import subprocess
import sys
import tempfile

EVENT = 'name = "e"\nformat = "swiss"\nrounds = {rounds}\ntime = "60-0"\n{more}'
POINTS = {"1": 10, "+": 10, "U": 10, "F": 10, "=": 5, "H": 5}


def cells(line: str) -> list[tuple[int, str, str]]:
    """Opponent, colour and result of each round of a player's line."""
    parts = [line[at:at + 10] for at in range(89, len(line), 10)]
    return [(int(part[2:6]), part[7], part[9]) for part in parts]


def prefix(text: str, rounds: int) -> str:
    """The file as it stood after so many rounds."""
    out = []
    for line in text.splitlines():
        if line.startswith("001"):
            points = sum(POINTS.get(result, 0) for _, _, result in cells(line)[:rounds])
            line = f"{line[:80]}{points / 10:4.1f}{line[84:89]}{line[89:89 + 10 * rounds]}"
        out.append(line)
    return "\n".join(out) + "\n"


def is_legal(text: str, rounds: int) -> bool:
    for line in text.splitlines():
        if not line.startswith("001"):
            continue
        played = [opponent for opponent, _, result in cells(line)[:rounds] if opponent and result in "10="]
        free = [result for _, _, result in cells(line)[:rounds] if result in "U+F"]
        if len(set(played)) < len(played) or "U" in free[1:]:
            return False
    return True


def simulated(fuhyo: pathlib.Path, folder: pathlib.Path, seed: int) -> str:
    draw = random.Random(seed)
    entrants, rounds = draw.randint(8, 60), draw.randint(4, 9)
    rounds = min(rounds, entrants // 2)
    file = folder / "e.toml"
    file.write_text(EVENT.format(rounds=rounds, more=f"[entry]\nmax = {entrants}\n"))
    return subprocess.run([fuhyo, "tournament", "simulate", file, "--entrants", str(entrants), "--seed", str(seed),
                           "--draws", "0.1", "--forfeits", "0.01", "--format", "trf"],
                          check=True, capture_output=True, text=True).stdout


def judge(checker: str | None, folder: pathlib.Path, text: str, count: dict[str, int]) -> None:
    file = folder / "e.trf"
    rounds = max(len(cells(line)) for line in text.splitlines() if line.startswith("001"))
    count["rounds"] += rounds
    count["legal"] += sum(is_legal(text, done) for done in range(1, rounds + 1))
    if checker is None:
        return
    for done in range(1, rounds + 1):
        file.write_text(prefix(text, done))
        checked = subprocess.run([checker, "--dutch", file, "-c"], capture_output=True, text=True, check=False)
        count["read"] += checked.returncode == 0
        if done < rounds:
            paired = subprocess.run([checker, "--dutch", file, "-p"], capture_output=True, check=False)
            count["followed"] += 1
            count["goes on"] += paired.returncode == 0
    each = re.split(r"Round #\d+", checked.stdout)[1:]
    count["the same"] += sum("Checker pairings" not in one for one in each)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checker", nargs="?")
    parser.add_argument("--bin", default="build/bin", type=pathlib.Path)
    parser.add_argument("--events", default=50, type=int)
    parser.add_argument("--seed", default=1, type=int)
    options = parser.parse_args()
    if options.checker is not None and not pathlib.Path(options.checker).is_file():
        parser.error(f"there is no {options.checker}")
    count = dict.fromkeys(("rounds", "read", "legal", "followed", "goes on", "the same"), 0)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for seed in range(options.seed, options.seed + options.events):
            judge(options.checker, folder, simulated(options.bin / "fuhyo", folder, seed), count)
    print(f"{options.events} events, {count['rounds']} rounds: {count['legal']} legal")
    if options.checker is not None:
        print(f"{count['read']} read, {count['the same']} the same; of {count['followed']} that are followed "
              f"{count['goes on']} go on")
    failed = count["legal"] < count["rounds"] or (options.checker is not None and count["read"] < count["rounds"])
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
