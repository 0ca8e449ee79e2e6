#!/usr/bin/env python3
"""The pages by axe-core's rules of accessibility, in light and dark, wide and on a phone: nothing serious or critical.

    access_test.py FUHYO [AXE.js]       exit code 77: there is no chromium, or no axe-core (npm install in web/)
"""

import json
from pathlib import Path

from browser import run_in_browser, shows
from csa_client import CsaClient, begin
from event_files import begin_event, black_wins, event_text
from pages import check_end, follow_a_game, log_in, open_console, path_of_a_player, site, tabs_of

AXE = Path(__file__).resolve().parents[3] / "web/node_modules/axe-core/axe.min.js"
CHECK = """axe.run(document, {resultTypes: ['violations']}).then(({violations}) => violations
    .filter(({impact}) => impact === 'serious' || impact === 'critical')
    .map(({id, help, nodes}) => `${id}: ${help}: ` + nodes.slice(0, 3).map(({html, failureSummary}) =>
        html.slice(0, 200) + ' ' + failureSummary.replaceAll('\\n', ' ')).join(' | ')))"""
LOOKS = [(scheme, width) for scheme in ("light", "dark") for width in (1280, 390)]


def violations(browser, axe, page):
    browser.evaluate(axe + ";true")
    found = []
    for scheme, width in LOOKS:
        browser.look_like(width, 860, scheme=scheme)
        browser.settle()
        answer = browser.evaluate(CHECK)
        assert answer is not None, f"{page}: axe-core gave no answer"
        found += [f"{page}, {scheme}, {width} px: {each}" for each in answer]
    return found


def check_console(browser, axe, secret):
    found = []
    open_console(browser)
    found += violations(browser, axe, "log in")
    log_in(browser, "hana", secret)
    browser.wait_for("document.querySelector('#console-panel table') !== null", "the console does not come")
    for tab in tabs_of(browser):
        browser.click(f"#tab-{tab}")
        found += violations(browser, axe, f"console, {tab}")
    browser.click("#tab-games")
    browser.wait_for("document.querySelector('td.acts button.danger') !== null", "the game is not listed")
    browser.click("td.acts button.danger")
    return found + violations(browser, axe, "console, a dangerous act")


def check_lists(browser, axe):
    found = []
    player = path_of_a_player(browser)
    for path, known in (("/games", "alice"), ("/crosstable", "alice"), ("/players", "alice"), (player, "Opponents"),
                        ("/rounds", "no group with a timetable"), ("/buoys", "no buoy"), ("/docs", "Documentation"),
                        ("/docs/README.ja", "English")):
        browser.go(path)
        browser.wait_for(shows(known), f"{path} does not come")
        found += violations(browser, axe, path)
    return found


def hold_event(here):
    """An event whose first round has a result and a running game, by commands of its host; who plays."""
    server = here.server
    begin_event(server, "league", event_text(
        [{"name": "ann", "title": "Ann of the club"}, "ben", "cid", "dan"], name="league", title="Club league",
        title_ja="クラブ戦", format="round-robin", time="600-5F", countdown_s=30, forfeit_s=3600))
    black_wins(server, "league", server.done("tournament-pairings", "league")["rows"][0][0])
    _, black, white, *_ = next(row for row in server.done("tournament-pairings", "league")["rows"]
                                if row[3] == "to come")
    return begin(*(CsaClient(server.csa, f"LOGIN {name} league-1-1,trip{name}") for name in (black, white)))


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


def check_events(browser, axe):
    found = []
    for path, known, controls in (
            ("/tournaments", "Club league", ["a[href='/tournament/league']"]),
            ("/tournament/league", "Ann of the club", [".pairings a", ".views button", ".files a"])):
        browser.go(path)
        browser.wait_for(shows(known), f"{path} does not come")
        browser.wait_for(f"document.querySelector({json.dumps(controls[0])}) !== null", f"{path} is not whole")
        found += violations(browser, axe, path) + names_of_controls(browser, path)
        found += reached_by_tab(browser, path, controls)
    return found


def main(program, axe_file=AXE):
    if not Path(axe_file).exists():
        print("skipped: axe-core is not there")
        return 77
    axe = Path(axe_file).read_text(encoding="utf-8")
    with site(program, complaints=False) as here:
        browser = here.browser
        browser.go("/")
        browser.wait_for("document.querySelector('.welcome code') !== null", "an empty page does not say what it is")
        found = violations(browser, axe, "nobody plays")
        follow_a_game(here)
        found += violations(browser, axe, "a game")
        browser.click("header a")
        browser.wait_for("document.querySelector('article') !== null", "the wall does not come")
        found += violations(browser, axe, "the wall")
        found += check_console(browser, axe, here.secret)
        browser.go("/")
        browser.click("article .open")
        check_end(here)
        found += check_lists(browser, axe)
        players = hold_event(here)
        found += check_events(browser, axe)
        for player in players:
            player.close()
    print("\n".join(found) or "nothing serious")
    return 1 if found else 0


if __name__ == "__main__":
    run_in_browser(main)
