#!/usr/bin/env python3
"""What the pages show of games that no quick game is: clocks as they were at each move, lines played on the board,
graphs that are read by the pointer, which of forty games are on the wall; and a table in which places are shared."""

from browser import run_in_browser, shows
from event_files import begin_event, black_wins, event_text
from made_games import MadeGames, made_game, seat, shuffling
from pages import CONNECTION, site

FISCHER = {"total_s": 600, "increment_s": 10}
BYOYOMI = {"total_s": 60, "byoyomi_s": 30}
SWISS = event_text(("ann", "ben", "cid", "dan"), name="open", format="swiss", rounds=3, time="600-5F",
                   tie_breaks=["points"])
CLOCKS = "[...document.querySelectorAll('.clock')].map((it) => it.innerText.trim()).join(' ')"
RANKED = "[...document.querySelectorAll('article .open')].map((it) => Number(it.pathname.slice(6))).join(' ')"


def text(seconds):
    return f"{seconds // 60}:{seconds % 60:02}"


def left(plies, side, rule):
    """Of a game that shuffles, after so many moves."""
    seconds = rule["total_s"]
    for move in shuffling(plies)[side::2]:
        seconds = max(0, seconds + rule.get("increment_s", 0) - int(move.rpartition("T")[2]))
    return seconds


def check_clocks(browser, made):
    """White's above, Black's below; the newest position has what the server says of it."""
    game = made_game(1, plies=100, end=True, time=FISCHER)
    game["remaining_s"] = [left(100, 0, FISCHER), left(100, 1, FISCHER)]
    made.tell(game)
    for ply in (0, 1, 40, 99):
        browser.go(f"/game/1/{ply}")
        wanted = f"{text(left(ply, 1, FISCHER))} {text(left(ply, 0, FISCHER))}"
        browser.wait_for(f"{CLOCKS} === '{wanted}'", f"the clocks after {ply} moves are not {wanted}")
    browser.key("End")
    wanted = f"{text(left(100, 1, FISCHER))} {text(left(100, 0, FISCHER))}"
    browser.wait_for(f"{CLOCKS} === '{wanted}'", f"the clocks in the end are not {wanted}")


def check_haste(browser, made):
    """Moves within ten seconds of the end of byoyomi are marked in the list and in the graph of times."""
    made.tell({**made_game(1, plies=60, end=True, time=BYOYOMI), "remaining_s": [0, 0]})
    browser.go("/game/1")
    browser.wait_for("document.querySelectorAll('ol li').length === 61", "the moves are not listed")
    marked = browser.evaluate("[...document.querySelectorAll('ol li .short')].map((it) => parseInt(it.innerText))")
    assert marked and min(marked) >= 20, marked
    assert browser.evaluate("document.querySelectorAll('.graph path.short').length") == len(marked)
    assert browser.evaluate("document.querySelector('.byoyomi') !== null"), "nobody is in byoyomi"


def move_over(browser, selector, along=0.5):
    x, y = browser.evaluate(f"(({{x, y, width, height}}) => [x + {along} * width, y + height / 2])"
                            f"(document.querySelector('{selector}').getBoundingClientRect())")
    browser.call("Input.dispatchMouseEvent", {"type": "mouseMoved", "x": x, "y": y})


def check_lines(browser, made):
    """The pointer over a move of a line plays it on the board; a press keeps it; where lines part is marked."""
    game = made_game(1, plies=2)
    game["comments"] = [[1, "* 10 -8262HI +2858HI -3334FU"], [2, "* 20 +2858HI -8384FU"]]
    game["moves"] = ["+2868HI,T1", "-8262HI,T2"]
    made.tell(game)
    browser.go("/game/1/2")
    browser.wait_for("document.querySelectorAll('.lines .line').length === 2", "there are no lines")
    parts = "[...document.querySelectorAll('.lines .parts')].map((it) => it.innerText.trim()).join()"
    browser.wait_for(f"{parts} === ''", "lines that cannot be played part")
    game["comments"] = [[1, "* 10 -8262HI +6828HI -3334FU"], [2, "* 20 +6828HI -6282HI"]]
    made.tell(game)
    browser.go("/game/1/2")
    browser.wait_for(f"{parts} === 'R-82,P-34'", "it is not marked where the lines part")
    assert browser.evaluate("document.querySelectorAll('.lines .shared').length") == 3
    browser.wait_for(CONNECTION + " === 'live'", "the page does not connect")
    assert browser.evaluate("window.questions") == 1, "the game was asked for more than once"
    move_over(browser, ".lines .line button")
    browser.wait_for("document.querySelector('.view.looking .arrow.w') !== null", "the line is not on the board")
    move_over(browser, "h1")
    browser.wait_for("document.querySelector('.view.looking') === null", "the game does not come back")
    browser.click(".lines .parts")
    browser.wait_for("document.querySelector('.view.looking') !== null", "a press does not keep the line")
    browser.key("ArrowLeft")
    browser.wait_for("document.querySelector('.view.looking') === null", "another move keeps the line")


