#!/usr/bin/env python3
"""People who play in a real browser: against somebody at a socket, and against a built-in player at a level; by mouse,
by touch, by the keyboard and ahead of time; back after a reload and after the server was killed.

    play_test.py FUHYO FUHYO-NNUE
"""

import json

from access_test import AXE, violations
from browser import run_in_browser, shows
from csa_client import CsaClient
from layout_test import SIZES, check_looks
from pages import OF_THE_GAME, PHONE, site
from proxy import Proxy

STATE = "document.querySelector('.state')?.innerText"
TABLE = "document.querySelector('.table')"
BEGIN = "document.querySelector('form button.main')"
# Where a square is on the screen; as Board.svelte draws it.
PLACE = """((file, rank, flipped) => {
    const {left, top, width} = document.querySelector('.table .squares').getBoundingClientRect()
    const unit = width / 968
    const [column, row] = flipped ? [file - 1, 9 - rank] : [9 - file, rank - 1]
    return [left + (62 + 100 * column) * unit, top + (90 + 100 * row) * unit]
})"""
# What somebody who plays must see without scrolling, and does not.
HIDDEN = """[...document.querySelectorAll('.table .squares, .table .hand, .table .clock, .acts button')]
    .filter((node) => node.getBoundingClientRect().bottom > innerHeight || node.getBoundingClientRect().top < 0)
    .map((node) => `${node.getAttribute('class')} ${node.innerText ?? ''} ends at ` +
        `${node.getBoundingClientRect().bottom} px`)"""


class Seat:
    """Somebody with a pointer at the page. `flipped`: he has White."""

    def __init__(self, browser):
        self.browser, self.flipped, self.touches = browser, False, False

    def ask(self, name, *, level=None):
        """At /play, with a name filled in."""
        self.browser.go("/play")
        self.browser.wait_for(BEGIN + " !== null", "nothing can be asked for")
        self.browser.fill("form input", name)
        if level is not None:
            self.browser.click("input[value=level]")
            self.browser.wait_for("document.querySelector('form input[type=range]') !== null", "there are no levels")
            self.browser.set_value("document.querySelector('form input[type=range]')", level)

    def says(self, state, what="the page does not know whose turn it is"):
        self.browser.wait_for(f"{STATE} === {json.dumps(state)}", what)

    def begin(self, opponent):
        opponent.until("END Game_Summary")
        opponent.say("AGREE")
        opponent.until("START:")
        self.browser.wait_for(f"{TABLE} !== null", "there is no board")

    def place(self, square):
        return self.browser.evaluate(f"{PLACE}({square[0]}, {square[1]}, {str(self.flipped).lower()})")

    def send(self, kind, x, y):
        if self.touches:
            kind = {"Pressed": "touchStart", "Moved": "touchMove", "Released": "touchEnd"}[kind]
            points = [] if kind == "touchEnd" else [{"x": x, "y": y}]
            self.browser.call("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
        else:
            self.browser.call("Input.dispatchMouseEvent", {"type": f"mouse{kind}", "x": x, "y": y, "button": "left",
                                                           "clickCount": 1})

    def tap(self, *squares):
        for square in squares:
            self.tap_at(*self.place(square))

    def tap_at(self, x, y):
        self.send("Pressed", x, y)
        self.send("Released", x, y)

    def drag(self, square, to):
        begin, end = self.place(square), self.place(to)
        self.send("Pressed", *begin)
        self.send("Moved", (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2)
        self.send("Moved", *end)
        self.send("Released", *end)

    def take(self, held):
        """A piece in hand: side and kind, as in `bB`."""
        found = f"document.querySelector('[data-held={held}]')"
        self.browser.wait_for(f"{found} !== null", f"{held} is not in hand")
        self.tap_at(*self.browser.evaluate(f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])"
                                           f"({found}.getBoundingClientRect())"))

    def type(self, text):
        self.browser.fill(".acts form input", text)
        self.browser.click(".acts form button")

    def heard(self, opponent, move, ply):
        """It is on the board, and the opponent has heard it."""
        opponent.until(move)
        self.plies(ply)

    def plies(self, count):
        self.browser.wait_for(f"document.querySelectorAll('.moves ol li').length === {count + 1}",
                              f"not {count} moves are listed")

    def told(self, opponent, move, ply):
        opponent.say(move)
        self.heard(opponent, move, ply)


