"""Everything that is known after a run, gathered for the checker."""

import re
from dataclasses import dataclass, field

from observed import observed
from stored import games_of


@dataclass
class Violation:
    check: str
    text: str

    def __str__(self):
        return f"{self.check}: {self.text}"


@dataclass
class Record:
    """A record file: what it says of moves and of the end."""
    csa_id: str
    moves: list      # "+7776FU,T1"
    summary: str     # "toryo:alice win:bob lose", or "" without one
    broken_off: bool


@dataclass
class Evidence:
    history: object
    rows: list                 # stored.Row, the journal in order
    archive: list = field(default_factory=list)   # rows of the table game, as dicts
    records: list = field(default_factory=list)   # Record
    listing: list = field(default_factory=list)   # lines of 00LIST
    judge: object = None       # texts "<sfen> TAB <moves>" in, verdicts out; None: legality is not looked at
    settled: bool = True       # faults are over and the server has been stopped: every game must have its end
    files: bool = True         # record files and lists belong to the evidence
    ends: frozenset = frozenset({"toryo"})  # kinds of end that these players can come to; lost lines are the row's
    slack_s: float = 2.0       # that clients and the network may need beyond a move's own time
    given_back_s: float = 0.0  # of anybody's turn, by a server that had not been running

    def __post_init__(self):
        if self.history.died():
            self.ends |= {"chudan"}
        self.games = games_of(self.rows)
        self.by_id = {game.csa_id: game for game in self.games.values()}
        self.seen = observed(self.history)


def read_record(text):
    moves = [f"{move},{spent}" for move, spent in re.findall(r"^([+-]\d{4}[A-Z]{2})\n(T\d+)$", text, re.MULTILINE)]
    summary = re.search(r"^'summary:(.*)$", text, re.MULTILINE)
    event = re.search(r"^\$EVENT:(.*)$", text, re.MULTILINE)
    return Record(event[1] if event else "", moves, summary[1] if summary else "",
                  re.search(r"^%CHUDAN$", text, re.MULTILINE) is not None)


def read_records(folder):
    """(records, lines of 00LIST) of a records folder."""
    records = [read_record(path.read_text(encoding="latin-1"))
               for path in sorted(folder.rglob("*.csa"))] if folder.is_dir() else []
    listing = folder / "00LIST"
    return records, listing.read_text(encoding="latin-1").splitlines() if listing.is_file() else []
