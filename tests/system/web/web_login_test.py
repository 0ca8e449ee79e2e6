#!/usr/bin/env python3
"""Operators log in on the web of the real program, give commands, and are kept out where they should be.

    web_login_test.py FUHYO
"""

import http.client
import json
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from web_node_test import WAIT_S, Player, started  # noqa: E402

PROGRAM = ""
HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


class Browser:
    """One visitor: keeps the cookie and the CSRF token."""

    def __init__(self, address, **headers):
        self.address, self.headers = address, headers
        self.cookie = self.csrf = ""

    def ask(self, method, path, body=None, **headers):
        """(status, the JSON of the answer or None, Set-Cookie). A header that is None is left out."""
        asked = {"Content-Type": "application/json", **self.headers}
        if self.cookie:
            asked["Cookie"] = self.cookie
        if self.csrf:
            asked["X-Fuhyo-CSRF"] = self.csrf
        asked.update(headers)
        connection = http.client.HTTPConnection(*self.address, timeout=WAIT_S)
        text = None if method == "GET" else json.dumps(body or {})
        connection.request(method, path, text, {key: value for key, value in asked.items() if value is not None})
        answer = connection.getresponse()
        told = answer.read()
        connection.close()
        is_json = answer.headers.get("Content-Type") == "application/json"
        return answer.status, json.loads(told) if is_json else None, answer.headers.get("Set-Cookie", "")

    def log_in(self, name, password):
        status, _, cookie = self.ask("POST", "/api/v1/session", {"name": name, "password": password})
        if status == 204:
            self.cookie = cookie.split(";")[0]
            self.csrf = self.ask("GET", "/api/v1/session")[1]["csrf"]
        return status

    def command(self, text, **headers):
        status, told, _ = self.ask("POST", "/api/v1/admin", {"command": text}, **headers)
        return status, told


