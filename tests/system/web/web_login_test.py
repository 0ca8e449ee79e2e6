#!/usr/bin/env python3
"""Operators log in on the web of the real program, give commands, and are kept out where they should be."""

import base64
import hashlib
import hmac
import re
import struct
import time

from server_case import ServerCase, run_tests
from waiting import eventually
from web_client import Visitor

HTTPS = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "192.0.2.7"}


def this_step():
    return int(time.time()) // 30


def one_time_code(uri, step):
    """RFC 6238, of the otpauth:// address."""
    secret = base64.b32decode(re.search(r"secret=([A-Z2-7]+)", uri)[1])
    digest = hmac.new(secret, struct.pack(">Q", step), hashlib.sha1).digest()
    at = digest[-1] & 15
    return f"{(struct.unpack('>I', digest[at:at + 4])[0] & 0x7FFFFFFF) % 1000000:06}"


class WebLogin(ServerCase):
    listeners = ("csa", "http")

    def setUp(self):
        super().setUp()
        self.config = self.folder / "fuhyo.toml"
        self.config.write_text('web-proxy = ["127.0.0.1"]\n', encoding="ascii")
        self.secrets = {name: self.add_operator(name, role) for name, role in (("hana", "host"), ("aki", "admin"))}
        self.server = self.serve("--config", self.config)

    def visitor(self, name=None, **headers):
        visitor = Visitor(self.server.http, **headers)
        if name is not None:
            self.assertEqual(visitor.log_in(name, self.secrets[name]).status, 204)
        return visitor

    def test_an_operator_gives_commands(self):
        hana = self.visitor("hana")
        self.assertRegex(hana.cookie, r"^fuhyo=[\w-]{32}$")
        self.sit_down(self.server.csa)
        status, games = hana.command("games")
        self.assertEqual((status, games["ok"], len(games["rows"])), (200, True, 1))
        number = games["rows"][0][games["columns"].index("game")]
        self.assertTrue(hana.command(f"pause {number} power cut")[1]["ok"])
        self.assertFalse(hana.command(f"pause {number}")[1]["ok"], "it is paused already")
        self.assertTrue(hana.command(f"adjudicate {number} draw both agreed")[1]["ok"])
        _, audit = hana.command("audit")
        self.assertTrue(any("web 127.0.0.1" in row and "hana" in row for row in audit["rows"]), audit)
        self.assertEqual(hana.command("drain")[0], 403, "that is for the role admin")
        self.assertEqual(self.visitor("aki").command("limits")[0], 403, "admins need an account with a second factor")
        self.assertEqual(hana.ask("DELETE", "/api/v1/session").status, 204)
        self.assertEqual(hana.command("games")[0], 401)

    def test_W6_a_host_sees_who_is_logged_in_and_logs_him_out(self):
        hana, aki = self.visitor("hana"), self.visitor("aki", **HTTPS)
        _, told = hana.command("logins")
        self.assertEqual([row[:3] for row in told["rows"]],
                         [["hana", "host", "127.0.0.1"], ["aki", "host", "192.0.2.7"]], told)
        self.assertEqual(len(hana.command("logins aki")[1]["rows"]), 1)
        self.assertFalse(hana.command("logout")[1]["ok"])
        self.assertTrue(hana.command("logout aki")[1]["ok"])
        self.assertEqual(aki.ask("GET", "/api/v1/session").status, 401)
        self.assertEqual(len(hana.command("logins")[1]["rows"]), 1)

    def test_W6_who_is_no_operator_any_more_is_out_at_once(self):
        hana, aki = self.visitor("hana"), self.visitor("aki")
        tables = self.config.read_text(encoding="ascii").split("[[operator]]")
        self.config.write_text("[[operator]]".join(part for part in tables if '"hana"' not in part), encoding="ascii")
        self.server.reload()
        eventually(lambda: hana.ask("GET", "/api/v1/session").status == 401, "she is out")
        self.assertEqual(hana.command("games")[0], 401)
        self.assertEqual(hana.log_in("hana", self.secrets["hana"]).status, 401)
        self.assertEqual(aki.command("games")[0], 200)

    def test_W6_an_account_with_a_password_and_a_second_factor(self):
        self.server.done("account-add", "mio", "admin")
        password = self.server.done("password", "mio")["rows"][0][2]
        mio, later = self.visitor(**HTTPS), self.visitor(**HTTPS)
        self.assertEqual(mio.log_in("mio", password).status, 401, "an admin needs a second factor")
        uri = self.server.done("second-factor", "mio", "on")["rows"][0][1]
        told = mio.log_in("mio", password)
        self.assertEqual((told.status, told.json().get("needs_code")), (401, True))
        self.assertEqual(mio.log_in("mio", password, one_time_code(uri, this_step() - 5)).status, 401)
        used = self.until_logged_in(mio, password, uri, this_step)
        self.assertTrue(mio.command("limits")[1]["ok"])
        self.assertEqual(mio.ask("PUT", "/api/v1/session/password", {"password": "x8K!mio:p2q0"}).status, 400)
        fresh = "twelve silver pawns"
        self.assertEqual(mio.ask("PUT", "/api/v1/session/password", {"password": fresh}).status, 204)
        self.assertEqual(mio.command("limits")[0], 401, "everybody logs in again")
        self.assertEqual(later.log_in("mio", fresh, one_time_code(uri, used)).status, 401, "each code is good once")
        self.until_logged_in(later, fresh, uri, lambda: max(used + 1, this_step()))
        self.assertEqual(self.visitor("hana").ask("PUT", "/api/v1/session/password",
                                                  {"password": "long enough"}).status,
                         409, "an operator's stands in the configuration")
        self.server.done("account-role", "mio", "player")
        self.assertEqual(later.command("limits")[0], 401, "at once")

    def until_logged_in(self, visitor, password, uri, step):
        """Whoever was wrong is not listened to for a second. The step of the code that was taken."""
        def logged_in():
            now = step()
            return now if visitor.log_in("mio", password, one_time_code(uri, now)).status == 204 else None
        return eventually(logged_in, "the code is taken")


if __name__ == "__main__":
    run_tests()
