#!/usr/bin/env python3
"""The pages in a real browser: it follows a running game, pauses it in the console, finds it again when it has ended,
and text of players stays text."""

import json
import re

from browser import run_in_browser, shows
from pages import (ACT, GAMES_ARE, OF_THE_GAME, PANEL, PHONE, check_end, follow_a_game, follow_link,
                   log_in, open_console, site)

ROWS = "document.querySelectorAll('.archive .games tbody tr')"
POSITIONS = 130
FORMATS = ("csa", "csa3", "kif", "kifu", "ki2", "jkf", "usi")


def check_first_page(here):
    browser = here.browser
    browser.go("/")
    browser.wait_for(shows(f"fuhyo join --server {here.server.address} "), "the page has no address")
    for path in ("/games", "/tournaments", "/rooms", "/console"):
        assert browser.evaluate(f"document.querySelector('.welcome a[href={json.dumps(path)}]') !== null"), path
    assert not browser.evaluate("[...document.querySelectorAll('.head select')].some((one) => one.offsetParent)")


def check_position(browser):
    assert browser.evaluate("document.querySelector('ol li:nth-child(4)').innerText").replace("\n", " ").startswith(
        "3 ☗Bx22+"), browser.evaluate("document.querySelector('ol').innerText")
    pieces = browser.evaluate("document.querySelectorAll('.view svg.squares .piece').length")
    assert pieces == 38, f"{pieces} pieces on the board"
    assert browser.evaluate("document.querySelectorAll('.view svg.squares .last').length") == 1
    players = browser.evaluate("[...document.querySelectorAll('.player')].map((bar) => bar.innerText).join()")
    assert "bob" in players.split(",")[0] and "alice" in players.split(",")[1], players
    clock = browser.evaluate("document.querySelectorAll('.player')[1].querySelector('.clock').innerText").strip()
    assert not re.search("[☗☖]", players), "a mark of a player needs a font"
    assert re.fullmatch("50:00|4[0-9]:[0-5][0-9]", clock), clock
    assert browser.evaluate("document.querySelectorAll('.player')[1].classList.contains('turn')"), players
    assert browser.evaluate("document.querySelectorAll('.hand use').length") == 2, "a bishop in each hand"


def check_thoughts(browser):
    browser.wait_for("document.querySelector('.legend')?.innerText.includes('+134')", "White's value is not shown")
    assert "+30" in browser.evaluate("document.querySelector('.legend').innerText")
    line = browser.evaluate("document.querySelector('.line').innerText").replace("\n", " ")
    assert "+134" in line and "B*55" in line, line
    browser.click(".line button")
    browser.wait_for("document.querySelectorAll('.view.looking .piece').length === 39", "a line cannot be looked at")
    browser.click(".line button")
    browser.wait_for("document.querySelectorAll('.view .piece').length === 38", "the game does not come back")


def go_home(browser):
    browser.key("Home")
    browser.wait_for("location.pathname.endsWith('/0')", "Home leads nowhere")


def check_history(browser):
    """Back through the game by keys and clicks, in the address as well, and to the newest position again."""
    go_home(browser)
    browser.wait_for("document.querySelectorAll('.view svg.squares .piece').length === 40", "the start is not shown")
    browser.key("ArrowRight")
    browser.wait_for("location.pathname.endsWith('/1')", "the arrow leads nowhere")
    browser.click("ol li:nth-child(4) button")
    browser.wait_for("location.pathname.endsWith('/3')", "a move cannot be chosen")
    browser.key("End")
    browser.wait_for(OF_THE_GAME, "End does not follow")


def search_for(browser, player):
    browser.fill(".archive form input", player)
    browser.click(".archive form button.main")
    browser.wait_for(f"location.search === '?player={player}'", "a search is not in the address")


