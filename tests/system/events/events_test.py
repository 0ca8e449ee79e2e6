#!/usr/bin/env python3
"""An event as its visitors see it, in a real browser: announced by a text that was checked and written by commands,
counted down to, a round of both colours played by four, two decided by its host, its table at the end; in Japanese,
on a phone, and after a restart of the server."""

import json
import re
import zipfile
from pathlib import Path
from urllib.parse import unquote, urlsplit

from browser import run_in_browser, shows
from csa_client import CsaClient, begin_games, play
from event_files import event_text
from pages import PHONE, log_in_as_host, site, write_site
from waiting import eventually

# The better one wins.
PLAYERS = ("ann", "bob", "cid", "dan")
EVENT = event_text([{"name": name, "seed": place} for place, name in enumerate(PLAYERS, 1)], name="cup",
                   title="Club cup", title_ja="クラブ杯", format="round-robin", games=2, time="600-5F", countdown_s=600,
                   gap_s=0, forfeit_s=3600)
GAMES = "[...document.querySelectorAll('.pairings li[data-game]')]"
STATES = GAMES + ".map((game) => game.dataset.state).join()"
CHECK = "[...document.querySelectorAll('#console-panel section')].find((one) => one.querySelector('textarea'))"
OVER = GAMES + ".filter((game) => game.dataset.state === 'over').length"
ROWS = "[...document.querySelectorAll('.standings tbody tr')]"
ON_BOARD = "/^.game.\\d+$/.test(location.pathname) && document.querySelector('.view svg.squares') !== null"
MARKS = ("[...cell.querySelectorAll('.marks [aria-hidden]')].map((mark) => mark.innerText).join(' ')")


def one_line(text):
    return text.strip().replace("\\", "\\\\").replace("\n", "\\n")


def announce(here):
    """Without a shell on the server: in the console a text is checked, written and announced."""
    browser = here.browser
    log_in_as_host(browser, here.secret)
    browser.click("#tab-events")
    browser.wait_for(CHECK + " !== undefined", "no text can be checked")
    check_text(browser, EVENT.replace("round-robin", "round-robbin"))
    browser.wait_for(CHECK + ".querySelector('[role=alert]')?.innerText.startsWith('line 4: ')",
                     "a mistake is not told with its line")
    assert not browser.evaluate(CHECK + ".innerText.includes('Write to a file')"), "a wrong text can be written"
    check_text(browser, EVENT)
    browser.wait_for(CHECK + ".querySelector('pre')?.innerText.includes('Each pairing plays both colours.')",
                     "the text is not explained")
    browser.press("Write to a file", CHECK)
    act(browser, "cup.toml", "cup.toml is written")
    browser.press("Announce a file", "document.querySelector('#console-panel')")
    act(browser, "cup.toml", "the event cup is announced")


def check_text(browser, text):
    browser.evaluate(f"""(() => {{
        const section = {CHECK}, area = section.querySelector('textarea')
        area.value = {json.dumps(text)}
        area.dispatchEvent(new Event('input', {{bubbles: true}}))
        section.querySelector('form button').click()
    }})()""")


def act(browser, file, says):
    browser.wait_for("document.querySelector('dialog[open] input') !== null", "nothing is asked before the act")
    browser.fill("dialog[open] input", file)
    browser.click("dialog[open] button[type=submit]")
    browser.wait_for("!document.querySelector('dialog[open]') && document.querySelector('.said').innerText"
                     f".includes({json.dumps(says)})", f"the server does not say {says}")


def check_announced(browser):
    browser.go("/")
    browser.click('nav a[href="/tournaments"]')
    browser.wait_for(shows("Club cup"), "the event is not listed")
    assert browser.evaluate("document.querySelector('.phase').innerText") == "announced"
    browser.click('a[href="/tournament/cup"]')
    browser.wait_for("location.pathname === '/tournament/cup' && document.title.startsWith('Club cup')", "no page")
    browser.wait_for("[...document.querySelectorAll('td.name')].map((it) => it.innerText).join() ==="
                     " 'ann,bob,cid,dan'", "the entrants are not there")
    browser.evaluate("window.stays = true")


