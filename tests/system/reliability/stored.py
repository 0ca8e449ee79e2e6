"""What the store holds, as values: games put together from the facts of the journal (server/core/facts.h).

Payloads are fields separated by TAB; fields that a newer version appends are not looked at, nor are kinds of fact that
are of no concern here.
"""

from dataclasses import dataclass, field
from typing import NamedTuple

OPENED, STARTED, REJECTED, MOVED, NOTED, ENDED = 1, 2, 3, 4, 5, 6
PAUSED, RESUMED = 9, 10
_ESCAPES = {"\\": "\\", "t": "\t", "n": "\n", "r": "\r", "0": "\0"}


class Row(NamedTuple):
    """A row of the journal."""
    seq: int
    kind: int
    game: int
    payload: str  # bytes as Latin-1


class Move(NamedTuple):
    seq: int
    ply: int
    csa: str
    spent_s: int
    remaining_s: int

    @property
    def text(self):
        return f"{self.csa},T{self.spent_s}"


class End(NamedTuple):
    seq: int
    kind: str
    outcome: str  # black_wins, white_wins, draw, none
    plies: int


@dataclass
class Game:
    number: int
    csa_id: str
    room: str
    black: str
    white: str
    total_s: int
    byoyomi_s: int
    increment_s: int
    least_s: int
    stopwatch_s: int
    start_sfen: str
    preset: list = field(default_factory=list)  # "+7776FU,T1"
    preset_spent: bool = False
    started: bool = False
    moves: list = field(default_factory=list)
    ends: list = field(default_factory=list)
    rejections: int = 0
    clock_moved: set = field(default_factory=set)  # plies before which something else may have set the clocks

    @property
    def over(self):
        return bool(self.ends) or self.rejections > 0

    def told(self):
        """The moves as anybody may have been told them, from the start position on."""
        return [move if "," in move else move + ",T1" for move in self.preset] + [move.text for move in self.moves]


def unescape(text):
    if "\\" not in text:
        return text
    out, rest = [], iter(text)
    for char in rest:
        out.append(_ESCAPES[next(rest)] if char == "\\" else char)
    return "".join(out)


def _opened(fields):
    (number, room, csa_id, _, black, _, _, white, _, _, total, byoyomi, increment, least, stopwatch, _, sfen, _, _, _,
     count) = fields[:21]
    rest = fields[21 + int(count):]
    return Game(int(number), csa_id, room, black, white, int(total), int(byoyomi), int(increment), int(least),
                int(stopwatch), sfen, preset=fields[21:21 + int(count)],
                preset_spent=len(rest) > 2 and rest[2] == "1")


def games_of(rows):
    """Games by number. What does not belong to a game that was opened is left to check_sequence()."""
    games = {}
    for row in rows:
        fields = [unescape(text) for text in row.payload.split("\t")]
        if row.kind == OPENED:
            games[row.game] = _opened(fields)
        game = games.get(row.game)
        if game is None or row.kind == OPENED:
            continue
        if row.kind == STARTED:
            game.started = True
        elif row.kind == REJECTED:
            game.rejections += 1
        elif row.kind == MOVED:
            _, ply, csa, spent, remaining = fields[:5]
            game.moves.append(Move(row.seq, int(ply), csa, int(spent), int(remaining)))
        elif row.kind == ENDED:
            _, kind, outcome, plies = fields[:4]
            game.ends.append(End(row.seq, kind, outcome, int(plies)))
        elif row.kind not in (NOTED, PAUSED, RESUMED):
            game.clock_moved.add(len(game.moves))
    return games
