"""What tests of the pages share: a server with a browser at it, a game that is followed, the console."""

import base64
import json
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from browser import Browser, shows
from csa_client import CsaClient, begin
from fuhyo_server import FuhyoServer, add_operator, free_ports

MARKUP = "<img src=x onerror=alert(1)>"
CONNECTION = "document.querySelector('header .connection')?.innerText.trim()"
GAME = "cup-3000-10"
OF_THE_GAME = "/\\/game\\/[0-9]+$/.test(location.pathname)"
PANEL = "document.querySelector('#console-panel section')"
ACT = "document.querySelector('dialog[open] button[type=submit]')"
PHONE = {"width": 390, "height": 844, "scale": 2, "mobile": True}
GAMES_ARE = "fetch('/api/v1/games').then((answer) => answer.json()).then(({games}) => games.length === %d)"


class Site:
    """`server`, whose host hana logs in with `secret`; `browser`, which looks at it; `players` of the game, Black
    first."""

    def __init__(self, program, folder, *flags):
        config = folder / "fuhyo.toml"
        self.program, self.folder = program, folder
        self.secret = add_operator(program, config, "hana")
        self.flags = ("--config", config, "--spectator-comments", "live", "--resume-window", "3600",
                      "--drain-timeout", "0", *flags)
        self.server, self.browser, self.players = None, None, []
        self.start()

    def start(self):
        """The first time, or again after the last one has gone."""
        listeners = ("csa", "http")
        self.server = FuhyoServer(self.program, *free_ports(*listeners), *self.flags, listeners=listeners,
                                  data=self.folder / "data", log=self.folder / "log")
        if self.browser:
            self.browser.site = self.address

    @property
    def address(self):
        return "{}:{}".format(*self.server.http)

    def open_browser(self, kind=Browser):
        self.browser = kind(self.folder / "browser", site=self.address)
        return self.browser

    def picture(self, file, *, beyond=False):
        """As its name ends: .png, or .webp, which is small."""
        how = {"format": Path(file).suffix[1:], "quality": 60, "captureBeyondViewport": beyond}
        data = self.browser.call("Page.captureScreenshot", how)["data"]
        Path(file).write_bytes(base64.b64decode(data))

    def come(self, *names):
        self.leave()
        self.players = [CsaClient(self.server.csa, f"LOGIN {name} {GAME}-{side},pw{name}")
                        for name, side in zip(names, "BW")]

    def leave(self):
        for player in self.players:
            player.close()

    def close(self):
        self.leave()
        if self.browser:
            self.browser.close()
        self.server.kill()


def write_site(here, *words):
    """A folder of files, by the words of the command that has --site, or DIR, behind them; while the server runs."""
    folder = here.folder / "site"
    subprocess.run([here.program, *words, folder, "--config", here.folder / "fuhyo.toml", "--data",
                    here.folder / "data"], check=True, stdout=subprocess.DEVNULL)
    return folder


@contextmanager
def site(program, *flags, kind=Browser, complaints=True):
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        here = Site(program, Path(folder), *flags)
        try:
            here.open_browser(kind)
            yield here
            assert not complaints or not here.browser.complaints(), here.browser.complaints()
        finally:
            here.close()


def follow_a_game(here):
    """The browser sees how it is paired, begun and played for four moves; it is at the game."""
    browser = here.browser
    browser.go("/")
    browser.wait_for(CONNECTION + " === 'live'", "the page does not connect")
    browser.wait_for(shows("No game yet"), "there are games")
    here.come("alice", "bob")
    for player in here.players:
        player.until("END Game_Summary")
    browser.wait_for(shows("waiting for both players"), "the pairing is not shown")
    for player in here.players:
        player.say("AGREE")
    for player in here.players:
        player.until("START:")
    for ply, move in enumerate(("+7776FU,'* 30 -3334FU +2726FU", "-3334FU,'* -15", "+8822UM",
                                "-3122GI,'* 134 B*5e -8222HI " + MARKUP)):
        here.players[ply % 2].say(move)
        for player in here.players:
            player.until(move[:7])
    browser.wait_for("document.querySelector('article .plies')?.innerText === '4'", "the moves are not shown")
    browser.click("article .open")
    browser.wait_for("document.querySelectorAll('ol li').length === 5", "the moves are not listed")


def go_on(here):
    """The two are back after the server was another one, and agree again."""
    here.come("alice", "bob")
    begin(*here.players)


def check_end(here):
    black, white = here.players
    black.say("%TORYO")
    white.until("#WIN")
    here.browser.wait_for(shows("bob wins"), "the result is not shown")


def log_in(browser, name, password):
    browser.fill(".console input[name=username]", name)
    browser.fill(".console input[name=password]", password)
    browser.press("Log in", "document.querySelector('.console')")


def log_in_as_host(browser, secret):
    browser.go("/console")
    browser.wait_for("document.querySelector('.console input[name=password]') !== null", "one cannot log in")
    log_in(browser, "hana", secret)
    browser.wait_for("document.querySelector('[role=tab]') !== null", "the console does not come")


def tabs_of(browser):
    return browser.evaluate("[...document.querySelectorAll('[role=tab]')].map((tab) => tab.dataset.tab)")


def path_of_a_player(browser):
    browser.wait_for(GAMES_ARE % 1, "the archive does not know the game")
    return browser.evaluate("fetch('/api/v1/players').then((answer) => answer.json()).then(({players}) => "
                            "'/player/' + encodeURIComponent(players[0].id))")


def open_console(browser):
    """By the link in the settings: whoever does not look for it is asked for nothing."""
    assert browser.evaluate("document.querySelector('header a[href=\"/console\"]') === null")
    browser.click("header > button")
    browser.click('dialog a[href="/console"]')
    browser.wait_for("document.querySelector('.console input[name=password]') !== null", "one cannot log in")


def follow_link(browser, path):
    browser.click(f"header a[href={json.dumps(path)}]")