def decide_round(server, number):
    """By the word of the host, before a game of it begins: the second game of a pairing comes after the first."""
    decided = set()

    def all_are_decided():
        for game, black, white, result, *_ in server.done("tournament-pairings", "cup")["rows"]:
            if game.startswith(f"{number}.") and result == "to come":
                server.done("tournament-result", "cup", game, "black" if black < white else "white", "agreed on")
                decided.add(game)
        return len(decided) == 4

    eventually(all_are_decided, lambda: server.admin("tournament-pairings", "cup"))


def finish(players, black, white):
    """The better one wins, after the first moves that it takes."""
    pair, loser = [players[black], players[white]], max(black, white)
    play(pair, "+7776FU", *(["-3334FU"] if loser == black else []))
    players[loser].say("%TORYO")
    for name in (black, white):
        players[name].until("#LOSE" if name == loser else "#WIN")


def check_first_round(here, players):
    browser, server = here.browser, here.server
    browser.wait_for("[...document.querySelectorAll('td')].filter((it) => it.innerText === 'here').length === 4")
    server.done("tournament-start", "cup")
    browser.wait_for("/^(10|0[0-9]):[0-5][0-9]$/.test(document.querySelector('[role=timer]')?.innerText)")
    browser.wait_for(STATES + " === 'waiting,waiting'", "the pairings are not there")
    server.done("tournament-start", "cup")  # now
    games = begin_games(players)
    browser.wait_for(STATES + " === 'playing,playing'", "the games are not shown as running")
    refused = server.admin("tournament-write", "cup.toml", announced_text(here.folder))
    assert not refused["ok"] and "has begun" in refused["text"], refused
    browser.evaluate(GAMES + "[0].querySelector('a').click()")
    browser.wait_for(ON_BOARD, "a running game leads to no board")
    browser.evaluate("history.back()")
    browser.wait_for(STATES + " === 'playing,playing'", "the page does not come back")
    finish(players, *games[0])
    # The second game of a pairing begins by itself, sooner or later.
    browser.wait_for(OVER + " === 1", "a result is not shown")
    finish(players, *games[1])
    browser.wait_for(OVER + " === 2 && " + GAMES + ".length === 4", "the results are not shown")


def announced_text(folder):
    return one_line(Path(folder, "data", "tournaments", "cup.toml").read_text(encoding="utf-8"))


def check_table(here):
    browser = here.browser
    browser.wait_for(shows("final ·"), "the event does not come to its end")
    assert browser.evaluate("window.stays") is True, "the page was loaded again"
    assert browser.evaluate("document.querySelector('.phase').innerText") == "over"
    assert browser.evaluate(ROWS + ".map((row) => row.querySelector('th').innerText.replace(/\\s+/g, ' '))") == [
        "1 ann", "2 bob", "3 cid", "4 dan"]
    assert browser.evaluate(ROWS + ".map((row) => row.querySelector('.points').innerText)") == ["6", "4", "2", "0"]
    cells = browser.evaluate(ROWS + ".map((row) => [...row.querySelectorAll('td.met')].map((cell) => " + MARKS + "))")
    for row, marks in enumerate(cells):
        for column, cell in enumerate(marks):
            wanted = set() if row == column else {"☗○", "☖○"} if row < column else {"☗●", "☖●"}
            assert set(cell.split()) == wanted, f"{row}, {column}: {cell}"
    heads = browser.evaluate("[...document.querySelectorAll('.standings thead th.number')].map((it) => it.title)")
    assert heads[1:] == ["direct encounter", "Sonneborn-Berger", "wins", "Performance"], heads
    browser.evaluate("[...document.querySelectorAll('.views button')].at(-1).click()")
    browser.wait_for("document.querySelectorAll('.standings thead th.met').length === 3", "no table of rounds")
    assert browser.evaluate(ROWS + "[0].querySelectorAll('td.met small')[2].innerText") == "6"
    browser.evaluate("[...document.querySelectorAll('.views button')][0].click()")


def check_links(browser):
    """A mark leads to its game, after a restart as before."""
    browser.evaluate(ROWS + "[0].querySelector('.marks a').click()")
    browser.wait_for(ON_BOARD, "a mark leads to no game")
    browser.evaluate("history.back()")
    browser.wait_for(ROWS + ".length === 4", "the table does not come back")


