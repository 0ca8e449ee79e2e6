#!/usr/bin/env python3
"""The real nginx and HAProxy before the real program, with docker/nginx.conf and docker/haproxy.cfg: what strangers say
through them is read in one way only, and nobody is taken for somebody else.

    proxies_test.py FUHYO        (77: neither proxy is installed; a proxy that is missing is passed over)
"""

import contextlib
import json
import os
import re
import shutil
import socket
import ssl
import sys
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient  # noqa: E402
from server_case import ServerCase, run_tests  # noqa: E402
from server import Port  # noqa: E402
from waiting import PATIENCE_S, eventually  # noqa: E402

sys.path.append(str(Path(__file__).resolve().parents[1] / "tls"))
from certificates import make_pair  # noqa: E402

DOCKER = Path(__file__).resolve().parents[3] / "docker"
SHARE = 64  # connections of an address, in both files
# The proxies are 127.0.0.1 to the server, which believes them, spares them, and gives its figures to this address.
CONFIG = """web-proxy = ["127.0.0.1"]
exempt = ["127.0.0.1"]
metrics-networks = ["127.0.0.1"]
"""
STRANGER, HONEST = "127.0.9.9", "127.0.77.7"


def program(name):
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


INNER = b"GET /api/v1/rooms HTTP/1.1\r\nHost: inner\r\n\r\n"
CHUNKED = b"Transfer-Encoding: chunked\r\n"


def posted(*lines, body=b"", end=b"\r\n"):
    head = end.join((b"POST /api/v1/session HTTP/1.1", b"Host: x", b"Content-Type: application/json", *lines))
    return head + end + end + body


def length(number):
    return b"Content-Length: %d" % number


IN_A_CHUNK = b"%x\r\n%s\r\n0\r\n\r\n" % (len(INNER), INNER)
# Each holds a second request that one server may see and another one not.
AMBIGUOUS = {
    "length before chunks": posted(length(5 + len(INNER)), CHUNKED.strip(), body=b"0\r\n\r\n" + INNER),
    "chunks before length": posted(CHUNKED.strip(), length(4), body=IN_A_CHUNK),
    "two codings": posted(b"Transfer-Encoding: chunked, identity", body=b"0\r\n\r\n" + INNER),
    "a coding of no name": posted(CHUNKED.strip(), b"Transfer-Encoding: x", length(5), body=b"0\r\n\r\n" + INNER),
    "an empty coding": posted(b"Transfer-Encoding: chunked,", body=b"0\r\n\r\n" + INNER),
    "a folded coding": posted(b"Transfer-Encoding:\r\n chunked", length(4), body=IN_A_CHUNK),
    "a blank before the colon": posted(b"Transfer-Encoding : chunked", length(4), body=IN_A_CHUNK),
    "a tab before the coding": posted(b"Transfer-Encoding:\x0bchunked", length(4), body=IN_A_CHUNK),
    "two lengths": posted(length(0), length(len(INNER)), body=INNER),
    "a list of lengths": posted(b"Content-Length: %d, %d" % (len(INNER), len(INNER)), body=INNER),
    "a length with a sign": posted(b"Content-Length: +%d" % len(INNER), body=INNER),
    "a folded line": posted(b"X: y\r\n " + length(len(INNER)), body=INNER),
    "lines with LF": posted(length(0), end=b"\n") + INNER,
    "a word in a chunk's size": posted(CHUNKED.strip(), body=b"2;\nxx\r\n%x\r\n0\r\n\r\n" % (len(INNER) + 5) + INNER
                                       + b"\r\n0\r\n\r\n"),
    "a chunk's size with 0x": posted(CHUNKED.strip(), body=b"0x%x\r\n" % len(INNER) + INNER + b"\r\n0\r\n\r\n"),
    "a body of a GET": b"GET /healthz HTTP/1.1\r\nHost: x\r\n" + length(len(INNER)) + b"\r\n\r\n" + INNER,
    "an upgrade": b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"
                  b"HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n\r\n" + INNER,
    "an expectation": posted(b"Expect: y 100-continue", length(len(INNER)), body=INNER),
    "HTTP/1.0 that stays": b"GET /healthz HTTP/1.0\r\nHost: x\r\nConnection: keep-alive\r\n\r\n" + INNER,
    "another site's address": b"GET http://other/healthz HTTP/1.1\r\nHost: x\r\n" + length(len(INNER)) + b"\r\n\r\n"
                              + INNER,
}
# The page of a game may stand in frames; by no such path may any other page.
ASTRAY = ["/embed/../console", "/embed/%2e%2e/console", "/embed/..%2fconsole", "/embed/..%5cconsole", "//embed/7",
          "/embed/7/../../console", "/embed/7%2f..%2f..%2fconsole", "//console", "/console/", "/console;x",
          "/%63onsole", "/console%2f", "//metrics", "/metrics/", "/metrics;x", "/%6detrics", "/assets/..;/metrics",
          "/assets/%2e%2e/metrics", "//api/v1/admin", "/api/v1//session", "/api/v1/session;x"]


