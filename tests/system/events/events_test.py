#!/usr/bin/env python3
"""An event as its visitors see it, in a real browser: announced by a text that was checked and written by commands,
counted down to, played by four in three rounds of both colours, its table at the end; in Japanese, on a phone, and
after a restart of the server.

    events_test.py FUHYO [FOLDER]       pictures of the pages go into FOLDER; exit code 77: there is no chromium
"""

import base64
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SYSTEM = Path(__file__).resolve().parents[1]
sys.path += [str(SYSTEM), str(SYSTEM / "serve")]
from csa_client import CsaClient, begin_games  # noqa: E402
from page_test import Browser, add_operator, fill, log_in, press, shows, start_server, wait_for  # noqa: E402

EVENT = """name = "cup"
title = "Club cup"
title-ja = "クラブ杯"
format = "round-robin"
games = 2
time = "60-5F"
countdown-s = 30
gap-s = 4
forfeit-s = 120

[entry]
open = false
"""
# The better one wins.
PLAYERS = ("ann", "bob", "cid", "dan")
WAIT_S = 60
PHONE = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
GAMES = "[...document.querySelectorAll('.pairings li[data-game]')]"
STATES = GAMES + ".map((game) => game.dataset.state).join()"
CHECK = "[...document.querySelectorAll('#console-panel section')].find((one) => one.querySelector('textarea'))"
OVER = GAMES + ".filter((game) => game.dataset.state === 'over').length"
ROWS = "[...document.querySelectorAll('.standings tbody tr')]"
ON_BOARD = "/^.game.\\d+$/.test(location.pathname) && document.querySelector('.view svg.squares') !== null"
MARKS = ("[...cell.querySelectorAll('.marks [aria-hidden]')].map((mark) => mark.innerText).join(' ')")


def admin(program, folder, *words):
    done = subprocess.run([program, "admin", "--data", os.path.join(folder, "data"), *words, "--json"],
                          capture_output=True, text=True, timeout=WAIT_S, check=False)
    return json.loads(done.stdout)


def done(program, folder, *words):
    answer = admin(program, folder, *words)
    assert answer["ok"], (words, answer)
    return answer


def one_line(text):
    return text.strip().replace("\\", "\\\\").replace("\n", "\\n")


def announce(browser, site, secret, pictures):
    """Without a shell on the server: in the console a text is checked, written and announced."""
    entrants = "".join(f'\n[[entrant]]\nname = "{name}"\nseed = {place}\n' for place, name in enumerate(PLAYERS, 1))
    browser.call("Page.navigate", {"url": f"{site}/console"})
    browser.wait_for("document.querySelector('.console input[name=password]') !== null", "one cannot log in")
    log_in(browser, "hana", secret)
    browser.wait_for("document.querySelector('#tab-events') !== null", "there is no tab of events")
    browser.click("#tab-events")
    browser.wait_for(CHECK + " !== undefined", "no text can be checked")
    check_text(browser, (EVENT + entrants).replace("round-robin", "round-robbin"))
    browser.wait_for(CHECK + ".querySelector('[role=alert]')?.innerText.startsWith('line 4: ')",
                     "a mistake is not told with its line")
    assert not browser.evaluate(CHECK + ".innerText.includes('Write to a file')"), "a wrong text can be written"
    check_text(browser, EVENT + entrants)
    browser.wait_for(CHECK + ".querySelector('pre')?.innerText.includes('Each pairing plays both colours.')",
                     "the text is not explained")
    picture(browser, pictures, "console")
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
    """Names the file in the dialog that is open, and gives the command."""
    browser.wait_for("document.querySelector('dialog[open] input') !== null", "nothing is asked before the act")
    browser.fill("dialog[open] input", file)
    browser.click("dialog[open] button[type=submit]")
    browser.wait_for("!document.querySelector('dialog[open]') && document.querySelector('.said').innerText"
                     f".includes({json.dumps(says)})", f"the server does not say {says}")


