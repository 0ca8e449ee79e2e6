"""Games of the load client before spectators behind a proxy: what it takes, and when they had the moves."""

import subprocess
from contextlib import ExitStack
from dataclasses import dataclass, field

import under_load
from children import dying_with_us
from followers import Followers, Lateness
from waiting import eventually
from web_fleet import CSA, Fleet

MOST_PLIES = 180  # of one game of the load client
OTHERS_PACE_MS = 500  # at least: they go on as long as the followed ones


def even(plies):
    return max(2, min(MOST_PLIES, plies // 2 * 2))


class Games:
    """`count` at once, each with a move each `pace_ms`, by turns, from the load client at the players' place. A context
    manager."""

    series = 0

    def __init__(self, options, ground, count, plies, pace_ms):
        Games.series += 1
        self.ground, self.game, self.file = ground, f"s{Games.series}n", ground.folder / f"moves{Games.series}"
        self.names = [f"{self.game}{number}-3600-60" for number in range(count)]
        words = ["--host", ground.game_place.address, "--pairs", count, "--plies", plies, "--pace-ms", pace_ms,
                 "--apart-ms", max(1, pace_ms // max(1, count)), "--game", self.game, "--name", f"S{Games.series}",
                 "--moves", self.file, "--limit", 3600]
        self.process = subprocess.Popen(
            [*dying_with_us(), *ground.players.words(), *under_load.words(options, CSA, words)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()

    def numbers(self):
        """Of the games, once all are opened."""
        known = self.ground.witness.games
        eventually(lambda: all(name in known for name in self.names), lambda: f"{self.names} are opened: {known}")
        return [known[name] for name in self.names]

    def wait_for(self, moves):
        eventually(lambda: self.ground.witness.count(self.names) >= moves, f"{moves} moves of {self.names}")

    def finish(self):
        """What the load client says of them."""
        said, _ = self.process.communicate()
        if self.process.returncode != 0:
            raise SystemExit(f"the players ended with {self.process.returncode}: {said}")
        told = under_load.told(said)
        self.wait_for(told["moves"])
        return told

    def due(self):
        """When each move was to be sent: {id of its event: nanoseconds of the steady clock}"""
        ids = [iter(self.ground.witness.moves[name]) for name in self.names]
        lines = (line.split() for line in self.file.read_text(encoding="ascii").splitlines())
        return {next(ids[int(game)]): int(at) for game, at in lines}


@dataclass
class Row:
    what: str
    readers: int
    accept: str
    told: dict = field(default_factory=dict)  # of the games that are followed
    echo: dict = field(default_factory=dict)  # of the others, or where there are none, of these; ms
    late: Lateness = None
    spectators: Followers = None
    used: tuple = ()  # of web nodes and proxy: (seconds of processor, KiB that they grew by)
    back_s: list = field(default_factory=list)

    @property
    def events(self):
        """What readers were sent of moves, whether it could be read or not."""
        return self.readers * self.told["moves"]

    def cpu_us(self, quiet):
        """Of web nodes, proxy and readers, for each event to a reader."""
        took = [mine[0] - theirs[0] for mine, theirs in zip(self.used, quiet.used)] + [self.spectators.sum("cpu_s")]
        return [seconds * 1e6 / self.events for seconds in took]

    def wrong(self):
        """What was counted and should not be."""
        who = self.spectators
        counts = {"not back": who.sum("away"), "snapshots in place of events": who.sum("snapshots"),
                  "moves shown twice": who.sum("twice"), "cut": 0 if self.back_s else who.sum("cuts"),
                  "moves missed": 0 if self.accept == "br" else self.events - who.sum("delivered")}
        return [f"{self.what}: {count} {what}" for what, count in counts.items() if count != 0]


def play(options, ground, row, count, others, meanwhile):
    """The games, beside the others; {id: when it was to be sent} of their moves."""
    expected = list(range(len(ground.witness.games) + 1, len(ground.witness.games) + 1 + count))
    wall_ms = options.plies * options.pace_ms
    pace_ms = max(OTHERS_PACE_MS, wall_ms // MOST_PLIES)
    with ExitStack() as ends:
        games = Games(options, ground, count, even(options.plies // count), options.pace_ms * count)
        ends.enter_context(games)
        if sorted(games.numbers()) != expected:
            raise SystemExit(f"games {games.numbers()} were opened instead of {expected}")
        beside = others and ends.enter_context(Games(options, ground, others, even(wall_ms // pace_ms), pace_ms))
        meanwhile(games)
        row.told = games.finish()
        row.echo = beside.finish()["echo_ms"] if beside else row.told["echo_ms"]
        return games.due()


def played(options, ground, what, *, count=1, others=0, readers=0, accept="", kill=False):
    """The Row of `count` games before a fresh fleet, with `others` beside that nobody follows."""
    row = Row(what, readers, accept)
    killed_ns = []

    def meanwhile(games):
        if kill:
            games.wait_for(options.plies // 3)
            killed_ns.append(fleet.kill_one())

    with Fleet(ground, max(readers, 1)) as fleet:
        fresh = fleet.used()
        with Followers(options, ground, count, readers, accept) as row.spectators:
            before = fleet.used()
            due = play(options, ground, row, count, others, meanwhile)
            full = fleet.used()
            row.spectators.finish(0 if accept == "br" else row.told["moves"])
            row.late = Lateness(row.spectators.arrivals(), due)
        after = fleet.used()
    row.back_s = row.spectators.back_s(killed_ns[0]) if kill else []
    row.used = tuple((end[0] - begin[0], most[1] - first[1])
                     for end, begin, most, first in zip(after, before, full, fresh))
    return row
