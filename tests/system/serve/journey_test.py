#!/usr/bin/env python3
"""Longer ways through the pages in a real browser: a server that is killed and comes back in the middle of a game, a
phone, Japanese, and a host who changes his password and another who does not know it.

    journey_test.py FUHYO       exit code 77: there is no chromium
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

from page_test import (CONNECTION, PANEL, CsaClient, Browser, add_operator, check_end, fill, follow_a_game, log_in,
                       open_console, press, shows, start_server, wait_for)

PLIES = "document.querySelectorAll('ol li').length - 1"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
FRESH = "a new and long password"


def come_back(browser, program, folder, config, server, addresses):
    """The server is killed with a game in it: the page says so, finds the next server, and follows the same game on."""
    server.kill()
    server.wait()
    wait_for(browser, CONNECTION + " === 'lost, reconnecting…'", "the loss is not shown")
    assert browser.evaluate(PLIES) == 4, "what was shown has gone with the server"
    server, _ = start_server(program, folder, *config, doors=addresses)
    black = CsaClient(addresses["csa"], "LOGIN alice cup-300-10-B,pwalice")
    white = CsaClient(addresses["csa"], "LOGIN bob cup-300-10-W,pwbob")
    for player in (black, white):
        player.until("END Game_Summary")
    for player in (black, white):
        player.say("AGREE")
    white.until("START:")
    black.say("+2726FU")
    white.until("+2726FU")
    white.say("-8384FU")
    black.until("-8384FU")
    wait_for(browser, CONNECTION + " === 'live'", "the page does not find the server again")
    wait_for(browser, PLIES + " === 6", "the game does not go on where it was")
    assert browser.evaluate("document.querySelectorAll('.view svg.squares .piece').length") == 38
    return server, black, white


def swipe(browser, to_right):
    box = browser.evaluate("(({x, y, width, height}) => [x, y, width, height])"
                           "(document.querySelector('.card.board').getBoundingClientRect())")
    y = box[1] + box[3] / 2
    near, far = box[0] + box[2] * 0.3, box[0] + box[2] * 0.8
    begin, end = (near, far) if to_right else (far, near)
    browser.call("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": begin, "y": y}]})
    browser.call("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": end, "y": y}]})
    browser.call("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def check_phone(browser, http):
    """Nothing is wider than the screen, the board is seen at once, and a finger leafs through the game."""
    browser.call("Emulation.setDeviceMetricsOverride", PHONE)
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": True})
    for page in ("/", "/games", "/players", "/rounds", "/buoys", "/console"):
        browser.call("Page.navigate", {"url": f"http://{http}{page}"})
        wait_for(browser, "document.querySelector('main')?.innerText.length > 20", f"{page} does not come")
        width = browser.evaluate("document.documentElement.scrollWidth")
        assert width <= PHONE["width"], f"{page} is {width} px wide"
    browser.call("Page.navigate", {"url": f"http://{http}/"})
    wait_for(browser, "document.querySelector('article .open') !== null", "the wall does not come")
    browser.evaluate("document.querySelector('article .open').click()")
    wait_for(browser, PLIES + " === 6", "the game does not come")
    assert browser.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    bottom = browser.evaluate("document.querySelector('.card.board .view svg.squares').getBoundingClientRect().bottom")
    assert bottom <= PHONE["height"], f"the board ends at {bottom} px"
    swipe(browser, to_right=True)
    wait_for(browser, "location.pathname.endsWith('/5')", "a swipe does not go back")
    swipe(browser, to_right=False)
    wait_for(browser, "/\\/game\\/[0-9]+$/.test(location.pathname)", "a swipe does not go on")
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.call("Emulation.setTouchEmulationEnabled", {"enabled": False})


def check_japanese(browser):
    """Who prefers Japanese gets it, in words and in notation; who chooses otherwise keeps what he chose."""
    agent = browser.evaluate("navigator.userAgent")
    browser.evaluate("localStorage.clear()")
    browser.call("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "ja,en;q=0.5"})
    browser.call("Page.reload")
    wait_for(browser, CONNECTION + " === '中継中'", "the page is not Japanese")
    assert browser.evaluate("document.documentElement.lang") == "ja"
    wait_for(browser, "document.querySelector('ol li:nth-child(4)')?.innerText.includes('▲２二角成')"
                      " || document.querySelector('ol li:nth-child(4)')?.innerText.includes('☗２二角成')",
             "moves are not in Japanese")
    browser.evaluate("document.querySelector('header > button').click()")
    browser.evaluate("""(() => {
        const language = document.querySelector('dialog[open] select')
        language.value = 'en'
        language.dispatchEvent(new Event('change', {bubbles: true}))
    })()""")
    wait_for(browser, "document.documentElement.lang === 'en'", "the language cannot be chosen")
    browser.call("Page.reload")
    wait_for(browser, CONNECTION + " === 'live'", "the choice is forgotten")
    browser.call("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "en"})


def add_account(program, folder, name, role):
    """An account of the server's own, with a password that it says once."""
    def admin(*words):
        done = subprocess.run([program, "admin", "--data", os.path.join(folder, "data"), "--json", *words],
                              capture_output=True, text=True, check=True)
        return json.loads(done.stdout)
    assert admin("account-add", name, role)["ok"]
    return admin("password", name)["rows"][0][2]