def picture(browser, folder, name):
    if folder is None:
        return
    data = browser.call("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
    Path(folder, f"{name}.png").write_bytes(base64.b64decode(data))


def check_announced(browser, site):
    browser.call("Page.navigate", {"url": f"{site}/"})
    browser.wait_for("document.querySelector('nav a[href=\"/tournaments\"]') !== null", "there is no link to events")
    browser.click('nav a[href="/tournaments"]')
    browser.wait_for(shows("Club cup"), "the event is not listed")
    assert browser.evaluate("document.querySelector('.phase').innerText") == "announced"
    browser.click('a[href="/tournament/cup"]')
    browser.wait_for("location.pathname === '/tournament/cup' && document.title.startsWith('Club cup')", "no page")
    browser.wait_for("[...document.querySelectorAll('td.name')].map((it) => it.innerText).join() ==="
                     " 'ann,bob,cid,dan'", "the entrants are not there")
    browser.evaluate("window.stays = true")


def begin_round(program, folder):
    """Without its countdown, as soon as it is told."""
    until = time.monotonic() + WAIT_S
    while not admin(program, folder, "tournament-start", "cup")["ok"]:
        assert time.monotonic() < until, "no round can begin"
        time.sleep(0.1)


def finish(players, black, white):
    players[black].say("+7776FU")
    for name in (black, white):
        players[name].until("+7776FU")
    loser = max(black, white)
    if loser == black:
        players[white].say("-3334FU")
        for name in (black, white):
            players[name].until("-3334FU")
    players[loser].say("%TORYO")
    for name in (black, white):
        players[name].until("#LOSE" if name == loser else "#WIN")


def check_first_round(browser, players, program, folder, pictures):
    browser.wait_for("[...document.querySelectorAll('td')].filter((it) => it.innerText === 'here').length === 4",
                     "the page does not know who is here")
    done(program, folder, "tournament-start", "cup")
    browser.wait_for("/^00:[0-3][0-9]$/.test(document.querySelector('[role=timer]')?.innerText)",
                     "nothing counts down")
    browser.wait_for(STATES + " === 'waiting,waiting'", "the pairings are not there")
    done(program, folder, "tournament-start", "cup")  # now
    games = begin_games(players)
    browser.wait_for(STATES + " === 'playing,playing'", "the games are not shown as running")
    picture(browser, pictures, "first-round")
    refused = admin(program, folder, "tournament-write", "cup.toml", announced_text(folder))
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


def check_table(browser, site):
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
    connection = http.client.HTTPConnection(site.removeprefix("http://"), timeout=WAIT_S)
    for extension, beginning in (("csv", "\ufeffrank,number,name,id,points"), ("html", "<!DOCTYPE"), ("txt", "")):
        link = browser.evaluate(f"document.querySelector('a[href*=\"tables.{extension}\"]').getAttribute('href')")
        connection.request("GET", link)
        answer = connection.getresponse()
        text = answer.read().decode()
        assert answer.status == 200 and text.startswith(beginning) and "ann" in text, (link, answer.status, text)
    connection.request("GET", "/api/v1/tournaments/cup")
    answer = connection.getresponse()
    answer.read()
    connection.request("GET", "/api/v1/tournaments/cup", headers={"If-None-Match": answer.getheader("ETag")})
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (304, b""), answer.status
    connection.close()
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


def check_phone(browser, site, pictures):
    browser.call("Emulation.setDeviceMetricsOverride", PHONE)
    agent = browser.evaluate("navigator.userAgent")
    browser.call("Emulation.setUserAgentOverride", {"userAgent": agent, "acceptLanguage": "ja"})
    for path, text in (("/tournaments", "クラブ杯"), ("/tournament/cup", "総当たり")):
        browser.call("Page.navigate", {"url": site + path})
        browser.wait_for(shows(text), f"{path} is not Japanese")
        browser.wait_for(f"document.documentElement.scrollWidth <= {PHONE['width']}", f"{path} is too wide")
    browser.wait_for(ROWS + ".length === 4", "there is no table")
    browser.wait_for(f"document.documentElement.scrollWidth <= {PHONE['width']}", "the table is too wide")
    picture(browser, pictures, "phone")


def main(program, pictures=None):
    if shutil.which("chromium") is None:
        print("skipped: chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config, secret = add_operator(program, folder, "hana")
        server, addresses = start_server(program, folder, *config)
        browser = Browser(os.path.join(folder, "browser"))
        players = {}
        try:
            site = f"http://{addresses['http']}"
            announce(browser, site, secret, pictures)
            check_announced(browser, site)
            players = {name: CsaClient(addresses["csa"], f"LOGIN {name} cup-1-1,trip{name}", wait_s=WAIT_S)
                       for name in PLAYERS}
            check_first_round(browser, players, program, folder, pictures)
            for game in range(1, 6):
                if game % 2 == 0:
                    begin_round(program, folder)
                for each in begin_games(players):
                    finish(players, *each)
            check_table(browser, site)
            check_links(browser)
            picture(browser, pictures, "final")
            server.terminate()
            server.wait(WAIT_S)
            server.stdout.close()
            server, addresses = start_server(program, folder, *config)
            site = f"http://{addresses['http']}"
            browser.call("Page.navigate", {"url": f"{site}/tournament/cup"})
            browser.wait_for(ROWS + ".length === 4", "the table is not there after a restart")
            check_links(browser)
            check_phone(browser, site, pictures)
            assert not browser.complaints(), browser.complaints()
        finally:
            for player in players.values():
                player.close()
            browser.close()
            server.kill()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
