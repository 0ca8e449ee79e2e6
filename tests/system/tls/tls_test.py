#!/usr/bin/env python3
"""Row W8 of the reliability table: TLS that is set up wrongly, attacked or renewed.

    tls_test.py FUHYO ENGINE [CASE...]
"""

import re
import shlex
import shutil
import socket
import ssl
import subprocess
from pathlib import Path

from certificates import make_expired_pair, make_pair

from csa_client import begin, play
from fuhyo_server import FuhyoServer, free_ports
from server_case import ServerCase, run_tests
from server import Port
from waiting import PATIENCE_S, eventually
from web_client import EventStream, Visitor, ask

DOCS = Path(__file__).resolve().parents[3] / "docs" / "operations" / "accounts.md"
LISTENERS = ("csa", "csa-tls", "http", "https")
MOVES = ("+7776FU", "-3334FU", "+8822UM", "-3122GI")
TLS13, TLS12 = ssl.TLSVersion.TLSv1_3, ssl.TLSVersion.TLSv1_2

WEAK_SUITES = ["RC4-SHA", "DES-CBC3-SHA", "AES128-SHA", "AES256-GCM-SHA384", "NULL-SHA256", "ECDHE-RSA-AES128-SHA",
               "ECDHE-ECDSA-AES256-SHA384", "ADH-AES128-GCM-SHA256", "DHE-RSA-AES128-GCM-SHA256"]


def trusting(certificate=None, version=None, suites=None):
    """The context of a client: it believes `certificate`, or anybody."""
    context = ssl.create_default_context(cafile=certificate) if certificate else ssl._create_unverified_context()
    if version:
        context.minimum_version = context.maximum_version = version
    if suites:
        context.set_ciphers(suites)
    return context


def connect(address, context, host="localhost"):
    return context.wrap_socket(socket.create_connection(address, timeout=PATIENCE_S), server_hostname=host)


