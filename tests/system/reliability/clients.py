"""Clients that a row drives line by line, and what operators say."""

import asyncio
import json
import subprocess

from measures import as_json, ask_http
from wire import PATIENCE_S, Wire, until
from csa_client import walk


class Client:
    def __init__(self, bed, name):
        self.bed, self.name, self.heard, self.wire = bed, name, [], None

    async def connect(self, line, address=None):
        session = self.bed.history.session(self.name, "player")
        self.wire = await Wire.connect(address or self.bed.server.csa, self.bed.history, session, self.heard.append,
                                       lambda: None)
        self.wire.say(line)
        await self.hears("LOGIN:")
        return self

    async def log_in(self):
        return await self.connect(f"LOGIN {self.name} trip x1")

    async def hears(self, beginning):
        await until(lambda: any(line.startswith(beginning) for line in self.heard),
                    lambda: f"{self.name} does not hear {beginning}, but {self.heard[-3:]}")

    async def hears_more(self, beginning, count):
        await until(lambda: sum(line.startswith(beginning) for line in self.heard) >= count,
                    lambda: f"{self.name} does not hear {beginning} {count} times, but {self.heard[-3:]}", 0.002)

    def has_heard(self, beginning):
        return any(line.startswith(beginning) for line in self.heard)


async def admin(bed, *words):
    done = await asyncio.to_thread(subprocess.run, [bed.settings.program, "admin", "--data", str(bed.server.data),
                                                    *words, "--json"], capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


async def agree(players):
    """To the game that each is told; it has begun."""
    for one in players:
        await one.hears("END Game_Summary")
        one.wire.say("AGREE")
    for one in players:
        await one.hears("START:")


async def pair(bed, tag, game="600-60"):
    """Two who have begun a game of their own: Black and White."""
    players = [await Client(bed, tag + sign).connect(f"LOGIN {tag}{sign} {tag}-{game}-{sign.upper()},trip")
               for sign in "bw"]
    await agree(players)
    return players


async def say_with_moves(bed, tag, comments, game="600-60"):
    """A game whose every move has a comment (bytes without a comma or LF); the Game_ID."""
    assert len(comments) <= 160
    players = await pair(bed, tag, game)
    for ply, comment in enumerate(comments):
        players[ply % 2].wire.say(f"{walk(ply)},'{comment.decode('utf-8', 'surrogateescape')}")
        for one in players:
            await one.hears_more(walk(ply), 1 + sum(walk(earlier) == walk(ply) for earlier in range(ply)))
    players[len(comments) % 2].wire.say("%TORYO")
    for one in players:
        await one.hears("#RESIGN")
    return next(line[6:] for line in players[0].heard if line.startswith("START:"))


async def game_number(bed, csa_id):
    """By which the page calls a finished game."""
    async with asyncio.timeout(PATIENCE_S):
        while True:
            _, body = await ask_http(bed.server.http, "/api/v1/games?limit=100")
            found = [game["id"] for game in as_json(body)["games"] if csa_id in str(game)]
            if found:
                return found[0]
            await asyncio.sleep(0.02)


async def comments_of(bed, csa_id):
    """What the page gets to see of a finished game's, in order; fails where that is no UTF-8."""
    status, body = await ask_http(bed.server.http, f"/api/v1/games/{await game_number(bed, csa_id)}")
    assert status == 200, (status, body)
    return [text for _, text in as_json(body)["game"]["comments"]]