def play_by_mouse(seat, bob):
    browser = seat.browser
    seat.tap((7, 7))
    browser.wait_for("document.querySelectorAll('circle.target').length === 1", "it is not shown where it may go")
    seat.tap((7, 6))
    seat.heard(bob, "+7776FU", 1)
    seat.told(bob, "-3334FU", 2)
    seat.says("Your move")
    seat.drag((8, 8), (2, 2))
    browser.wait_for("document.querySelectorAll('.choice button').length === 3", "promotion is not asked for")
    browser.click(".choice button")
    seat.heard(bob, "+8822UM", 3)
    seat.told(bob, "-3122GI", 4)


def play_otherwise(seat, bob):
    """By the keyboard, ahead of time, and what cannot be played."""
    browser = seat.browser
    for text, problem in (("seven", "This is not read as a move."), ("5a5b", "This move cannot be played.")):
        seat.type(text)
        browser.wait_for(shows(problem), f"{text} is taken for a move")
    seat.type("2g2f")
    seat.heard(bob, "+2726FU", 5)
    seat.says("Your opponent's move")
    seat.drag((2, 6), (2, 5))
    browser.wait_for("document.querySelectorAll('rect.premove').length === 2", "a premove is not shown")
    bob.say("-8384FU")
    bob.until("-8384FU")
    seat.heard(bob, "+2625FU", 7)
    seat.tap((7, 6), (7, 5))
    browser.wait_for("document.querySelectorAll('rect.premove').length === 2", "a premove is not shown")
    seat.tap((5, 5))
    browser.wait_for("document.querySelector('rect.premove') === null", "a premove cannot be taken back")
    seat.told(bob, "-4132KI", 8)
    seat.says("Your move", "a premove that was taken back was played")


def come_back(here, seat, wire, bob):
    """After a reload; and after the server was killed. The opponent, as he is then."""
    browser = here.browser
    browser.call("Page.reload")
    seat.plies(8)
    seat.says("Your move", "a reload loses the game")
    seat.tap((2, 5), (2, 4))
    seat.heard(bob, "+2524FU", 9)
    seat.told(bob, "-2324FU", 10)
    here.server.kill()
    bob.close()
    browser.wait_for(f"{STATE}?.includes('The connection is lost.')", "the loss is not shown")
    here.start()
    browser.site, wire.target = f"127.0.0.1:{wire.port}", here.server.http
    bob = CsaClient(here.server.csa, "LOGIN bob web-900-10-W,s")
    seat.begin(bob)
    seat.plies(10)
    seat.says("Your move", "the game is lost with the server")
    return bob


def play_by_touch(seat, bob):
    browser = seat.browser
    browser.look_like(**PHONE)
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": True})
    seat.touches = True
    seat.tap((2, 8), (2, 4))
    seat.heard(bob, "+2824HI", 11)
    seat.told(bob, "-8485FU", 12)
    seat.take("bP")
    seat.tap((2, 3))
    seat.heard(bob, "+0023FU", 13)
    seat.touches = False
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": False})


def check_sizes(browser, axe, faults):
    for width, height in SIZES:
        browser.look_like(width, height)
        check_looks(browser, f"a game that is played {width}x{height}", faults)
        if (width, height) in ((390, 844), (1440, 900)):
            faults += [f"{width}x{height}: {each}" for each in browser.evaluate(HIDDEN)]
    faults += violations(browser, axe, "a game that is played") if axe else []
    browser.look_like(1440, 900, scheme="light")


def play_people(here, seat, axe, faults):
    browser, wire = here.browser, Proxy(here.server.http)
    browser.site = f"127.0.0.1:{wire.port}"
    bob = CsaClient(here.server.csa, "LOGIN bob web-900-10-W,s")
    seat.ask("mika")
    browser.press("Play bob")
    seat.begin(bob)
    seat.says("Your move")
    play_by_mouse(seat, bob)
    play_otherwise(seat, bob)
    bob = come_back(here, seat, wire, bob)
    check_sizes(browser, axe, faults)
    play_by_touch(seat, bob)
    browser.look_like(1440, 900)
    bob.say("%TORYO")
    seat.says("You have won")
    browser.wait_for(shows("mika wins"), "the result is not told")
    browser.wait_for("document.querySelector('.acts a') !== null", "the game has no page")
    bob.close()


