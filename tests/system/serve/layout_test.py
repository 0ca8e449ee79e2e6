#!/usr/bin/env python3
"""How the pages are laid out, in a real browser at widths of phones and of walls: the size of a board follows from the
window, whatever is in hand and however long names are; nothing reaches beyond its card; no page scrolls sideways."""


from browser import run_in_browser
from csa_client import CsaClient, begin, resign
from event_files import begin_event, black_wins, event_text
from full_console import fill_console
from made_games import ALL_IN_ONE, FULL_HANDS, HIRATE, LONG, MadeGames, made_game
from pages import ACT, log_in_as_host, path_of_a_player, site, tabs_of

SIZES = ((320, 568), (360, 800), (390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 900), (1920, 1080),
         (2560, 1440))
EMBEDS = ((420, 600), (240, 240), (200, 400), (640, 300), (1280, 720))
FORMATS = ("swiss", "round-robin")
ENTRANTS = [f"{'Wm'[i % 2] * 29}{i:03}" for i in range(24)]
TITLE = "The championship of programs with long names, which has a long name itself, by "
BOARDS = "[...document.querySelectorAll('svg.squares')].map((it) => it.getBoundingClientRect().width)"
DRAWN = "document.querySelector('svg.squares') !== null"
# What is cut by an ellipsis lies within an element that does not show what is beyond it.
BEYOND = """(() => {
    const seen = [...document.querySelectorAll('.card, .alone')]
    const cut = (node, card) => {
        for (let at = node.parentElement; at && at !== card.parentElement; at = at.parentElement) {
            if (at !== card && getComputedStyle(at).overflowX !== 'visible') return !at.matches('.frame, .view')
        }
        return false
    }
    return seen.flatMap((card) => {
        const edge = card.getBoundingClientRect()
        return [...card.querySelectorAll('*')].filter((node) => {
            const box = node.getBoundingClientRect()
            const out = box.left < edge.left - 1 || box.right > edge.right + 1 ||
                ((node.closest('.frame') || card.matches('.alone')) &&
                 (box.top < edge.top - 1 || box.bottom > edge.bottom + 1))
            return out && box.width > 0 && !node.closest('use, defs') && !cut(node, card)
        }).map((node) => `${node.tagName}.${node.getAttribute('class')} of ${card.className}: ${node.textContent}`)
    })
})()"""
CUT = """[...document.querySelectorAll('svg.squares, .clock, .hand')].filter((node) => {
    const box = node.getBoundingClientRect(), frame = node.closest('.frame').getBoundingClientRect()
    return box.left < frame.left - 1 || box.right > frame.right + 1 || box.top < frame.top - 1 ||
        box.bottom > frame.bottom + 1
}).map((node) => `${node.tagName}.${node.getAttribute('class')} is cut`)"""
NAMES = """[...document.querySelectorAll('.player .name')].filter((node) =>
    node.scrollWidth > node.clientWidth && !node.title).length"""


# Of the console, whatever a finger is for; the dialog of an act stands within.
SMALL = """[...document.querySelectorAll('.console :is(a, button, input, select, textarea)')].filter((node) => {
    const box = node.getBoundingClientRect()
    return box.width > 0 && (box.width < 43.5 || box.height < 43.5)
}).map((node) => `a target of ${node.getBoundingClientRect().width} x ${node.getBoundingClientRect().height} px: ` +
    node.outerHTML.slice(0, 120))"""


def check_looks(browser, where, faults):
    browser.settle()
    browser.wait_for("document.querySelector('.blank') === null", f"{where}: not every board is drawn")  # one a frame
    browser.settle()
    width = browser.evaluate("innerWidth")
    if (whole := browser.evaluate("document.documentElement.scrollWidth")) > width:
        faults.append(f"{where}: {whole} px wide")
    faults += [f"{where}: {each}" for each in browser.evaluate(f"[...{BEYOND}, ...{CUT}].slice(0, 3)")]
    if count := browser.evaluate(NAMES):
        faults.append(f"{where}: {count} names are cut without a title")


def sizes_of(browser, where, faults, path, games, sizes, *, made):
    made.tell(*games)
    browser.go(path)
    browser.wait_for(DRAWN, f"{path} has no board")
    found = {}
    for width, height in sizes:
        browser.look_like(width, height)
        check_looks(browser, f"{where} {width}x{height}", faults)
        found[width, height] = browser.evaluate(BOARDS)
    return found


def compare_sizes(browser, made, faults, path, count, sizes):
    """Little in hand and short names; and everything in hand, long names, little or much time."""
    few = [made_game(i, names=("a", "b"), sfen=HIRATE) for i in range(1, count + 1)]
    many = [made_game(i, sfen=(FULL_HANDS, ALL_IN_ONE)[i % 2]) for i in range(1, count + 1)]
    plain = sizes_of(browser, f"{path} of {count}", faults, path, few, sizes, made=made)
    full = sizes_of(browser, f"{path} of {count}, full", faults, path, many, sizes, made=made)
    for size, boards in plain.items():
        if boards != full[size]:
            faults.append(f"{path} of {count} at {size}: boards of {boards}, and of {full[size]} when hands are full")
        if min(boards) < 60:
            faults.append(f"{path} of {count} at {size}: a board of {min(boards)} px")


