#!/usr/bin/env python3
"""/metrics of the real program after real traffic, against its documentation and the files for Prometheus; and that no
secret which somebody typed is written anywhere.

    metrics_test.py FUHYO
"""

import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin, play  # noqa: E402
from fuhyo_server import doors_of  # noqa: E402
from text_format import FormatError, parse, value  # noqa: E402

ROOT = Path(__file__).resolve().parents[3]
MONITORING = ROOT / "docker" / "monitoring"
PROGRAM = ""
WAIT_S = 20
BUILTIN_WORDS = set("sum min max by rate increase histogram_quantile le up".split())


def names_in(expression):
    """Names of metrics in an expression of PromQL: words that are no function, no label and no text."""
    bare = re.sub(r'"[^"]*"', "", expression)
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\bby\s*\([^)]*\)", " ", bare)
    return set(re.findall(r"\b[a-z_]\w+\b", bare)) - BUILTIN_WORDS


def labels_in(expression):
    """(name, label) pairs that it asks for."""
    return {(name, label) for name, inside in re.findall(r"(\w+)\{([^}]*)\}", expression)
            for label in re.findall(r"(\w+)\s*=", inside)}


class Server:
    def __init__(self, folder, *flags):
        self.log = open(folder / "log", "a+", encoding="ascii")
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--data", folder / "data", "--csa", "127.0.0.1:0", "--http", "127.0.0.1:0",
             "--log-format", "json", *flags], stdout=subprocess.PIPE, stderr=self.log, text=True)
        self.doors = doors_of(self.process, "csa", "http")
        self.csa = self.doors["csa"]

    def get(self, path, **headers):
        host, port = self.doors["http"]
        request = urllib.request.Request(f"http://{host}:{port}{path}",
                                         headers={key.replace("_", "-"): text for key, text in headers.items()})
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status, answer.headers, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.headers, error.read().decode()

    def post(self, path, body):
        host, port = self.doors["http"]
        request = urllib.request.Request(f"http://{host}:{port}{path}", json.dumps(body).encode(),
                                         {"Content-Type": "application/json"})
        try:
            with urllib.request.urlopen(request, timeout=WAIT_S) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def metrics(self):
        return parse(self.get("/metrics")[2])

    def until(self, ready):
        """The figures as soon as they are so."""
        end = time.monotonic() + WAIT_S
        while True:
            families = self.metrics()
            if ready(families):
                return families
            assert time.monotonic() < end, self.get("/metrics")[2]
            time.sleep(0.1)

    def stop(self):
        if self.process.poll() is None:
            self.process.terminate()
        code = self.process.wait(60)
        self.process.stdout.close()
        self.log.seek(0)
        text = self.log.read()
        self.log.close()
        assert code == 0, text
        return text


