#!/usr/bin/env python3
"""The demonstration in a real browser: games with clocks, evaluations, lines and arrows while they run."""

import os
import tempfile
from pathlib import Path

from browser import Browser, run_in_browser, shows
from fuhyo_server import FuhyoServer, free_ports

CLOCKS = "[...document.querySelectorAll('.player .clock')].map((clock) => clock.innerText.trim())"
LEVELS = "[...document.querySelectorAll('.player .score')].filter((score) => /^[+-]?[0-9M]/.test(score.innerText))"


def check_wall(browser, boards):
    browser.go("/")
    browser.wait_for(f"document.querySelectorAll('article .plies').length === {boards}", "a board is missing")
    browser.wait_for(f"{CLOCKS}.length === {2 * boards} && {CLOCKS}.every((text) => /^[0-9]+:[0-9][0-9]/.test(text))")
    names = browser.evaluate("[...document.querySelectorAll('article header a')].map((link) => link.innerText)")
    assert names == ["Demonstration"] * boards, names
    browser.wait_for(f"{LEVELS}.length > 0", "no evaluation is shown")
    browser.wait_for(shows("a demonstration: built-in engines play"), "the page does not say what this is")


def check_game(browser):
    browser.click("article .open")
    browser.wait_for("document.querySelector('.lines .line button') !== null", "no line is shown")
    browser.wait_for("/[+-]?[0-9M]/.test(document.querySelector('.legend')?.innerText)", "the graph has no value")
    browser.wait_for("document.querySelector('.view path.arrow') !== null && " + shows("in progress"))
    assert browser.evaluate("document.querySelector('.about').innerText.includes('Demonstration')")


def main(program, _):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        listeners = ("csa", "http")
        flags = (*free_ports(*listeners), "--builtin", "demo", "--spectator-comments", "never", "--drain-timeout", "0")
        with FuhyoServer(program, *flags, listeners=listeners, data=Path(folder) / "data",
                         log=Path(folder) / "log") as server:
            browser = Browser(Path(folder) / "browser", site="{}:{}".format(*server.http))
            try:
                check_wall(browser, min(4, len(os.sched_getaffinity(0))))
                check_game(browser)
                assert not browser.complaints(), browser.complaints()
            finally:
                browser.close()


if __name__ == "__main__":
    run_in_browser(main)