def check_graph(browser, made):
    """What is under the pointer is read out, with the time, the positions a second, and the clocks; values have a
    scale up to mate."""
    made.tell(made_game(1, plies=100, end=True, time=FISCHER))
    browser.go("/game/1")
    browser.wait_for("document.querySelector('.legend') !== null", "there are no evaluations")
    browser.evaluate("document.querySelector('.graph').scrollIntoView({block: 'center'})")
    move_over(browser, ".graph svg", 0.495)
    browser.wait_for("document.querySelector('.told').innerText.startsWith('50 ')", "the pointer reads nothing")
    told = browser.evaluate("document.querySelector('.told').innerText")
    assert all(part in told for part in ("500,000 nodes", "nodes/s", "☗")), told
    assert browser.evaluate("document.querySelectorAll('.graph .hovered').length") == 2, "one of two graphs"
    browser.press("As values")
    browser.wait_for("[...document.querySelectorAll('.scale')].map((it) => it.innerText).join().startsWith('+M,')")


def check_choice(browser, made):
    """The closest of forty, those with the least time, the viewer's own, those of an event; the rest is listed."""
    games = [made_game(i, plies=4 * i, names=(f"b{i}", f"w{i}"), time={"total_s": 1 << (i % 20)}) for i in range(1, 41)]
    for game in games:
        game["last_comments"] = [f"* {30 * game['id']}", None]
        game["remaining_s"] = [game["time"]["total_s"]] * 2
    games[22]["black"] = seat("MyEngine")
    made.tell(*games)
    browser.look_like(1440, 900)
    browser.go("/")
    browser.wait_for("document.querySelectorAll('article').length === 12", "there are not twelve boards")
    order = "document.querySelectorAll('.head select')[1]"
    for choice, first in (("close", "2 "), ("haste", "40 21 20 1 "), ("rating", "40 39 ")):
        browser.set_value(order, choice, "change")
        browser.wait_for(f"({RANKED} + ' ').startsWith('{first}')", f"{choice}: {first} is not first")
    browser.set_value(order, "mine", "change")
    browser.fill(".head input", "other, myengine")
    browser.wait_for(f"{RANKED}.startsWith('23 ')", "the viewer's game is not first")
    browser.set_value("document.querySelectorAll('.head select')[2]", "cup", "change")
    browser.wait_for(f"{RANKED}.split(' ').every((id) => id % 2 === 0)", "there are games of another event")
    browser.wait_for("document.querySelectorAll('article, .others li').length === 20", "not all of the event are there")
    browser.set_value("document.querySelectorAll('.head select')[0]", "3", "change")
    browser.wait_for("document.querySelectorAll('article').length === 3", "the number of boards cannot be chosen")
    browser.evaluate("localStorage.clear()")


def check_handicap(browser, made):
    made.tell(made_game(1, sfen="lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"))
    browser.go("/game/1")
    browser.wait_for(shows("rook handicap"), "the handicap is not said")


def check_ties(here):
    """A round of four is over, and two share each place: opponents are named by the numbers of their rows."""
    browser = here.browser
    begin_event(here.server, "open", SWISS)
    black_wins(here.server, "open")
    browser.go("/tournament/open")
    browser.wait_for("document.querySelectorAll('td.met b').length === 4", "there is no table by rounds")
    rows = browser.evaluate("[...document.querySelectorAll('.scroll tbody tr')].map((row) => ({"
                            "number: row.querySelector('.place').innerText.trim(), "
                            "shared: row.querySelector('.shared')?.innerText.trim(), "
                            "name: row.querySelector('.who > :last-child').innerText.trim(), "
                            "opponent: row.querySelector('td.met b').innerText.trim(), "
                            "title: row.querySelector('td.met b').title}))")
    assert [row["number"] for row in rows] == ["1", "2", "3", "4"], rows
    assert [row["shared"] for row in rows] == ["1=", "1=", "3=", "3="], rows
    names = {row["number"]: row["name"] for row in rows}
    assert all(names[row["opponent"]] == row["title"] for row in rows), rows


def main(program, *flags):
    with site(program, *flags) as here:
        browser, made = here.browser, MadeGames(here.browser)
        for check in (check_clocks, check_haste, check_lines, check_graph, check_choice, check_handicap):
            check(browser, made)
        made.forget()
        check_ties(here)


if __name__ == "__main__":
    run_in_browser(main)