class BehindAProxy:
    """What both must hold; a subclass starts its proxy by start_proxy() and says `port` and `tls` of its web port."""

    listeners = ("csa", "http")
    tls = False
    config = CONFIG

    def setUp(self):
        super().setUp()
        config = self.folder / "fuhyo.toml"
        config.write_text(self.config, encoding="ascii")
        self.secret = self.add_operator("hana")
        self.server = self.serve("--config", config)
        self.csa_address = self.server.address
        self.start_proxy()
        eventually(self.is_up, "the proxy answers")

    def is_up(self):
        with contextlib.suppress(OSError):
            return self.ask("/healthz", source="127.0.0.1")[0] == 200
        return False

    def free_port(self):
        port = Port()
        self.addCleanup(port.socket.close)
        return port.number

    def run_it(self, name, example, *changes, flags, file_flag="-c"):
        """With docker's example after these changes, each of which must be one."""
        text = (DOCKER / example).read_text(encoding="utf-8")
        for theirs, ours in changes:
            self.assertIn(theirs, text)
            text = text.replace(theirs, ours)
        (self.folder / example).write_text(text, encoding="utf-8")
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self.start(program(name), file_flag, self.folder / example, *flags, stdout=log, stderr=log)

    def connect(self, source=STRANGER, port=None):
        link = socket.create_connection(("127.0.0.1", port or self.port), timeout=PATIENCE_S,
                                        source_address=(source, 0))
        self.addCleanup(link.close)
        if self.tls and port is None:
            context = ssl.create_default_context()
            context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
            link = context.wrap_socket(link, server_hostname="localhost")
            self.addCleanup(link.close)
        return link

    def say(self, said, source=STRANGER):
        """(status, everything) of an answer after which the connection is closed."""
        with self.connect(source) as link:
            link.sendall(said)
            told = b""
            with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
                while some := link.recv(65536):
                    told += some
        return int(told.split()[1]) if told else 0, told.decode("utf-8", "replace")

    def ask(self, path, head=b"", source=STRANGER, method=b"GET", body=b""):
        return self.say(method + b" " + path.encode() + b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n" + head
                        + b"\r\n" + body, source)

    def log_in(self, secret, head=b"", source=STRANGER, trailer=b""):
        said = json.dumps({"name": "hana", "password": secret}).encode()
        kind = b"Content-Type: application/json\r\n"
        if trailer:
            body = b"%x\r\n%s\r\n0\r\n%s\r\n" % (len(said), said, trailer)
            return self.ask("/api/v1/session", kind + CHUNKED + head, source, b"POST", body)[0]
        return self.ask("/api/v1/session", kind + length(len(said)) + b"\r\n" + head, source, b"POST", said)[0]

    def test_others_get_their_own_answers(self):
        """After each request that can be read in two ways the next ones of others are answered as they were asked."""
        for name, said in AMBIGUOUS.items():
            with self.connect() as link:
                link.sendall(said)
                with contextlib.suppress(ConnectionError, ssl.SSLEOFError):
                    link.recv(65536)
                for _ in range(3):
                    status, told = self.ask("/healthz", source=HONEST)
                    self.assertEqual(status, 200, name)
                    self.assertNotIn('"rooms"', told, name)
                    self.assertRegex(told, r"\r\n\r\n(3\r\n)?ok\n", name)

    def test_figures_are_for_the_address_that_the_proxy_saw(self):
        """Claims before and behind the body, in every header that proxies use, make nobody another one."""
        self.assertEqual(self.ask("/metrics", source="127.0.0.1")[0], 200)
        claims = [b"X-Forwarded-For: 127.0.0.1\r\n", b"x-forwarded-for: 127.0.0.1\r\nX-FORWARDED-FOR: 127.0.0.1\r\n",
                  b"X-Real-IP: 127.0.0.1\r\n", b"Forwarded: for=127.0.0.1\r\n", b"True-Client-IP: 127.0.0.1\r\n",
                  b"X-Forwarded-For: 127.0.0.1\r\nConnection: X-Forwarded-For\r\n", b"X_Forwarded_For: 127.0.0.1\r\n"]
        for claim in claims:
            self.assertEqual(self.ask("/metrics", claim)[0], 403, claim)
            status, _ = self.ask("/metrics", CHUNKED + b"Trailer: X-Forwarded-For\r\n",
                                 body=b"1\r\nx\r\n0\r\n" + claim + b"\r\n")
            self.assertIn(status, (400, 403), claim)

    def test_paths_lead_where_they_say(self):
        for path in ASTRAY:
            self.assertIn(self.ask(path)[0], (400, 404), path)
        frames = r"frame-ancestors (\S+)"
        self.assertEqual(re.search(frames, self.ask("/embed/7")[1])[1], "*")
        strange = ("/embed/7;x", "/embed/%37", "/embed/..;/console")
        for path, expected in (("/console", 200), *((path, 404) for path in strange)):
            status, told = self.ask(path)
            self.assertEqual((status, re.search(frames, told)[1]), (expected, "'none'"), path)

    def test_an_address_has_a_share_of_streams(self):
        held = []
        for _ in range(SHARE + 1):
            with contextlib.suppress(ConnectionError, ssl.SSLError):
                link = self.connect()
                link.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
                if link.recv(64).startswith(b"HTTP/1.1 200"):
                    held.append(link)
        self.assertEqual(len(held), SHARE)
        with self.connect(HONEST) as other:
            other.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            players = self.sit_down(self.csa_address)
            players[0].say("+7776FU")
            told = b""
            while b"+7776FU" not in told:
                some = other.recv(65536)
                self.assertTrue(some, told)
                told += some


