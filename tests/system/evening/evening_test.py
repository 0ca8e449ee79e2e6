#!/usr/bin/env python3
"""A designated-position evening as a host holds it, over telnet: a set of positions is loaded, two built-in players and
two that `fuhyo join` brings play every position both ways, one game is paused and goes on, one is adjudicated, and the
cross table is read."""

import re
import subprocess

from csa_client import CsaClient
from server_case import ServerCase, run_tests
from waiting import PATIENCE_S, eventually

GROUP = "floodgate-120-0"
MAX_MOVES = 30
POSITIONS = [
    ("lnsgkgsnl/1r5b1/pppppp1pp/6p2/9/2P6/PP1PPPPPP/1B5R1/LNSGKGSNL b - 1", "one step each"),
    ("4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1", "mate in one"),
]
TITLES = "".join(f"sfen {sfen} | {title} | of the evening\n" for sfen, title in POSITIONS)
RULES = f"""set pairing_factory matching
set both_colours yes
set buoy_set evening
set max_moves {MAX_MOVES}
"""
# Some five moves a second: an evening is no match.
QUICK = ["Threads=1", "USI_Hash=1", "SlowMover=5", "MinimumThinkingTime=150", "RoundUpToFullSecond=false",
         "EvalNoise=30"]
PLAYERS = ["Kiku", "Ume", "guest1", "guest2"]


class Host(CsaClient):
    def __init__(self, address, secret):
        super().__init__(address, f"LOGIN host {secret} x1")
        self.until("##[LOGIN] +OK x1")

    def say(self, line):
        super().say(line + "\r")

    def ask(self, command):
        self.say("%%ADMIN " + command)
        said = self.lines_until("##[")
        while not said[-1].startswith("##[ADMIN] +OK"):
            assert not said[-1].startswith(("##[ADMIN] ERROR", "##[ERROR]")), f"{command}: {said}"
            said += self.lines_until("##[")
        return [line.removeprefix("##[ADMIN] ") for line in said[:-1] if line.startswith("##[ADMIN] ")]

    def table(self, command):
        """Rows by the names of their columns, two or more blanks apart; the last line says how many there are."""
        head, *rows = self.ask(command)[:-1] or [""]
        starts = [found.start() for found in re.finditer(r"(?<!\S)(?<!\S )\S", head)]
        ends = starts[1:] + [None]
        names = [head[start:end].strip() for start, end in zip(starts, ends)]
        return [dict(zip(names, (row[start:end].strip() for start, end in zip(starts, ends)))) for row in rows]

    def waits_for(self, command, is_so):
        def look():
            rows = self.table(command)
            return (rows,) if is_so(rows) else None

        return eventually(look, lambda: f"{command}: {self.table(command)}")[0]


def running(host, moves):
    def are_so(rows):
        return [row for row in rows if row["state"] == "running" and int(row["moves"]) >= moves]
    return are_so(host.waits_for("games", are_so))[0]


def moves_by_game(host):
    return {row["game"]: int(row["moves"]) for row in host.table("games")}


def pause_and_resume(host):
    """The other game goes on meanwhile, by moves or to its end."""
    game = running(host, 4)["game"]
    host.ask(f"pause {game} tea is served")
    before = moves_by_game(host)
    others = [other for other in before if other != game]
    host.waits_for("games", lambda rows: all(
        moves_by_game(host).get(other, 1000) > before[other] + 4 for other in others))
    assert moves_by_game(host)[game] == before[game], "a paused game goes on"
    host.ask(f"resume {game}")


def adjudicate(host):
    game = running(host, 6)["game"]
    host.ask(f"adjudicate {game} draw the host needs the table")


def hold_round(host, meanwhile=()):
    host.waits_for("rounds", lambda rows: rows[0]["waiting"] == "4")
    said = host.ask("round " + GROUP)
    assert said[0].endswith("2 games"), said
    for act in meanwhile:
        act(host)
    host.waits_for("rounds", lambda rows: rows[0]["waiting"] == "4" and rows[0]["to come"] == "0")


