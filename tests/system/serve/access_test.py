#!/usr/bin/env python3
"""The pages by axe-core's rules of accessibility, in light and dark, wide and on a phone: nothing serious or critical.

    access_test.py FUHYO [AXE.js]       exit code 77: there is no chromium, or no axe-core (npm install in web/)
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from page_test import (Browser, CsaClient, add_operator, check_end, follow_a_game, log_in, open_console, shows,
                       start_server, wait_for)

AXE = Path(__file__).resolve().parents[3] / "web/node_modules/axe-core/axe.min.js"
CHECK = """axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, help, nodes}) => `${id}: ${help}: ` + nodes.slice(0, 3).map(({html, failureSummary}) =>
        html.slice(0, 200) + ' ' + failureSummary.replaceAll('\\n', ' ')).join(' | ')))"""
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]
SETTLED_S = 0.5  # what fades in has done so


def violations(browser, axe, page):
    browser.evaluate(axe + ";true")
    found = []
    for scheme, width in LOOKS:
        browser.call("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        browser.call("Emulation.setDeviceMetricsOverride",
                     {"width": width, "height": 860, "deviceScaleFactor": 1, "mobile": False})
        time.sleep(SETTLED_S)
        answer = browser.evaluate(CHECK)
        assert answer is not None, f"{page}: axe-core gave no answer"
        found += [f"{page}, {scheme}, {width} px: {each}" for each in answer]
    return found


def check_console(browser, axe, secret):
    found = []
    open_console(browser)
    found += violations(browser, axe, "log in")
    log_in(browser, "hana", secret)
    wait_for(browser, "document.querySelector('#console-panel table') !== null", "the console does not come")
    for tab in browser.evaluate("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.tab)"):
        browser.evaluate(f"document.querySelector('#tab-{tab}').click()")
        time.sleep(SETTLED_S)
        found += violations(browser, axe, f"console, {tab}")
    browser.evaluate("document.querySelector('#tab-games').click()")
    wait_for(browser, "document.querySelector('td.acts button.danger') !== null", "the game is not listed")
    browser.evaluate("document.querySelector('td.acts button.danger').click()")
    return found + violations(browser, axe, "console, a dangerous act")


def check_lists(browser, axe, http):
    found = []
    wait_for(browser, "fetch('/api/v1/games').then((answer) => answer.json()).then(({games}) => games.length === 1)",
             "the archive does not know the game")
    player = browser.evaluate("fetch('/api/v1/players').then((answer) => answer.json()).then(({players}) => "
                              "'/player/' + encodeURIComponent(players[0].id))")
    for path, known in (("/games", "alice"), ("/crosstable", "alice"), ("/players", "alice"), (player, "Opponents"),
                        ("/rounds", "no group with a timetable"), ("/buoys", "no buoy")):
        browser.call("Page.navigate", {"url": f"http://{http}{path}"})
        wait_for(browser, shows(known), f"{path} does not come")
        found += violations(browser, axe, path)
    return found


EVENT = """name = "league"
title = "Club league"
title-ja = "クラブ戦"
format = "round-robin"
time = "60-5F"
countdown-s = 30
forfeit-s = 600

[entry]
open = false

[[entrant]]
name = "ann"
title = "Ann of the club"

[[entrant]]
name = "ben"

[[entrant]]
name = "cid"

[[entrant]]
name = "dan"
"""


def hold_event(program, folder, csa):
    """An event whose first round has a result and a running game, by commands of its host; who plays."""
    files = Path(folder) / "data" / "tournaments"
    files.mkdir(exist_ok=True)
    (files / "league.toml").write_text(EVENT, encoding="utf-8")

    def admin(*words):
        told = subprocess.run([program, "admin", "--data", os.path.join(folder, "data"), "--json", *words],
                              capture_output=True, text=True, check=False)
        answer = json.loads(told.stdout)
        assert answer["ok"], (words, answer)
        return answer

    admin("tournament-new", "league.toml")
    admin("tournament-start", "league")
    admin("tournament-start", "league")
    game, *_ = admin("tournament-pairings", "league")["rows"][0]
    admin("tournament-result", "league", game, "black", "by word of mouth")
    _, black, white, *_ = next(row for row in admin("tournament-pairings", "league")["rows"] if row[3] == "to come")
    players = [CsaClient(csa, f"LOGIN {name} league-1-1,trip{name}") for name in (black, white)]
    for player in players:
        player.until("END Game_Summary")
    for player in players:
        player.say("AGREE")
    for player in players:
        player.until("START:")
    return players


def names_of_controls(browser, page):
    """What is focused by Tab has a name to be read aloud and is to be seen; in a page of this size none is missed."""
    return [f"{page}: {each}" for each in browser.evaluate("""
        [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex="0"]')]
            .filter((node) => node.tabIndex >= 0 && node.getClientRects().length > 0)
            .filter((node) => !(node.getAttribute('aria-label') || node.innerText || node.title
                || node.labels?.length || node.getAttribute('aria-labelledby')))
            .map((node) => 'no name: ' + node.outerHTML.slice(0, 200))""")]


def reached_by_tab(browser, page, wanted):
    """Whether the keyboard gets to each of these, in a hundred steps."""
    browser.evaluate("document.activeElement.blur()")
    left = set(wanted)
    for _ in range(100):
        for kind in ("keyDown", "keyUp"):
            browser.call("Input.dispatchKeyEvent", {"type": kind, "key": "Tab", "code": "Tab",
                                                    "windowsVirtualKeyCode": 9})
        left = {one for one in left if not browser.evaluate(f"document.activeElement.matches({json.dumps(one)})")}
        if not left:
            return []
    return [f"{page}: Tab does not come to {one}" for one in sorted(left)]


def check_events(browser, axe, http):
    found = []
    for path, known, controls in (
            ("/tournaments", "Club league", ["a[href='/tournament/league']"]),
            ("/tournament/league", "Ann of the club", [".pairings a", ".views button", ".files a"])):
        browser.call("Page.navigate", {"url": f"http://{http}{path}"})
        wait_for(browser, shows(known), f"{path} does not come")
        wait_for(browser, f"document.querySelector({json.dumps(controls[0])}) !== null", f"{path} is not whole")
        found += violations(browser, axe, path) + names_of_controls(browser, path)
        found += reached_by_tab(browser, path, controls)
    return found


def main(program, axe_file=AXE):
    if shutil.which("chromium") is None or not Path(axe_file).exists():
        print("skipped: chromium or axe-core is not there")
        return 77
    axe = Path(axe_file).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config, secret = add_operator(program, folder, "hana")
        server, addresses = start_server(program, folder, *config)
        browser = Browser(os.path.join(folder, "browser"))
        try:
            black, white = follow_a_game(browser, addresses["csa"], addresses["http"])
            found = violations(browser, axe, "a game")
            browser.evaluate("document.querySelector('header a').click()")
            wait_for(browser, "document.querySelector('article') !== null", "the wall does not come")
            found += violations(browser, axe, "the wall")
            found += check_console(browser, axe, secret)
            browser.call("Page.navigate", {"url": f"http://{addresses['http']}/"})
            wait_for(browser, "document.querySelector('article .open') !== null", "the wall does not come")
            browser.evaluate("document.querySelector('article .open').click()")
            check_end(browser, black, white)
            found += check_lists(browser, axe, addresses["http"])
            players = hold_event(program, folder, addresses["csa"])
            found += check_events(browser, axe, addresses["http"])
            for player in players:
                player.close()
        finally:
            browser.close()
            server.kill()
            server.wait()
    print("\n".join(found) or "nothing serious")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
