#!/usr/bin/env python3
"""Makes the pictures of the README: four engines of ours play, and Chromium looks on. The cross table is of games with
results that were agreed on.

    screenshots.py FUHYO FUHYO-NNUE FOLDER
"""

import base64
import os
import random
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import page_test
from page_test import Browser, start_server, wait_for
from round_robin import play_all

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


def shoot(browser, file, width, height, scheme, mobile=False):
    browser.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
    browser.call("Emulation.setDeviceMetricsOverride",
                 {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": mobile})
    wait_for(browser, "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))",
             "nothing is drawn")
    file.write_bytes(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))


@contextmanager
def site(program, *flags):
    """A server of its own, and a browser: where to find it, and the browser."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as scratch:
        server, addresses = start_server(program, scratch, *flags)
        browser = Browser(os.path.join(scratch, "browser"))
        try:
            yield addresses, browser
        finally:
            browser.close()
            server.kill()
            server.wait()


def picture_games(program, engine, folder):
    with site(program, *engine_flags(os.path.abspath(engine))) as (addresses, browser):
        browser.call("Page.navigate", {"url": f"http://{addresses['http']}/"})
        wait_for(browser, "[...document.querySelectorAll('article .plies')].filter((plies) => "
                 f"Number(plies.innerText) >= {PLIES}).length >= 2", "the games do not come so far")
        shoot(browser, folder / "wall.png", 1280, 760, "light")
        browser.evaluate("document.querySelector('article .open').click()")
        wait_for(browser, "document.querySelector('.legend') !== null", "there are no evaluations")
        shoot(browser, folder / "game.png", 1280, 860, "dark")
        shoot(browser, folder / "phone.png", 390, 780, "light", mobile=True)


def picture_league(program, folder):
    with site(program) as (addresses, browser):
        play_league(addresses["csa"])
        browser.call("Page.navigate", {"url": f"http://{addresses['http']}/crosstable?event={LEAGUE}"})
        wait_for(browser, "document.querySelectorAll('.scroll tbody tr').length === 8", "there is no cross table")
        shoot(browser, folder / "crosstable.png", 1280, 800, "light")


def main(program, engine, folder):
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    page_test.PATIENCE_S = 300
    picture_games(program, engine, folder)
    picture_league(program, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