def check_first_page(browser, made, faults):
    made.tell()
    browser.go("/")
    browser.wait_for("document.querySelector('.welcome code') !== null", "an empty page does not say what it is")
    for width, height in SIZES:
        browser.look_like(width, height)
        check_looks(browser, f"the first page {width}x{height}", faults)


def check_walls(browser, made, faults):
    """All boards are in the first screen."""
    for count in (1, 2, 5, 9, 40):
        compare_sizes(browser, made, faults, "/", count, SIZES)
    for size in ((1024, 768), (1440, 900), (2560, 1440)):
        browser.look_like(*size)
        browser.settle()
        bottom = browser.evaluate("Math.max(...[...document.querySelectorAll('article')]"
                                  ".map((it) => it.getBoundingClientRect().bottom))")
        boards = browser.evaluate("document.querySelectorAll('article').length")
        others = browser.evaluate("document.querySelectorAll('.others li').length")
        if bottom > size[1] or boards < 6 or boards + others != 40:
            faults.append(f"the wall at {size}: {boards} boards down to {bottom} px, {others} others")


def check_games(browser, made, faults):
    """The moves beside or below the board are in the first screen, with the board."""
    compare_sizes(browser, made, faults, "/game/1", 1, SIZES)
    made.tell(made_game(1, plies=400, end=True))
    browser.go("/game/1/40")
    browser.wait_for("document.querySelectorAll('ol li').length === 401", "the moves are not listed")
    for width, height in SIZES:
        browser.look_like(width, height)
        check_looks(browser, f"a long game {width}x{height}", faults)
        top = browser.evaluate("document.querySelector('.moves ol').getBoundingClientRect().top")
        if height >= 700 and top > height - 40:
            faults.append(f"a long game {width}x{height}: moves begin at {top} px")
    for width, height in EMBEDS:
        for path in ("/embed/1", "/overlay/1"):
            compare_sizes(browser, made, faults, path, 1, [(width, height)])


def check_pages(here, faults):
    """With games of the longest names that a server takes, and events of many who have them."""
    browser = here.browser
    for name in FORMATS:  # a round of each is over
        rounds = {"rounds": 7} if name == "swiss" else {}
        begin_event(here.server, name, event_text(ENTRANTS, name=name, format=name, title=TITLE + name, time="600-5F",
                                                  **rounds))
        black_wins(here.server, name)
    players = begin(*(CsaClient(here.server.csa, f"LOGIN {LONG[i]} league-600-10F-{side},pw")
                      for i, side in ((0, "B"), (2, "W"))))
    resign(*players)
    for player in players:
        player.close()
    player = path_of_a_player(browser)
    for path in ("/games", "/crosstable?event=league-600-10F", "/players", player, "/rounds", "/buoys", "/rooms",
                 "/room/main", "/tournaments", *(f"/tournament/{name}" for name in FORMATS), "/share", "/api",
                 "/console", "/game/1", "/docs", "/docs/README.ja", "/docs/operations/permissions",
                 "/docs/server/csa/PROTOCOL"):
        browser.go(path)
        browser.wait_for("document.querySelector('main')?.innerText.length > 10"
                         " && document.querySelector('[aria-busy=true]') === null", f"{path} does not come")
        for width, height in SIZES:
            browser.look_like(width, height)
            check_looks(browser, f"{path} {width}x{height}", faults)


def check_console(here, faults):
    """Every tab with something in each list, every list that another one leads to, and an act before it is given."""
    browser = here.browser
    players = fill_console(here)
    log_in_as_host(browser, here.secret)
    leads = {"accounts": "account.name=alice", "events": "tournament.event=league&tournament-pairings.event=league",
             "rooms": "room.roomName=club", "rounds": "positions.set=many", "games": "results.gameNames=",
             "server": "help.language=&help.command="}
    for tab in tabs_of(browser):
        browser.go(f"/console?tab={tab}&{leads.get(tab, '')}")
        browser.wait_for("document.querySelector('#console-panel') !== null && "
                         "[...document.querySelectorAll('#console-panel section')].every((one) => "
                         "one.querySelector('table, .text, .bad, form, li') !== null)", f"{tab} does not come")
        for width, height in SIZES:
            browser.look_like(width, height, mobile=width < 500)
            check_looks(browser, f"the console, {tab} {width}x{height}", faults)
            if width < 500:
                faults += [f"{tab} {width}x{height}: {each}" for each in browser.evaluate(f"{SMALL}.slice(0, 3)")]
    browser.look_like(390, 844, mobile=True)
    browser.go("/console?tab=games")
    browser.click("td.acts button.danger")
    browser.wait_for(f"{ACT} !== null", "nothing is asked before the act")
    check_looks(browser, "an act", faults)
    faults += [f"an act: {each}" for each in browser.evaluate(f"{SMALL}.slice(0, 3)")]
    for player in players:
        player.close()


def main(program, *flags):
    faults = []
    with site(program, *flags) as here:
        made = MadeGames(here.browser)
        here.browser.go("/")
        check_pages(here, faults)
        check_console(here, faults)
        check_first_page(here.browser, made, faults)
        check_walls(here.browser, made, faults)
        check_games(here.browser, made, faults)
    print("\n".join(faults) or "nothing is cut, and nothing scrolls sideways")
    return 1 if faults else 0


if __name__ == "__main__":
    run_in_browser(main)
