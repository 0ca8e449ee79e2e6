"""Rows that measure, to be run by name on a machine that does nothing else: echoes under load, many games recovered."""

import asyncio
import json
import subprocess
import time
from pathlib import Path

from bed import Bed, CannotRun
from rows import row


def _load(program, port, folder, *words):
    done = subprocess.run([program, "--port", str(port), "--dir", str(folder), *words], capture_output=True, text=True,
                          check=False, timeout=600)
    found = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    if done.returncode != 0 or not found:
        raise AssertionError(f"bench_load: {done.stdout}{done.stderr}")
    return found[0]


LOADS = (
    ("50 games, answers at once", ["--pairs", "50", "--plies", "160"]),
    ("1,000 games, answers at once", ["--pairs", "1000", "--plies", "60"]),
    ("1,000 games, a move a second in each", ["--pairs", "1000", "--plies", "20", "--pace-ms", "1000"]),
)


@row("L2", "echoes with 50 and with 1,000 games",
     "every game is played to its end; the figures are what the machine gives", measures=True)
async def L2_echoes(settings, report):
    program = Path(settings.program).parent / "bench_load"
    if not program.exists():
        raise CannotRun("bench_load is not built")
    for name, words in LOADS:
        async with Bed(settings, "--max-moves", "0", "--log-level", "warning") as bed:
            await bed.start()
            found = await asyncio.to_thread(_load, program, bed.server.csa[1], bed.folder, "--pid", str(bed.server.pid),
                                            *words)
            echo, sync = found["echo_ms"], found["fdatasync_ms"]
            report.add(f"{name}: echo, ms", f"p50 {echo['p50']:.2f}, p99 {echo['p99']:.2f}")
            report.add(f"{name}: moves a second", round(found["moves_per_s"]))
            report.add(f"{name}: fdatasync of this disk, ms", f"p50 {sync['p50']:.2f}, p99 {sync['p99']:.2f}")
            report.require(found["finished"] == found["pairs"] and not found["errors"],
                           f"{found['finished']} of {found['pairs']} games ended; {found['errors']}")


@row("L7", "killed with 1,000 live games",
     "serving again within 5 s; every game is dealt with by its rule", measures=True)
async def L7_many_live_games(settings, report):
    # Slow play: what counts is how many games there are, and these clients need the machine for coming back.
    async with Bed(settings, pause_s=(5.0, 30.0)) as bed, bed.games(report, 1000, 1000, stream=False):
        await asyncio.sleep(10)
        began = time.monotonic()
        report.add("from kill to listening, all rooms rebuilt, s", f"{await bed.kill_and_restart():.2f}")
        await bed.somebody_is_in()
        first = time.monotonic() - began
        report.add("from kill to the first login, s", f"{first:.2f}")
        await bed.all_play()
        report.add("from kill to 95 % of the games being played on, s", f"{time.monotonic() - began:.2f}")
        report.promise(first <= 5, f"serving again took {first:.2f} s")
        bed.hall.pause_s = (0.0, 1.0)