def check_lists(browser):
    """The game that has ended: in the list, by a search, back through searches, at its players."""
    browser.wait_for(GAMES_ARE % 1, "the archive does not know the game")
    follow_link(browser, "/games")
    browser.wait_for(f"{ROWS}.length === 1", "the game is not listed")
    row = browser.evaluate(f"{ROWS}[0].innerText")
    assert all(part in row for part in ("alice", "bob", "resignation", "4")), row
    search_for(browser, "nobody")
    browser.wait_for(shows("No game is like this."), "a search finds what it should not")
    search_for(browser, "ALI*")
    browser.wait_for(f"{ROWS}.length === 1", "a search does not find the game")
    browser.evaluate("history.back()")
    browser.wait_for(shows("No game is like this."), "the search before does not come back")
    assert browser.evaluate("document.querySelector('.archive form input').value") == "nobody"
    browser.evaluate("history.forward()")
    browser.wait_for(f"{ROWS}.length === 1", "the search after does not come back")
    browser.evaluate(f"{ROWS}[0].querySelector('.seat a').click()")
    browser.wait_for("location.pathname.startsWith('/player/alice')", "a name does not lead to its player")
    browser.wait_for(shows("Opponents") + " && " + shows("bob"), "the opponents are not shown")
    browser.wait_for(f"{ROWS}.length === 1", "the player's games are not shown")
    for path, there in (("/players", "document.querySelectorAll('.archive tbody tr').length === 2"),
                        ("/rounds", shows("There is no group with a timetable.")),
                        ("/buoys", shows("There is no buoy."))):
        follow_link(browser, path)
        browser.wait_for(there, path)


def check_tools(browser):
    follow_link(browser, "/games")
    browser.wait_for(f"{ROWS}.length === 1", "the game is not listed")
    browser.evaluate(f"{ROWS}[0].querySelector('.row').click()")
    browser.wait_for("document.querySelectorAll('a[download]').length === 7", "there are no files")
    for end in FORMATS:
        assert browser.evaluate(f"fetch(document.querySelector('a[download][href$=\".{end}\"]').href).then((answer) => "
                                "answer.ok && answer.headers.get('Content-Disposition').startsWith('attachment'))"), end
    browser.evaluate("""(() => {
        const make = URL.createObjectURL
        URL.createObjectURL = (blob) => {
            blob.slice(0, 6).text().then((text) => (window.made = text))
            return make.call(URL, blob)
        }
        document.querySelector('.buttons button:nth-of-type(3)').click()
    })()""")
    browser.wait_for("window.made === 'GIF89a'", "there is no GIF")
    go_home(browser)
    browser.wait_for("fetch('/api/v1/openings?sfen=startpos').then((it) => it.json()).then((all) => all.games)")
    browser.click(".more details summary")
    browser.wait_for("document.querySelector('.more details tbody a')?.innerText === 'P-76'")
    browser.click('.more a[href^="/games?position="]')
    browser.wait_for(f"{ROWS}.length === 1 && location.pathname === '/games'", "the position is not found")


def check_what_is_not_there(browser, game):
    for path, says in (("/nothing/at/all", "There is no such page."), ("/game/999", "This game is not here."),
                       ("/player/nobody", "There is no such thing here."), ("/room/attic", "There is no such room.")):
        browser.go(path)
        browser.wait_for(shows(says), f"{path} does not say that it is not there")
        assert browser.evaluate("document.querySelector('header a[href=\"/games\"]') !== null"), path
    browser.go(f"/embed/{game}/2")
    browser.wait_for("document.querySelectorAll('.alone svg.squares .piece').length === 40", "no position is shown")
    assert not browser.evaluate(shows("wins")), "the end is shown before it"


def search_documents(browser, word):
    """Where the best hit leads."""
    hits = "[...document.querySelectorAll('.found:not([hidden]) a')]"
    browser.fill("search input", word)
    browser.wait_for(f"{hits}.length > 0 && {hits}.every((hit) => hit.querySelector('strong').innerText)",
                     f"{word} is not found")
    return browser.evaluate(f"{hits}[0].getAttribute('href')")


