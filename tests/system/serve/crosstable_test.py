#!/usr/bin/env python3
"""The cross table in a real browser: from the list of games there, from its cells to the games of two, by mouse and by
keys, as a file, on a phone, in Japanese.

    crosstable_test.py FUHYO       exit code 77: there is no chromium
"""

import os
import shutil
import sys
import tempfile

from page_test import Browser, start_server, shows, wait_for
from round_robin import play_all, play_one

EVENT = "league-60-0"
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
ROWS = "document.querySelectorAll('.archive .scroll tbody tr')"
CELLS = (f"[...{ROWS}].map((row) => [...row.querySelectorAll('td.met')].map((cell) => "
         "[...cell.querySelectorAll('b, small')].map((part) => part.innerText).join(' ')))")
TOLD = "document.querySelector('[data-at=\"%s\"] span').textContent"
FOCUSED = "document.activeElement?.dataset.at"


def result(black, white):
    """ann beats bob, bob beats cid, and Black wins between ann and cid in one of their games."""
    if {black, white} == {"ann", "cid"}:
        return "draw" if black == "ann" else "black"
    stronger = "ann" if "ann" in (black, white) else "bob"
    return "black" if black == stronger else "white"


def check_table(browser, http):
    browser.call("Page.navigate", {"url": f"http://{http}/games?event=league-*&color=black"})
    wait_for(browser, "document.querySelectorAll('.archive .games tbody tr').length === 6", "the games are not listed")
    browser.evaluate("document.querySelector('a[href^=\"/crosstable\"]').click()")
    wait_for(browser, "location.pathname + location.search === '/crosstable?event=league-*'", "it is another search")
    wait_for(browser, f"{ROWS}.length === 3", "there is no table")
    assert browser.evaluate(f"[...{ROWS}].map((row) => row.querySelector('th').innerText.replace(/\\s+/g, ' '))") == [
        "1 ann", "2 bob", "3 cid"]
    assert browser.evaluate(CELLS) == [["", "2 2-0-0", "½ 0-1-1"], ["0 0-2-0", "", "2 2-0-0"],
                                       ["1½ 1-0-1", "0 0-2-0", ""]], browser.evaluate(CELLS)
    assert browser.evaluate(f"[...{ROWS}].map((row) => row.querySelector('.points').innerText)") == ["2½", "2", "1½"]
    assert browser.evaluate(TOLD % "0-2") == "ann against cid: 0 won, 1 lost, 1 drawn"
    file = browser.evaluate("fetch(document.querySelector('a[href*=\"crosstable.csv\"]').href).then((it) => it.text())")
    assert file.splitlines()[1].startswith('1,"ann","ann+') and file.splitlines()[1].endswith(",,W2 L0 D0,W0 L1 D1")


def press(browser, key):
    for kind in ("rawKeyDown", "keyUp"):
        browser.call("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": key,
                                                "windowsVirtualKeyCode": 13 if key == "Enter" else 0})


def check_keys(browser):
    """One stop for all cells; the arrow keys go from meeting to meeting; Enter opens the games of two."""
    stops = "[...document.querySelectorAll('[data-at]')].filter((cell) => cell.tabIndex === 0)"
    assert browser.evaluate(stops + ".map((cell) => cell.dataset.at)") == ["0-1"]
    browser.evaluate(stops + "[0].focus()")
    for key, place in (("ArrowRight", "0-2"), ("ArrowRight", "0-2"), ("ArrowDown", "1-2"), ("ArrowLeft", "1-0"),
                       ("ArrowDown", "2-0"), ("End", "2-1")):
        press(browser, key)
        assert browser.evaluate(FOCUSED) == place, f"{key} leads to {browser.evaluate(FOCUSED)}"
    assert browser.evaluate(stops + ".map((cell) => cell.dataset.at)") == ["2-1"]
    browser.evaluate("document.activeElement.click()")
    wait_for(browser, "location.pathname === '/games'", "a cell leads nowhere")
    wait_for(browser, "document.querySelectorAll('.archive .games tbody tr').length === 2", "the games are others")
    assert browser.evaluate("[...document.querySelectorAll('.games tbody tr')].every((row) => "
                            "row.innerText.includes('cid') && row.innerText.includes('bob'))")
    browser.evaluate("history.back()")
    wait_for(browser, f"{ROWS}.length === 3", "the table does not come back")


def check_phone(browser, http):
    """The page is no wider than the phone: the table scrolls by itself, and the names stay."""
    browser.call("Emulation.setDeviceMetricsOverride", PHONE)
    wait_for(browser, f"document.documentElement.scrollWidth <= {PHONE['width']}", "the page is too wide")
    browser.evaluate("document.querySelector('.scroll').scrollLeft = 1000")
    wait_for(browser, "document.querySelector('.scroll').scrollLeft > 0", "the table does not scroll")
    left = browser.evaluate(f"{ROWS}[0].querySelector('th').getBoundingClientRect().left -"
                            " document.querySelector('.scroll').getBoundingClientRect().left")
    assert left == 0, f"the names have moved by {left} px"
    browser.call("Emulation.clearDeviceMetricsOverride")
    agent = browser.evaluate("navigator.userAgent")
    browser.call("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "ja"})
    browser.call("Page.navigate", {"url": f"http://{http}/crosstable?event=league-*"})
    wait_for(browser, f"{ROWS}.length === 3 && " + shows("対戦成績表"), "the page is not Japanese")
    assert browser.evaluate(TOLD % "0-1") == "ann 対 bob: 2勝 0敗 0分"


def main(program):
    if shutil.which("chromium") is None:
        print("skipped: chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server, addresses = start_server(program, folder)
        browser = Browser(os.path.join(folder, "browser"))
        try:
            play_all(addresses["csa"], EVENT, ("ann", "bob", "cid"), result)
            play_one(addresses["csa"], "cup-60-0", "cid", "dan", "black")
            http = addresses["http"]
            browser.call("Page.navigate", {"url": f"http://{http}/"})
            wait_for(browser, "fetch('/api/v1/games').then((it) => it.json()).then(({games}) => games.length === 7)",
                     "the archive does not know the games")
            check_table(browser, http)
            check_keys(browser)
            check_phone(browser, http)
            assert not browser.complaints(), browser.complaints()
        finally:
            browser.close()
            server.kill()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
