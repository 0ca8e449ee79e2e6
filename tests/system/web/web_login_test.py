#!/usr/bin/env python3
"""Operators log in on the web of the real program, give commands, and are kept out where they should be.

    web_login_test.py FUHYO
"""

import base64
import hashlib
import hmac
import http.client
import json
import re
import signal
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PROGRAM = ""
WAIT_S = 20
HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


def one_time_code(uri, step):
    """RFC 6238, of the otpauth:// address."""
    secret = base64.b32decode(re.search(r"secret=([A-Z2-7]+)", uri)[1])
    digest = hmac.new(secret, struct.pack(">Q", step), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1000000:06}"


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

    def log_in(self, name, password, code=""):
        status, _, cookie = self.ask("POST", "/api/v1/session", {"name": name, "password": password, "code": code})
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
        self.data = str(Path(folder.name) / "data")
        flags = ["--config", str(self.config), "--data", self.data, "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0"]
        self.log = open(Path(folder.name) / "log", "w+", encoding="utf-8")
        self.addCleanup(self.log.close)
        self.process = subprocess.Popen([PROGRAM, "serve", *flags], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.addCleanup(self.stop)
        doors = doors_of(self.process, "csa", "http")
        self.csa, self.http = doors["csa"], doors["http"]

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
        players = [CsaClient(self.csa, f"LOGIN {name} cup-300-10-{side},secret{name}")
                   for name, side in (("alice", "B"), ("bob", "W"))]
        for player in players:
            self.addCleanup(player.close)
        begin(*players)
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
                         [["hana", "host", "127.0.0.1"], ["aki", "host", "192.0.2.7"]], told)
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
        self.assertEqual(self.visitor("aki").command("limits")[0], 403, "admins need an account with a second factor")
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

    def admin(self, *words):
        """What `fuhyo admin` says, as JSON."""
        done = subprocess.run([PROGRAM, "admin", "--data", self.data, *words, "--json"], capture_output=True, text=True,
                              check=False)
        return json.loads(done.stdout)

    def test_W6_an_account_with_a_password_and_a_second_factor(self):
        self.assertTrue(self.admin("account-add", "mio", "admin")["ok"])
        password = self.admin("password", "mio")["rows"][0][2]
        mio = Browser(self.http, **HTTPS)
        self.assertEqual(mio.log_in("mio", password), 401, "an admin needs a second factor")
        uri = self.admin("second-factor", "mio", "on")["rows"][0][1]
        status, told, _ = mio.ask("POST", "/api/v1/session", {"name": "mio", "password": password})
        self.assertEqual((status, told.get("needs_code")), (401, True))
        now = int(time.time()) // 30
        self.assertEqual(mio.log_in("mio", password, one_time_code(uri, now - 5)), 401)
        time.sleep(1.1)  # what a wrong one costs
        self.assertEqual(mio.log_in("mio", password, one_time_code(uri, now)), 204)
        self.assertTrue(mio.command("limits")[1]["ok"])
        for bad in ("short", "password1", "x8K!mio:p2q0", "x8K!p2q0-Fuhyo", "12341234", "c3por2d2"):
            status, told, _ = mio.ask("PUT", "/api/v1/session/password", {"password": bad})
            self.assertEqual(status, 400, bad)
            self.assertIn("password", told["error"])
        self.assertEqual(mio.ask("PUT", "/api/v1/session/password", {"password": "twelve silver pawns"})[0], 204)
        self.assertEqual(mio.command("limits")[0], 401, "everybody logs in again")
        self.assertEqual(Browser(self.http, **HTTPS).log_in("mio", "twelve silver pawns", one_time_code(uri, now)), 401,
                         "each code is good once")
        time.sleep(1.1)
        later = Browser(self.http, **HTTPS)
        self.assertEqual(later.log_in("mio", "twelve silver pawns", one_time_code(uri, now + 1)), 204)
        self.assertEqual(self.visitor("hana").ask("PUT", "/api/v1/session/password", {"password": "long enough"})[0],
                         409, "an operator's stands in the configuration")
        self.assertTrue(self.admin("account-role", "mio", "player")["ok"])
        self.assertEqual(later.command("limits")[0], 401, "at once")

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
