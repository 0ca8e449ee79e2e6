#!/usr/bin/env python3
"""Row W8 of the reliability table: TLS that is set up wrongly, attacked or renewed.

    tls_test.py FUHYO ENGINE [CASE...]
"""

import http.client
import json
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from certificates import make_expired_pair, make_pair

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402

PROGRAM = ENGINE = ""
DOCS = Path(__file__).resolve().parents[3] / "docs" / "operations.md"
WAIT_S = 30
TLS13, TLS12 = ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2

WEAK_SUITES = ["RC4-SHA", "DES-CBC3-SHA", "AES128-SHA", "AES256-GCM-SHA384", "NULL-SHA256", "ECDHE-RSA-AES128-SHA",
               "ECDHE-ECDSA-AES256-SHA384", "ADH-AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256"]


class Server:
    """`fuhyo serve` with every door open, on free ports; its log lies in a file."""

    def __init__(self, folder, data, *flags):
        self.log_path = folder / f"log-{time.monotonic_ns()}"
        doors = [word for door in ("csa", "csa-tls", "http", "https") for word in (f"--{door}", "127.0.0.1:0")]
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [PROGRAM, "serve", "--data", str(folder / data), *doors, *flags],
                stdout=subprocess.PIPE, stderr=log, text=True)
        self.doors = doors_of(self.process, "csa", "csa-tls", "http", "https")

    def log(self):
        return self.log_path.read_text(encoding="utf-8")

    def wait_for_log(self, text, count=1):
        end = time.monotonic() + WAIT_S
        while self.log().count(text) < count:
            assert time.monotonic() < end, f"not in the log: {text}\n{self.log()}"
            time.sleep(0.05)

    def reload(self):
        self.process.send_signal(signal.SIGHUP)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(WAIT_S)
        self.process.stdout.close()
        return code

    def kill(self):
        """Again, or after stop(), does no harm."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def trusting(certificate=None, version=None, suites=None):
    """The context of a client: it believes `certificate`, or anybody."""
    context = ssl.create_default_context(cafile=certificate) if certificate else ssl._create_unverified_context()
    if version:
        context.minimum_version = context.maximum_version = version
    if suites:
        context.set_ciphers(suites)
    return context


def connect(address, context, host="localhost"):
    return context.wrap_socket(socket.create_connection(address, timeout=WAIT_S), server_hostname=host)


def move(player, other, text):
    player.say(text)
    player.until(text)
    other.until(text)


def s_client(address, *flags, said="", wait_s=WAIT_S):
    """What `openssl s_client` says, and its exit code."""
    done = subprocess.run(["openssl", "s_client", "-connect", f"{address[0]}:{address[1]}", *flags],
                          input=said, capture_output=True, text=True, check=False, timeout=wait_s)
    return done.stdout + done.stderr, done.returncode


class Tls(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="fuhyo-tls-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.pair = make_pair(self.folder, "first")

    def server(self, *flags, pair=None, data="data"):
        server = Server(self.folder, data, *(pair or self.pair).flags, *flags)
        self.addCleanup(server.kill)
        self.assertEqual(set(server.doors), {"csa", "csa-tls", "http", "https"}, server.log())
        return server

    def player(self, address, login, context=None):
        wrap = context and (lambda plain: context.wrap_socket(plain, server_hostname="localhost"))
        player = CsaClient(address, login, wrap=wrap)
        self.addCleanup(player.close)
        return player

    def refused(self, *flags):
        """The exit code and the words with which a start is refused."""
        done = subprocess.run([PROGRAM, "serve", "--data", str(self.folder / "data"), "--csa", "127.0.0.1:0", "--http",
                               "off", "--csa-tls", "127.0.0.1:0", *map(str, flags)], capture_output=True, text=True,
                              check=False, timeout=WAIT_S)
        return done.returncode, done.stderr


class Handshakes(Tls):
    def test_W8_versions(self):
        server = self.server()
        for door in ("csa-tls", "https"):
            for version in (TLS12, TLS13):
                with connect(server.doors[door], trusting(self.pair.certificate, version)) as client:
                    self.assertEqual(client.version(), version.name.replace("_", "."))
            with connect(server.doors[door], trusting(self.pair.certificate)) as client:
                self.assertEqual(client.version(), "TLSv1.3", "the newest is preferred")
            for old in ("-tls1", "-tls1_1"):
                text, code = s_client(server.doors[door], old, "-cipher", "ALL:@SECLEVEL=0")
                self.assertNotEqual(code, 0, old)
                self.assertRegex(text, "alert protocol version|no protocols available", old)
        # SSLv3 is in no OpenSSL any more: its hello, by hand.
        hello = bytes.fromhex("160300002d010000290300") + bytes(32) + bytes.fromhex("000002000a0100")
        with socket.create_connection(server.doors["csa-tls"], timeout=WAIT_S) as client:
            client.sendall(hello)
            answer = client.recv(100)
            self.assertTrue(answer[:1] in (b"", b"\x15"), "an alert, or nothing")

    def test_W8_suites(self):
        for kind in ("ec", "rsa"):
            server = self.server(pair=make_pair(self.folder, kind, kind=kind))
            for weak in WEAK_SUITES:
                text, code = s_client(server.doors["csa-tls"], "-tls1_2", "-cipher", f"{weak}:@SECLEVEL=0")
                self.assertNotEqual(code, 0, weak)
                self.assertNotIn("Cipher is " + weak, text, weak)
            letter = {"ec": "ECDSA", "rsa": "RSA"}[kind]
            for good in ("AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"):
                name = f"ECDHE-{letter}-{good}"
                with connect(server.doors["csa-tls"], trusting(version=TLS12, suites=name)) as client:
                    self.assertEqual(client.cipher()[0], name)
            with connect(server.doors["csa-tls"], trusting(version=TLS12)) as client:
                self.assertIsNone(client.compression())
            self.assertEqual(server.stop(), 0)

    def test_W8_renegotiation(self):
        server = self.server()
        address = server.doors["csa-tls"]
        client = subprocess.Popen(["openssl", "s_client", "-connect", f"{address[0]}:{address[1]}", "-tls1_2"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in client.stdout:
            if "Verify return code" in line or "Extended master secret" in line:
                break
        client.stdin.write("R\n")  # a command of s_client
        client.stdin.flush()
        text, _ = client.communicate(timeout=WAIT_S)
        self.assertRegex(text, "RENEGOTIATING")
        self.assertRegex(text, "no renegotiation|handshake failure|wrong|error", text)

    def test_W8_application_protocols(self):
        server = self.server()
        context = trusting(self.pair.certificate)
        context.set_alpn_protocols(["h2", "http/1.1"])
        with connect(server.doors["https"], context) as client:
            self.assertEqual(client.selected_alpn_protocol(), "http/1.1")
        with connect(server.doors["https"], trusting(self.pair.certificate)) as client:
            self.assertIsNone(client.selected_alpn_protocol())
        context = trusting(self.pair.certificate)
        context.set_alpn_protocols(["h2"])
        with self.assertRaises(ssl.SSLError):
            connect(server.doors["https"], context)

    def test_a_client_that_verifies_finds_the_name_right_and_others_wrong(self):
        server = self.server()
        connect(server.doors["csa-tls"], trusting(self.pair.certificate)).close()
        with self.assertRaises(ssl.SSLCertVerificationError):
            connect(server.doors["csa-tls"], trusting(self.pair.certificate), "other.example")


class Pairs(Tls):
    def test_W8_bad_pairs_refuse_the_start_and_name_the_file(self):
        other = make_pair(self.folder, "other")
        nonsense = self.folder / "nonsense.pem"
        nonsense.write_text("once upon a time\n", encoding="utf-8")
        expired = make_expired_pair(self.folder, "expired")
        cases = [
            ((), "csa-tls: needs a certificate"),
            (("--tls-cert", self.pair.certificate), "tls-key is not set"),
            (("--tls-cert", "/nowhere.pem", "--tls-key", self.pair.key), "/nowhere.pem: No such file"),
            (("--tls-cert", self.pair.certificate, "--tls-key", "/nowhere.key"), "/nowhere.key: No such file"),
            (("--tls-cert", nonsense, "--tls-key", self.pair.key), "nonsense.pem: holds no certificate"),
            (("--tls-cert", self.pair.certificate, "--tls-key", nonsense), "nonsense.pem: holds no private key"),
            (("--tls-cert", self.pair.certificate, "--tls-key", other.key), "other.key: is the key of another"),
            (expired.flags, "expired.pem: expired on 2020-01-02"),
        ]
        for flags, words in cases:
            code, text = self.refused(*flags)
            self.assertEqual(code, 64, text)
            self.assertIn(words, text)

    def test_W8_the_end_of_a_certificate_is_counted_and_warned_of(self):
        short = make_pair(self.folder, "short", days=10)
        server = self.server(pair=short)
        server.wait_for_log("the TLS certificate ends in 9 days")
        text = subprocess.run([PROGRAM, "admin", "--data", str(self.folder / "data"), "counters"], capture_output=True,
                              text=True, check=True, timeout=WAIT_S).stdout
        self.assertRegex(text, r"TLS certificate ends in, days\s+9")

    def test_W8_reload_while_a_game_is_played(self):
        server = self.server()
        old = trusting(self.pair.certificate)
        black = self.player(server.doors["csa-tls"], "LOGIN alice tls-300-10F-B,a", old)
        white = self.player(server.doors["csa"], "LOGIN bob tls-300-10F-W,b")
        begin(black, white)
        move(black, white, "+7776FU")
        self.renew(server)
        move(white, black, "-3334FU")
        for door in ("csa-tls", "https"):
            with connect(server.doors[door], trusting(self.folder / "second.pem")) as client:
                self.assertIn("second", str(client.getpeercert()["subject"]))
            with self.assertRaises(ssl.SSLCertVerificationError):
                connect(server.doors[door], old)
        self.spoil(server)
        with connect(server.doors["csa-tls"], trusting(self.folder / "second.pem")):
            pass  # the good one stays
        move(black, white, "+2726FU")
        white.say("%TORYO")
        self.assertIn("#WIN", black.rest())
        self.assertIn("#LOSE", white.rest())
        self.assertEqual(server.stop(), 0)

    def renew(self, server):
        """As certbot does: the same names, other contents."""
        second = make_pair(self.folder, "second")
        shutil.copy(second.certificate, self.pair.certificate)
        shutil.copy(second.key, self.pair.key)
        server.reload()
        server.wait_for_log("reload: ")

    def spoil(self, server):
        self.pair.key.write_text("rubbish\n", encoding="utf-8")
        server.reload()
        server.wait_for_log("the TLS certificate stays as it was")
        self.assertIn("first.key: holds no private key", server.log())


class Games(Tls):
    def test_a_whole_game_of_tls_against_plain(self):
        server = self.server()
        tls = self.player(server.doors["csa-tls"], "LOGIN alice tls-300-10F-W,a", trusting(self.pair.certificate))
        plain = self.player(server.doors["csa"], "LOGIN bob tls-300-10F-B,b")
        begin(plain, tls)
        for number, text in enumerate(["+7776FU", "-3334FU", "+8822UM", "-3122GI"]):
            player, other = (plain, tls) if number % 2 == 0 else (tls, plain)
            move(player, other, text)
        plain.say("%TORYO")
        self.assertIn("#RESIGN\n#WIN\n", tls.rest())
        self.assertIn("#RESIGN\n#LOSE\n", plain.rest())

    def test_time_runs_out_over_tls(self):
        server = self.server()
        context = trusting(self.pair.certificate)
        black = self.player(server.doors["csa-tls"], "LOGIN alice tls-1-0-B,a", context)
        white = self.player(server.doors["csa-tls"], "LOGIN bob tls-1-0-W,b", context)
        begin(black, white)
        began = time.monotonic()
        self.assertIn("#TIME_UP\n#LOSE\n", black.rest())
        self.assertLess(time.monotonic() - began, 1.5)
        self.assertIn("#TIME_UP\n#WIN\n", white.rest())

    def test_an_abrupt_end_loses_the_game(self):
        server = self.server()
        context = trusting(self.pair.certificate)
        black = self.player(server.doors["csa-tls"], "LOGIN alice tls-300-10F-B,a", context)
        white = self.player(server.doors["csa-tls"], "LOGIN bob tls-300-10F-W,b", context)
        begin(black, white)
        black.socket.shutdown(socket.SHUT_RDWR)  # without a word of TLS
        self.assertIn("#WIN\n", white.rest())

    def test_https_serves_the_page(self):
        server = self.server()
        connection = http.client.HTTPSConnection("localhost", server.doors["https"][1], timeout=WAIT_S,
                                                 context=trusting(self.pair.certificate))
        self.addCleanup(connection.close)
        connection.request("GET", "/")
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        self.assertIn("max-age", answer.headers["Strict-Transport-Security"])
        self.assertIn(b"<html", answer.read())

    def test_operators_log_in_over_https(self):
        config = self.folder / "fuhyo.toml"
        config.write_text("", encoding="ascii")
        added = subprocess.run([PROGRAM, "admin", "operator", "add", "aki", "--role", "host", "--config", config],
                               capture_output=True, text=True, check=True, timeout=WAIT_S).stdout
        server = self.server("--config", str(config))
        page = self.page(server)
        secret = re.search(r"shown this once: (\S+)", added)[1]
        status, cookie, _ = page("POST", "/api/v1/session", {"name": "aki", "password": secret})
        self.assertEqual(status, 204)
        self.assertRegex(cookie, r"^__Host-fuhyo=[\w-]{32}; Path=/; Secure; HttpOnly; SameSite=Strict$")
        shown = {"Cookie": cookie.split(";")[0]}
        csrf = {"X-Fuhyo-CSRF": page("GET", "/api/v1/session", None, shown)[2]["csrf"]}
        _, _, told = page("POST", "/api/v1/admin", {"command": "games"}, {**shown, **csrf})
        self.assertTrue(told["ok"], told)
        self.assertEqual(page("POST", "/api/v1/admin", {"command": "games"}, shown)[0], 403, "without the token")
        plain = self.page(server, "http")
        self.assertEqual(plain("GET", "/api/v1/session", None, shown)[0], 401, "the cookie is for https alone")
        self.assertEqual(page("DELETE", "/api/v1/session", {}, {**shown, **csrf})[0], 204)
        self.assertEqual(page("GET", "/api/v1/session", None, shown)[0], 401)

    def page(self, server, door="https"):
        """A function that asks: (status, Set-Cookie, the JSON of the answer or None)."""
        def ask(method, path, body, headers=None):
            port = server.doors[door][1]
            connection = (http.client.HTTPConnection("localhost", port, timeout=WAIT_S) if door == "http" else
                          http.client.HTTPSConnection("localhost", port, timeout=WAIT_S,
                                                      context=trusting(self.pair.certificate)))
            connection.request(method, path, None if body is None else json.dumps(body),
                               {"Content-Type": "application/json", **(headers or {})})
            answer = connection.getresponse()
            text = answer.read()
            connection.close()
            is_json = answer.headers.get("Content-Type") == "application/json"
            return answer.status, answer.headers.get("Set-Cookie"), json.loads(text) if is_json else None
        return ask


class OldClients(Tls):
    """The programs that docs/operations.md names for clients without TLS, run as it says; skipped where they lack."""

    def free_port(self):
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return probe.getsockname()[1]

    def through(self, command, port, log):
        """A game through the tunnel that `command` opens at `port`, against somebody in the clear."""
        server = self.tunnelled
        with open(log, "w", encoding="utf-8") as out:
            tunnel = subprocess.Popen(command, stdout=out, stderr=out)
        self.addCleanup(lambda: (tunnel.kill(), tunnel.wait()))
        end = time.monotonic() + WAIT_S
        while True:
            try:
                old = self.player(("127.0.0.1", port), "LOGIN alice tls-300-10F-B,a")
                break
            except ConnectionRefusedError:
                self.assertLess(time.monotonic(), end, log.read_text(encoding="utf-8"))
                time.sleep(0.05)
        other = self.player(server.doors["csa"], "LOGIN bob tls-300-10F-W,b")
        begin(old, other)
        for number, text in enumerate(["+7776FU", "-3334FU", "+8822UM", "-3122GI"]):
            move(*((old, other) if number % 2 == 0 else (other, old)), text)
        old.say("%TORYO")
        self.assertIn("#RESIGN\n#LOSE\n", old.rest())
        self.assertIn("#RESIGN\n#WIN\n", other.rest())

    def documented(self, program, beginning, end):
        """What docs/operations.md says, with this test's addresses and authority in it; and the port in it."""
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")
        self.tunnelled = self.server()
        text = DOCS.read_text(encoding="utf-8").split(beginning, 1)[1].split(end, 1)[0]
        port = self.free_port()
        for said, here in (("shogi.example:4082", f"localhost:{self.tunnelled.doors['csa-tls'][1]}"),
                           ("checkHost = shogi.example", "checkHost = localhost"), ("4081", str(port)),
                           ("/etc/ssl/certs/ca-certificates.crt", str(self.pair.certificate))):
            self.assertTrue(said in text or said.startswith("checkHost"), said)
            text = text.replace(said, here)
        self.assertNotIn("shogi.example", text)
        return text, port

    def test_stunnel(self):
        text, port = self.documented("stunnel", "in its configuration file:\n\n```\n", "```")
        config = self.folder / "stunnel.conf"
        config.write_text(f"foreground = yes\npid =\n{text}", encoding="utf-8")
        self.through(["stunnel", str(config)], port, self.folder / "stunnel.log")

    def test_stunnel_refuses_another_server(self):
        text, port = self.documented("stunnel", "in its configuration file:\n\n```\n", "```")
        config = self.folder / "stunnel.conf"
        text = text.replace("checkHost = localhost", "checkHost = other.example")
        config.write_text(f"foreground = yes\npid =\n{text}", encoding="utf-8")
        log = self.folder / "stunnel.log"
        with self.assertRaises((AssertionError, ConnectionResetError)):
            self.through(["stunnel", str(config)], port, log)
        self.assertIn("Subject checks failed", log.read_text(encoding="utf-8"))

    def test_socat(self):
        text, port = self.documented("socat", "With socat:\n\n```\n", "```")
        self.through(shlex.split(text.replace("\\\n", " ")), port, self.folder / "socat.log")

    def test_socat_refuses_another_server(self):
        self.pair = make_pair(self.folder, "other.example", host="other.example")
        text, port = self.documented("socat", "With socat:\n\n```\n", "```")
        log = self.folder / "socat.log"
        with self.assertRaises((AssertionError, ConnectionResetError)):
            self.through(shlex.split(text.replace("\\\n", " ")), port, log)
        self.assertIn("commonName does not match", log.read_text(encoding="utf-8"))