def start_of(record):
    return re.findall(r"^P[1-9].*$|^P[+-].*$|^[+-]$", record, re.MULTILINE)


def results_of(records):
    """Of each game its start, its sides and the winner ("" is a draw), from its record alone."""
    games = []
    for path in sorted(records.rglob("*.csa")):
        text = path.read_text()
        sides = [re.search(f"^N[{sign}](.*)$", text, re.MULTILINE)[1] for sign in "+-"]
        summary = re.search(r"^'summary:[^:]*:\S* (win|lose|draw):\S* (win|lose|draw)$", text, re.MULTILINE)
        assert summary, text
        winner = "" if summary[1] == "draw" else sides[0 if summary[1] == "win" else 1]
        games.append(("\n".join(start_of(text)), *sides, winner))
    return games


def check_games(games):
    """Eight games: every position by two pairs, both ways each, and other pairs in the second round."""
    pairs = []
    for start in dict.fromkeys(game[0] for game in games):
        sides = [(black, white) for its, black, white, _ in games if its == start]
        assert len(sides) == 4 and sorted(sides) == sorted((white, black) for black, white in sides), sides
        assert {name for pair in sides for name in pair} == set(PLAYERS), sides
        pairs.append({frozenset(pair) for pair in sides})
    assert len(pairs) == 2 and not pairs[0] & pairs[1], pairs
    mates = [game for game in games if game[0].startswith("P1 *")]
    assert len(mates) == 4 and all(winner == black for _, black, _, winner in mates), mates


def check_cross_table(rows, games):
    expected = {name: [0, 0, 0] for name in PLAYERS}  # wins, losses, draws
    for _, black, white, winner in games:
        for name in (black, white):
            expected[name][2 if not winner else 0 if winner == name else 1] += 1
    assert {row["name"]: [int(row[column]) for column in ("wins", "losses", "draws")] for row in rows} == expected, rows
    points = [float(row["points"]) for row in rows]
    assert points == [wins + draws / 2 for wins, _, draws in (expected[row["name"]] for row in rows)], rows
    assert points == sorted(points, reverse=True) and sum(points) == 8, rows


class Evening(ServerCase):
    def guest(self, server, name):
        options = [word for option in QUICK for word in ("--option", option)]
        return self.start(self.program, "join", "--server", server.address, "--name", name, "--password",
                          f"{GROUP},{name}", "--engine", self.engine, *options, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)

    def test_an_evening(self):
        config = self.folder / "fuhyo.toml"
        (self.data / "positions").mkdir(parents=True)
        (self.data / "positions" / "evening.txt").write_text("# two positions\n" + TITLES)
        (self.data / f"{GROUP}.conf").write_text(RULES)
        options = " ".join("option." + option for option in QUICK)
        seats = ", ".join(f'"name={name} engine={self.engine} game={GROUP} {options}"' for name in PLAYERS[:2])
        config.write_text(f'engine = [{seats}]\nfloodgate-games = ["{GROUP}"]\nengine-threads = 2\n')
        secret = self.add_operator("host")
        server = self.serve("--config", config)
        guests = [self.guest(server, name) for name in PLAYERS[2:]]
        with Host(server.csa, secret) as host:
            self.assertEqual(host.ask("load-positions evening evening.txt"), ["the set evening has 2 positions"])
            hold_round(host, [pause_and_resume, adjudicate])
            hold_round(host)
            rows = host.table(f"results {GROUP}")
        for guest in guests:
            guest.terminate()
            guest.wait(PATIENCE_S)
        server.stop()
        games = results_of(self.data / "records")
        check_games(games)
        check_cross_table(rows, games)
        comments = "".join(path.read_text() for path in (self.data / "records").rglob("*.csa"))
        self.assertEqual(comments.count("'* paused by host: tea is served"), 1)
        self.assertEqual(comments.count("'* adjudicated: the host needs the table"), 1)


if __name__ == "__main__":
    run_tests("engine")
