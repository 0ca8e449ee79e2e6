#!/usr/bin/env python3
"""Hostile texts go every way in which strangers can make a page say something; in a real browser none of them is more
than text: no script runs, nothing is asked for, nothing breaks the content policy, and each is there to be read."""

import html.parser
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.parse
import xml.etree.ElementTree
import zipfile
from pathlib import Path

import corpus
from browser import run_in_browser
from csa_client import CsaClient, sit_down, walk
from fuhyo_server import FuhyoServer, add_operator, free_ports
from hostile_stores import Disguise, old_folder
from pages import log_in_as_host, tabs_of
from watching_browser import WatchingBrowser
from web_client import connect

LANGUAGES = {"en": "Live", "ja": "対局中"}
FORMATS = ("csa", "csa3", "kif", "kifu", "ki2", "ki2u", "jkf", "usi")
SAFE_NAME = re.compile(r"[\w+.-]+\.\w+", re.ASCII)
FILE_NAME = re.compile(r'attachment; filename="[\w+.-]+\.\w+"', re.ASCII)
EVALUATION = re.compile(rb"\*+\s*[+-]?\d{1,6}(\s|$)")
# A built-in player whose every word is hostile. Two moves of its are moves.
ENGINE = r"""
import sys
import time
WALK = {"black": ["2h3h", "3h2h"], "white": ["8b7b", "7b8b"]}[SIDE]
for line in sys.stdin:
    word = line.split()[0] if line.split() else ""
    if word == "usi":
        print("id name <img src=x onerror=ran(1)>\nid author </script><script>ran(1)</script>")
        print("option name <svg onload=ran(1)> type string default <b>\nusiok")
    if word == "isready":
        print("info string <img src=x onerror=ran(1)>\nreadyok")
    if word == "usinewgame":
        moves = iter(WALK)
    if word == "go":
        move = next(moves, None)
        time.sleep(0 if move else 5)
        move = move or "<img src=x onerror=ran(1)>"
        print("info string <script>ran(1)</script>")
        print("info depth <b> score cp 31 nodes <i> pv", move, "<img src=x onerror=ran(1)>")
        print("bestmove", move, "ponder <svg onload=ran(1)>")
    sys.stdout.flush()
    if word == "quit":
        break
"""


def run(*command, codes=(0,)):
    done = subprocess.run(command, capture_output=True, check=False)
    if done.returncode not in codes:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout!r}{done.stderr!r}")
    return done.stdout


class Server(FuhyoServer):
    def __init__(self, program, data, *flags):
        listeners = ("csa", "http")
        super().__init__(program, *free_ports(*listeners), "--exempt", "127.0.0.0/8", "--resume-window", "3600",
                         "--drain-timeout", "0", "--spectator-comments", "live", *flags, listeners=listeners, data=data)

    def json(self, path):
        answer = self.get(path)
        assert answer.status == 200 and answer.headers["Content-Type"] == "application/json", (path, answer.text)
        return answer.json()


def prepare(program, folder, texts):
    """A data folder with hostile names in live and in finished games; what is live there, by the name of the game."""
    plain, data = os.path.join(folder, "plain"), os.path.join(folder, "data")
    disguise = Disguise(texts)
    server = Server(program, plain)
    names = list(disguise.texts)
    for number, name in enumerate(names):  # as owners of buoys
        with CsaClient(server.csa, f"LOGIN {name} buoys x1") as owner:
            owner.until("##[LOGIN]")
            owner.say(f"%%SETBUOY buoy_own{number}-900-0 +2726FU")
            owner.until("##[SETBUOY]")
            owner.say("LOGOUT")
            owner.rest()
    players = []
    for black, white, game in zip(names[0::3], names[1::3], names[2::3]):
        players += sit_down(server.csa, f"{game}-900-5F", (black, white))
    server.stop()
    export, changed = Path(folder) / "export", Path(folder) / "changed"
    run(program, "store", "export", "--data", plain, export)
    disguise.change(export, changed)
    os.makedirs(data)
    shutil.copy(os.path.join(plain, "secret.key"), data)
    run(program, "store", "import", "--data", data, changed)
    old = Path(folder) / "old"
    old_folder(old, texts)
    report = run(program, "import-shogi-server", str(old), "--data", data, codes=(0, 1)).decode("utf-8", "replace")
    return data, disguise, report


