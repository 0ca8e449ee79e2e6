"""Entrants of an event, as clients of both modes: each logs in, plays what it is given, and comes back whatever happens
to its line. They know who is to win, and write down what they saw."""

import asyncio
import re

BACK_S = 0.3  # a client that was cut off tries again so often
OPENING = ("+7776FU", "-3334FU")


class Field:
    """What all entrants share: where the server is, who wins, which games are held up, and what has come of them."""

    def __init__(self, address, game_name, black_wins):
        self.address, self.game_name, self.black_wins = address, game_name, black_wins
        self.games = {}  # Game_ID: (black, white), in the order in which they began
        self.ends = {}  # Game_ID: {name: "WIN", "LOSE", ...}
        self.may_go_on = lambda game: True  # asked before White's first move; False: it thinks on
        self.faults = []

    def began(self, game, black, white):
        if self.games.setdefault(game, (black, white)) != (black, white):
            self.faults.append(f"{game} is a game of two pairs")

    def ended(self, game, name, result):
        if self.ends.setdefault(game, {}).setdefault(name, result) != result:
            self.faults.append(f"{game}: {name} was told two results")

    def over(self, game):
        return len(self.ends.get(game, {})) == 2

    def winner(self, game):
        """Who won, by either side's word. None: nobody did, or they say different things."""
        results, (black, white) = self.ends.get(game, {}), self.games[game]
        won = {name if result == "WIN" else white if name == black else black for name, result in results.items()
               if result in ("WIN", "LOSE")}
        return won.pop() if len(won) == 1 and set(results.values()) <= {"WIN", "LOSE"} else None

    def result(self, game):
        winner, (black, white) = self.winner(game), self.games[game]
        assert winner, f"{game}: {self.ends.get(game)}"
        return winner, white if winner == black else black


class Entrant:
    """`manners` after each game: "stays", "logs out" (and comes back) or "closes" (and comes back)."""

    def __init__(self, field, name, x1, manners="stays"):
        self.field, self.name, self.x1, self.manners = field, name, x1, manners
        self.comes_back = True
        self.writer = None
        self.plays = None  # Game_ID
        self.task = None

    def come(self):
        self.task = asyncio.create_task(self.run())

    async def go(self):
        """For good, or until it comes again."""
        self.task.cancel()
        await asyncio.gather(self.task, return_exceptions=True)

    def drop_line(self):
        """As a cable that is pulled, for the server; it comes back at once."""
        self.writer.transport.abort()

    async def run(self):
        while self.comes_back:
            try:
                reader, self.writer = await asyncio.open_connection(*self.field.address)
                try:
                    self.log_in()
                    await self.listen(reader)
                finally:
                    self.writer.close()
            except OSError:
                pass
            self.plays = None
            await asyncio.sleep(BACK_S)

    def log_in(self):
        if self.x1:
            self.say(f"LOGIN {self.name} trip{self.name} x1", f"%%GAME {self.field.game_name} *")
        else:
            self.say(f"LOGIN {self.name} {self.field.game_name},trip{self.name}")

    def say(self, *lines):
        self.writer.write("".join(line + "\n" for line in lines).encode())

    async def listen(self, reader):
        summary = None
        while raw := await reader.readline():
            line = raw.decode().rstrip("\n")
            if line == "BEGIN Game_Summary":
                summary = []
            elif line == "END Game_Summary":
                self.read(summary)
                summary = None
                self.say("AGREE")
            elif summary is not None:
                summary.append(line)
            elif line.startswith("START:"):
                self.plays = line.removeprefix("START:")
                self.field.began(self.plays, self.black, self.white)
                await self.move()
            elif re.match(r"[+-]\d{4}", line):
                self.moves += 1
                await self.move()
            elif line in ("#WIN", "#LOSE", "#DRAW", "#CENSORED", "#CHUDAN"):
                self.field.ended(self.plays, self.name, line[1:])
                self.plays = None
                if self.manners == "logs out":
                    self.say("LOGOUT")
                elif self.manners == "closes":
                    return

    def read(self, summary):
        of = dict(line.split(":", 1) for line in summary if ":" in line)
        self.black, self.white, self.colour = of["Name+"], of["Name-"], of["Your_Turn"]
        # A game that goes on is told with its moves.
        self.moves = sum(bool(re.match(r"[+-]\d{4}[A-Z]", line)) for line in summary)

    # Black, White, and whoever has lost by then resigns.
    async def move(self):
        if (self.moves % 2 == 0) != (self.colour == "+"):
            return
        game = self.plays
        while self.moves == 1 and not self.field.may_go_on(game):
            await asyncio.sleep(0.05)
            if self.writer.is_closing():
                return
        lost = self.field.black_wins(game, self.black, self.white) == (self.colour == "-")
        self.say("%TORYO" if self.moves > 0 and lost else OPENING[self.moves])
