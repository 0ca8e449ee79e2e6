#!/usr/bin/env python3
"""The cross table in a real browser: from the list of games there, from its cells to the games of two, by mouse and by
keys, as a file, on a phone, in Japanese."""


from browser import run_in_browser, shows
from pages import GAMES_ARE, PHONE, site, write_site
from round_robin import play_all, play_one

EVENT = "league-600-0"
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


def check_table(browser):
    browser.go("/games?event=league-*&color=black")
    browser.wait_for("document.querySelectorAll('.archive .games tbody tr').length === 6", "the games are not listed")
    browser.click('a[href^="/crosstable"]')
    browser.wait_for("location.pathname + location.search === '/crosstable?event=league-*'", "it is another search")
    browser.wait_for(f"{ROWS}.length === 3", "there is no table")
    assert browser.evaluate(f"[...{ROWS}].map((row) => row.querySelector('th').innerText.replace(/\\s+/g, ' '))") == [
        "1 ann", "2 bob", "3 cid"]
    assert browser.evaluate(CELLS) == [["", "2 2-0-0", "½ 0-1-1"], ["0 0-2-0", "", "2 2-0-0"],
                                       ["1½ 1-0-1", "0 0-2-0", ""]], browser.evaluate(CELLS)
    assert browser.evaluate(f"[...{ROWS}].map((row) => row.querySelector('.points').innerText)") == ["2½", "2", "1½"]
    assert browser.evaluate(TOLD % "0-2") == "ann against cid: 0 won, 1 lost, 1 drawn"


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
    browser.wait_for("location.pathname === '/games'", "a cell leads nowhere")
    browser.wait_for("document.querySelectorAll('.archive .games tbody tr').length === 2", "the games are others")
    assert browser.evaluate("[...document.querySelectorAll('.games tbody tr')].every((row) => "
                            "row.innerText.includes('cid') && row.innerText.includes('bob'))")
    browser.evaluate("history.back()")
    browser.wait_for(f"{ROWS}.length === 3", "the table does not come back")


def check_phone(browser):
    """The page is no wider than the phone: the table scrolls by itself, and the names stay."""
    browser.look_like(**PHONE)
    browser.wait_for(f"document.documentElement.scrollWidth <= {PHONE['width']}", "the page is too wide")
    browser.evaluate("document.querySelector('.scroll').scrollLeft = 1000")
    browser.wait_for("document.querySelector('.scroll').scrollLeft > 0", "the table does not scroll")
    left = browser.evaluate(f"{ROWS}[0].querySelector('th').getBoundingClientRect().left -"
                            " document.querySelector('.scroll').getBoundingClientRect().left")
    assert left == 0, f"the names have moved by {left} px"
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.prefer("ja")
    browser.go("/crosstable?event=league-*")
    browser.wait_for(f"{ROWS}.length === 3 && " + shows("対戦成績表"), "the page is not Japanese")
    assert browser.evaluate(TOLD % "0-1") == "ann 対 bob: 2勝 0敗 0分"


def check_files(here):
    """The same without a server: cells lead to the games of two."""
    folder = write_site(here, "store", "site", "--games", "event=league-*")
    browser = here.browser
    browser.prefer("en")
    browser.go((folder / "crosstable.html").as_uri())
    browser.wait_for(f"{ROWS}.length === 3", "there is no table in the files")
    browser.evaluate("document.querySelector('[data-at=\"2-1\"]').click()")
    browser.wait_for("document.querySelectorAll('.archive .games tbody tr').length === 2", "the games are others")
    browser.go((folder / "index.html").as_uri())
    browser.wait_for("document.querySelectorAll('.archive .games tbody tr').length === 6", "it does not list the games")


def main(program):
    with site(program) as here:
        play_all(here.server.csa, EVENT, ("ann", "bob", "cid"), result)
        play_one(here.server.csa, "cup-600-0", "cid", "dan", "black")
        browser = here.browser
        browser.go("/")
        browser.wait_for(GAMES_ARE % 7, "the archive does not know the games")
        check_table(browser)
        check_keys(browser)
        check_phone(browser)
        check_files(here)


if __name__ == "__main__":
    run_in_browser(main)
