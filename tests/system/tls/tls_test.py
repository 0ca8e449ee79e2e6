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

PROGRAM = ENGINE = ""
WAIT_S = 30
SUMMARY_END = "END Game_Summary"
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
        self.doors = {}
        for line in self.process.stdout:
            if found := re.match(r"listening (\S+)=(\S+):(\d+)$", line.strip()):
                self.doors[found[1]] = (found[2], int(found[3]))
            if line.startswith("participants send"):
                break

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


class Player:
    """One CSA connection, plain or under TLS, a line at a time."""

    def __init__(self, address, login, context=None):
        self.socket = connect(address, context) if context else socket.create_connection(address, timeout=WAIT_S)
        self.lines = self.socket.makefile("r", newline="\n")
        self.say(login)

    def say(self, line):
        self.socket.sendall((line + "\n").encode())

    def until(self, beginning):
        heard = []
        for line in self.lines:
            heard.append(line)
            if line.startswith(beginning):
                return line.strip()
        raise AssertionError(f"the connection ended before {beginning}: {heard}")

    def rest(self):
        return self.lines.read()

    def close(self):
        self.lines.close()
        self.socket.close()


def begin(black, white):
    for player in (black, white):
        player.until(SUMMARY_END)
        player.say("AGREE")
    for player in (black, white):
        player.until("START:")


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

    def player(self, *words):
        player = Player(*words)
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
        connection = http.client.HTTPSConnection("localhost", server.doors["https"][1], timeout=WAIT_S,
                                                 context=trusting(self.pair.certificate))
        self.addCleanup(connection.close)
        secret = re.search(r"shown this once: (\S+)", added)[1]
        connection.request("POST", "/api/v1/session", json.dumps({"name": "aki", "password": secret}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 204)
        self.assertTrue(answer.headers["Set-Cookie"].startswith("__Host-fuhyo="), "a cookie for https alone")


class Join(Tls):
    def join(self, server, name, *flags):
        port = server.doors["csa-tls"][1]
        words = [PROGRAM, "join", "--name", name, "--password", "secret", "--game", "join-1-1F", "--games", "1",
                 "--engine", shlex.quote(ENGINE), "--option", "USI_Hash=16", *flags]
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
