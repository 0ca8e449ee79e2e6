#!/usr/bin/env python3
"""A small event on the real server: four players in both modes, three rounds, a player who logs out after each game and
one who just closes, a server that is killed in the middle of a round. Tables and records afterwards; then the event is
deleted.

    cup_test.py FUHYO
"""

import html
import io
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from urllib.parse import unquote

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin_games  # noqa: E402
from fuhyo_server import FuhyoServer  # noqa: E402

EVENT = """name = "cup"
title = "Club cup"
title-ja = "クラブ杯"
format = "round-robin"
time = "60-5F"
countdown-s = 1
gap-s = 1
forfeit-s = 120

[entry]
open = false

"""
PLAYERS = ["ann", "bob", "cat", "dan"]
X1 = {"bob", "dan"}
PATIENCE_S = 60


def tournament(fuhyo, data, *words, code=0):
    command = [fuhyo, "tournament", *words, "--data", data]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == code, f"{words}: {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout + done.stderr


def come(address, name):
    if name in X1:
        player = CsaClient(address, f"LOGIN {name} trip{name} x1", wait_s=PATIENCE_S)
        player.say("%%GAME cup-1-1 *")
    else:
        player = CsaClient(address, f"LOGIN {name} cup-1-1,trip{name}", wait_s=PATIENCE_S)
    player.until("LOGIN:")
    return player


def make_move(players, black, white):
    players[black].say("+7776FU")
    for name in (black, white):
        players[name].until("+7776FU")


def kill(server):
    server.process.kill()
    server.process.wait()
    server.process.stdout.close()


def win(players, black, white, begun=False):
    """Black wins, after a move that may have been made already."""
    if not begun:
        make_move(players, black, white)
    players[white].say("%TORYO")
    players[black].until("#WIN")
    players[white].until("#LOSE")


def main(fuhyo):
    points = dict.fromkeys(PLAYERS, 0)
    with tempfile.TemporaryDirectory() as folder:
        data = str(Path(folder) / "data")
        flags = ["--csa", "127.0.0.1:0", "--data", data, "--exempt", "127.0.0.1"]
        file = Path(folder) / "cup.toml"
        file.write_text(EVENT + "".join(f'[[entrant]]\nname = "{name}"\n' for name in PLAYERS), encoding="utf-8")
        server = FuhyoServer(fuhyo, *flags)
        try:
            assert "announced" in tournament(fuhyo, data, "new", str(file))
            tournament(fuhyo, data, "start", "nowhere", code=1)
            players = {name: come(server.address, name) for name in PLAYERS}
            tournament(fuhyo, data, "start", "cup")
            for black, white in begin_games(players):
                win(players, black, white)
                points[black] += 1
            # As clients do that play one game a connection, each in its way.
            players["ann"].say("LOGOUT")
            players["ann"].until("LOGOUT:completed")
            players["ann"].close()
            players["dan"].close()
            for name in ("ann", "dan"):
                players[name] = come(server.address, name)
            first, second = begin_games(players)
            win(players, *first)
            points[first[0]] += 1
            make_move(players, *second)
        finally:
            kill(server)
        for player in players.values():
            player.close()

        server = FuhyoServer(fuhyo, *flags)
        try:
            assert "has begun" in tournament(fuhyo, data, "new", str(file), code=1)
            players = {name: come(server.address, name) for name in PLAYERS}
            for name in second:  # the game goes on with its move
                summary = players[name].lines_until("END Game_Summary")
                assert any(line.startswith("+7776FU") for line in summary), summary
                players[name].say("AGREE")
            for name in second:
                players[name].until("START:")
            win(players, *second, begun=True)
            points[second[0]] += 1
            for black, white in begin_games(players):
                win(players, black, white)
                points[black] += 1
            for player in players.values():
                player.close()
            assert "cup is over" in tournament(fuhyo, data, "show", "cup")
            shown = tournament(fuhyo, data, "table", "cup")
            archive = Path(folder) / "cup.zip"
            tournament(fuhyo, data, "export", "cup", "--output", str(archive))
            assert "--yes" in tournament(fuhyo, data, "delete", "cup", code=64), "a script has to mean it"
            tournament(fuhyo, data, "delete", "cup", "a", "trial", "--yes")
            assert "there is no event" in tournament(fuhyo, data, "show", "cup", code=1)
        finally:
            kill(server)

        with FuhyoServer(fuhyo, *flags):
            assert "there is no event" in tournament(fuhyo, data, "show", "cup", code=1), "after a kill, too"
            assert "announced" in tournament(fuhyo, data, "new", str(file)), "its name is free"

        with zipfile.ZipFile(io.BytesIO(archive.read_bytes())) as files:
            names = files.namelist()
            records = [files.read(name).decode() for name in names if name.startswith("records/")]
            table = json.loads(files.read("tables.json"))
            for page in ("tables.html", "tables.ja.html"):
                links = re.findall(r'href="([^"]*)"', files.read(page).decode())
                # Each game stands in the rows of both its players.
                assert len(links) == 12, (page, links)
                lost = [link for link in links if unquote(html.unescape(link)) not in names]
                assert not lost, f"{page}: links to no file of the archive: {lost}"
            assert files.read("tables.txt").decode().strip() == shown.strip()
            assert "クラブ杯" in files.read("tables.ja.html").decode()
        assert len(records) == 6, names
        assert all("%TORYO" in record and "+7776FU" in record for record in records), "each game once, and to its end"
        assert table["final"] and table["rounds"] == 3, table
        counted = {row["player"]: float(row["points"]) for row in table["rows"]}
        assert counted == points, (counted, points)


if __name__ == "__main__":
    main(sys.argv[1])
