"""What surrounds an installation: the systemd unit, containers, and what `cmake --install` lays where."""

import json
import os
import re
import shutil
import socket
import subprocess
import sys
import unittest
from pathlib import Path

from csa_client import CsaClient
from server_case import ServerCase, run_tests
from waiting import PATIENCE_S

BUILD = CMAKE = ""
DOCKER = Path(__file__).resolve().parents[3] / "docker"
WEB = DOCKER.parent / "web"
MOST_EXPOSED, MOST_EXPOSED_WITHOUT_ENGINES = 23, 15  # tenths, as systemd-analyze counts
# The sandbox of engines: what a filter of calls and of namespaces must let through.
CALLS = {"seccomp", "landlock_create_ruleset", "landlock_add_rule", "landlock_restrict_self", "mount", "open_tree",
         "move_mount"}
NAMESPACES = {"user", "pid", "net", "ipc", "mnt"}


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"there is no {', '.join(missing)}")


def dead_links(folder):
    """Of the documents below it: (document, target)."""
    for document in folder.rglob("*.md"):
        for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", re.sub(r"(?s)```.*?```", "", document.read_text("utf-8"))):
            if "://" not in target and not target.startswith("mailto:") and not (document.parent / target).exists():
                yield document.relative_to(folder), target


class Install(ServerCase):
    def run_it(self, *words, **environment):
        done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=PATIENCE_S,
                              stdin=subprocess.DEVNULL, env={**os.environ, **environment})
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def unit(self, *names):
        file = self.folder / "fuhyo.service"
        text = "".join((DOCKER / name).read_text(encoding="utf-8") for name in names)
        file.write_text(text.replace("/usr/local/bin/fuhyo", self.program), encoding="utf-8")
        return file

    @needs("systemd-analyze")
    def test_systemd_knows_every_word_of_the_unit(self):
        for names in (("fuhyo.service",), ("fuhyo.service", "fuhyo-without-engines.conf")):
            # It looks for the pages, too, which are not installed here.
            self.assertEqual(self.run_it("systemd-analyze", "verify", "--man=no", self.unit(*names)), "")

    @needs("systemd-analyze")
    def test_the_unit_is_exposed_no_more_than_it_must_be(self):
        analyze = ("systemd-analyze", "security", "--offline=true", "--no-pager")
        self.run_it(*analyze, f"--threshold={MOST_EXPOSED}", self.unit("fuhyo.service"))
        self.run_it(*analyze, f"--threshold={MOST_EXPOSED_WITHOUT_ENGINES}",
                    self.unit("fuhyo.service", "fuhyo-without-engines.conf"))

    def test_the_unit_leaves_the_sandbox_of_engines_what_it_needs(self):
        settings = dict(line.split("=", 1) for line in self.unit("fuhyo.service").read_text("utf-8").splitlines()
                        if "=" in line and not line.startswith("#"))
        self.assertLessEqual(CALLS, set(settings["SystemCallFilter"].split()))
        self.assertEqual(NAMESPACES, set(settings["RestrictNamespaces"].split()))
        self.assertEqual(settings["SystemCallErrorNumber"], "EPERM")  # a call that is refused kills nothing
        self.assertEqual(settings["Delegate"], "cpu memory pids")
        self.assertFalse(settings.keys() & {"ProtectControlGroups", "MemoryDenyWriteExecute"})

    def test_the_unit_has_limits_that_an_engine_meets_first(self):
        settings = self.unit("fuhyo.service").read_text("utf-8")
        self.assertRegex(settings, r"\nMemoryMax=\d+%\n")
        self.assertRegex(settings, r"\nTasksMax=\d+\n")
        self.assertIn("\nOOMPolicy=continue\n", settings)  # the unit outlives an engine that ate too much
        self.assertRegex(settings, r"install -D -m 0640 -g fuhyo docker/debian/fuhyo\.toml")
        self.assertIn("\nExecReload=/bin/sh -c ", settings)  # /bin/kill is a package that a small system is without

    def test_what_cannot_be_mended_by_a_start_is_not_started_again(self):
        settings = self.unit("fuhyo.service").read_text("utf-8")
        self.assertIn("\nRestartPreventExitStatus=64 66 73\n", settings)
        (self.folder / "wrong.toml").write_text("no-such-key = 1\n")
        self.expect(64, "no-such-key", "serve", "--config", self.folder / "wrong.toml")
        self.expect(66, "none.toml", "serve", "--config", self.folder / "none.toml")

    def test_what_refuses_a_start_is_an_error_of_the_journal(self):
        (self.folder / "wrong.toml").write_text("no-such-key = 1\nnor-this = 2\n")
        for flags, why in ((("--config", self.folder / "wrong.toml"), "^<3>fuhyo serve: .*no-such-key"),
                           (("--no-such-flag",), "^<3>.*--no-such-flag")):
            with self.subTest(flags=flags), (self.folder / "journal").open("w+") as taken:
                status = os.fstat(taken.fileno())
                self.end_of(self.start(self.program, "serve", *flags, stderr=taken,
                                       env={**os.environ, "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"}), 64)
                taken.seek(0)
                lines = taken.read().splitlines()
                self.assertRegex(lines[0], why)
                self.assertTrue(all(line.startswith("<3>") for line in lines), lines)

    def test_a_service_manager_is_told_that_it_listens_and_how_long_its_end_may_take_and_its_journal_has_levels(self):
        journal, notify = self.folder / "journal", self.folder / "notify"
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager, journal.open("w") as taken:
            manager.settimeout(PATIENCE_S)
            manager.bind(str(notify))
            status = os.fstat(taken.fileno())
            server = self.start(self.program, "serve", "--data", self.folder / "data", "--csa", "127.0.0.1:0", "--http",
                                "off", "--drain-timeout", "600", stderr=taken,
                                env={**os.environ, "NOTIFY_SOCKET": str(notify),
                                     "JOURNAL_STREAM": f"{status.st_dev}:{status.st_ino}"})
            self.assertEqual(manager.recv(100), b"READY=1")
            with CsaClient(server.stdout.readline().split("=")[1].strip(), "LOGIN ann x x1") as ann:
                ann.until("LOGIN:ann OK")
            server.terminate()
            self.assertEqual(server.wait(PATIENCE_S), 0)
            self.assertEqual(manager.recv(100), b"EXTEND_TIMEOUT_USEC=660000000")
        self.assertRegex(journal.read_text("utf-8"), r"(?m)^<6>ann logged in from ")

    def test_engines_beside_the_drop_in_without_them_are_told_of(self):
        text = (DOCKER / "fuhyo-without-engines.conf").read_text("utf-8")
        name, value = re.search(r"(?m)^Environment=(\w+)=(\w+)$", text).groups()
        for engines, told in (("demo", True), ("off", False)):
            log = self.folder / f"log-{engines}"
            with log.open("w") as taken:
                server = self.start(self.program, "serve", "--data", self.folder / engines, "--csa", "127.0.0.1:0",
                                    "--http", "off", "--builtin", engines, "--drain-timeout", "0", stderr=taken,
                                    env={**os.environ, name: value})
                self.assertIn("listening csa=", server.stdout.readline())
                server.terminate()
                self.assertEqual(server.wait(PATIENCE_S), 0)
            self.assertEqual("fuhyo-without-engines.conf" in log.read_text("utf-8"), told)

    def test_every_image_of_the_container_can_be_pinned(self):
        lines = (DOCKER / "Dockerfile").read_text(encoding="utf-8").splitlines()
        named = [line.split()[1] for line in lines if line.startswith("FROM ")]
        self.assertEqual(len(named), 2)
        before = lines[:next(i for i, line in enumerate(lines) if line.startswith("FROM "))]
        for image in named:
            self.assertRegex(image, r"^\$\{\w+\}$")
            self.assertTrue(any(line.startswith(f"ARG {image[2:-1]}=debian:") for line in before), image)

    def test_the_web_node_of_compose_has_a_role_that_only_reads(self):
        text = (DOCKER / "compose.yml").read_text(encoding="utf-8")
        parts = re.split(r"\n  ([a-z-]+):.*\n", text)
        service = dict(zip(parts[1::2], parts[2::2]))
        self.assertIn("FUHYO_STORE: postgres://fuhyo_web@db/fuhyo", service["web"])
        self.assertIn("PGPASSWORD_FILE: /run/secrets/web_db_password", service["web"])
        self.assertIn("secrets: [web_db_password]", service["web"])
        self.assertIn("web-role: {condition: service_completed_successfully}", service["web"])
        self.assertIn('volumes: ["./web-node.sql:/web-node.sql:ro"]', service["web-role"])
        self.assertIn("game: {condition: service_healthy}", service["web-role"])
        self.assertNotIn("secrets/db_password", service["web"].split("\nsecrets:")[0])

    def test_compose_has_no_secret_and_no_image_or_subnet_that_cannot_be_changed(self):
        for name in ("compose.yml", "compose.proxy.yml"):
            text = (DOCKER / name).read_text(encoding="utf-8")
            self.assertEqual(re.findall(r"image: (?:&\w+ )?([^$*&\s]\S*)", text), [], name)
            self.assertEqual(re.findall(r"PASSWORD: .*|[^-]\b172\.", text), [], name)

    def test_the_image_takes_the_password_of_the_store_from_a_file(self):
        text = (DOCKER / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", "")
        entry = re.search(r"(?m)^ENTRYPOINT (\[.*\])$", text)
        words = json.loads(entry[1])
        fuhyo, secret = self.folder / "fuhyo", self.folder / "secret"
        fuhyo.write_text('#!/bin/sh\necho "$PGPASSWORD $*"\n')
        fuhyo.chmod(0o755)
        secret.write_text("it's $1\n")
        path = f"{self.folder}:{os.environ['PATH']}"
        self.assertEqual(self.run_it(*words, "serve", "--role", "web", PATH=path, PGPASSWORD_FILE=str(secret)),
                         "it's $1 serve --role web\n")
        self.assertEqual(self.run_it(*words, "serve", PATH=path, PGPASSWORD="plain"), "plain serve\n")

    @needs("docker-compose")
    def test_compose_reads_its_file(self):
        file = self.folder / "compose.yml"
        text = (DOCKER / "compose.yml").read_text(encoding="utf-8")
        file.write_text(text.replace("\nname: fuhyo\n", "\n"), encoding="utf-8")  # Debian 12's knows no names
        said = self.run_it("docker-compose", "-f", file, "-f", DOCKER / "compose.proxy.yml", "--project-directory",
                           DOCKER, "config")
        for service in ("db", "game", "web-role", "web", "proxy"):
            self.assertIn(f"\n  {service}:\n", said)

    @needs("kubectl")
    def test_kubectl_knows_every_field_of_the_server(self):
        text = (DOCKER / "kubernetes/server.yml").read_text(encoding="utf-8")
        file = self.folder / "set.yml"
        file.write_text(text[text.index("---"):], encoding="utf-8")  # a Service has no image
        said = self.run_it("kubectl", "set", "image", "--local", "-f", file, "fuhyo=other", "-o", "yaml")
        self.assertIn("image: other", said)
        self.assertIn("ReadWriteOncePod", said)

    @needs("nginx", "openssl")
    def test_nginx_reads_its_file(self):
        self.run_it("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", 2, "-subj", "/CN=localhost",
                    "-keyout", self.folder / "key.pem", "-out", self.folder / "fullchain.pem")
        text = (DOCKER / "nginx.conf").read_text(encoding="utf-8")
        text = text.replace("/tmp", str(self.folder)).replace("/etc/nginx/tls", str(self.folder))
        file = self.folder / "nginx.conf"
        file.write_text(text.replace("server web:", "server 127.0.0.1:"), encoding="utf-8")  # no name of compose's
        self.run_it("nginx", "-t", "-q", "-c", file)

    def test_a_registry_that_cannot_be_reached_is_said_at_once(self):
        npm, asked = self.folder / "npm", self.folder / "asked"
        for view, install, code, asks in ((0, 0, 0, ["view", "install"]), (1, 0, 0, ["view", "install --offline"]),
                                          (1, 1, 1, ["view", "install --offline"]), (0, 1, 1, ["view", "install"])):
            asked.write_text("")
            npm.write_text(f'#!/bin/sh\necho "$@" >> {asked}\n[ $1 = view ] && exit {view}\nexit {install}\n')
            npm.chmod(0o755)
            done = subprocess.run([CMAKE, f"-DNPM={npm}", "-P", WEB / "packages.cmake"], capture_output=True, text=True,
                                  timeout=PATIENCE_S)
            self.assertEqual(done.returncode, code, done.stderr)
            self.assertEqual("-DWEB=OFF" in done.stderr, bool(view and install))
            lines = asked.read_text().splitlines()
            self.assertEqual([line.split()[0] + " --offline" * ("--offline" in line) for line in lines], asks)
            self.assertIn("--fetch-retries=0", lines[0])

    def test_what_is_installed_runs_from_there(self):
        if not Path(BUILD, "described.stamp").exists():
            self.skipTest("not everything was built")
        self.run_it(CMAKE, "--install", BUILD, "--prefix", self.folder)
        fuhyo = self.folder / "bin/fuhyo"
        self.assertRegex(self.run_it(fuhyo, "--version"), r"^fuhyo \d")
        config = self.folder / "etc/fuhyo/fuhyo.toml"
        self.run_it(fuhyo, "config", "check", config)
        self.assertEqual(config.read_text(), (self.folder / "share/fuhyo/fuhyo.toml").read_text())
        self.assertEqual(config.stat().st_mode & 0o777, 0o640, "hashes of secrets may stand there")
        unit = (self.folder / "lib/systemd/system/fuhyo.service").read_text(encoding="utf-8")
        self.assertIn(f"ExecStart={fuhyo} serve --config {self.folder}/etc/fuhyo/fuhyo.toml", unit)
        worker = (self.folder / "lib/systemd/system/fuhyo-match-worker.service").read_text(encoding="utf-8")
        self.assertIn(f"ExecStart={fuhyo} match --worker ", worker)
        self.assertNotIn("useradd", unit + worker)
        for path in ("share/man/man1/fuhyo-serve.1.gz", "share/man/man1/fuhyo-learn.1.gz",
                     "share/bash-completion/completions/fuhyo", "share/zsh/vendor-completions/_fuhyo",
                     "share/fish/vendor_completions.d/fuhyo.fish", "share/doc/fuhyo/copyright"):
            self.assertTrue((self.folder / path).is_file(), path)
        self.assertEqual([str(each) for each in dead_links(self.folder / "share/doc/fuhyo")], [])
        for program in (self.folder / "bin").iterdir():
            self.assertTrue((self.folder / f"share/man/man1/{program.name}.1.gz").is_file(), program.name)
        config.write_text("max-moves = 300\n")
        self.run_it(CMAKE, "--install", BUILD, "--prefix", self.folder)
        self.assertEqual(config.read_text(), "max-moves = 300\n", "an upgrade has changed what the host wrote")

    def configure(self, before="", games="", **environment):
        """What the package's postinst says, and what it does to the server's unit, where these lines are what runs."""
        root = self.folder / "root"
        (root / "run/systemd/system").mkdir(parents=True, exist_ok=True)
        (root / "bin").mkdir(exist_ok=True)
        stubs = dict.fromkeys(("adduser", "getent", "chown", "deb-systemd-helper", "systemctl"), ":")
        stubs |= {"fuhyo": f"printf '%s' '{games}'", "deb-systemd-invoke": f"echo $* >> {root}/acts"}
        for name, does in stubs.items():
            (root / "bin" / name).write_text(f"#!/bin/sh\n{does}\n")
            (root / "bin" / name).chmod(0o755)
        template = root / "usr/share/fuhyo/fuhyo.toml"
        template.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(DOCKER / "debian/fuhyo.toml", template)
        said = self.run_it("sh", DOCKER / "debian/postinst", "configure", before, DPKG_ROOT=str(root),
                           PATH=f"{root}/bin:/usr/bin:/bin", **environment)
        acts = root / "acts"
        done = acts.read_text().splitlines() if acts.exists() else []
        self.assertEqual(done.pop(), "try-restart fuhyo-match-worker.service")
        acts.unlink(missing_ok=True)
        return said, done, root / "etc/fuhyo/fuhyo.toml"

    def test_the_package_makes_the_settings_once_and_says_where_they_are(self):
        said, done, config = self.configure()
        self.assertEqual(done, ["start fuhyo.service"])
        self.assertIn("http://127.0.0.1:8081/", said)
        self.assertIn(str(config), said)
        self.assertEqual(config.stat().st_mode & 0o777, 0o640)
        config.write_text("max-moves = 300\n")
        said, done, _ = self.configure("0.0.9")
        self.assertEqual((said, done, config.read_text()), ("", ["restart fuhyo.service"], "max-moves = 300\n"))

    def test_an_upgrade_says_what_becomes_of_games_that_run(self):
        rows = "game state room black\n1 running main ann\n2 paused main cat\n3 running club eve\n4 running demo x\n"
        self.configure()
        said, done, _ = self.configure("0.0.9", rows)
        self.assertIn("fuhyo: 2 games have the time of drain-timeout to end", said)
        self.assertEqual(done, ["restart fuhyo.service"])
        said, done, _ = self.configure("0.0.9", rows, FUHYO_RESTART="no")
        self.assertIn("fuhyo: 2 games run on the old server", said)
        self.assertEqual(done, [])
        self.assertEqual(self.configure("0.0.9", FUHYO_RESTART="no")[1], ["restart fuhyo.service"], "no game runs")


if __name__ == "__main__":
    BUILD, CMAKE = sys.argv[2:4]
    del sys.argv[2:4]
    run_tests()