class WebLogin(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-web-")
        self.addCleanup(folder.cleanup)
        self.config = Path(folder.name) / "fuhyo.toml"
        self.config.write_text('web-proxy = ["127.0.0.1"]\n', encoding="ascii")
        self.secrets = {name: self.add(name, role) for name, role in (("hana", "host"), ("aki", "admin"))}
        flags = ["--config", str(self.config), "--data", str(Path(folder.name) / "data"), "--csa", "127.0.0.1:0",
                 "--http", "127.0.0.1:0"]
        self.log = open(Path(folder.name) / "log", "w+", encoding="utf-8")
        self.addCleanup(self.log.close)
        self.process = subprocess.Popen([PROGRAM, "serve", *flags], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.addCleanup(self.stop)
        self.csa = started(self.process, "csa")
        self.http = started(self.process, "http")

    def stop(self):
        self.process.terminate()
        self.process.wait(WAIT_S)
        self.process.stdout.close()

    def add(self, name, role):
        """Makes an operator; returns the secret, which the program says once."""
        done = subprocess.run([PROGRAM, "admin", "operator", "add", name, "--role", role, "--config", self.config],
                              capture_output=True, text=True, check=True)
        return done.stdout.split("shown this once: ")[1].split()[0]

    def visitor(self, name=None, **headers):
        browser = Browser(self.http, **headers)
        if name is not None:
            self.assertEqual(browser.log_in(name, self.secrets[name]), 204)
        return browser

    def test_an_operator_gives_commands(self):
        hana = self.visitor("hana")
        self.assertTrue(hana.cookie.startswith("fuhyo="))
        self.assertEqual(len(hana.cookie), len("fuhyo=") + 32)
        players = [Player(self.csa, f"LOGIN {name} cup-300-10-{side},secret{name}")
                   for name, side in (("alice", "B"), ("bob", "W"))]
        for player in players:
            self.addCleanup(player.close)
            player.until("END Game_Summary")
            player.say("AGREE")
        for player in players:
            player.until("START:")
        status, games = hana.command("games")
        self.assertEqual((status, games["ok"], len(games["rows"])), (200, True, 1))
        number = games["rows"][0][games["columns"].index("game")]
        status, paused = hana.command(f"pause {number} power cut")
        self.assertEqual((status, paused["ok"]), (200, True), paused)
        self.assertFalse(hana.command(f"pause {number}")[1]["ok"], "it is paused already")
        self.assertTrue(hana.command(f"adjudicate {number} draw both agreed")[1]["ok"])
        _, audit = hana.command("audit")
        self.assertTrue(any("web 127.0.0.1" in row and "hana" in row for row in audit["rows"]), audit)
        self.assertEqual(hana.command("drain")[0], 403, "that is for the role admin")
        self.assertEqual(hana.ask("DELETE", "/api/v1/session")[0], 204)
        self.assertEqual(hana.command("games")[0], 401)

    def test_W6_the_cookie_over_https_is_the_strictest(self):
        status, _, cookie = Browser(self.http, **HTTPS).ask(
            "POST", "/api/v1/session", {"name": "hana", "password": self.secrets["hana"]})
        self.assertEqual(status, 204)
        self.assertRegex(cookie, r"^__Host-fuhyo=[\w-]{32}; Path=/; Secure; HttpOnly; SameSite=Strict$")
        again = self.visitor("hana", **HTTPS)
        self.assertNotEqual(cookie.split(";")[0], again.cookie)
        self.assertEqual(len(again.ask("GET", "/api/v1/sessions")[1]["sessions"]), 2)
        self.assertEqual(again.ask("DELETE", "/api/v1/sessions")[0], 204)
        self.assertEqual(again.ask("GET", "/api/v1/session")[0], 401)

    def test_W7_no_password_in_the_clear(self):
        for headers in ({"X-Forwarded-For": "192.0.2.7"}, {**HTTPS, "X-Forwarded-Proto": "http"},
                        {"Host": "shogi.example"}, {"Via": "1.1 somebody"}):
            status, told, _ = Browser(self.http, **headers).ask(
                "POST", "/api/v1/session", {"name": "hana", "password": self.secrets["hana"]})
            self.assertEqual(status, 403, headers)
            self.assertIn("https", told["error"])

    def test_W2_other_sites_pages_change_nothing(self):
        hana = self.visitor("hana", **HTTPS)
        for headers, status in (({"Origin": "https://evil.example"}, 403), ({"Sec-Fetch-Site": "cross-site"}, 403),
                                ({"X-Fuhyo-CSRF": None}, 403), ({"X-Fuhyo-CSRF": "x" * 32}, 403),
                                ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
                                ({"Content-Type": None}, 415), ({"Cookie": None}, 401)):
            self.assertEqual(hana.command("games", **headers)[0], status, headers)
        host, port = self.http
        self.assertEqual(hana.command("games", Origin=f"https://{host}:{port}")[0], 200)

    def test_W6_a_host_sees_who_is_logged_in_and_logs_him_out(self):
        hana, aki = self.visitor("hana"), self.visitor("aki", **HTTPS)
        _, told = hana.command("logins")
        self.assertEqual([row[:3] for row in told["rows"]],
                         [["hana", "host", "127.0.0.1"], ["aki", "admin", "192.0.2.7"]], told)
        self.assertEqual(len(hana.command("logins aki")[1]["rows"]), 1)
        self.assertFalse(hana.command("logout")[1]["ok"])
        self.assertTrue(hana.command("logout aki")[1]["ok"])
        self.assertEqual(aki.ask("GET", "/api/v1/session")[0], 401)
        self.assertEqual(len(hana.command("logins")[1]["rows"]), 1)

    def test_W10_wrong_secrets_and_roles(self):
        stranger = self.visitor()
        self.assertEqual(stranger.log_in("hana", "wrong"), 401)
        self.assertEqual(stranger.log_in("hana", self.secrets["aki"]), 401)
        self.assertEqual(stranger.log_in("nobody", self.secrets["aki"]), 401)
        self.assertEqual(stranger.command("games")[0], 401)
        self.assertTrue(self.visitor("aki").command("limits")[1]["ok"])
        self.assertEqual(self.visitor("hana").command("limits")[0], 403)

    def test_W6_who_is_no_operator_any_more_is_out_at_once(self):
        hana, aki = self.visitor("hana"), self.visitor("aki")
        tables = self.config.read_text(encoding="ascii").split("[[operator]]")
        self.config.write_text("[[operator]]".join(part for part in tables if '"hana"' not in part), encoding="ascii")
        self.process.send_signal(signal.SIGHUP)
        end = time.monotonic() + WAIT_S
        while hana.ask("GET", "/api/v1/session")[0] == 200 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(hana.command("games")[0], 401)
        self.assertEqual(hana.log_in("hana", self.secrets["hana"]), 401)
        self.assertEqual(aki.command("games")[0], 200)

    def test_no_secret_is_written_down(self):
        self.visitor("hana")
        Browser(self.http).log_in("hana", "a-wrong-password")
        self.log.flush()
        self.log.seek(0)
        written = self.log.read()
        self.assertIn("web login", written)
        for secret in (*self.secrets.values(), "a-wrong-password"):
            self.assertNotIn(secret, written)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
