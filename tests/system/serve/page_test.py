#!/usr/bin/env python3
"""The pages in a real browser: it follows a running game, pauses it in the console, finds it again when it has ended,
and text of players stays text.

    page_test.py FUHYO [SCREENSHOT.png]       exit code 77: there is no chromium
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PATIENCE_S = 30
MARKUP = "<img src=x onerror=alert(1)>"
CONNECTION = "document.querySelector('header .connection')?.innerText.trim()"


class Browser:
    """Headless Chromium, spoken to over a pair of pipes (the DevTools protocol)."""

    def __init__(self, folder, *more):
        ours_out, self.commands = os.pipe()
        self.answers, ours_in = os.pipe()
        # The browser expects its end of the pipes at 3 and 4.
        shell = f"exec \"$0\" \"$@\" 3<&{ours_out} 4>&{ours_in}"
        flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
                 "--disable-background-networking", "--disable-component-update", "--disable-sync", "--lang=en-US",
                 "--window-size=1280,860", f"--user-data-dir={folder}", "--remote-debugging-pipe", *more, "about:blank"]
        self.process = subprocess.Popen(["sh", "-c", shell, "chromium", *flags], pass_fds=(ours_out, ours_in),
                                        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL, start_new_session=True)
        os.close(ours_out)
        os.close(ours_in)
        self.buffer, self.last_id, self.events = b"", 0, []
        target = self.call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self.session = self.call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, params=None):
        self.last_id += 1
        message = {"id": self.last_id, "method": method, "params": params or {}}
        if hasattr(self, "session"):
            message["sessionId"] = self.session
        os.write(self.commands, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read()
            if answer.get("id") == self.last_id:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def read(self):
        while b"\0" not in self.buffer:
            part = os.read(self.answers, 1 << 16)
            if not part:
                raise RuntimeError("the browser has gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def evaluate(self, expression):
        return self.call("Runtime.evaluate", {"expression": expression, "returnByValue": True,
                                              "awaitPromise": True})["result"].get("value")

    def complaints(self):
        """What the console holds: errors of scripts, violations of the content policy."""
        found = []
        for event in self.events:
            if event.get("method") == "Runtime.exceptionThrown":
                found.append(event["params"]["exceptionDetails"]["text"])
            entry = event.get("params", {}).get("entry", {})
            if entry.get("source") in ("security", "javascript", "violation"):
                found.append(entry["text"])
        return found

    def close(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


def wait_for(browser, expression, what):
    deadline = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline:
        if browser.evaluate(expression):
            return
        time.sleep(0.1)
    raise AssertionError(f"{what}; the page says:\n" + str(browser.evaluate("document.body.innerText")))


def shows(text):
    return f"document.body.innerText.includes({json.dumps(text)})"


def follow_a_game(browser, csa, http):
    browser.call("Page.navigate", {"url": f"http://{http}/"})
    wait_for(browser, CONNECTION + " === 'live'", "the page does not connect")
    assert browser.evaluate(shows("No game yet"))
    black = CsaClient(csa, "LOGIN alice cup-300-10-B,pwalice")
    white = CsaClient(csa, "LOGIN bob cup-300-10-W,pwbob")
    black.until("END Game_Summary")
    white.until("END Game_Summary")
    wait_for(browser, shows("waiting for both players"), "the pairing is not shown")
    black.say("AGREE")
    white.say("AGREE")
    white.until("START:")
    for player, move, comment in ((black, "+7776FU", ",'* 30 -3334FU +2726FU"), (white, "-3334FU", ",'* -15"),
                                  (black, "+8822UM", ""), (white, "-3122GI", ",'* 134 B*5e -8222HI " + MARKUP)):
        player.say(move + comment)
        white.until(move)
    wait_for(browser, "document.querySelector('article .plies')?.innerText === '4'", "the moves are not shown")
    browser.evaluate("document.querySelector('article .open').click()")
    wait_for(browser, "document.querySelectorAll('ol li').length === 5", "the moves are not listed")
    return black, white


def check_position(browser):
    assert browser.evaluate("document.querySelector('ol li:nth-child(4)').innerText").replace("\n", " ").startswith(
        "3 ☗Bx22+"), browser.evaluate("document.querySelector('ol').innerText")
    pieces = browser.evaluate("document.querySelectorAll('.view svg.squares .piece').length")
    assert pieces == 38, f"{pieces} pieces on the board"
    assert browser.evaluate("document.querySelectorAll('.view svg.squares .last').length") == 1
    players = browser.evaluate("[...document.querySelectorAll('.player')].map((bar) => bar.innerText).join()")
    assert "bob" in players.split(",")[0] and "alice" in players.split(",")[1], players
    assert browser.evaluate("document.querySelectorAll('.player')[1].querySelector('.clock').innerText").strip() in (
        "5:00", "4:59", "4:58"), players
    assert browser.evaluate("document.querySelectorAll('.player')[1].classList.contains('turn')"), players
    assert browser.evaluate("document.querySelectorAll('.hand svg').length") == 2, "a bishop in each hand"


def check_thoughts(browser):
    wait_for(browser, "document.querySelector('.legend')?.innerText.includes('+134')", "White's value is not shown")
    assert "+30" in browser.evaluate("document.querySelector('.legend').innerText")
    line = browser.evaluate("document.querySelector('.line').innerText").replace("\n", " ")
    assert "+134" in line and "B*55" in line, line
    browser.evaluate("document.querySelector('.line button').click()")
    wait_for(browser, "document.querySelectorAll('.preview .piece').length === 39", "a line cannot be looked at")


def check_history(browser):
    """Back through the game by keys and clicks, in the address as well, and to the newest position again."""
    press = "dispatchEvent(new KeyboardEvent('keydown', {key: '%s', bubbles: true}))"
    browser.evaluate("document.body." + press % "Home")
    wait_for(browser, "location.pathname.endsWith('/0')", "Home leads nowhere")
    wait_for(browser, "document.querySelectorAll('.view svg.squares .piece').length === 40", "the start is not shown")
    browser.evaluate("document.body." + press % "ArrowRight")
    wait_for(browser, "location.pathname.endsWith('/1')", "the arrow leads nowhere")
    browser.evaluate("document.querySelector('ol li:nth-child(4) button').click()")
    wait_for(browser, "location.pathname.endsWith('/3')", "a move cannot be chosen")
    browser.evaluate("document.body." + press % "End")
    wait_for(browser, "/\\/game\\/[0-9]+$/.test(location.pathname)", "End does not follow")


def check_end(browser, black, white):
    black.say("%TORYO")
    white.until("#WIN")
    wait_for(browser, shows("bob wins"), "the result is not shown")


ROWS = "document.querySelectorAll('.archive .games tbody tr')"
FORMATS = ("csa", "csa3", "kif", "kifu", "ki2", "jkf", "usi")


def search_for(browser, player):
    browser.evaluate(f"""(() => {{
        const input = document.querySelector('.archive form input')
        input.value = {json.dumps(player)}
        input.dispatchEvent(new Event('input', {{bubbles: true}}))
        document.querySelector('.archive form button.main').click()
    }})()""")
    wait_for(browser, f"location.search === '?player={player}'", "a search is not in the address")


def check_lists(browser):
    """The game that has ended: in the list, by a search, back through searches, at its players."""
    wait_for(browser, "fetch('/api/v1/games').then((answer) => answer.json()).then(({games}) => games.length === 1)",
             "the archive does not know the game")
    browser.evaluate("document.querySelector('header a[href=\"/games\"]').click()")
    wait_for(browser, f"{ROWS}.length === 1", "the game is not listed")
    row = browser.evaluate(f"{ROWS}[0].innerText")
    assert all(part in row for part in ("alice", "bob", "resignation", "4")), row
    search_for(browser, "nobody")
    wait_for(browser, shows("No game is like this."), "a search finds what it should not")
    search_for(browser, "ALI*")
    wait_for(browser, f"{ROWS}.length === 1", "a search does not find the game")
    browser.evaluate("history.back()")
    wait_for(browser, shows("No game is like this."), "the search before does not come back")
    assert browser.evaluate("document.querySelector('.archive form input').value") == "nobody"
    browser.evaluate("history.forward()")
    wait_for(browser, f"{ROWS}.length === 1", "the search after does not come back")
    browser.evaluate(f"{ROWS}[0].querySelector('.seat a').click()")
    wait_for(browser, "location.pathname.startsWith('/player/alice')", "a name does not lead to its player")
    wait_for(browser, shows("Opponents") + " && " + shows("bob"), "the opponents are not shown")
    wait_for(browser, f"{ROWS}.length === 1", "the player's games are not shown")
    browser.evaluate("document.querySelector('header a[href=\"/players\"]').click()")
    wait_for(browser, "document.querySelectorAll('.archive tbody tr').length === 2", "the players are not listed")
    browser.evaluate("document.querySelector('header a[href=\"/rounds\"]').click()")
    wait_for(browser, shows("There is no group with a timetable."), "the rounds are not shown")
    browser.evaluate("document.querySelector('header a[href=\"/buoys\"]').click()")
    wait_for(browser, shows("There is no buoy."), "the buoys are not shown")


def check_tools(browser):
    """The game as files and as a GIF; its positions, searched for."""
    browser.evaluate("document.querySelector('header a[href=\"/games\"]').click()")
    wait_for(browser, f"{ROWS}.length === 1", "the game is not listed")
    browser.evaluate(f"{ROWS}[0].querySelector('.row').click()")
    wait_for(browser, "document.querySelectorAll('a[download]').length === 7", "there are no files")
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
    wait_for(browser, "window.made === 'GIF89a'", "there is no GIF")
    browser.evaluate("document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'Home', bubbles: true}))")
    wait_for(browser, "location.pathname.endsWith('/0')", "Home leads nowhere")
    wait_for(browser, "fetch('/api/v1/openings?sfen=startpos').then((it) => it.json()).then((all) => all.games)",
             "positions are not taken in")
    browser.evaluate("document.querySelector('.side details summary').click()")
    wait_for(browser, "document.querySelector('.side details tbody a')?.innerText === 'P-76'",
             "what was played from the position is not shown")
    browser.evaluate("document.querySelector('.side a[href^=\"/games?position=\"]').click()")
    wait_for(browser, f"{ROWS}.length === 1 && location.pathname === '/games'", "the position is not found")


PANEL = "document.querySelector('#console-panel section')"
ACT = "document.querySelector('dialog[open] button[type=submit]')"


def fill(browser, selector, text):
    browser.evaluate(f"""(() => {{
        const input = document.querySelector({json.dumps(selector)})
        input.value = {json.dumps(text)}
        input.dispatchEvent(new Event('input', {{bubbles: true}}))
    }})()""")


def press(browser, label, within="document"):
    """The button that says so."""
    button = f"[...{within}.querySelectorAll('button')].find((one) => one.innerText.trim() === {json.dumps(label)})"
    wait_for(browser, button + " !== undefined", f"there is no button {label}")
    browser.evaluate(button + ".click()")


def log_in(browser, name, password):
    fill(browser, ".console input[name=username]", name)
    fill(browser, ".console input[name=password]", password)
    press(browser, "Log in", "document.querySelector('.console')")


def open_console(browser):
    """By the link in the settings: whoever does not look for it is asked for nothing."""
    assert browser.evaluate("document.querySelector('header a[href=\"/console\"]') === null")
    browser.evaluate("document.querySelector('header > button').click()")
    wait_for(browser, "document.querySelector('dialog a[href=\"/console\"]') !== null", "there is no way to log in")
    browser.evaluate("document.querySelector('dialog a[href=\"/console\"]').click()")
    wait_for(browser, "document.querySelector('.console input[name=password]') !== null", "one cannot log in")


def give(browser, act, state, game):
    """Pauses or resumes the game, with a reason, and sees what is sent before it is."""
    press(browser, act, PANEL)
    wait_for(browser, ACT + " !== null", "nothing is asked before the act")
    fill(browser, "dialog[open] label:last-of-type input", "<b>power</b> cut")
    sent = f"{act.lower()} {game} <b>power</b> cut"
    wait_for(browser, f"document.querySelector('dialog[open] code').innerText === {json.dumps(sent)}",
             "the line that is sent is not shown")
    browser.evaluate(ACT + ".click()")
    wait_for(browser, f"!document.querySelector('dialog[open]') && {PANEL}.innerText.includes({json.dumps(state)})",
             f"the game is not {state}")


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
    browser.evaluate("document.querySelector('#tab-players').click()")
    press(browser, "Forbid", "document.querySelector('#console-panel section:nth-of-type(2)')")
    wait_for(browser, ACT + " !== null", "nothing is asked before the act")
    browser.evaluate(ACT + ".click()")
    wait_for(browser, shows("is needed"), "a name that is not given is not asked for")
    fill(browser, "dialog[open] label input", "nobody")
    browser.evaluate(ACT + ".click()")
    wait_for(browser, "document.querySelector('dialog[open] input[type=password]') !== null",
             "no password is asked for")
    fill(browser, "dialog[open] input[type=password]", "not it")
    browser.evaluate(ACT + ".click()")
    wait_for(browser, shows("The name, the password or the code is wrong."), "a wrong password confirms")
    fill(browser, "dialog[open] input[type=password]", secret)
    browser.evaluate(ACT + ".click()")
    wait_for(browser, shows("nobody is forbidden"), "the right password does not confirm")


def check_console(browser, name, secret):
    """A host logs in, pauses and resumes the game, finds both in the audit log, is asked for his password, leaves."""
    open_console(browser)
    log_in(browser, name, "not it")
    wait_for(browser, shows("The name, the password or the code is wrong."), "a wrong password is not told of")
    log_in(browser, name, secret)
    wait_for(browser, f"{PANEL}?.querySelectorAll('tbody tr').length === 1", "the game is not listed")
    game = browser.evaluate(f"{PANEL}.querySelector('tbody td').innerText").strip()
    give(browser, "Pause", "paused", game)
    give(browser, "Resume", "running", game)
    assert not browser.evaluate(shows("Drain")), "a host sees what is for admins"
    check_confirming(browser, secret)
    browser.evaluate("document.querySelector('#tab-audit').click()")
    wait_for(browser, f"{PANEL}.innerText.includes('resume {game} <b>power</b> cut')", "the audit log is not shown")
    browser.evaluate("document.querySelector('#tab-games').click()")
    press(browser, "Log out", "document.querySelector('.console .top')")
    wait_for(browser, shows("You are logged out."), "one cannot log out")
    assert browser.evaluate("document.querySelector('.tabs') === null")
    browser.evaluate("history.back()")
    wait_for(browser, "/\\/game\\/[0-9]+$/.test(location.pathname)", "the game does not come back")


def add_operator(program, folder, name):
    """The flags by which the server knows its operator, and his secret, which the program says once."""
    config = os.path.join(folder, "fuhyo.toml")
    done = subprocess.run([program, "admin", "operator", "add", name, "--role", "host", "--config", config],
                          capture_output=True, text=True, check=True)
    return ["--config", config], done.stdout.split("shown this once: ")[1].split()[0]


def start_server(program, folder, *more, doors=None):
    """The process, and where it listens: {"csa": "127.0.0.1:40123", "http": ...}, which is `doors` if it is given."""
    doors = doors or {"csa": "127.0.0.1:0", "http": "127.0.0.1:0"}
    flags = ["--csa", doors["csa"], "--http", doors["http"], "--data", os.path.join(folder, "data"),
             "--spectator-comments", "live", *more]
    server = subprocess.Popen([program, "serve", *flags], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return server, {door: f"{host}:{port}" for door, (host, port) in doors_of(server, "csa", "http").items()}


def main(program, screenshot=None):
    if shutil.which("chromium") is None:
        print("skipped: chromium is not installed")
        return 77
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        config, secret = add_operator(program, folder, "hana")
        server, addresses = start_server(program, folder, *config)
        browser = Browser(os.path.join(folder, "browser"))
        try:
            black, white = follow_a_game(browser, addresses["csa"], addresses["http"])
            check_position(browser)
            check_thoughts(browser)
            check_history(browser)
            if screenshot:
                with open(screenshot, "wb") as file:
                    file.write(base64.b64decode(browser.call("Page.captureScreenshot")["data"]))
            check_console(browser, "hana", secret)
            check_end(browser, black, white)
            check_lists(browser)
            check_tools(browser)
            server.kill()
            wait_for(browser, CONNECTION + " === 'lost, reconnecting…'", "the loss is not shown")
            assert not browser.complaints(), browser.complaints()
        finally:
            browser.close()
            server.kill()
            server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
