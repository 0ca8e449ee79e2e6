"""Rows about engines of the server's own that crash, hang, eat, break out or are broken, and about workers: each is a
case, or two, of tests/system/evil or tests/system/worker, beside an honest game; what an attempt comes to one by one is
in tests/unit/usi."""

import re
import sys
from pathlib import Path

from bed import CannotRun
from rows import row
from rows_web import run_test

USUAL_MS, LONGEST_MS = 250, 5000  # of an honest player's echoes, half of them and all
PROGRAMS = ("evil_engine", "fake_engine", "fuhyo-nnue", "fuhyo-mcts", "fuhyo-cluster")


def _command(settings, script, *programs):
    """A system test of its own, by its path; `programs` are those that it names besides."""
    if settings.store != "sqlite":
        raise CannotRun("is not about the store")
    files = [Path(settings.judge).with_name(name) for name in programs]
    missing = [file.name for file in files if not file.exists()]
    if missing:
        raise CannotRun(f"{', '.join(missing)} not built")
    return [sys.executable, "-B", str(Path(__file__).resolve().parents[1] / script), settings.program, *map(str, files)]


async def _cases(settings, report, *cases):
    command = _command(settings, "evil/evil_test.py", *PROGRAMS)
    for case in cases:
        said = await run_test(report, [*command, case], 900)
        report.require(f"case_{case}" in said, f"there is no case {case}")
        honest = re.search(r"honest game: (.*echoes after (\d+) ms, at most (\d+) ms)", said)
        if honest:
            report.add("honest game beside it", honest[1])
            report.promise(int(honest[2]) < USUAL_MS and int(honest[3]) < LONGEST_MS, "it is slowed")
        failed = re.search(r"(\d+) attempts failed", said)
        if failed:
            report.add("attempts that failed", int(failed[1]))


def _row_of_cases(id_, title, promise, *cases):
    async def run(settings, report):
        await _cases(settings, report, *cases)

    run.__name__ = f"{id_}_cases"
    row(id_, title, promise)(run)


_row_of_cases("E1", "engines that crash in mid-thought, and engines that are left when the server dies",
              "started again, in its game, too; what cannot be helped is played or resigned for it; nothing is left "
              "over",
              "E1_E2_bad_manners", "E1_death_with_the_server")
_row_of_cases("E2", "engines that hang, flood, end no line, play illegal or malformed moves, tell values that are none",
              "each harms its own game at most; killed and logged", "E1_E2_bad_manners")
_row_of_cases("E3", "engines that eat memory (also where no process shows it: shared, in pipes and sockets, in page "
              "tables), processes, threads and disk",
              "the engine ends at its limit; games beside it are not slowed", "E3_hunger")
_row_of_cases("E4", "an evil engine: sockets, files of others, other processes, the kernel's interfaces",
              "every attempt fails", "E4_every_attempt_fails")
_row_of_cases("E5", "networks that are empty, cut or noise",
              "refused before use; the engine takes no seat, the server goes on", "E5_bad_networks")
_row_of_cases("E6", "an engine that pries: watches folders, asks for names and sizes of the server's files",
              "it is told nothing; where the machine has no mount namespaces, the server says what can be told",
              "E6_nothing_is_seen", "E6_what_can_be_seen_is_said")


@row("E7", "a worker's token in a rival's hands: players and offers without end; and strangers who hold connections",
     "64 players, other offers once in 10 s; no game waits, and no worker is kept out")
async def E7_hostile_worker(settings, report):
    cases = ("test_players_without_end", "test_who_only_sits_at_the_door")
    await run_test(report, [*_command(settings, "worker/worker_test.py", "fake_engine", "fuhyo-cluster"),
                            *(f"Workers.{case}" for case in cases)], 900)