def play_with_comments(server, texts):
    """A running game, and what was said of its moves: every text that is a line."""
    players = sit_down(server.csa, "cup-9000-10")
    said = []
    for text in texts:
        if not text.is_line():
            continue
        move = walk(len(said))
        said.append(text.raw.split(b",")[0])  # a comma ends a comment
        players[(len(said) - 1) % 2].socket.sendall(b"%s,'%s\n" % (move.encode(), said[-1]))
        for player in players:
            player.until(move)
    return players, [corpus.shown(raw) for raw in said if not EVALUATION.match(raw)]


def chat(server, texts):
    """Nobody but players reads that; it is said all the same."""
    with CsaClient(server.csa, "LOGIN carol cup x1") as carol:
        carol.until("##[LOGIN]")
        for text in texts:
            carol.socket.sendall(b"%%CHAT " + text.raw.replace(b"\n", b" ") + b"\n")


def load_positions(server, texts):
    """A set of positions whose titles and comments are hostile; what is to be seen of it."""
    lines = [text.raw for text in texts if text.is_line() and text.is_unicode() and b"|" not in text.raw]
    folder = Path(server.data) / "positions"
    folder.mkdir(exist_ok=True)
    (folder / "hostile.txt").write_bytes(b"".join(b"startpos | %s | %s\n" % (line, line) for line in lines))
    told = server.admin("load-positions", "hostile", "hostile.txt")
    assert told["ok"], told
    return [corpus.shown(line) for line in lines]


def toml(text):
    """A basic string of TOML; but for DEL as JSON spells one."""
    return json.dumps(text).replace("\x7f", "\\u007f")


def hold_events(server, texts):
    """Events whose every title is hostile: of the event, its stage and division, a position, an entrant; what the pages
    have to show of each, by its name. A host has hostile reasons, too."""
    folder = Path(server.data) / "tournaments"
    folder.mkdir(exist_ok=True)
    shown = {}
    for number, text in enumerate(texts):
        title = text.raw.decode("utf-8", "replace")
        if not text.is_unicode() or not text.is_line() or not corpus.shown(text.raw) or len(text.raw) > 200:
            continue
        name, said = f"h{number}", toml(title)
        lines = [f'name = "{name}"', f"title = {said}", f"title-ja = {said}", "[[stage]]", 'name = "main"',
                 f"title = {said}", 'format = "round-robin"', 'time = "60-5F"']
        for entrant in ("ann", "bob"):
            lines += ["[[entrant]]", f'name = "{entrant}"', f"title = {said}"]
        (folder / f"{name}.toml").write_text("\n".join(lines) + "\n", encoding="utf-8")
        told = server.admin("tournament-new", f"{name}.toml")
        if not told["ok"]:  # what an event may not be called is said, and the text is told back
            assert "title" in told["text"] or "TOML" in told["text"], (text.name, told)
            continue
        for words in (("tournament-start",), ("tournament-start",), ("tournament-result", "1.1", "black"),
                      ("tournament-end",)):
            why = (os.fsdecode(text.raw),) if words[0] != "tournament-start" else ()
            server.admin(words[0], name, *words[1:], *why)
        shown[name] = corpus.shown(text.raw)
    assert len(shown) > len(texts) / 2, len(shown)
    for name in shown:
        for path in (f"/api/v1/tournaments/{name}", f"/api/v1/tournaments/{name}/tables.csv",
                     f"/api/v1/tournaments/{name}/tables.txt"):
            answer = server.get(path)
            assert answer.status == 200, path
            safe(answer)
        check_table_page(server, name, shown[name])
    return shown


def check_table_page(server, name, title):
    """The one answer that is a page and is none of ours: for people to keep. It is downloaded, and holds no element of
    a stranger's."""
    answer = server.get(f"/api/v1/tournaments/{name}/tables.html")
    assert answer.status == 200 and answer.headers["Content-Disposition"].startswith("attachment"), answer.headers
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    page = Elements()
    page.feed(answer.text)
    assert page.strange == [], (name, page.strange)
    assert title in corpus.collapsed(" ".join(page.texts)), (name, title)


