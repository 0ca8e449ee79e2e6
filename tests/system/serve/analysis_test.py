#!/usr/bin/env python3
"""Analysis of finished games: a real engine finds where a bishop was thrown away, by the API and on the page; a running
game is refused; a server whose engine cannot be started says so and goes on.

    analysis_test.py FUHYO FUHYO_NNUE       exit code 77: there is no chromium
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from access_test import AXE, violations
from browser import shows
from csa_client import play, resign, sit_down
from pages import Site
from proxy import Proxy
from waiting import eventually

# The bishop goes where a knight takes it.
MOVES = ("+7776FU", "-3334FU", "+8833UM", "-2133KE", "+2726FU")
BLUNDER = 3
TAKES = ("2a3c", "2b3c")
ROW = f"document.querySelector('ol li:nth-child({BLUNDER + 1})')"
PANEL = "document.querySelector('.analysis')"


def until(server, path, status):
    eventually(lambda: server.get(path).status == status, lambda: f"{path}: {server.get(path).text}")
    return server.get(path).json()


def play_a_game(server, number=1):
    players = sit_down(server.csa)
    play(players, *MOVES)
    refusal = server.get(f"/api/v1/games/{number}/analysis")
    assert (refusal.status, refusal.json()["error"]) == (409, "the game is not over"), refusal.text
    assert server.get(f"/api/v1/games/{number}/analysis?ply=0").status == 409
    resign(players[len(MOVES) % 2], players[1 - len(MOVES) % 2])


def check_api(server):
    whole = until(server, "/api/v1/games/1/analysis", 200)
    assert whole["positions"] == len(MOVES) + 1 == len(whole["points"]), whole
    assert whole["engine"].startswith("Fuhyo"), whole
    blunders = [mark for mark in whole["marks"] if mark["kind"] == "blunder"]
    assert [mark["ply"] for mark in blunders] == [BLUNDER], whole["marks"]
    assert blunders[0]["loss"] >= 0.3 and blunders[0]["line"], blunders
    before, after = whole["points"][BLUNDER - 1], whole["points"][BLUNDER]
    assert abs(before["win_rate"] - after["win_rate"] - blunders[0]["loss"]) < 2e-4, (before, after, blunders)
    assert after["best"] in TAKES, after
    one = until(server, f"/api/v1/games/1/analysis?ply={BLUNDER}&lines=3", 200)
    assert len(one["lines"]) == 3 and one["depth"] > 4 and one["nodes"] > 10_000, one
    assert one["lines"][0]["cp"] < -300 and one["lines"][0]["pv"][0] in TAKES, one


def policies_of_engine(server):
    """{id of a thread: its scheduling policy} of all processes below the server."""
    found, parents = {}, {server.process.pid}
    while parents:
        children = set()
        for stat in Path("/proc").glob("[0-9]*/task/[0-9]*/stat"):
            try:
                fields = stat.read_text(encoding="ascii", errors="replace").rsplit(")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) in parents:
                children.add(int(stat.parts[2]))
                found[int(stat.parent.name)] = int(fields[38])
        parents = children
    return found


def check_priority(server):
    """The engine takes nothing from games. From here on it does: beside busy neighbours it would never be done."""
    begun = server.get("/api/v1/games/1/analysis")
    assert begun.status in {200, 202}, begun.text

    def is_idle():
        return set(policies_of_engine(server).values()) == {os.SCHED_IDLE}
    eventually(is_idle, lambda: f"SCHED_IDLE: {policies_of_engine(server)}")
    for thread in policies_of_engine(server):
        os.sched_setscheduler(thread, os.SCHED_OTHER, os.sched_param(0))


def check_whole_game(browser):
    browser.wait_for(f"{PANEL} !== null", "there is no panel")
    browser.press("Analyse the game", PANEL)
    browser.wait_for(f"{PANEL}.querySelector('table') !== null", "the game is not analysed")
    browser.wait_for(f"{ROW}.querySelector('.mark')?.getAttribute('aria-label') === 'blunder'", "no mark in the list")
    said = browser.evaluate(f"{ROW}.innerText").split()
    assert said[:3] == ["3", "☗B-33+", "??"], said
    assert browser.evaluate("document.querySelector('svg polyline.engine').points.length") == len(MOVES) + 1
    assert browser.evaluate("document.querySelectorAll('svg path.mark.blunder').length") == 1
    assert browser.evaluate(f"{PANEL}.querySelector('tbody tr td:last-child').innerText") == "1", "Black's blunders"
    assert browser.evaluate(f"{PANEL}.querySelector('tbody tr:nth-child(2) td:last-child').innerText") == "0"


def check_blunder(browser):
    browser.evaluate(f"{ROW}.querySelector('button').click()")
    browser.wait_for(shows("The chance to win fell by"), "the mistake is not told of")
    assert browser.evaluate(f"{PANEL}.querySelectorAll('.mark .arrow.engine').length") == 1
    pieces = f"{PANEL}.querySelectorAll('.mark .preview .piece').length"
    assert browser.evaluate(pieces) == 40, "the small board shows the position before the move"
    browser.evaluate(f"{PANEL}.querySelector('.mark .line button').click()")
    browser.wait_for(f"{PANEL}.querySelector('.mark .preview .last') !== null", "the better line cannot be played")
    assert browser.evaluate("document.querySelectorAll('.view .arrow.engine').length") == 1, "no arrow on the board"


def check_position(browser):
    browser.evaluate(f"{PANEL}.querySelector('input[type=checkbox]').click()")
    lines = f"{PANEL}.querySelectorAll('.lines .line').length"
    browser.wait_for(lines + " === 3", "there are no lines")
    browser.wait_for(f"{PANEL}.querySelector('.lines').getAttribute('aria-busy') === 'false'", "it does not end")
    assert browser.evaluate(f"{PANEL}.querySelector('.lines').innerText").startswith("depth "), "no depth"
    first_move = f"{PANEL}.querySelector('.lines .line button').innerText"
    assert "x33" in browser.evaluate(first_move), "it does not take the bishop"
    browser.set_value(f"{PANEL}.querySelector('select')", "1", "change")
    browser.wait_for(lines + " === 1", "the number of lines does not count")
    browser.key("Home")
    browser.wait_for("location.pathname.endsWith('/0')", "Home leads nowhere")
    # A later move of the line may go to 33; the first of a game cannot.
    browser.wait_for(f"{lines} === 1 && !{first_move}.includes('33')", "the lines do not follow the shown position")


def check_trouble(browser):
    browser.go("/game/2")
    browser.wait_for(f"{PANEL} !== null", "there is no panel")
    browser.evaluate("window.send = window.fetch; window.fetch = (path, options) => String(path).endsWith('/analysis')"
                     " ? Promise.resolve(new Response('{}', {status: 503})) : window.send(path, options)")
    browser.press("Analyse the game", PANEL)
    browser.wait_for(shows("The engine does not answer at the moment."), "an engine that is away is not told of")
    browser.evaluate("window.fetch = window.send")
    browser.press("Try again", PANEL)
    browser.wait_for(f"{PANEL}.querySelector('table') !== null", "it cannot be asked again")


def check_lost_line(browser, server):
    """What was asked while there was no line is answered when that is back."""
    wire = Proxy(server.http)
    browser.site = f"127.0.0.1:{wire.port}"
    browser.go("/game/2")
    browser.wait_for(f"{PANEL} !== null", "there is no panel")
    wire.cut()
    browser.evaluate(f"{PANEL}.querySelector('input[type=checkbox]').click()")
    browser.wait_for(shows("The engine does not answer at the moment."), "a lost line is not told of")
    wire.mend()
    browser.wait_for(f"{PANEL}.querySelectorAll('.lines .line').length === 3", "the panel does not come back by itself")


def check_width(browser):
    browser.look_like(390, 860, mobile=True)
    wide = browser.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, f"{wide} px on a phone of 390"


def check_page(here):
    browser = here.open_browser()
    browser.go("/game/1")
    check_whole_game(browser)
    check_blunder(browser)
    check_position(browser)
    browser.evaluate(f"{ROW}.querySelector('button').click()")
    browser.wait_for(shows("The chance to win fell by"), "the mistake is not told of")
    check_width(browser)
    found = violations(browser, AXE.read_text(encoding="utf-8"), "analysis") if AXE.exists() else []
    assert not found, "\n".join(found)
    check_trouble(browser)
    check_lost_line(browser, here.server)
    assert not browser.complaints(), browser.complaints()


def check_missing_engine(program, folder):
    """The server starts, says what is wrong, and tells who asks."""
    here = Site(program, folder, "--analysis-engine", "/nowhere/engine")
    try:
        play_a_game(here.server)
        until(here.server, "/api/v1/games/1/analysis", 503)
        assert here.server.get("/readyz").status == 200
        here.server.stop()
    finally:
        here.close()
    assert "analysis engine: cannot run '/nowhere/engine'" in here.server.log()


def main(program, engine):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        for part in ("without", "with"):
            Path(folder, part).mkdir()
        check_missing_engine(program, Path(folder, "without"))
        here = Site(program, Path(folder, "with"), "--analysis-engine", engine, "--analysis-nodes", "60000",
                    "--analysis-options", "USI_Hash=16")
        try:
            play_a_game(here.server)
            check_priority(here.server)
            check_api(here.server)
            if shutil.which("chromium") is None:
                print("skipped: chromium is not installed")
                return 77
            play_a_game(here.server, 2)
            check_page(here)
            here.server.stop()
        finally:
            here.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
