#!/usr/bin/env python3
"""Makes the pictures of the README: four engines of ours play, and Chromium looks on. The cross table is of games with
results that were agreed on.

    screenshots.py FUHYO FUHYO-NNUE FOLDER
"""

import os
import random
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from pages import site  # noqa: E402
from round_robin import play_all  # noqa: E402

PLIES = 60
PLAYERS = (("Tsubame", "spring"), ("Kamome", "spring"), ("Chidori", "autumn"), ("Hayabusa", "autumn"))
LEAGUE = "league-600-10F"
# The strongest first.
ENTRANTS = ("Hayabusa", "Tsubame", "Kawasemi", "Hibari", "Chidori", "Kamome", "Mejiro", "Uguisu")


def engine_flags(engine):
    flags = []
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
    here.browser.settle()
    here.picture(file)


def picture_games(program, engine, folder):
    with site(program, *engine_flags(os.path.abspath(engine))) as here:
        here.browser.go("/")
        here.browser.wait_for("[...document.querySelectorAll('article .plies')].filter((plies) => "
                              f"Number(plies.innerText) >= {PLIES}).length >= 2", "the games do not come so far")
        shoot(here, folder / "wall.png", 1280, 760, "light")
        here.browser.click("article .open")
        here.browser.wait_for("document.querySelector('.legend') !== null", "there are no evaluations")
        shoot(here, folder / "game.png", 1280, 860, "dark")
        shoot(here, folder / "phone.png", 390, 780, "light", mobile=True)


def picture_league(program, folder):
    with site(program) as here:
        play_league(here.server.csa)
        here.browser.go(f"/crosstable?event={LEAGUE}")
        here.browser.wait_for("document.querySelectorAll('.scroll tbody tr').length === 8", "there is no cross table")
        shoot(here, folder / "crosstable.png", 1280, 800, "light")


def main(program, engine, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    picture_games(program, engine, folder)
    picture_league(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