class Elements(html.parser.HTMLParser):
    OURS = {"html", "head", "meta", "title", "style", "body", "h1", "h2", "table", "tr", "th", "td", "p", "ul", "li",
            "a", "span", "small", "b", "div", "abbr", "main"}

    def __init__(self):
        super().__init__()
        self.strange, self.texts = [], []

    def handle_starttag(self, tag, attrs):
        # What is only read aloud may say anything.
        on = [name for name, value in attrs if name.startswith("on") or name != "aria-label" and (
            value or "").strip().lower().startswith(("javascript:", "data:", "vbscript:"))]
        if tag not in self.OURS or on:
            self.strange.append((tag, attrs))

    def handle_data(self, data):
        self.texts.append(data)


def answers(server, texts):
    """JSON, RSS, files, events: each is whole, says what it is, and has a harmless name."""
    games = listed(server)
    names = {corpus.collapsed(game["black"]["name"]) for game in games}
    lost = [text.name for text in texts if text.is_unicode() and corpus.collapsed(seen_name(text)) not in names]
    assert not lost, f"moved over, but not listed: {lost}"
    feed = server.get("/games.rss")
    safe(feed)
    items = xml.etree.ElementTree.fromstring(feed.body).findall("channel/item")
    assert len(items) == 50 and all(item.find("link").text.startswith("http://") for item in items)
    for game in games:
        for extension in FORMATS:
            answer = server.get(f"/api/v1/games/{game['id']}.{extension}")
            safe(answer, named=answer.status == 200)
            assert answer.status in (200, 422), (game, extension, answer.status)
    archive = server.get("/api/v1/games.zip")
    safe(archive, named=True)
    inside = zipfile.ZipFile(io.BytesIO(archive.body)).namelist()
    assert len(inside) > len(texts) / 2 and all(SAFE_NAME.fullmatch(name) for name in inside), inside
    for text in texts:
        quoted = urllib.parse.quote(text.raw, safe="")
        for path in (f"/{quoted}", f"/api/v1/{quoted}", f"/api/v1/games?position={quoted}", f"/assets/{quoted}",
                     f"/api/v1/tournaments/{quoted}", f"/api/v1/tournaments/{quoted}/tables.html",
                     f"/api/v1/players/{quoted}", f"/api/v1/games/{quoted}", f"/api/v1/games?end={quoted}"):
            safe(server.get(path))
    return games


def safe(answer, *, named=False):
    """An answer that no browser takes for a page or a script, whatever stands in it."""
    headers = answer.headers
    kind = headers["Content-Type"].split(";")[0]
    assert not re.search("html|script|svg|text/xml|application/xml|css", kind), kind
    assert "default-src 'none'; script-src 'self'; style-src 'self'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    if named:
        assert FILE_NAME.fullmatch(headers["Content-Disposition"]), headers["Content-Disposition"]


def listed(server):
    games, before = [], ""
    while before is not None:
        page = server.json(f"/api/v1/games?limit=100{before}")
        games += page["games"]
        before = page["next"] and f"&before={page['next']}"
    return games


def seen_name(text):
    """What a record's line has of it."""
    return corpus.shown(text.raw.replace(b"\n", b" ").replace(b"\r", b" ").replace(b"\0", b" "))


def names_of(game):
    return [corpus.collapsed(game[side]["name"]) for side in ("black", "white")]