def s_client(address, *flags):
    """What `openssl s_client` says, and its exit code."""
    done = subprocess.run(["openssl", "s_client", "-connect", "{}:{}".format(*address), *flags], input="",
                          capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    return done.stdout + done.stderr, done.returncode


class Tls(ServerCase):
    listeners = LISTENERS

    def setUp(self):
        super().setUp()
        self.pair = make_pair(self.folder, "first")

    def server(self, *flags, pair=None, data=None):
        return self.serve(*(pair or self.pair).flags, *flags, data=data)

    def player_at(self, address, login, context=None):
        wrap = context and (lambda plain: context.wrap_socket(plain, server_hostname="localhost"))
        return self.player(address, login, wrap=wrap)

    def tls_and_plain(self, server):
        """Black under TLS and White in the clear, who have begun a game."""
        under_tls = trusting(self.pair.certificate)
        return begin(self.player_at(server.listeners["csa-tls"], "alice tls-900-10F-B,a", under_tls),
                     self.player_at(server.csa, "bob tls-900-10F-W,b"))

    def expect_resignation(self, loser, winner):
        loser.say("%TORYO")
        self.assertIn("#RESIGN\n#WIN\n", winner.rest())
        self.assertIn("#RESIGN\n#LOSE\n", loser.rest())

    def renew(self, name="second"):
        """As certbot does: the same names, other contents."""
        new = make_pair(self.folder, name)
        shutil.copy(new.certificate, self.pair.certificate)
        shutil.copy(new.key, self.pair.key)
        return new


class Handshakes(Tls):
    def test_W8_versions(self):
        server = self.server()
        for listener in ("csa-tls", "https"):
            for version in (TLS12, TLS13):
                with connect(server.listeners[listener], trusting(self.pair.certificate, version)) as client:
                    self.assertEqual(client.version(), version.name.replace("_", "."))
            with connect(server.listeners[listener], trusting(self.pair.certificate)) as client:
                self.assertEqual(client.version(), "TLSv1.3", "the newest is preferred")
            for old in ("-tls1", "-tls1_1"):
                text, code = s_client(server.listeners[listener], old, "-cipher", "ALL:@SECLEVEL=0")
                self.assertNotEqual(code, 0, old)
                self.assertRegex(text, "alert protocol version|no protocols available", old)
        # SSLv3 is in no OpenSSL any more: its hello, by hand.
        hello = bytes.fromhex("160300002d010000290300") + bytes(32) + bytes.fromhex("000002000a0100")
        with socket.create_connection(server.listeners["csa-tls"], timeout=PATIENCE_S) as client:
            client.sendall(hello)
            answer = client.recv(100)
            self.assertTrue(answer[:1] in (b"", b"\x15"), "an alert, or nothing")

    def test_W8_suites(self):
        for kind in ("ec", "rsa"):
            server = self.server(pair=make_pair(self.folder, kind, kind=kind))
            for weak in WEAK_SUITES:
                text, code = s_client(server.listeners["csa-tls"], "-tls1_2", "-cipher", f"{weak}:@SECLEVEL=0")
                self.assertNotEqual(code, 0, weak)
                self.assertNotIn("Cipher is " + weak, text, weak)
            letter = {"ec": "ECDSA", "rsa": "RSA"}[kind]
            for good in ("AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"):
                name = f"ECDHE-{letter}-{good}"
                with connect(server.listeners["csa-tls"], trusting(version=TLS12, suites=name)) as client:
                    self.assertEqual(client.cipher()[0], name)
            with connect(server.listeners["csa-tls"], trusting(version=TLS12)) as client:
                self.assertIsNone(client.compression())
            server.stop()

    def test_W8_renegotiation(self):
        server = self.server()
        address = server.listeners["csa-tls"]
        client = subprocess.Popen(["openssl", "s_client", "-connect", f"{address[0]}:{address[1]}", "-tls1_2"],
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in client.stdout:
            if "Verify return code" in line or "Extended master secret" in line:
                break
        client.stdin.write("R\n")  # a command of s_client
        client.stdin.flush()
        text, _ = client.communicate(timeout=PATIENCE_S)
        self.assertRegex(text, "RENEGOTIATING")
        self.assertRegex(text, "no renegotiation|handshake failure|wrong|error", text)

    def test_W8_application_protocols(self):
        server = self.server()
        context = trusting(self.pair.certificate)
        context.set_alpn_protocols(["h2", "http/1.1"])
        with connect(server.listeners["https"], context) as client:
            self.assertEqual(client.selected_alpn_protocol(), "http/1.1")
        with connect(server.listeners["https"], trusting(self.pair.certificate)) as client:
            self.assertIsNone(client.selected_alpn_protocol())
        context = trusting(self.pair.certificate)
        context.set_alpn_protocols(["h2"])
        with self.assertRaises(ssl.SSLError):
            connect(server.listeners["https"], context)


class Pairs(Tls):
    def test_W8_bad_pairs_refuse_the_start_and_name_the_file(self):
        expired = make_expired_pair(self.folder, "expired")
        cases = [((), "csa-tls: needs a certificate"),
                 (("--tls-cert", self.pair.certificate, "--tls-key", "/nowhere.key"), "/nowhere.key: No such file"),
                 (expired.flags, "expired.pem: expired on 2020-01-02")]
        for flags, words in cases:
            self.expect(64, words, "serve", "--data", self.data, "--csa", "127.0.0.1:0", "--http", "off", "--csa-tls",
                        "127.0.0.1:0", *flags)

    def test_W8_the_end_of_a_certificate_is_counted_and_warned_of(self):
        short = make_pair(self.folder, "short", days=10)
        server = self.server(pair=short)
        server.wait_for_log("the TLS certificate ends in 9 days")
        text = self.expect(0, "", "admin", "--data", self.data, "counters")
        self.assertRegex(text, r"TLS certificate ends in, days\s+9")

    def test_W8_reload_while_a_game_is_played(self):
        server = self.server()
        old = trusting(self.pair.certificate)
        black, white = players = self.tls_and_plain(server)
        play(players, "+7776FU")
        second = trusting(self.renew().certificate)
        server.reload()
        server.wait_for_log("reload: ")
        play(players, "-3334FU")
        for listener in ("csa-tls", "https"):
            with connect(server.listeners[listener], second) as client:
                self.assertIn("second", str(client.getpeercert()["subject"]))
            with self.assertRaises(ssl.SSLCertVerificationError):
                connect(server.listeners[listener], old)
        self.pair.key.write_text("rubbish\n", encoding="utf-8")
        server.reload()
        server.wait_for_log("the TLS certificate stays as it was")
        server.wait_for_log("first.key: holds no private key")
        connect(server.listeners["csa-tls"], second).close()  # the good one stays
        play(players, "+2726FU")
        self.expect_resignation(white, black)
        server.stop()


class Games(Tls):
    def test_operators_log_in_over_https(self):
        secret = self.add_operator("aki")
        server = self.server("--config", self.folder / "fuhyo.toml")
        aki = Visitor(("localhost", server.listeners["https"][1]), trusting(self.pair.certificate))
        answer = aki.log_in("aki", secret)
        self.assertEqual(answer.status, 204)
        self.assertRegex(answer.headers["Set-Cookie"],
                         r"^__Host-fuhyo=[\w-]{32}; Path=/; Secure; HttpOnly; SameSite=Strict$")
        self.assertTrue(aki.command("games")[1]["ok"])
        self.assertEqual(aki.command("games", **{"X-Fuhyo-CSRF": None})[0], 403, "without the token")
        plain = ask(server.http, "/api/v1/session", headers={"Cookie": aki.cookie})
        self.assertEqual(plain.status, 401, "the cookie is for https alone")
        self.assertEqual(aki.ask("DELETE", "/api/v1/session").status, 204)
        self.assertEqual(aki.ask("GET", "/api/v1/session").status, 401)


class OldClients(Tls):
    """The programs that docs/operations/accounts.md names for clients without TLS, run as it says; skipped where they
    lack."""

    def through(self, command, port, log):
        """A game through the tunnel that `command` opens at `port`, against somebody in the clear."""
        server = self.tunnelled
        with open(log, "w", encoding="utf-8") as out:
            tunnel = self.start(*command, stdout=out, stderr=out)

        def come():
            self.assertIsNone(tunnel.poll(), "the tunnel has ended")
            try:
                return self.player_at(("127.0.0.1", port), "alice tls-900-10F-B,a")
            except ConnectionRefusedError:
                return None

        old = eventually(come, lambda: log.read_text(encoding="utf-8"))
        players = begin(old, self.player_at(server.csa, "bob tls-900-10F-W,b"))
        play(players, *MOVES)
        self.expect_resignation(*players)

    def expect_refusal(self, command, port, log, why):
        """The tunnel does not believe the server, and nobody comes through it."""
        with self.assertRaises((AssertionError, OSError)):
            self.through(command, port, log)
        self.assertIn(why, log.read_text(encoding="utf-8"))

    def documented(self, program, beginning, end):
        """What docs/operations/accounts.md says, with this test's addresses and authority in it; and the port in it."""
        if shutil.which(program) is None:
            self.skipTest(f"{program} is not installed")
        self.tunnelled = self.server()
        text = DOCS.read_text(encoding="utf-8").split(beginning, 1)[1].split(end, 1)[0]
        port = Port().number
        for said, here in (("shogi.example:4082", f"localhost:{self.tunnelled.listeners['csa-tls'][1]}"),
                           ("checkHost = shogi.example", "checkHost = localhost"), ("4081", str(port)),
                           ("/etc/ssl/certs/ca-certificates.crt", str(self.pair.certificate))):
            self.assertTrue(said in text or said.startswith("checkHost"), said)
            text = text.replace(said, here)
        self.assertNotIn("shogi.example", text)
        return text, port

    def stunnel(self, host="localhost"):
        """(command, port, log); it looks for this name."""
        text, port = self.documented("stunnel", "in its configuration file:\n\n```\n", "```")
        config = self.folder / "stunnel.conf"
        text = text.replace("checkHost = localhost", f"checkHost = {host}")
        config.write_text(f"foreground = yes\npid =\n{text}", encoding="utf-8")
        return ["stunnel", str(config)], port, self.folder / "stunnel.log"

    def socat(self):
        text, port = self.documented("socat", "With socat:\n\n```\n", "```")
        return shlex.split(text.replace("\\\n", " ")), port, self.folder / "socat.log"

    def test_stunnel(self):
        self.through(*self.stunnel())

    def test_stunnel_refuses_another_server(self):
        self.expect_refusal(*self.stunnel("other.example"), "Subject checks failed")

    def test_socat(self):
        self.through(*self.socat())

    def test_socat_refuses_another_server(self):
        self.pair = make_pair(self.folder, "other.example", host="other.example")
        self.expect_refusal(*self.socat(), "commonName does not match")


class WebNode(Tls):
    """A node that only shows the games of another one (`--role web`)."""

    def test_SIGHUP_renews_the_certificate_of_a_web_node(self):
        self.server()  # the store is its own
        node = self.serve("--role", "web", *self.pair.flags, listeners=("https",))
        address = node.listeners["https"]
        connect(address, trusting(self.pair.certificate)).close()
        self.renew()
        node.reload()
        eventually(lambda: self.subject(address) == "second", "the certificate is another one")
        self.pair.key.write_text("rubbish\n", encoding="utf-8")
        node.reload()
        node.wait_for_log("the TLS certificate stays as it was")
        self.assertEqual(self.subject(address), "second")
        node.stop()

    def subject(self, address):
        """Of whatever certificate is shown to a newcomer."""
        shown = ssl.get_server_certificate(address, timeout=PATIENCE_S)
        text = subprocess.run(["openssl", "x509", "-noout", "-subject", "-nameopt", "multiline"], input=shown,
                              text=True, capture_output=True, check=True).stdout
        return re.search(r"commonName\s*= (\S+)", text)[1]


class Join(Tls):
    def join(self, server, name, *flags):
        words = ["join", "--name", name, "--password", "secret", "--game", "join-900-10F", "--games", "1", "--engine",
                 shlex.quote(self.engine), *flags]
        for option in ("Threads=1", "USI_Hash=16", "NodesLimit=100"):
            words += ["--option", option]
        if "--server" not in flags:
            words += ["--server", f"localhost:{server.listeners['csa-tls'][1]}"]
        return words

    def refusal(self, code, why, *words):
        self.assertIn(why, self.expect(code, "", *self.join(*words)).lower())

    def test_join_believes_only_whom_it_should(self):
        server = self.server()
        other = make_pair(self.folder, "other", host="other.example")
        elsewhere = self.server(pair=other, data=self.folder / "elsewhere")
        for code, why, at, flags in (
                (69, "certificate is not believed: self", server, ("--tls",)),
                (69, "", server, ("--tls", "--tls-ca", other.certificate)),
                (69, "certificate is not believed: hostname mismatch", elsewhere, ("--tls", "--tls-ca",
                                                                                  other.certificate)),
                (66, "none.pem", server, ("--tls", "--tls-ca", self.folder / "none.pem")),
                (64, "", server, ("--tls-ca", other.certificate))):
            self.refusal(code, why, at, "me", *flags)

    def test_join_plays_a_game_over_tls(self):
        server = self.server("--max-moves", "12")
        ca = ["--tls", "--tls-ca", self.pair.certificate]
        address = f"127.0.0.1:{server.listeners['csa-tls'][1]}"
        players = [self.start(self.program, *words) for words in
                   (self.join(server, "alice", *ca),
                    self.join(server, "bob", "--tls", "--insecure", "--server", address))]
        for player in players:
            self.assertRegex(self.end_of(player)[0], r"^fuhyo\+join-900-10F\+\S+\t\S+")


class Relay(Tls):
    def relay(self, server, *flags):
        relay = FuhyoServer(self.program, *free_ports("http"), "--every", "0.05", "--name", "there", "--from",
                            f"tls://localhost:{server.listeners['csa-tls'][1]}", *flags, command="relay",
                            listeners=("http",), data=self.folder / "relayed", log=self.folder / "relay.log")
        self.addCleanup(relay.kill)
        return relay

    def test_relay_shows_a_game_over_tls(self):
        server = self.server()
        relay = self.relay(server, "--tls-ca", self.pair.certificate)
        with EventStream(relay.http) as events:
            play(self.tls_and_plain(server), *MOVES)
            self.assertEqual([events.next("moved")["move"][:7] for _ in MOVES], list(MOVES))

    def test_relay_believes_only_whom_it_should(self):
        server = self.server(pair=make_pair(self.folder, "other", host="other.example"))
        relay = self.relay(server)
        relay.wait_for_log("certificate is not believed: self")
        relay.stop()
        self.relay(server, "--tls-ca", self.folder / "other.pem").wait_for_log(
            "certificate is not believed: hostname mismatch")
        self.expect(66, "none.pem", "relay", "--from", "tls://localhost:1", "--name", "a", "--tls-ca",
                    self.folder / "none.pem", "--data", self.folder / "never", "--http", "127.0.0.1:0")
        self.expect(64, "--tls-ca goes with", "relay", "--from", "localhost:1", "--name", "a", "--tls-ca",
                    self.pair.certificate)


if __name__ == "__main__":
    run_tests("engine")