def check_password(browser, name, secret):
    """A host chooses another password, and is out everywhere; the old one does not do any more, and whoever goes on
    guessing has to wait."""
    open_console(browser)
    log_in(browser, name, secret)
    wait_for(browser, f"{PANEL} !== null", "one cannot log in")
    browser.evaluate("document.querySelector('#tab-own').click()")
    wait_for(browser, "document.querySelector('input[autocomplete=new-password]') !== null", "there is no such form")
    fill(browser, "#console-panel input[autocomplete=current-password]", secret)
    fill(browser, "#console-panel label:nth-last-of-type(2) input", FRESH)
    fill(browser, "#console-panel label:last-of-type input", "something else")
    press(browser, "Change your password", "document.querySelector('#console-panel form')")
    wait_for(browser, "document.querySelector('#console-panel [role=alert]') !== null", "a slip of the hand is taken")
    fill(browser, "#console-panel label:last-of-type input", FRESH)
    press(browser, "Change your password", "document.querySelector('#console-panel form')")
    wait_for(browser, shows("The password is another one. Log in with it."), "the password cannot be changed")
    log_in(browser, name, secret)
    wait_for(browser, shows("The name, the password or the code is wrong."), "the old password still does")
    log_in(browser, name, FRESH)
    wait_for(browser, f"{PANEL} !== null", "the new password does not do")
    press(browser, "Log out", "document.querySelector('.console .top')")
    wait_for(browser, shows("You are logged out."), "one cannot log out")
    for _ in range(30):
        if browser.evaluate(shows("Too many were wrong. Wait ")):
            return
        log_in(browser, name, "a guess")
        wait_for(browser, "!document.querySelector('.console form button').disabled", "there is no answer")
    raise AssertionError("one can guess for ever")


def main(program):
    if shutil.which("chromium") is None:
        print("skipped: chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config, _ = add_operator(program, folder, "hana")
        server, addresses = start_server(program, folder, *config)
        browser = Browser(os.path.join(folder, "browser"))
        try:
            follow_a_game(browser, addresses["csa"], addresses["http"])
            server, black, white = come_back(browser, program, folder, config, server, addresses)
            check_phone(browser, addresses["http"])
            check_japanese(browser)
            check_password(browser, "mio", add_account(program, folder, "mio", "host"))
            browser.evaluate("history.back()")
            check_end(browser, black, white)
            assert not browser.complaints(), browser.complaints()
        finally:
            browser.close()
            server.kill()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