class Visit:
    def __init__(self, browser, server, language):
        self.browser, self.server = browser, server
        browser.go("/")
        browser.evaluate(f"localStorage.setItem('fuhyo', JSON.stringify({{language: '{language}', boards: '9'}}))")
        browser.go("/")
        browser.shows(LANGUAGES[language])

    def turn(self, path, *texts):
        """A page without loading it anew, as links do it."""
        self.browser.evaluate(f"history.pushState(null, '', {json.dumps(path)});"
                              "dispatchEvent(new PopStateEvent('popstate'))")
        self.browser.shows(*texts)

    def live(self, games):
        """`games`: as the snapshot of the events has them."""
        self.browser.go("/")
        for game in games:
            self.browser.shows(*names_of(game))
        for game in games:
            self.turn(f"/game/{game['id']}", corpus.collapsed(game["name"]), *names_of(game))
        for number, game in enumerate(games):  # two names of one page
            self.browser.go(f"/{('embed', 'overlay')[number % 2]}/{game['id']}")
            self.browser.shows(*names_of(game))

    def archived(self, games):
        for game in games:
            told = self.server.json(f"/api/v1/games/{game['id']}")["game"]
            texts = [told["name"], told["black"]["name"], told["white"]["name"], told["end"]["reason"]]
            texts += [comment for _, comment in told["comments"] if not EVALUATION.match(comment.encode())]
            self.turn(f"/game/{game['id']}", *map(corpus.collapsed, texts))

    def lists(self, games, positions, turn):
        self.browser.go("/games")
        self.whole_list()
        self.browser.shows(*(name for game in games for name in names_of(game)))
        players = []
        while page := self.server.json(f"/api/v1/players?sort=name&offset={len(players)}")["players"]:
            self.browser.go(f"/players?sort=name&offset={len(players)}")
            self.browser.shows(*(corpus.collapsed(player["name"]) for player in page))
            players += page
        assert len(players) > 100
        for player in players[turn::2]:
            quoted = urllib.parse.quote(player["id"], safe="")
            known = self.server.get(f"/api/v1/players/{quoted}").status == 200  # not where a byte of it cannot be shown
            self.turn(f"/player/{quoted}", corpus.collapsed(player["name"]) if known else "")
        crossed = self.server.json("/api/v1/crosstable?players=100")["players"]
        assert len(crossed) == 100
        self.browser.go("/crosstable?players=100")
        self.browser.shows(*(corpus.collapsed(player["name"]) for player in crossed))
        self.browser.go("/buoys")
        self.browser.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
        self.whole_list()
        owners = [corpus.collapsed(buoy["owner"]) for buoy in self.server.json("/api/v1/buoys")["buoys"]]
        assert any("<script>" in owner for owner in owners)
        self.browser.shows(*owners, *positions)

    def events(self, titles, turn):
        self.browser.go("/tournaments")
        self.browser.shows(*titles.values())
        for name, title in list(titles.items())[turn::2]:
            self.turn(f"/tournament/{name}", title, "ann")

    def whole_list(self):
        more = "document.querySelector('main button.more')"
        size = "document.querySelectorAll('main tr, main li').length"
        self.browser.wait_for(f"{size} > 1", "the list does not come")
        while self.browser.evaluate(f"{more} !== null"):
            before = self.browser.evaluate(size)
            self.browser.evaluate(f"{more}.click()")
            self.browser.wait_for(f"{size} > {before}", "no more comes")

    def addresses(self, texts):
        """What stands in an address, and comes to stand in a field."""
        for text in texts:
            quoted = urllib.parse.quote(text.raw, safe="")
            # A field has no line ends; what a viewer has typed is his own, and stands there as it is.
            line = text.raw.decode("utf-8", "replace").replace("\r", "").replace("\n", "")
            fields = [corpus.collapsed(line)] if text.is_unicode() else []
            self.turn(f"/games?player={quoted}&event={quoted}&opponent={quoted}", *fields)
            self.turn(f"/games?position={quoted}&end={quoted}&from={quoted}&color={quoted}&{quoted}={quoted}")
            self.turn(f"/crosstable?player={quoted}&event={quoted}&players={quoted}", *fields)
            self.turn(f"/players?name={quoted}&sort={quoted}&offset={quoted}", *fields)
            self.turn(f"/rounds?group={quoted}")
            self.turn(f"/tournament/{quoted}")
            for path in (f"/player/{quoted}", f"/game/{quoted}", f"/embed/{quoted}", f"/#{quoted}", f"/{quoted}"):
                self.turn(path)
        self.browser.go("/games?player=%3Cimg%20src=x%20onerror=ran(1)%3E#<img src=x onerror=ran(1)>")
        self.browser.shows("<img src=x onerror=ran(1)>")

    def console(self, texts):
        browser = self.browser
        browser.go("/console")
        for tab in tabs_of(browser):
            browser.evaluate(f"document.querySelector('#tab-{tab}').click()")
            browser.shows(*(texts if tab == "audit" else ()))