@unittest.skipUnless(program("nginx"), "there is no nginx")
class Nginx(BehindAProxy, ServerCase):
    tls = True

    def start_proxy(self):
        pair = make_pair(self.folder, "proxy")
        pair.certificate.rename(self.folder / "fullchain.pem")
        pair.key.rename(self.folder / "key.pem")
        self.port = self.free_port()
        self.run_it("nginx", "nginx.conf", ("/tmp", str(self.folder)), ("/etc/nginx/tls", str(self.folder)),
                    ("server web:8081;", "server {}:{};".format(*self.server.http)),
                    ("listen 8080;", f"listen 127.0.0.1:{self.free_port()};"),
                    ("listen 8443 ", f"listen 127.0.0.1:{self.port} "), flags=("-g", "daemon off; master_process off;"))

    def test_guesses_cost_whoever_makes_them(self):
        """Not whom he names; and he gets no more of them by naming many."""
        told = []
        for number in range(8):
            claim = b"X-Forwarded-For: 127.0.77.%d\r\nX-Forwarded-Proto: https\r\n" % (7 + number % 2)
            told.append(self.log_in("wrong", claim, trailer=claim if number % 2 else b""))
        self.assertIn(429, told)
        self.assertEqual(self.log_in(self.secret, source=HONEST), 204)