class WebNode(Tls):
    """A node that only shows the games of another one (`--role web`)."""

    def test_SIGHUP_renews_the_certificate_of_a_web_node(self):
        self.server()  # the store is its own
        log = self.folder / "web.log"
        with open(log, "w", encoding="utf-8") as out:
            node = subprocess.Popen(
                [PROGRAM, "serve", "--role", "web", "--data", str(self.folder / "data"), "--http", "off", "--https",
                 "127.0.0.1:0", *self.pair.flags], stdout=subprocess.PIPE, stderr=out, text=True)
        self.addCleanup(lambda: (node.kill(), node.wait(), node.stdout.close()))
        address = doors_of(node, "https")["https"]
        connect(address, trusting(self.pair.certificate)).close()
        second = make_pair(self.folder, "second")
        shutil.copy(second.certificate, self.pair.certificate)
        shutil.copy(second.key, self.pair.key)
        node.send_signal(signal.SIGHUP)
        self.wait_until(lambda: self.subject(address) == "second")
        self.pair.key.write_text("rubbish\n", encoding="utf-8")
        node.send_signal(signal.SIGHUP)
        self.wait_until(lambda: "the TLS certificate stays as it was" in log.read_text(encoding="utf-8"))
        self.assertEqual(self.subject(address), "second")
        node.terminate()
        self.assertEqual(node.wait(WAIT_S), 0)

    def subject(self, address):
        """Of whatever certificate is shown to a newcomer."""
        shown = ssl.get_server_certificate(address, timeout=WAIT_S)
        text = subprocess.run(["openssl", "x509", "-noout", "-subject", "-nameopt", "multiline"], input=shown,
                              text=True, capture_output=True, check=True).stdout
        return re.search(r"commonName\s*= (\S+)", text)[1]

    def wait_until(self, condition):
        end = time.monotonic() + WAIT_S
        while not condition():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.05)