def check_ticker(here):
    """In the colours and the language of its address, which nobody's settings keep."""
    browser = here.browser
    browser.go("/ticker/cup?lang=en&theme=dark")
    browser.wait_for("['Club cup', 'Round 3', 'ann', 'dan'].every((text) =>"
                     " document.querySelector('.alone p')?.innerText.includes(text))", "the ticker does not tell it")
    assert browser.evaluate("document.documentElement.dataset.theme") == "dark"


def check_phone(here):
    browser = here.browser
    browser.look_like(**PHONE)
    browser.prefer("ja")
    for path, text in (("/tournaments", "クラブ杯"), ("/tournament/cup", "総当たり")):
        browser.go(path)
        browser.wait_for(shows(text), f"{path} is not Japanese")
    browser.wait_for(ROWS + ".length === 4", "there is no table")
    browser.wait_for(f"document.documentElement.scrollWidth <= {PHONE['width']}", "the table is too wide")


def check_files(here):
    """The event as files, which nobody serves: by a script in both languages, and without."""
    folder = write_site(here, "tournament", "export", "cup", "--address", "https://example.org/cup", "--site")
    browser = here.browser
    for language, text in (("ja", "クラブ杯"), ("en", "Club cup")):
        browser.prefer(language)
        browser.go((folder / "index.html").as_uri())
        browser.wait_for(f"document.querySelector('h1')?.innerText === '{text}'", f"there is no page in {language}")
    browser.wait_for(ROWS + ".length === 4", "there is no table in the files")
    check_downloads(browser, ".files a", 3)
    browser.evaluate(ROWS + "[0].querySelector('.marks a[href^=\"game/\"]').click()")
    browser.wait_for("/.game.[0-9]+[.]html$/.test(location.href) && document.querySelectorAll('ol li').length > 1",
                     "a mark leads to no file of a game")
    check_downloads(browser, ".about details a", 3)
    browser.key("Home")
    browser.wait_for("location.hash === '#0'", "the address does not say the move")
    file = browser.evaluate("location.pathname")
    browser.go((folder / "games.html").as_uri())
    browser.go(f"file://{file}#0")
    browser.wait_for("document.querySelector('.ply')?.innerText.startsWith('0 /')", "the address is not read")
    check_without_scripts(folder, Path(file))


def check_downloads(browser, links, count):
    files = browser.evaluate(f"[...document.querySelectorAll({json.dumps(links)})].map((link) => link.href)")
    assert len(files) == count, files
    for file in files:
        assert Path(unquote(urlsplit(file).path)).stat().st_size > 0, file


def check_without_scripts(folder, game):
    """Tables and moves are in the text of the files, which lead to one another; cards of links say where they are."""
    index, played = (path.read_text(encoding="utf-8") for path in (folder / "index.html", game))
    told = index[index.index("<noscript>"):index.index("</noscript>")]
    assert all(word in told for word in ("順位", "Points", "ann", "dan")), told
    linked = set(re.findall(r'href="(game/\d+[.]html)"', told))
    assert linked == {f"game/{file.name}" for file in (folder / "game").iterdir()} and linked, linked
    assert 'content="https://example.org/cup/tournament/cup.html"' in index, index
    picture = re.search(r'og:image" content="https://example.org/cup/(api/v1/games/\d+[.]png)"', index)
    assert (folder / picture[1]).read_bytes().startswith(b"\x89PNG"), picture
    assert "▲" in played[played.index("<noscript>"):] or "☗" in played, played
    with zipfile.ZipFile(folder / "api/v1/games.zip") as records:
        assert len(records.namelist()) == len(linked), records.namelist()


def main(program):
    with site(program) as here:
        announce(here)
        check_announced(here.browser)
        players = {name: CsaClient(here.server.csa, f"LOGIN {name} cup-1-1,trip{name}") for name in PLAYERS}
        check_first_round(here, players)
        for black, white in begin_games(players):  # the second games of the round
            finish(players, black, white)
        for number in (2, 3):
            decide_round(here.server, number)
        check_table(here)
        check_links(here.browser)
        here.server.stop()
        for player in players.values():
            player.close()
        here.start()
        here.browser.go("/tournament/cup")
        here.browser.wait_for(ROWS + ".length === 4", "the table is not there after a restart")
        check_links(here.browser)
        check_ticker(here)
        check_phone(here)
        check_files(here)


if __name__ == "__main__":
    run_in_browser(main)
