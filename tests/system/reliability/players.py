"""Pairs of players: they play legal lines, log in again when their connection breaks, and give up at a line's end."""

import asyncio
import random

from observed import MOVE, TOLD_MOVE, VERDICTS
from wire import Wire, patient, until

FOREVER_S = 3600
AT_ONCE = 48  # connections that have not logged in; the server takes 256


class Table:
    """Two players, a game name that nobody else uses, and what they play."""

    def __init__(self, hall, number, line):
        self.hall, self.number, self.line = hall, number, line
        self.plies = min(len(line), 12 + number * 37 % 150)  # short games end while long ones go on
        self.game_name = f"{hall.event}{number}-{hall.clock}"
        self.players = [Player(self, sign, extended=number % 3 == 2) for sign in "+-"]


class Player:
    def __init__(self, table, sign, extended):
        self.table, self.sign, self.extended = table, sign, extended
        self.hall = table.hall
        self.name = f"{self.hall.event}{'b' if sign == '+' else 'w'}{table.number}"
        self.wire, self.state, self.csa_id, self.moves = None, "away", "", []
        self.begun = ""  # the game that it began last
        self.in_summary, self.timer, self.finished, self.task = False, None, 0, None

    def begin(self):
        self.task = asyncio.get_running_loop().create_task(self._log_in())

    async def _log_in(self):
        async with self.hall.log_ins:
            if not self.hall.is_open:
                return
            try:
                self.wire = await patient(self._connect)
            except OSError:
                return  # said by whoever waits for the table
            self.state = "login"
            trip = f",{self.name}" if self.table.number % 2 else ""
            self.wire.say(f"LOGIN {self.name} trip x1" if self.extended
                          else f"LOGIN {self.name} {self.table.game_name}-{'B' if self.sign == '+' else 'W'}{trip}")
            while self.state == "login" and self.hall.is_open:  # one of those who have not logged in
                await asyncio.sleep(0.02)

    async def _connect(self):
        if not self.hall.is_open:
            raise OSError("the hall is closed")
        return await Wire.connect(self.hall.address, self.hall.history,
                                  self.hall.history.session(self.name, "player"), self._line, self._closed,
                                  self.hall.line_end)

    def _closed(self):
        self._rest()
        self.state = "away"
        if self.hall.is_open and self.finished < self.hall.rounds:
            asyncio.get_running_loop().call_later(random.uniform(0.02, 0.2), self.begin)

    def _rest(self):
        if self.timer:
            self.timer.cancel()
            self.timer = None

    def _line(self, line):
        if self.in_summary:
            self._summary(line)
        elif line == "BEGIN Game_Summary":
            self.in_summary, self.csa_id, self.moves = True, "", []
        elif TOLD_MOVE.match(line):
            self.moves.append(line.split(",")[0])
            self._turn()
        elif line == "START:" + self.csa_id:
            self.state, self.begun = "game", self.csa_id
            self.hall.game_started(self.csa_id)
            self._turn()
        elif line.startswith("LOGIN:") and line.endswith(" OK"):
            self.state = "waiting"
        elif line.startswith("##[LOGIN]"):
            self.wire.say(f"%%GAME {self.table.game_name} {self.sign}")
        elif line.startswith("LOGIN:incorrect"):
            self.wire.drop()
        elif line in VERDICTS:
            self._over()
        elif line.startswith("REJECT:"):
            self.state = "waiting"
            if self.extended:
                self.wire.say(f"%%GAME {self.table.game_name} {self.sign}")

    def _summary(self, line):
        if line.startswith("Game_ID:"):
            self.csa_id = line[8:]
        elif MOVE.match(line):
            self.moves.append(line.split(",")[0])
        elif line == "END Game_Summary":
            self.in_summary, self.state = False, "agreeing"
            new = self.csa_id != self.begun  # begun now, it would be cut off
            self.wire.say("REJECT" if self.hall.give_up and new else "AGREE")

    def _over(self):
        self._rest()
        self.state, self.finished = "over", self.finished + 1
        self.hall.finished += 1
        if self.extended:
            self.wire.say("LOGOUT")

    def _turn(self):
        self._rest()
        if self.state == "game" and len(self.moves) % 2 == (0 if self.sign == "+" else 1):
            self.timer = asyncio.get_running_loop().call_later(self.hall.think(), self._move)

    def hurry(self):
        self._rest()
        self._move()

    def _move(self):
        self.timer = None
        ply = len(self.moves)
        if ply >= self.table.plies or self.moves != self.table.line[:ply] or self.hall.give_up:
            self.wire.say("%TORYO")
        else:
            comment = f",'* {ply} 7776FU" if ply % 7 == 3 else ""
            self.wire.say(self.table.line[ply] + comment)


class Hall:
    """Where they play. Closed: nobody comes (back) in."""

    def __init__(self, history, address, lines, event="r", clock="3600-60", pause_s=(0.02, 0.3), rounds=1_000_000):
        self.history, self.address, self.event, self.clock = history, address, event, clock
        self.lines, self.pause_s, self.rounds = lines, pause_s, rounds
        self.is_open, self.give_up, self.finished = True, False, 0
        self.tables, self.watch = [], None
        self.log_ins = asyncio.Semaphore(AT_ONCE)
        self.line_end = "\n"

    def think(self):
        return random.uniform(*self.pause_s)

    def game_started(self, csa_id):
        if self.watch:
            self.watch(csa_id)

    def open_tables(self, count):
        for number in range(len(self.tables), len(self.tables) + count):
            table = Table(self, number, self.lines[number % len(self.lines)])
            self.tables.append(table)
            for player in table.players:
                player.begin()

    def players(self):
        return [player for table in self.tables for player in table.players]

    def running(self):
        return sum(1 for table in self.tables if all(player.state == "game" for player in table.players))

    def plies(self):
        return [len(table.players[0].moves) for table in self.tables if table.players[0].state == "game"]

    async def stand_still(self):
        """Who has begun to think moves; nobody moves after that, until go_on()."""
        thought_s, self.pause_s = self.pause_s[1], (FOREVER_S, FOREVER_S)
        await asyncio.sleep(2 * thought_s)

    def go_on(self):
        for player in self.players():
            if player.timer:
                player.hurry()

    async def is_left(self):
        await until(lambda: all(player.wire is None or player.wire.closed for player in self.players()),
                    "connections have not ended")

    def open_again(self):
        self.is_open = True
        for player in self.players():
            if player.state == "away":
                player.begin()

    async def close(self):
        self.is_open = False
        for player in self.players():
            player._rest()  # noqa: SLF001  (the hall and its players are one thing)
            if player.wire:
                player.wire.drop()
        tasks = [player.task for player in self.players() if player.task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.05)  # the ends of these connections have come in
