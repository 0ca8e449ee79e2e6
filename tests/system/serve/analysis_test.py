#!/usr/bin/env python3
"""Analysis of finished games: a real engine finds where a bishop was thrown away, by the API and on the page; a running
game is refused; a server whose engine cannot be started says so and goes on.

    analysis_test.py FUHYO FUHYO_NNUE [SCREENSHOTS]       exit code 77: there is no chromium
"""

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

from access_test import AXE, LOOKS, violations
from page_test import Browser, press, shows, wait_for

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin, play  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PATIENCE_S = 60
# The bishop goes where a knight takes it.
MOVES = ("+7776FU", "-3334FU", "+8833UM", "-2133KE", "+2726FU")
BLUNDER = 3
TAKES = ("2a3c", "2b3c")
ROW = f"document.querySelector('ol li:nth-child({BLUNDER + 1})')"
PANEL = "document.querySelector('.analysis')"


def start_server(program, folder, log, *more):
    flags = ["--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", "--data", os.path.join(folder, "data"), *more]
    server = subprocess.Popen([program, "serve", *flags], stdout=subprocess.PIPE, stderr=log, text=True)
    return server, {door: f"{host}:{port}" for door, (host, port) in doors_of(server, "csa", "http").items()}


def ask(http, path):
    """Status and answer."""
    try:
        with urllib.request.urlopen(f"http://{http}{path}", timeout=30) as response:
            return response.status, json.load(response)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def ask_until(http, path, status):
    deadline = time.monotonic() + PATIENCE_S
    while (answer := ask(http, path))[0] != status:
        assert time.monotonic() < deadline, f"{path}: {answer}"
        time.sleep(0.1)
    return answer[1]


def play_a_game(addresses, number=1):
    with CsaClient(addresses["csa"], "LOGIN alice cup-300-10-B,pwalice") as alice, \
            CsaClient(addresses["csa"], "LOGIN bob cup-300-10-W,pwbob") as bob:
        players = begin(alice, bob)
        play(players, *MOVES)
        status, refusal = ask(addresses["http"], f"/api/v1/games/{number}/analysis")
        assert (status, refusal["error"]) == (409, "the game is not over"), (status, refusal)
        assert ask(addresses["http"], f"/api/v1/games/{number}/analysis?ply=0")[0] == 409
        players[len(MOVES) % 2].say("%TORYO")
        for player in players:
            player.until("#RESIGN")


def check_api(http):
    whole = ask_until(http, "/api/v1/games/1/analysis", 200)
    assert whole["positions"] == len(MOVES) + 1 == len(whole["points"]), whole
    assert whole["engine"].startswith("Fuhyo"), whole
    blunders = [mark for mark in whole["marks"] if mark["kind"] == "blunder"]
    assert [mark["ply"] for mark in blunders] == [BLUNDER], whole["marks"]
    assert blunders[0]["loss"] >= 0.3 and blunders[0]["line"], blunders
    before, after = whole["points"][BLUNDER - 1], whole["points"][BLUNDER]
    assert abs(before["win_rate"] - after["win_rate"] - blunders[0]["loss"]) < 2e-4, (before, after, blunders)
    assert after["best"] in TAKES, after
    one = ask_until(http, f"/api/v1/games/1/analysis?ply={BLUNDER}&lines=3", 200)
    assert len(one["lines"]) == 3 and one["depth"] > 4 and one["nodes"] > 10_000, one
    assert one["lines"][0]["cp"] < -300 and one["lines"][0]["pv"][0] in TAKES, one


def check_priority(server):
    """The engine takes nothing from games: SCHED_IDLE is 5."""
    policies = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == server.pid:
            policies.append(int(fields[38]))
    assert policies == [5], policies


def check_whole_game(browser):
    wait_for(browser, f"{PANEL} !== null", "there is no panel")
    press(browser, "Analyse the game", PANEL)
    wait_for(browser, f"{PANEL}.querySelector('table') !== null", "the game is not analysed")
    wait_for(browser, f"{ROW}.querySelector('.mark')?.getAttribute('aria-label') === 'blunder'", "no mark in the list")
    said = browser.evaluate(f"{ROW}.innerText").split()
    assert said[:3] == ["3", "☗B-33+", "??"], said
    assert browser.evaluate("document.querySelector('svg polyline.engine').points.length") == len(MOVES) + 1
    assert browser.evaluate("document.querySelectorAll('svg path.mark.blunder').length") == 1
    assert browser.evaluate(f"{PANEL}.querySelector('tbody tr td:last-child').innerText") == "1", "Black's blunders"
    assert browser.evaluate(f"{PANEL}.querySelector('tbody tr:nth-child(2) td:last-child').innerText") == "0"


def check_blunder(browser):
    """At the move: what it cost, and what was better, on the small board."""
    browser.evaluate(f"{ROW}.querySelector('button').click()")
    wait_for(browser, shows("The chance to win fell by"), "the mistake is not told of")
    assert browser.evaluate(f"{PANEL}.querySelectorAll('.mark .arrow.engine').length") == 1
    pieces = f"{PANEL}.querySelectorAll('.mark .preview .piece').length"
    assert browser.evaluate(pieces) == 40, "the small board shows the position before the move"
    browser.evaluate(f"{PANEL}.querySelector('.mark .line button').click()")
    wait_for(browser, f"{PANEL}.querySelector('.mark .preview .last') !== null", "the better line cannot be played")
    assert browser.evaluate("document.querySelectorAll('.view .arrow.engine').length") == 1, "no arrow on the board"


