#!/usr/bin/env python3
"""/metrics of the real program after real traffic, against its documentation and the files for Prometheus; and that no
secret which somebody typed is written anywhere."""

import json
import re
import shutil
import subprocess
import unittest
from pathlib import Path

from csa_client import CsaClient, begin, play, resign
from server_case import ServerCase, run_tests
from text_format import FormatError, parse, value
from waiting import eventually
from web_client import Visitor

ROOT = Path(__file__).resolve().parents[3]
MONITORING = ROOT / "docker" / "monitoring"
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


def until(server, ready):
    def figures():
        families = parse(server.get("/metrics").text)
        return families if ready(families) else None

    return eventually(figures, lambda: server.get("/metrics").text)


def is_answered(server, login, said):
    with CsaClient(server.csa, login) as client:
        client.until(said)


class Metrics(ServerCase):
    listeners = ("csa", "http")
    flags = ("--log-format", "json")

    def test_figures_follow_what_happens(self):
        server = self.serve()
        page = server.get("/metrics")
        self.assertEqual(page.status, 200)
        self.assertEqual(page.headers["Content-Type"], "text/plain; version=0.0.4; charset=utf-8")
        ann = self.player(server.csa, "ann m-900-0,anns-secret")
        ann.until("LOGIN:ann OK")
        until(server, lambda f: value(f, "fuhyo_sessions", state="waiting") == 1)
        players = begin(ann, self.player(server.csa, "bob m-900-0,bobs-secret"))
        play(players, "+7776FU", "-3334FU", "+2726FU")
        now = until(server, lambda f: value(f, "fuhyo_move_echo_seconds_count", to="socket") == 3)
        for name, labels, figure in (("fuhyo_games", {"state": "running"}, 1),
                                     ("fuhyo_sessions", {"state": "playing"}, 2),
                                     ("fuhyo_pairings_total", {"by": "lobby"}, 1), ("fuhyo_logins_total", {}, 2),
                                     ("fuhyo_pairing_wait_seconds_count", {}, 2),
                                     ("fuhyo_move_charged_seconds_count", {}, 3)):
            self.assertEqual(value(now, name, **labels), figure, name)
        self.assertGreaterEqual(value(now, "fuhyo_journal_delay_seconds_count"), 3)
        self.assertGreaterEqual(value(now, "fuhyo_journal_rows_total"), 3)
        is_answered(server, "nonsense", "LOGIN:incorrect")
        resign(players[1], players[0])
        now = until(server, lambda f: value(f, "fuhyo_games_ended_total", end="toryo") == 1)
        self.assertEqual(value(now, "fuhyo_refusals_total", cause="malformed_login"), 1)
        self.assertGreater(value(now, "fuhyo_http_responses_total", code="2xx"), 1)
        self.check_documents(now)
        text = server.get("/metrics").text
        for word in ("ann", "bob", "m-900-0", "secret"):
            self.assertNotRegex(text, rf"\b{word}\b")

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


class Secrets(ServerCase):
    """Whatever was typed as a secret, it is written nowhere."""

    listeners = ("csa", "http")

    def test_no_secret_is_written(self):
        self.config = self.folder / "fuhyo.toml"
        wire = self.folder / "wire"
        self.config.write_text(f'data = "{self.data}"\nwire-log = "{wire}"\nlog-format = "json"\n')
        operator = self.add_operator("aki")
        server = self.serve("--config", self.config, data=False)
        typed = [*self.log_in_everywhere(server, operator), operator]
        figures = until(server, lambda f: value(f, "fuhyo_refusals_total", cause="wrong_secret") >= 3)
        self.assertEqual(value(figures, "fuhyo_refusals_total", cause="wrong_secret"), 3)
        places = {"metrics": server.get("/metrics").text,
                  "export": self.said("store", "export", "--config", self.config, "-"),
                  "audit": self.said("admin", "--config", self.config, "audit")}
        server.stop()
        places["config"] = self.said("config", "print", "--effective", "--config", self.config)
        places |= {str(path): path.read_bytes().decode("latin-1") for path in self.folder.rglob("*")
                   if path.is_file()}
        for secret in typed:
            for place, text in places.items():
                self.assertNotIn(secret, text, place)
        self.check_log(server.log())

    def log_in_everywhere(self, server, operator):
        """By the wire and the web, with right and with wrong secrets; what was typed."""
        wrong = ["hAnas-trip-7Q", "wRong-secret-8Q", "oPerator-guess-9Q", "wEb-guess-4Q"]
        with CsaClient(server.csa, f"LOGIN ann s-900-0,{wrong[0]}") as ann:
            is_answered(server, f"LOGIN b\\\"<b> s-900-0,{wrong[0]}", "LOGIN:")
            self.said("admin", "--config", self.config, "account-add", "cleo")
            token, password = (re.search(r"(?<=\s)[0-9A-Za-z_-]{32}(?=\s)",
                                         self.said("admin", "--config", self.config, verb, "cleo"))[0]
                               for verb in ("token", "password"))
            is_answered(server, f"LOGIN cleo s-900-0,{wrong[1]}", "LOGIN:incorrect")
            with CsaClient(server.csa, f"LOGIN cleo s-900-0,{token}") as cleo:
                players = begin(ann, cleo)
                play(players, "+7776FU", "-3334FU")
                resign(*players)
        is_answered(server, f"LOGIN aki {wrong[2]} x1", "LOGIN:incorrect")
        with CsaClient(server.csa, f"LOGIN aki {operator} x1") as aki:
            aki.until("LOGIN:aki OK")
            aki.say("%%ADMIN games")
            aki.until("##[ADMIN]")
        self.assertEqual(Visitor(server.http).log_in("cleo", wrong[3]).status, 401)
        self.assertEqual(Visitor(server.http).log_in("cleo", password).status, 204)
        return [*wrong, token, password]

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

    def said(self, *words):
        return self.expect(0, "", *words)


class Format(unittest.TestCase):
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
    run_tests()
