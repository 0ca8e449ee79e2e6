#!/usr/bin/env python3
"""What an event costs as a folder of files: `fuhyo tournament export EVENT --site`, without and with cards of links.

    ./dev bench site [--bin build/bin] [--dir FOLDER] [--entrants N] [--rounds N] [--nodes N] [--site DIR] [--smoke]

The event is held first, by a server of its own: a Swiss of 28 built-in players in 15 rounds, 210 games, which say
evaluations and lines, and look at --nodes positions a move or some more. Then its pages are written while the server
runs. Prints how long the games are, seconds, processor time and megabytes, and these by kind of file.

--site: where the pages stay, to be looked at. Exit code 1: more than 10 s or 15 MB with cards; --smoke: no figure is a
fault.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "support"), str(TESTS / "system")]
import under_load  # noqa: E402
from event_files import announce_event, begin_event, event_text  # noqa: E402
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402

EVENT, TIME = "cup", "300-2F"
ROOM = f'games = "{EVENT}-*"\npairing = "host"\n'  # who comes before the event begins is paired with nobody
ADDRESS = "https://example.org/cup"
MOST_S, MOST_MB = 10, 15
SILENCE_S = 600  # so long without the end of a game is the end of the bench


def engines(options, names):
    """Flags of players who are the stronger the later they come: equal ones would all play the same game."""
    for place, name in enumerate(names):
        nodes = options.nodes + options.nodes * place // len(names)
        yield from ("--engine", f"name={name} engine={options.bin / 'fuhyo-nnue'} game={EVENT}-{TIME}"
                    f" option.USI_Hash=1 option.USI_OwnBook=false option.EvalNoise=30 option.NodesLimit={nodes}")


def wait(server, what, is_so):
    last, since = None, time.monotonic()
    while not is_so(told := server.done("tournament", EVENT)):
        if told != last:
            last, since = told, time.monotonic()
        if time.monotonic() - since > SILENCE_S:
            sys.exit(f"not {what}: {told['text']}")
        time.sleep(0.2)


def hold(server, options, names):
    announce_event(server, EVENT, event_text(names, name=EVENT, title="Championship", title_ja="選手権", format="swiss",
                                             rounds=options.rounds, time=TIME, max_moves=320, countdown_s=1, gap_s=0))
    wait(server, "all there", lambda told: sum("waits" in row for row in told["rows"]) == len(names))
    begin_event(server, EVENT)
    wait(server, "over", lambda told: "is over" in told["text"])


def export(options, data, folder, *words):
    """Seconds, of processor time, and bytes by kind."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run([options.bin / "fuhyo", "tournament", "export", EVENT, "--data", data, "--site", folder, *words],
                   stdout=subprocess.DEVNULL, check=True)
    wall, after = time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    sizes = Counter()
    for path in folder.rglob("*.*"):
        sizes[path.suffix] += path.stat().st_size
    return wall, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, sizes


def told(name, wall, processor, sizes):
    kinds = ", ".join(f"{kind[1:]} {size / 1e6:.1f}" for kind, size in sizes.most_common() if size >= 50_000)
    print(f"| {name} | {wall:.1f} s | {processor:.1f} s | {sizes.total() / 1e6:.1f} MB | {kinds} |", flush=True)


def parse():
    parser = under_load.parser(__doc__)
    parser.add_argument("--entrants", type=int, default=28)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--site", type=Path)
    parser.add_argument("--smoke", action="store_true")
    return parser.parse_args()


def main():
    options = parse()
    names = [f"engine{number:02}" for number in range(1, options.entrants + 1)]
    with tempfile.TemporaryDirectory(prefix="fuhyo-site-", dir=options.dir) as folder:
        data, site = Path(folder, "data"), options.site or Path(folder, "cards")
        for private in (data, data / "rooms"):
            private.mkdir(mode=0o700)
        (data / "rooms" / f"{EVENT}.toml").write_text(ROOM, encoding="utf-8")
        with FuhyoServer(options.bin / "fuhyo", *free_ports("csa"), "--builtin", "off", "--log-level", "warning",
                         "--engine-threads", options.entrants, *engines(options, names), data=data) as server:
            hold(server, options, names)
            print(under_load.machine(), flush=True)
            print("| | | of processor time | | MB of each kind |\n| --- | --- | --- | --- | --- |")
            told("without cards", *export(options, data, Path(folder, "plain")))
            figures = export(options, data, site, "--address", ADDRESS)
            told("with cards", *figures)
        records = [path.read_text(encoding="utf-8") for path in (site / "api/v1/games").glob("*.csa")]
    plies = sum(record.count("\nT") for record in records)
    print(f"{len(records)} games of {plies / len(records):.0f} moves")
    wall, _, sizes = figures
    return 1 if not options.smoke and (wall > MOST_S or sizes.total() > MOST_MB * 1e6) else 0


if __name__ == "__main__":
    sys.exit(main())