def check_position(browser):
    browser.evaluate(f"{PANEL}.querySelector('input[type=checkbox]').click()")
    lines = f"{PANEL}.querySelectorAll('.lines .line').length"
    wait_for(browser, lines + " === 3", "there are no lines")
    wait_for(browser, f"{PANEL}.querySelector('.lines').getAttribute('aria-busy') === 'false'", "it does not end")
    assert browser.evaluate(f"{PANEL}.querySelector('.lines').innerText").startswith("depth "), "no depth"
    assert "x33" in browser.evaluate(f"{PANEL}.querySelector('.lines .line').innerText"), "it does not take the bishop"
    browser.evaluate(f"""(() => {{
        const select = {PANEL}.querySelector('select')
        select.value = '1'
        select.dispatchEvent(new Event('change', {{bubbles: true}}))
    }})()""")
    wait_for(browser, lines + " === 1", "the number of lines does not count")
    browser.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))")
    wait_for(browser, "location.pathname.endsWith('/0')", "Home leads nowhere")
    wait_for(browser, lines + " === 1 && !" + PANEL + ".querySelector('.lines .line').innerText.includes('33')",
             "the lines do not follow the shown position")


def check_trouble(browser, http):
    """What the page says when the engine is away, and that it can be asked again."""
    browser.call("Page.navigate", {"url": f"http://{http}/game/2"})
    wait_for(browser, f"{PANEL} !== null", "there is no panel")
    browser.evaluate("window.send = window.fetch; window.fetch = (path, options) => String(path).endsWith('/analysis')"
                     " ? Promise.resolve(new Response('{}', {status: 503})) : window.send(path, options)")
    press(browser, "Analyse the game", PANEL)
    wait_for(browser, shows("The engine does not answer at the moment."), "an engine that is away is not told of")
    browser.evaluate("window.fetch = window.send")
    press(browser, "Try again", PANEL)
    wait_for(browser, f"{PANEL}.querySelector('table') !== null", "it cannot be asked again")


def speak(browser, language, word):
    browser.evaluate("document.querySelector('header > button').click()")
    wait_for(browser, "document.querySelector('dialog[open] select') !== null", "the settings do not open")
    browser.evaluate(f"""(() => {{
        const select = document.querySelector('dialog select')
        select.value = {json.dumps(language)}
        select.dispatchEvent(new Event('change', {{bubbles: true}}))
        document.querySelector('dialog').close()
    }})()""")
    wait_for(browser, shows(word), "the page does not speak " + language)


def take_pictures(browser, folder):
    for language, word in (("ja", "解析"), ("en", "Analysis")):
        speak(browser, language, word)
        for scheme, width in LOOKS:
            browser.call("Emulation.setEmulatedMedia",
                         {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            browser.call("Emulation.setDeviceMetricsOverride",
                         {"width": width, "height": 1500, "deviceScaleFactor": 1, "mobile": False})
            time.sleep(0.5)
            picture = browser.call("Page.captureScreenshot", {"captureBeyondViewport": True})["data"]
            Path(folder, f"analysis-{language}-{scheme}-{width}.png").write_bytes(base64.b64decode(picture))


def check_width(browser):
    browser.call("Emulation.setDeviceMetricsOverride",
                 {"width": 390, "height": 860, "deviceScaleFactor": 1, "mobile": True})
    wide = browser.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"{wide} px on a phone of 390"


def check_page(browser, http, pictures):
    browser.call("Page.navigate", {"url": f"http://{http}/game/1"})
    check_whole_game(browser)
    check_blunder(browser)
    check_position(browser)
    browser.evaluate(f"{ROW}.querySelector('button').click()")
    wait_for(browser, shows("The chance to win fell by"), "the mistake is not told of")
    check_width(browser)
    if pictures:
        take_pictures(browser, pictures)
    found = violations(browser, AXE.read_text(encoding="utf-8"), "analysis") if AXE.exists() else []
    assert not found, "\n".join(found)
    check_trouble(browser, http)
    assert not browser.complaints(), browser.complaints()


def check_missing_engine(program, folder):
    """The server starts, says what is wrong, and tells who asks."""
    log = Path(folder, "log")
    with log.open("w", encoding="utf-8") as file:
        server, addresses = start_server(program, folder, file, "--analysis-engine", "/nowhere/engine")
        try:
            play_a_game(addresses)
            ask_until(addresses["http"], "/api/v1/games/1/analysis", 503)
            with urllib.request.urlopen(f"http://{addresses['http']}/readyz", timeout=30) as response:
                assert response.status == 200
        finally:
            server.terminate()
            assert server.wait(60) == 0
    assert "analysis engine: cannot run '/nowhere/engine'" in log.read_text(encoding="utf-8")


def main(program, engine, pictures=None):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        check_missing_engine(program, folder)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        server, addresses = start_server(program, folder, subprocess.DEVNULL, "--analysis-engine", engine,
                                         "--analysis-nodes", "60000", "--analysis-options", "USI_Hash=16")
        browser = None
        try:
            play_a_game(addresses)
            check_api(addresses["http"])
            check_priority(server)
            play_a_game(addresses, 2)
            if shutil.which("chromium") is None:
                print("skipped: chromium is not installed")
                return 77
            browser = Browser(os.path.join(folder, "browser"))
            check_page(browser, addresses["http"], pictures)
        finally:
            if browser:
                browser.close()
            server.terminate()
            assert server.wait(60) == 0, "the server does not end with its engine"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