def play_again(here, seat):
    """Colours changed; who resigns is asked first, and out of turn he waits for a move, as the protocol has it. What
    was played has a page."""
    browser = here.browser
    bob = CsaClient(here.server.csa, "LOGIN bob web-900-10-B,s")
    browser.press("Again, colours changed")
    seat.begin(bob)
    seat.flipped = True
    seat.told(bob, "+7776FU", 1)
    seat.says("Your move")
    seat.drag((3, 3), (3, 4))
    seat.heard(bob, "-3334FU", 2)
    browser.press("Resign")
    browser.wait_for(shows("Resign the game?"), "nothing is asked")
    browser.press("No")
    browser.press("Resign")
    browser.press("Yes")
    browser.wait_for(shows("The game ends when your opponent has moved."), "nothing is said of a resignation")
    seat.told(bob, "+2726FU", 3)
    bob.until("#WIN")
    seat.says("You have lost")
    bob.close()
    browser.click(".acts a")
    browser.wait_for(OF_THE_GAME, "the game's page does not come")
    browser.wait_for("document.querySelectorAll('ol li').length === 4", "the game has not its moves")
    seat.flipped = False


def play_an_engine(seat):
    """Another page of the same browser that takes the seat is told of."""
    browser = seat.browser
    seat.ask("mika", level=1)
    browser.evaluate("document.querySelectorAll('input[name=side]')[1].click()")
    browser.wait_for(shows("level1-0-30"), "the level, or the clock of before, is not in the name of the game")
    browser.click("form button.main")
    browser.wait_for(f"{STATE} === 'Your move'", "the engine does not come")
    seat.tap((7, 7), (7, 6))
    seat.plies(2)
    browser.evaluate("void window.open(location.href)")
    browser.wait_for(shows("Another tab of this browser has connected by this name."), "two pages share a seat")


def invite(here, seat, axe, faults):
    """A link fills the form of whoever opens it; one who waits may give up. A name that cannot be had is said so."""
    browser = here.browser
    browser.go("/play?game=tea-0-30")
    browser.wait_for(shows("You are invited to a game of tea-0-30."), "an invitation is not taken")
    faults += violations(browser, axe, "a game is asked for") if axe else []
    browser.fill("form input", "mika")
    browser.click("form button.main")
    browser.wait_for(shows("Waiting for an opponent in tea-0-30"), "nobody waits")
    # How pairs are made there is asked for on its own, and may come later than the seat.
    browser.wait_for("document.querySelector('code')?.innerText.endsWith('/play?game=tea-0-30')", "there is no link")
    browser.press("Cancel")
    browser.wait_for(BEGIN + " !== null", "one cannot give up")
    browser.fill("form input", "hana")
    browser.click("form button.main")
    browser.wait_for(shows("The server did not let you in"), "a name of the host is taken by anybody")


def check_shut(program):
    with site(program) as here:
        browser = here.browser
        browser.go("/play")
        browser.wait_for(shows("This server lets nobody play from a browser."), "that nobody may play is not told of")
        browser.go("/")
        browser.wait_for("document.querySelector('.welcome code') !== null", "the first page does not come")
        assert browser.evaluate("document.querySelector('a[href=\"/play\"]') === null"), "there is a way to it"


def main(program, engine):
    faults = []
    axe = AXE.read_text(encoding="utf-8") if AXE.exists() else None
    with site(program, "--csa-websocket", "on", "--loss-grace", "3600", "--reconnect-tokens", "on", "--engine",
              f"name=Fuhyo engine={engine} serve=level*-* level=game option.USI_Hash=16") as here:
        seat = Seat(here.browser)
        here.browser.look_like(1440, 900)
        play_people(here, seat, axe, faults)
        play_again(here, seat)
        invite(here, seat, axe, faults)
        play_an_engine(seat)
    check_shut(program)
    print("\n".join(faults) or "a person plays, and comes back")
    return 1 if faults else 0


if __name__ == "__main__":
    run_in_browser(main)
