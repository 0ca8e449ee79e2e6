#!/usr/bin/env python3
"""`fuhyo setup --browser` in a real browser, on a desk and on a phone, in both languages: what is typed is checked and
written, the page ends as the terminal does, and nobody else is let in.

    page_test.py FUHYO
"""

import re
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from browser import Browser, run_in_browser, shows
from pages import PHONE
from waiting import PATIENCE_S
from web_client import ask

DESK = {"width": 1280, "height": 860}
FITS = "document.documentElement.scrollWidth <= window.innerWidth"
NAME = "document.querySelector('#name').value"
WRONG = "[...document.querySelectorAll('.wrong')].map((one) => one.parentElement.id).join()"
OTHER = {"en": "ja", "ja": "en"}
QUESTION = {"en": "Name of the event", "ja": "大会の名前"}


@contextmanager
def asking(program, folder, language):
    """The process, and where its page is: (host, port), path."""
    with subprocess.Popen([program, "setup", "--browser", "--lang", language, "--dir", folder, "--name", "club"],
                          stdout=subprocess.PIPE, text=True) as process:
        try:
            process.stdout.readline()
            host, port, path = re.fullmatch(r"http://(127\.0\.0\.1):(\d+)(/.*)\n", process.stdout.readline()).groups()
            yield process, (host, int(port)), path
        finally:
            process.kill()


def check_who_may_ask(address, path):
    """Of a page that nobody else reaches, whatever a browser is made to send."""
    own = "{}:{}".format(*address)
    assert ask(address, path).status == 200
    key = path.split("/")[1]
    for other in ("/", "/en", f"/{key}", f"/{key}/fr", f"/{key[:-1]}/en", f"/{key}x/en", "/healthz"):
        assert ask(address, other).status == 404, other
    for method, headers in (("GET", {"Host": "club.example"}), ("POST", {"Origin": "http://club.example"}),
                            ("POST", {"Origin": "null"}),
                            ("POST", {"Host": "club.example", "Origin": f"http://{own}"})):
        assert ask(address, path, method=method, headers=headers).status == 403, headers


def check_form(browser, language, folder):
    browser.wait_for(shows(QUESTION[language]), "it does not ask")
    assert browser.evaluate(FITS), "it is wider than the screen"
    assert browser.evaluate(NAME) == "club"
    assert browser.evaluate(WRONG) == ""
    browser.fill("#name", "my club")
    browser.fill("#clock", "5")
    browser.click("form button")
    browser.wait_for(f"{WRONG} === 'name-said,clock-said'", "what is wrong is not said")
    assert browser.evaluate(NAME) == "my club", "what was typed is gone"
    assert browser.evaluate(FITS), "it is wider than the screen"
    assert not folder.exists(), "there are files"
    browser.click(".other")
    browser.wait_for(shows(QUESTION[OTHER[language]]), "it has one language")
    browser.click(".other")
    browser.wait_for(shows(QUESTION[language]), "the language does not come back")


def check_end(browser, program, process, folder):
    browser.fill("#name", "cup")
    browser.fill("#clock", "600-30")
    browser.set_value("document.querySelector('#players')", "accounts")
    browser.fill("#engines", "none")
    browser.fill("#address", "192.0.2.7")
    browser.click("form button")
    browser.wait_for("document.querySelector('svg.code') !== null", "there is no code for phones")
    assert browser.evaluate(FITS), "the end is wider than the screen"
    report = browser.evaluate("document.querySelector('pre').textContent")
    said, _ = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == 0 and report in said, said
    for line in ('event = "cup"', 'accounts = "closed"', 'csa-websocket = "on"'):
        assert line in (folder / "fuhyo.toml").read_text(encoding="utf-8"), line
    subprocess.run([program, "config", "check", folder / "fuhyo.toml"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run([program, "tournament", "check", folder / "tournament.toml", "--entrants", "4"], check=True,
                   stdout=subprocess.DEVNULL)


def main(program):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        browser = Browser(Path(name) / "browser")
        try:
            for language, look, scheme in (("en", DESK, "light"), ("ja", PHONE, "dark")):
                folder = Path(name) / language
                with asking(program, folder, language) as (process, address, path):
                    check_who_may_ask(address, path)
                    browser.site = "{}:{}".format(*address)
                    browser.look_like(**look, scheme=scheme)
                    browser.go(path)
                    check_form(browser, language, folder)
                    check_end(browser, program, process, folder)
            assert not browser.complaints(), browser.complaints()
        finally:
            browser.close()


if __name__ == "__main__":
    run_in_browser(main)
