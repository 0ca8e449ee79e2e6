"""What one session was told, put together from its events: games with their moves, results and the lines it sent."""

import json
import re
from dataclasses import dataclass, field

MOVE = re.compile(r"[+-]\d{4}[A-Z]{2}(,T\d+)?$")
TOLD_MOVE = re.compile(r"[+-]\d{4}[A-Z]{2},T\d+$")
MONITOR = re.compile(r"##\[MONITOR2\]\[([^\]]*)\] ?(.*)$")
VERDICTS = {"#WIN", "#LOSE", "#DRAW", "#CENSORED", "#CHUDAN"}


@dataclass
class Seen:
    csa_id: str = ""
    session: int = -1
    role: str = "player"
    sign: str = ""          # of a player
    told: list = field(default_factory=list)   # (move with T, when); those of a Game_Summary included
    first: int = 0          # told[first:] came as news, what stands before it with the position
    sent: list = field(default_factory=list)   # (line, when) in this game
    started: bool = False
    rejected: bool = False
    reason: str = ""
    verdicts: list = field(default_factory=list)  # (line, when)


class _Player:
    def __init__(self, session):
        self.session, self.games, self.in_summary = session, [], False

    def take(self, event):
        if event.kind == "sent":
            if self.games and MOVE.match(event.text.split(",'")[0]):
                self.games[-1].sent.append((event.text.split(",")[0], event.at))
        elif event.kind == "seen":
            self._line(event.text, event.at)

    def _line(self, line, at):
        if line == "BEGIN Game_Summary":
            self.games.append(Seen(session=self.session))
            self.in_summary = True
        elif self.in_summary:
            self._summary(line, at)
        elif self.games:
            self._game(self.games[-1], line, at)

    def _summary(self, line, at):
        seen = self.games[-1]
        if line == "END Game_Summary":
            self.in_summary, seen.first = False, len(seen.told)
        elif line.startswith("Game_ID:"):
            seen.csa_id = line[8:]
        elif line.startswith("Your_Turn:"):
            seen.sign = line[10:]
        elif MOVE.match(line):
            seen.told.append((line if "," in line else line + ",T1", at))

    @staticmethod
    def _game(seen, line, at):
        if line == "START:" + seen.csa_id:
            seen.started = True
        elif line.startswith("REJECT:" + seen.csa_id + " "):
            seen.rejected = True
        elif TOLD_MOVE.match(line):
            seen.told.append((line, at))
        elif line in VERDICTS:
            seen.verdicts.append((line, at))
        elif line.startswith("#") and not line.startswith("##"):
            seen.reason = line


class _Watcher:
    """%%MONITOR2ON: first the record so far, then each move in two lines."""
    def __init__(self, session):
        self.session, self.by_id, self.open_move = session, {}, {}

    @property
    def games(self):
        return list(self.by_id.values())

    def take(self, event):
        match = MONITOR.match(event.text) if event.kind == "seen" else None
        if match is None:
            return
        csa_id, line = match.groups()
        if line == "V2":  # a record from the beginning
            self.by_id[csa_id] = Seen(csa_id, self.session, "watcher")
        seen = self.by_id.setdefault(csa_id, Seen(csa_id, self.session, "watcher"))
        if MOVE.match(line):
            self.open_move[csa_id] = line
        elif line.startswith("T") and csa_id in self.open_move:
            seen.told.append((f"{self.open_move.pop(csa_id)},{line}", event.at))


class _Stream:
    """Server-sent events; a line of the history is "<name> <json>"."""
    def __init__(self, session):
        self.session, self.by_number, self.games = session, {}, []

    def take(self, event):
        if event.kind != "seen":
            return
        name, _, text = event.text.partition(" ")
        data = json.loads(text)
        if name == "snapshot":
            for game in data["games"]:
                self._game(game, event.at)
        elif name == "opened":
            self._game(data["game"], event.at)
        elif name == "moved" and data["id"] in self.by_number:
            self.by_number[data["id"]].told.append((data["move"], event.at))
        elif name == "ended" and data["id"] in self.by_number:
            self.by_number[data["id"]].verdicts.append((data["outcome"], event.at))

    def _game(self, game, at):
        seen = Seen(game["csa_id"], self.session, "stream", told=[(move, at) for move in game["moves"]])
        if game.get("end"):
            seen.verdicts.append((game["end"]["outcome"], at))
        self.by_number[game["id"]] = seen
        self.games.append(seen)


def observed(history):
    kinds = {"player": _Player, "watcher": _Watcher, "stream": _Stream}
    seen = []
    for number, events in enumerate(history.by_session()):
        role = history.sessions[number].role
        if role not in kinds:
            continue
        reader = kinds[role](number)
        for event in events:
            reader.take(event)
        seen.extend(reader.games)
    return seen
