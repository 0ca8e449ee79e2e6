#!/usr/bin/env python3
"""Makes the pictures of the README: four engines of ours play, and Chromium looks on. The cross table is of games with
results that were agreed on. STATES is a folder for pages to be looked at before a release: full and empty, on three
screens, light and dark, in both languages, of games that nobody plays.

    screenshots.py FUHYO FUHYO-NNUE FOLDER [STATES]
"""

import os
import random
import sys
from itertools import product
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from made_games import MadeGames, made_game  # noqa: E402
from pages import site  # noqa: E402
from round_robin import play_all  # noqa: E402

PLIES = 60
PLAYERS = (("Tsubame", "spring"), ("Kamome", "spring"), ("Chidori", "autumn"), ("Hayabusa", "autumn"))
LEAGUE = "league-600-10F"
# The strongest first.
ENTRANTS = ("Hayabusa", "Tsubame", "Kawasemi", "Hibari", "Chidori", "Kamome", "Mejiro", "Uguisu")


def engine_flags(engine):
    flags = ["--engine-threads", "2"]  # both games at once, on the smallest machine, too
    for name, game in PLAYERS:
        flags += ["--engine", f"name={name} engine='{engine}' game={game}-60-1F option.Threads=1 option.USI_Hash=16"]
    return flags


def play_league(csa):
    """Everybody four times against everybody; the stronger one wins more often."""
    dice = random.Random(7)

    def result(black, white):
        ahead = ENTRANTS.index(white) - ENTRANTS.index(black)
        if dice.random() < 0.12:
            return "draw"
        return "black" if dice.random() < 1 / (1 + 10 ** (-ahead / 7)) else "white"

    for _ in range(2):
        play_all(csa, LEAGUE, ENTRANTS, result)


def shoot(here, file, width, height, scheme, mobile=False):
    here.browser.look_like(width, height, scheme=scheme, mobile=mobile)
    here.browser.wait_for("document.querySelector('.blank') === null", "boards are missing")
    here.browser.settle()
    here.picture(file)


def picture_games(program, engine, folder):
    with site(program, *engine_flags(os.path.abspath(engine)), complaints=False) as here:
        here.browser.go("/")
        here.browser.wait_for("[...document.querySelectorAll('article .plies')].filter((plies) => "
                              f"Number(plies.innerText) >= {PLIES}).length >= 2", "the games do not come so far")
        shoot(here, folder / "wall.webp", 1280, 760, "light")
        here.browser.click("article .open")
        here.browser.wait_for("document.querySelector('.legend') !== null", "there are no evaluations")
        shoot(here, folder / "game.webp", 1280, 860, "dark")
        shoot(here, folder / "phone.webp", 390, 780, "light", mobile=True)


def picture_league(program, folder):
    with site(program, complaints=False) as here:
        play_league(here.server.csa)
        here.browser.go(f"/crosstable?event={LEAGUE}")
        here.browser.wait_for("document.querySelectorAll('.scroll tbody tr').length === 8", "there is no cross table")
        shoot(here, folder / "crosstable.webp", 1280, 800, "light")


def states():
    short = ("Suisho", "dlshogi")
    played = [made_game(i, names=short, plies=4 * i) for i in range(1, 15)]
    handicap = made_game(1, names=short, sfen="lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1")
    yield "wall-empty", "/", []
    yield "wall-one", "/", played[:1]
    yield "wall-nine", "/", [made_game(i) for i in range(1, 10)]
    yield "wall-forty", "/", played + [made_game(i) for i in range(15, 41)]
    yield "game-full", "/game/1", [made_game(1)]
    yield "game-handicap", "/game/1", [handicap]
    yield "game-long", "/game/1", [made_game(1, names=short, plies=400, end=True)]
    yield "game-long-byoyomi", "/game/2/41", [made_game(2, plies=400)]
    yield "embed", "/embed/3", [made_game(3)]
    empty = ("games", "players", "rooms", "tournaments", "rounds", "buoys", "crosstable", "api", "share", "console")
    for path in empty:
        yield path, f"/{path}", []
    for path in ("nothing", "game/999", "embed/999", "player/nobody", "tournament/none", "room/none"):
        yield path.replace("/", "-"), f"/{path}", []


def picture_states(program, folder):
    with site(program, complaints=False) as here:
        made = MadeGames(here.browser)
        for language, scheme in product(("en", "ja"), ("light", "dark")):
            here.browser.prefer(language)
            for name, path, games in states():
                made.tell(*games)
                here.browser.go(path)
                here.browser.wait_for("document.querySelector('svg.squares, .welcome code, .none, .archive, form')"
                                      " !== null", path)
                for width, height in ((1440, 900), (1024, 768), (390, 844)):
                    shoot(here, folder / f"{name}-{language}-{scheme}-{width}.png", width, height, scheme)


def main(program, engine, folder, states_folder=None):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    picture_games(program, engine, folder)
    picture_league(program, folder)
    if states_folder:
        Path(states_folder).mkdir(parents=True, exist_ok=True)
        picture_states(program, Path(states_folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