def check_documents(browser):
    """Read, searched in both languages and followed, at a desk and on a phone, in light and dark."""
    contents = "document.getElementById('contents')"

    def at(address):
        return (f"location.pathname + location.hash === {json.dumps(address)} && "
                "document.querySelector('article h1')?.innerText.length > 0")

    browser.go("/")
    browser.look_like(1440, 900, scheme="light")
    follow_link(browser, "/docs")
    browser.wait_for(f"{at('/docs')} && {contents}.checkVisibility()", "there are no documents")
    light = browser.evaluate("getComputedStyle(document.body).backgroundColor")
    hit = search_documents(browser, "clock")
    browser.click(".found a")
    browser.wait_for(at(hit), f"{hit} does not come")
    assert "#" not in hit or browser.evaluate("document.querySelector(':target') !== null"), f"{hit} is nowhere"
    browser.look_like(**PHONE, scheme="dark")
    browser.go("/docs")
    assert browser.evaluate("getComputedStyle(document.body).backgroundColor") != light, "it is never dark"
    assert not browser.evaluate(f"{contents}.checkVisibility()"), "the contents are over the text"
    browser.press("Contents", "document.querySelector('header')")
    browser.wait_for(f"{contents}.checkVisibility()", "the contents do not come")
    browser.click("#contents a[href='/docs/tournaments']")
    browser.wait_for(at("/docs/tournaments"), "the contents lead nowhere")
    browser.click("header .other")
    browser.wait_for(f"{at('/docs/tournaments.ja')} && document.documentElement.lang === 'ja'", "it has no Japanese")
    assert search_documents(browser, "大会").startswith("/docs/"), "no hit"
    browser.call("Emulation.clearDeviceMetricsOverride")
    browser.go("/docs/nothing")
    browser.wait_for(shows("There is no such page."), "what is not there does not say so")


def give(browser, act, state, game):
    """Pauses or resumes the game, with a reason, and sees what is sent before it is."""
    browser.press(act, PANEL)
    browser.wait_for(ACT + " !== null", "nothing is asked before the act")
    browser.fill("dialog[open] label:last-of-type input", "<b>power</b> cut")
    sent = f"{act.lower()} {game} <b>power</b> cut"
    browser.wait_for(f"document.querySelector('dialog[open] code').innerText === {json.dumps(sent)}")
    browser.evaluate(ACT + ".click()")
    browser.wait_for(f"!document.querySelector('dialog[open]') && {PANEL}.innerText.includes({json.dumps(state)})")


def check_next_act(browser):
    """One is chosen before the browser tells of the end of the last one's dialog."""
    browser.press("Pause", PANEL)
    browser.wait_for(ACT + " !== null", "nothing is asked before the act")
    browser.evaluate(f"""(() => {{
        document.querySelector('dialog[open]').addEventListener('close', () => setTimeout(() => (window.told = true)))
        document.querySelector('dialog[open] button[type=button]').click()
        {PANEL}.querySelector('tbody button').click()
    }})()""")
    browser.wait_for("window.told", "the end of the dialog is not told of")
    assert browser.evaluate(ACT + " !== null"), "the next act goes with the last one"
    browser.click("dialog[open] button[type=button]")


def check_confirming(browser, secret):
    """What cannot be taken back, when the password was given long ago."""
    browser.evaluate("""(() => {
        const send = window.fetch
        window.fetch = (path, options) => {
            if (path !== '/api/v1/admin' || !options.body.includes('forbid ')) return send(path, options)
            window.fetch = send
            return Promise.resolve(new Response('{"error": "show it", "confirm": true}', {status: 403}))
        }
    })()""")
    browser.click("#tab-players")
    browser.press("Forbid", section_of("forbidden"))
    browser.wait_for(ACT + " !== null", "nothing is asked before the act")
    browser.evaluate(ACT + ".click()")
    browser.wait_for(shows("is needed"), "a name that is not given is not asked for")
    browser.fill("dialog[open] label input", "nobody")
    browser.evaluate(ACT + ".click()")
    browser.wait_for("document.querySelector('dialog[open] input[type=password]') !== null")
    for password, says in (("not it", "The name, the password or the code is wrong."), (secret, "nobody is forbidden")):
        browser.fill("dialog[open] input[type=password]", password)
        browser.evaluate(ACT + ".click()")
        browser.wait_for(shows(says), password)


def section_of(verb):
    return f"document.getElementById('table-{verb}').closest('section')"