def engines(folder):
    """Two built-in players of the worst sort, as flags of the server."""
    flags = []
    for side, colour in (("black", "+"), ("white", "-")):
        path = os.path.join(folder, f"{side}_engine")
        Path(path).write_text(f"#!{sys.executable}\nSIDE = {side!r}\n{ENGINE}", encoding="ascii")
        os.chmod(path, 0o755)
        flags += ["--engine", f"name=Loud{side} engine='{path}' game=loud-900-5F turn={colour} comments=true "
                              f"read={sys.base_prefix}"]
    return flags


def act(server, game, texts):
    """Acts whose reasons are hostile, seen in the audit log and in records; what is to be seen of the last ones."""
    seen = []
    for text in texts:
        if text.is_line() and text.is_unicode():
            verb = ("pause", "resume")[len(seen) % 2]
            told = server.admin(verb, str(game), os.fsdecode(text.raw))
            assert told["ok"], (text.name, told)
            seen.append(corpus.shown(text.raw))
    return seen


def end_by_verdict(server, games, texts):
    """Each of the games is ended for a hostile reason; which."""
    told = {}
    reasons = [text for text in texts if text.is_line() and text.is_unicode() and corpus.shown(text.raw)]
    for game, reason in zip(games, reasons):
        answer = server.admin("adjudicate", str(game["id"]), "black", os.fsdecode(reason.raw))
        assert answer["ok"], answer
        told[game["id"]] = corpus.shown(reason.raw)
    return told


def snapshot(server):
    connection = connect(server.http)
    connection.request("GET", "/api/v1/events.ndjson")
    answer = connection.getresponse()
    line = answer.fp.readline()
    connection.close()
    return json.loads(line)["data"]["games"]


def look_at_everything(browser, server, disguise, texts, secret):
    positions = load_positions(server, texts)
    chat(server, texts)
    _players, said = play_with_comments(server, texts)  # who stay, so that their game goes on
    live = snapshot(server)
    names = {name for game in live for name in names_of(game)}
    hidden = list(disguise.texts.values())
    disguised = {corpus.shown(text.raw) for black, white, _ in zip(hidden[0::3], hidden[1::3], hidden[2::3])
                 for text in (black, white)}
    assert disguised and disguised <= names, f"not live: {disguised - names}"
    game = next(game["id"] for game in live if game["black"]["name"] == "alice")
    games = answers(server, texts)
    events = hold_events(server, texts)
    for turn, language in enumerate(LANGUAGES):
        visit = Visit(browser, server, language)
        visit.turn(f"/game/{game}", *said)
        visit.live(live)
        # Every list in both languages; each page of one thing in one of them, which take turns.
        visit.archived(games[turn::2])
        visit.lists(games, positions, turn)
        visit.events(events, turn)
        visit.addresses(texts[turn::2])
        if language == "en":
            log_in_as_host(browser, secret)
        for begin_at in range(0, len(texts), 10):
            reasons = act(server, game, texts[begin_at:begin_at + 10])
            if len(reasons) % 2:
                server.admin("resume", str(game))
            visit.console(reasons)
    ended = end_by_verdict(server, [one for one in live if not one["black"]["builtin"]], texts)
    for language in LANGUAGES:
        visit = Visit(browser, server, language)
        for number, reason in ended.items():
            visit.turn(f"/game/{number}", reason)


def main(program, *flags):
    texts = corpus.texts()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        data, disguise, report = prepare(program, folder, texts)
        config = os.path.join(folder, "fuhyo.toml")
        secret = add_operator(program, config, "hana")
        server = Server(program, data, "--config", config, *engines(folder), *flags)
        browser = WatchingBrowser(os.path.join(folder, "browser"), "{}:{}".format(*server.http))
        try:
            look_at_everything(browser, server, disguise, texts, secret)
        except AssertionError:
            print(report)
            raise
        finally:
            browser.close()
            server.stop()


if __name__ == "__main__":
    run_in_browser(main)
