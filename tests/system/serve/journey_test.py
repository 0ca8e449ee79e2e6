#!/usr/bin/env python3
"""Longer ways through the pages in a real browser: a server that is killed and comes back in the middle of a game, a
phone, Japanese, and a host who changes his password and another who does not know it."""


from browser import run_in_browser, shows
from csa_client import play
from pages import (CONNECTION, OF_THE_GAME, PANEL, PHONE, check_end, follow_a_game, follow_link, go_on,
                   log_in, open_console, site)
from proxy import Proxy

PLIES = "document.querySelectorAll('ol li').length - 1"
FRESH = "a new and long password"


def come_back(here):
    """The server is killed with a game in it: the page says so, stops the clocks, finds the next server, and follows
    the same game on; so does a page that was opened meanwhile. The page stays at one address, whatever port the next
    server has."""
    browser, wire = here.browser, Proxy(here.server.http)
    browser.site = f"127.0.0.1:{wire.port}"
    follow_a_game(here)
    here.server.kill()
    browser.wait_for(CONNECTION + " === 'lost, reconnecting…'", "the loss is not shown")
    assert browser.evaluate(PLIES) == 4, "what was shown has gone with the server"
    browser.wait_for("document.querySelector('.turn .clock.stopped') !== null", "the clock runs on")
    follow_link(browser, "/players")
    browser.wait_for("document.querySelector('main [role=alert]') !== null", "players are known without a server")
    here.start()
    browser.site, wire.target = f"127.0.0.1:{wire.port}", here.server.http
    go_on(here)
    play(here.players, "+2726FU", "-8384FU")
    browser.wait_for(CONNECTION + " === 'live'", "the page does not find the server again")
    browser.wait_for(shows("There is no player yet."),
                     "what was opened meanwhile stays broken")
    browser.evaluate("history.back()")
    browser.wait_for(PLIES + " === 6", "the game does not go on where it was")
    assert browser.evaluate("document.querySelectorAll('.view svg.squares .piece').length") == 38


def swipe(browser, to_right):
    box = browser.evaluate("(({x, y, width, height}) => [x, y, width, height])"
                           "(document.querySelector('.card.board').getBoundingClientRect())")
    y = box[1] + box[3] / 2
    near, far = box[0] + box[2] * 0.3, box[0] + box[2] * 0.8
    begin, end = (near, far) if to_right else (far, near)
    browser.call("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": begin, "y": y}]})
    browser.call("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": end, "y": y}]})
    browser.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def check_phone(browser):
    """The board is seen at once, and a finger leafs through the game; for widths see layout_test.py."""
    browser.look_like(**PHONE)
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": True})
    browser.go("/")
    browser.wait_for("document.querySelector('article .open') !== null", "the wall does not come")
    browser.click("article .open")
    browser.wait_for(PLIES + " === 6", "the game does not come")
    bottom = browser.evaluate("document.querySelector('.card.board .view svg.squares').getBoundingClientRect().bottom")
    assert bottom <= PHONE["height"], f"the board ends at {bottom} px"
    swipe(browser, to_right=True)
    browser.wait_for("location.pathname.endsWith('/5')", "a swipe does not go back")
    swipe(browser, to_right=False)
    browser.wait_for(OF_THE_GAME, "a swipe does not go on")
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": False})


def check_japanese(browser):
    """Who prefers Japanese gets it, in words and in notation; who chooses otherwise keeps what he chose."""
    browser.evaluate("localStorage.clear()")
    browser.prefer("ja,en;q=0.5")
    browser.call("Page.reload")
    browser.wait_for(CONNECTION + " === '中継中'", "the page is not Japanese")
    assert browser.evaluate("document.documentElement.lang") == "ja"
    browser.wait_for("document.querySelector('ol li:nth-child(4)')?.innerText.includes('▲２二角成')"
                              " || document.querySelector('ol li:nth-child(4)')?.innerText.includes('☗２二角成')",
                     "moves are not in Japanese")
    browser.click("header > button")
    browser.set_value("document.querySelector('dialog[open] select')", "en", "change")
    browser.wait_for("document.documentElement.lang === 'en'", "the language cannot be chosen")
    browser.call("Page.reload")
    browser.wait_for(CONNECTION + " === 'live'", "the choice is forgotten")
    browser.prefer("en")


def check_password(browser, name, secret):
    """A host chooses another password, and is out everywhere; the old one does not do any more, and whoever goes on
    guessing has to wait."""
    open_console(browser)
    log_in(browser, name, secret)
    browser.wait_for(f"{PANEL} !== null", "one cannot log in")
    browser.click("#tab-own")
    browser.wait_for("document.querySelector('input[autocomplete=new-password]') !== null", "there is no such form")
    browser.fill("#console-panel input[autocomplete=current-password]", secret)
    browser.fill("#console-panel label:nth-last-of-type(2) input", FRESH)
    browser.fill("#console-panel label:last-of-type input", "something else")
    browser.press("Change your password", "document.querySelector('#console-panel form')")
    browser.wait_for("document.querySelector('#console-panel [role=alert]') !== null", "a slip of the hand is taken")
    browser.fill("#console-panel label:last-of-type input", FRESH)
    browser.press("Change your password", "document.querySelector('#console-panel form')")
    browser.wait_for(shows("The password is another one. Log in with it."), "the password cannot be changed")
    log_in(browser, name, secret)
    browser.wait_for(shows("The name, the password or the code is wrong."), "the old password still does")
    log_in(browser, name, FRESH)
    browser.wait_for(f"{PANEL} !== null", "the new password does not do")
    browser.press("Log out", "document.querySelector('.console .top')")
    browser.wait_for(shows("You are logged out."), "one cannot log out")
    for _ in range(30):
        if browser.evaluate(shows("Too many were wrong. Wait ")):
            return
        log_in(browser, name, "a guess")
        browser.wait_for("!document.querySelector('.console form button').disabled", "there is no answer")
    raise AssertionError("one can guess for ever")


def main(program, *flags):
    with site(program, *flags) as here:
        come_back(here)
        browser = here.browser
        check_phone(browser)
        check_japanese(browser)
        here.server.done("account-add", "mio", "host")
        check_password(browser, "mio", here.server.done("password", "mio")["rows"][0][2])
        browser.evaluate("history.go(-2)")  # past a tab
        check_end(here)


if __name__ == "__main__":
    run_in_browser(main)