class Metrics(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)

    def test_figures_follow_what_happens(self):
        server = Server(self.folder)
        try:
            status, headers, _ = server.get("/metrics")
            self.assertEqual(status, 200)
            self.assertEqual(headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
            with CsaClient(server.csa, "LOGIN ann m-900-0,anns-secret") as ann:
                ann.until("LOGIN:ann OK")
                server.until(lambda f: value(f, "fuhyo_sessions", state="waiting") == 1)
                with CsaClient(server.csa, "LOGIN bob m-900-0,bobs-secret") as bob:
                    players = begin(ann, bob)
                    play(players, "+7776FU", "-3334FU", "+2726FU")
                    now = server.until(lambda f: value(f, "fuhyo_move_echo_seconds_count", to="socket") == 3)
                    self.assertEqual(value(now, "fuhyo_games", state="running"), 1)
                    self.assertEqual(value(now, "fuhyo_sessions", state="playing"), 2)
                    self.assertEqual(value(now, "fuhyo_pairings_total", by="lobby"), 1)
                    self.assertEqual(value(now, "fuhyo_pairing_wait_seconds_count"), 2)
                    self.assertEqual(value(now, "fuhyo_move_charged_seconds_count"), 3)
                    self.assertGreaterEqual(value(now, "fuhyo_journal_delay_seconds_count"), 3)
                    self.assertGreaterEqual(value(now, "fuhyo_journal_rows_total"), 3)
                    self.assertEqual(value(now, "fuhyo_logins_total"), 2)
                    with CsaClient(server.csa, "nonsense") as stranger:
                        stranger.until("LOGIN:incorrect")
                    players[1].say("%TORYO")
                    ann.until("#LOSE" if ann is players[1] else "#WIN")
            now = server.until(lambda f: value(f, "fuhyo_games_ended_total", end="toryo") == 1)
            self.assertEqual(value(now, "fuhyo_refusals_total", cause="malformed_login"), 1)
            self.assertGreater(value(now, "fuhyo_http_responses_total", code="2xx"), 1)
            self.check_documents(now)
            text = server.get("/metrics")[2]
            for word in ("ann", "bob", "m-900-0", "secret"):
                self.assertNotRegex(text, rf"\b{word}\b")
        finally:
            server.stop()

    # The table says name, type and words of labels of each; the files name nothing that is not there.
    def check_documents(self, families):
        page = (ROOT / "docs/operations/monitoring.md").read_text(encoding="utf-8")
        figures = page.split("## Figures")[1].split("## ")[0]
        written = {}
        for row in re.findall(r"^\| `(?:fuhyo|process)_.*$", figures, re.M):
            cells = [cell.strip() for cell in row.strip("|").split("|")]
            for name in re.findall(r"`(\w+)`", cells[0]):
                written[name] = (cells[1], cells[2])
        self.assertEqual({name: kind for name, (kind, _) in written.items()},
                         {name: family.kind for name, family in families.items()})
        for name, (_, cell) in written.items():
            there = {}
            for _, labels in families[name].samples:
                for key, text in labels:
                    there.setdefault(key, set()).add(text)
            there.pop("le", None)
            said = re.match(r"`(\w+)`(?:: (.*))?", cell)
            self.assertEqual(set(there), {said[1]} if said else set(), name)
            if said and said[2]:
                self.assertEqual(there[said[1]], set(said[2].split(", ")), name)
        causes = set()
        for cell in re.findall(r"^\| (`[a-z].*?) \|", page.split("Causes of refusals:")[1].split("## ")[0], re.M):
            causes |= set(re.findall(r"`(\w+)`", cell))
        self.assertEqual(causes - {"cause"},
                         {dict(labels)["cause"] for _, labels in families["fuhyo_refusals_total"].samples})
        self.check_monitoring(families)

    def check_monitoring(self, families):
        board = json.loads((MONITORING / "grafana.json").read_text(encoding="utf-8"))
        asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
        asked += re.findall(r"^\s+expr: (.*)$", (MONITORING / "alerts.yml").read_text(encoding="utf-8"), re.M)
        self.assertGreater(len(asked), 20)
        used = set()
        for expression in asked:
            for name in names_in(expression):
                base = re.sub(r"_(bucket|count|sum)$", "", name)
                self.assertIn(base, families, expression)
                self.assertEqual(base != name, families[base].kind == "histogram", expression)
                used.add(base)
            for name, label in labels_in(expression):
                keys = {key for _, labels in families.get(name, families["fuhyo_games"]).samples for key, _ in labels}
                self.assertIn(label, keys | {"job", "instance"}, expression)
        self.assertGreater(len(used), 20)
        if shutil.which("promtool"):
            subprocess.run(["promtool", "check", "rules", MONITORING / "alerts.yml"], check=True,
                           stdout=subprocess.DEVNULL)

    def test_only_for_those_who_are_named(self):
        server = Server(self.folder, "--metrics-networks", "192.0.2.0/24", "--web-proxy", "127.0.0.1")
        try:
            self.assertEqual(server.get("/metrics")[0], 403)
            self.assertEqual(server.get("/metrics", X_Forwarded_For="198.51.100.1")[0], 403)
            self.assertEqual(server.get("/metrics", X_Forwarded_For="192.0.2.7")[0], 200)
        finally:
            server.stop()

    def test_what_an_unknown_proxy_brings_is_refused(self):
        server = Server(self.folder)
        try:
            self.assertEqual(server.get("/metrics", X_Forwarded_For="127.0.0.1")[0], 403)
            self.assertEqual(server.get("/metrics")[0], 200)
        finally:
            server.stop()


class Secrets(unittest.TestCase):
    """Whatever was typed as a secret, it is written nowhere."""

    def test_no_secret_is_written(self):
        folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, folder)
        config = folder / "fuhyo.toml"
        config.write_text(f'data = "{folder / "data"}"\nwire-log = "{folder / "wire"}"\nlog-format = "json"\n')
        told = self.run_program("admin", "operator", "add", "aki", "--role", "host", "--config", config)
        operator = re.search(r"secret of aki, shown this once: (\S+)", told)[1]
        server = Server(folder, "--config", str(config))
        try:
            typed = ["hAnas-trip-7Q", "wRong-secret-8Q", "oPerator-guess-9Q", "wEb-guess-4Q", operator]
            with CsaClient(server.csa, f"LOGIN ann s-900-0,{typed[0]}") as ann:
                with CsaClient(server.csa, f"LOGIN b\\\"<b> s-900-0,{typed[0]}") as hostile:
                    hostile.until("LOGIN:")
                told = self.run_program("admin", "--config", config, "account-add", "cleo")
                token, password = (
                    re.search(r"(?<=\s)[0-9A-Za-z_-]{32}(?=\s)",
                              self.run_program("admin", "--config", config, verb, "cleo"))[0]
                    for verb in ("token", "password"))
                typed += [token, password]
                with CsaClient(server.csa, f"LOGIN cleo s-900-0,{typed[1]}") as cleo:
                    cleo.until("LOGIN:incorrect")
                with CsaClient(server.csa, f"LOGIN cleo s-900-0,{token}") as cleo:
                    players = begin(ann, cleo)
                    play(players, "+7776FU", "-3334FU")
                    players[0].say("%TORYO")
                    ann.until("#LOSE" if ann is players[0] else "#WIN")
            with CsaClient(server.csa, f"LOGIN aki {typed[2]} x1") as guess:
                guess.until("LOGIN:incorrect")
            with CsaClient(server.csa, f"LOGIN aki {operator} x1") as aki:
                aki.until("LOGIN:aki OK")
                aki.say("%%ADMIN games")
                aki.until("##[ADMIN]")
            self.assertEqual(server.post("/api/v1/session", {"name": "cleo", "password": typed[3]}), 401)
            self.assertEqual(server.post("/api/v1/session", {"name": "cleo", "password": password}), 204)
            figures = server.until(lambda f: value(f, "fuhyo_refusals_total", cause="wrong_secret") >= 3)
            self.assertEqual(value(figures, "fuhyo_refusals_total", cause="wrong_secret"), 3)
            places = {"metrics": server.get("/metrics")[2]}
            places["export"] = self.run_program("store", "export", "--config", config, "-")
            places["audit"] = self.run_program("admin", "--config", config, "audit")
        finally:
            places = locals().get("places", {})
            places["log"] = server.stop()
        places["config"] = self.run_program("config", "print", "--effective", "--config", config)
        for path in folder.rglob("*"):
            if path.is_file():
                places[str(path)] = path.read_bytes().decode("latin-1")
        for secret in typed:
            for place, text in places.items():
                self.assertNotIn(secret, text, place)
        self.check_log(places["log"])

    # One object a line, with these three; of ASCII.
    def check_log(self, log):
        lines = log.splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            event = json.loads(line)
            self.assertRegex(event["time"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$")
            self.assertIn(event["level"], ("info", "warning", "error"))
            self.assertTrue(event["text"])
            self.assertTrue(all(isinstance(text, str) for text in event.values()), line)
            self.assertTrue(line.isascii() and line.isprintable(), line)

    def run_program(self, *arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout


class Format(unittest.TestCase):
    """The reader itself refuses what is not of the format."""

    def test_bad_pages(self):
        head = "# HELP a_total x\n# TYPE a_total counter\n"
        good = head + 'a_total{k="v"} 1\n'
        self.assertEqual(value(parse(good), "a_total", k="v"), 1)
        hist = "# HELP h x\n# TYPE h histogram\n"
        for bad in (good[:-1], head.replace("HELP", "HALP") + "a_total 1\n", good + 'a_total{k="v"} 2\n', good + head,
                    head + "b_total 1\n", head + "a_total -1\n", head + "a_total one\n", head + 'a_total{k="v",} 1\n',
                    head + 'a_total{k="a"b"} 1\n', "a_total 1\n", head.replace("a_total", "a") + "a 1\n",
                    hist + 'h_bucket{le="1"} 2\nh_bucket{le="+Inf"} 1\nh_sum 1\nh_count 1\n',
                    hist + 'h_bucket{le="1"} 1\nh_sum 1\nh_count 1\n'):
            with self.assertRaises(FormatError, msg=bad):
                parse(bad)


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