def check_long_list(browser, done, folder):
    """Pages, what is searched for, and what was asked for are in the address, and come back with it."""
    folder.mkdir(exist_ok=True)
    text = "".join(f"startpos | Opening {number}\n" for number in range(1, POSITIONS + 1))
    (folder / "many.txt").write_text(text, encoding="utf-8")
    done("load-positions", "many", "many.txt")
    browser.click("#tab-rounds")
    positions = section_of("positions")
    rows = f"{positions}.querySelectorAll('tbody tr').length"
    browser.press("Show", positions)
    browser.wait_for(f"{positions}.innerText.includes('1–100 of {POSITIONS}') && {rows} === 100", "there is no page")
    browser.press("Next", positions)
    browser.wait_for(f"{rows} === {POSITIONS - 100} && location.search.includes('positions.offset=100')")
    browser.go(browser.evaluate("location.pathname + location.search"))
    browser.wait_for(f"document.getElementById('table-positions') && {rows} === {POSITIONS - 100}")
    browser.fill("input[aria-label='Search: Sets of start positions']", "OPENING 7")
    browser.wait_for(f"{positions}.innerText.includes('1–11 of 11') && {rows} === 11", "nothing is searched for")
    browser.wait_for("location.search === '?tab=rounds&positions.set=many&positions.search=OPENING+7'")
    browser.evaluate("history.back()")
    browser.wait_for("document.querySelector('#tab-players[aria-selected=true]') !== null", "pages are in the history")
    browser.evaluate("history.forward()")
    browser.wait_for(f"document.getElementById('table-positions') && {rows} === 11", "a search does not come back")
    done("drop-positions", "many")


def check_console(here, name, secret):
    browser, done = here.browser, here.server.done
    open_console(browser)
    log_in(browser, name, "not it")
    browser.wait_for(shows("The name, the password or the code is wrong."), "a wrong password is not told of")
    log_in(browser, name, secret)
    browser.wait_for(f"{PANEL}?.querySelectorAll('tbody tr').length === 1", "the game is not listed")
    game = browser.evaluate(f"{PANEL}.querySelector('tbody td').innerText").strip()
    check_next_act(browser)
    give(browser, "Pause", "paused", game)
    give(browser, "Resume", "running", game)
    assert not browser.evaluate(shows("Drain")), "a host sees what is for admins"
    check_confirming(browser, secret)
    check_long_list(browser, done, here.folder / "data" / "positions")
    browser.click("#tab-audit")
    browser.wait_for(f"{PANEL}.innerText.includes('resume {game} <b>power</b> cut')", "the audit log is not shown")
    browser.click("#tab-games")
    browser.wait_for("location.search === '?tab=games'", "a tab has no address")
    for step, tab in (("back", "audit"), ("forward", "games")):
        browser.evaluate(f"history.{step}()")
        browser.wait_for(f"document.querySelector('#tab-{tab}[aria-selected=true]') !== null", step)
    browser.press("Log out", "document.querySelector('.console .top')")
    browser.wait_for(shows("You are logged out."), "one cannot log out")
    assert browser.evaluate("document.querySelector('.tabs') === null")
    browser.evaluate("history.go(-5)")  # past players, rounds, audit, and games again
    browser.wait_for(OF_THE_GAME, "the game does not come back")


def check_share(browser):
    frame = "document.querySelector('iframe')"
    browser.go("/share")
    browser.wait_for("document.querySelector('input[list]') !== null", "no game can be chosen")
    assert browser.evaluate(f"{frame} === null"), "a frame of nothing"
    steps = browser.evaluate("history.length")
    browser.fill("input[list]", "1")
    browser.wait_for(f"{frame}?.contentDocument?.querySelectorAll('svg.squares .piece').length === 38")
    browser.evaluate("[...document.querySelectorAll('.fields input[type=checkbox]')][1].click()")
    browser.wait_for(f"{frame}?.contentDocument?.querySelector('.alone > svg.squares') !== null")
    assert browser.evaluate("history.length") == steps, "a frame is a step back in the history"


def main(program):
    with site(program) as here:
        browser = here.browser
        check_first_page(here)
        follow_a_game(here)
        assert not browser.evaluate("document.querySelector('.welcome')"), "a game is no welcome"
        check_position(browser)
        check_thoughts(browser)
        check_history(browser)
        check_console(here, "hana", here.secret)
        check_end(here)
        check_lists(browser)
        check_tools(browser)
        check_what_is_not_there(browser, 1)
        check_share(browser)
        check_documents(browser)


if __name__ == "__main__":
    run_in_browser(main)
