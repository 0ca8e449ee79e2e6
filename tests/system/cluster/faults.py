#!/usr/bin/env python3
"""Games of fuhyo-cluster in real processes, whose nodes are killed, stopped and continued at random moments.

    faults.py --bin build/bin [--games N] [--seed N] [--byoyomi MS] [--net] [--quick]

It plays against fuhyo-nnue, which is also the referee. Each game has two to four nodes and other modes. In every state
it is told `ponderhit`, `stop`, `isready`, `go infinite`, `go mate`; its end is `quit`, the end of its input or a kill,
while it rests, thinks, ponders or gets ready. Required: every move is legal and within its clock, nothing hangs, and no
process is left over. A seed gives the same plan; which moment of the search a fault hits depends on the machine.
--net: all nodes but the root are behind lines that stall, break and are cut (lines.py); as root. --quick: for a machine
that may do anything else beside it: how fast moves come is told, and not asked for. Exit code: 1 if something failed,
77 if it cannot run here.
"""

import argparse
import sys
import tempfile
import threading
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path += [str(HERE.parent), str(HERE.parent / "reliability")]
from bed import CannotRun  # noqa: E402
from games import Bed  # noqa: E402
from lines import NETEM  # noqa: E402
from talk import Fault  # noqa: E402


class Watch(threading.Thread):
    """How late this program itself was at most, which says something of the machine: milliseconds."""

    def __init__(self):
        super().__init__(daemon=True)
        self.late_ms = 0.0
        self.start()

    def run(self):
        while True:
            begun = time.monotonic()
            time.sleep(0.01)
            self.late_ms = max(self.late_ms, (time.monotonic() - begun - 0.01) * 1000)


def parse(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, default=Path("build/bin"), help="the folder of the programs")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--byoyomi", type=int, default=2000, metavar="MS",
                        help="of every move; half of it is the margin (a busy machine needs more: 5000)")
    parser.add_argument("--net", action="store_true")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args(words)
    options.bin = options.bin.resolve()
    return options


def spread(times_ms):
    times_ms = sorted(times_ms) or [0]
    ranks = (("half", len(times_ms) // 2), ("99 %", len(times_ms) * 99 // 100), ("all", -1))
    return ", ".join(f"{share} within {times_ms[rank]:.0f} ms" for share, rank in ranks)


def report(bed, games, watch):
    print(f"{games} games, {len(bed.thought_ms)} moves of the cluster, in {bed.options.byoyomi} ms each: "
          f"{spread(bed.thought_ms)}; after stop {spread(bed.stopped_ms)}")
    for counts in (bed.harm.counts, bed.told):
        print(", ".join(f"{what}: {count}" for what, count in sorted(counts.items())))
    if bed.options.net:
        print("lines: " + (f"netem {' '.join(NETEM)}" if all(line.delays for line in bed.lines) else
                           "this kernel delays and loses no packets (no netem)"))
    print(f"this program itself was {watch.late_ms:.0f} ms late at most")


def main(words):
    options, watch, games = parse(words), Watch(), 0
    with tempfile.TemporaryDirectory(prefix="fuhyo-cluster-") as folder:
        bed = Bed(options, Path(folder))
        try:
            for number in range(1, options.games + 1):
                print(f"game {number}: {bed.play(number)}", flush=True)
                games += 1
            if bed.cluster:
                bed.leave("quit")
        except CannotRun as reason:
            print(f"cannot run here: {reason}")
            return 77
        except (Fault, AssertionError) as fault:
            print(*(bed.cluster.told if bed.cluster else ()), sep="\n")
            print(f"game {games + 1} of seed {options.seed}: {fault}")
            report(bed, games, watch)
            return 1
        finally:
            bed.close()
    report(bed, games, watch)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