@unittest.skipUnless(program("haproxy"), "there is no haproxy")
class HaProxy(BehindAProxy, ServerCase):
    config = CONFIG + 'proxy-protocol = ["127.0.0.1"]\n'

    def start_proxy(self):
        self.port, self.csa = self.free_port(), self.free_port()
        self.csa_address = f"127.0.0.1:{self.csa}"
        # Of what this user may open; and the other server is not there.
        self.run_it("haproxy", "haproxy.cfg", ("maxconn 20000\n", "maxconn 2000\n"), ("\n    server two ", "\n    # "),
                    ("bind :4081\n", f"bind 127.0.0.1:{self.csa}\n"),
                    ("bind :8081\n", f"bind 127.0.0.1:{self.port}\n"),
                    ("192.0.2.11:4081 check port 8081", f"{self.server.address} check port {self.server.http[1]}"),
                    ("192.0.2.11:8081", "{}:{}".format(*self.server.http)), flags=("-db",), file_flag="-f")

    def test_no_password_in_the_clear(self):
        """HAProxy was asked without TLS, whatever the client says of it."""
        claim = b"X-Forwarded-Proto: https\r\n"
        self.assertEqual(self.log_in(self.secret), 403)
        self.assertEqual(self.log_in(self.secret, claim), 403)
        self.assertIn(self.log_in(self.secret, trailer=claim), (400, 403))

    def test_who_says_nothing_takes_no_place_of_players(self):
        """Silent connections of five addresses, more than the server lets in before a login; a guest gets in."""
        silent = []
        for address in range(5):
            for _ in range(SHARE):
                silent.append(self.connect(f"127.0.66.{2 + address}", self.csa))
        with CsaClient(("127.0.0.1", self.csa), "LOGIN guest secret x1") as guest:
            guest.until("##[LOGIN] +OK")

    def test_a_player_comes_from_his_own_address(self):
        """In the log, and for what he must answer for: who guesses is shut out, and nobody else."""
        said = []
        for _ in range(12):
            with self.connect(STRANGER, self.csa) as link:
                link.sendall(b"LOGIN hana wrong x1\n")
                said.append(link.recv(4096))
        self.assertEqual(said[0], b"LOGIN:incorrect\n")
        self.assertEqual(said[-1], b"", "he is shut out")
        eventually(lambda: re.search(rf"{STRANGER}:\d+ was refused as hana", self.server.log()), self.server.log)
        with self.connect(HONEST, self.csa) as link:
            link.sendall(b"LOGIN guest secret x1\n")
            self.assertIn(b"##[LOGIN] +OK", link.recv(4096))
            who = self.server.admin("sessions")
            self.assertIn(HONEST, str(who), who)

    def test_a_forged_proxy_header_is_no_login(self):
        """Behind the real one, and from an address that is not the proxy's."""
        for version in (b"PROXY TCP4 198.51.100.5 192.0.2.1 4711 4081\r\n",
                        b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc6\x33\x64\x05\xc0\0\x02\1\1\1\1\1"):
            for port in (self.csa, self.server.csa[1]):
                with self.connect(STRANGER, port) as link:
                    link.sendall(version + b"LOGIN forged secret x1\n")
                    link.shutdown(socket.SHUT_WR)
                    with contextlib.suppress(ConnectionError):
                        while (some := link.recv(4096)) and b"##[LOGIN] +OK" not in some:
                            pass
        self.assertNotIn("198.51.100.5", self.server.log())


if __name__ == "__main__":
    if not program("nginx") and not program("haproxy"):
        print("skipped: neither nginx nor haproxy is installed")
        sys.exit(77)
    run_tests()