class Join(Tls):
    def join(self, server, name, *flags):
        port = server.doors["csa-tls"][1]
        words = [PROGRAM, "join", "--name", name, "--password", "secret", "--game", "join-1-1F", "--games", "1",
                 "--engine", shlex.quote(ENGINE), "--option", "Threads=1", "--option", "USI_Hash=16", *flags]
        if "--server" not in flags:
            words += ["--server", f"localhost:{port}"]
        return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def refusal(self, *words):
        done = self.join(*words)
        _, text = done.communicate(timeout=WAIT_S)
        return done.returncode, text

    def test_join_believes_only_whom_it_should(self):
        server = self.server()
        code, text = self.refusal(server, "me", "--tls")
        self.assertEqual(code, 69, text)
        self.assertIn("certificate is not believed: self", text)
        other = make_pair(self.folder, "other", host="other.example")
        code, text = self.refusal(server, "me", "--tls", "--tls-ca", str(other.certificate))
        self.assertEqual(code, 69, text)
        elsewhere = self.server(pair=other, data="elsewhere")
        code, text = self.refusal(elsewhere, "me", "--tls", "--tls-ca", str(other.certificate))
        self.assertIn("certificate is not believed: hostname mismatch", text.lower())
        code, text = self.refusal(server, "me", "--tls", "--tls-ca", str(self.folder / "none.pem"))
        self.assertEqual(code, 66, text)
        self.assertIn("none.pem", text)
        code, text = self.refusal(server, "me", "--tls-ca", str(other.certificate))
        self.assertEqual(code, 64, text)

    def test_join_plays_a_game_over_tls(self):
        server = self.server("--max-moves", "12")
        ca = ["--tls", "--tls-ca", str(self.pair.certificate)]
        address = f"127.0.0.1:{server.doors['csa-tls'][1]}"
        players = [self.join(server, "alice", *ca),
                   self.join(server, "bob", "--tls", "--insecure", "--server", address)]
        for player in players:
            out, text = player.communicate(timeout=120)
            self.assertEqual(player.returncode, 0, text)
            self.assertRegex(out, r"^fuhyo\+join-1-1F\+\S+\t\S+")


if __name__ == "__main__":
    PROGRAM, ENGINE = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
