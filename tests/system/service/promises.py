"""What runs in the machine of service_test.py: the Debian package is installed, and what its units promise is tried,
one line a promise. Those below build on those above: the first words of the command line choose, and the installation
always comes first."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
import traceback
from contextlib import contextmanager
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1]), str(Path(__file__).resolve().parents[1] / "evil")]
from csa_client import CsaClient, begin, play, resign, sit_down, walk  # noqa: E402
from evil_test import Bed, attempts_of, try_out  # noqa: E402
from fuhyo_server import modes_in, processes_of  # noqa: E402
from waiting import PATIENCE_S, eventually  # noqa: E402
from web_client import ask  # noqa: E402

BROUGHT = Path(__file__).resolve().parents[2]
CSA, HTTP = ("127.0.0.1", 4081), ("127.0.0.1", 8081)
FUHYO, UNIT, WORKER = "/usr/bin/fuhyo", "fuhyo.service", "fuhyo-match-worker.service"
DATA, CONFIG, PACKAGE = Path("/var/lib/fuhyo"), Path("/etc/fuhyo/fuhyo.toml"), BROUGHT / "fuhyo.deb"
DROP_INS, CGROUPS = Path("/etc/systemd/system/fuhyo.service.d"), Path("/sys/fs/cgroup")
ENGINES = Path("/opt/engines")  # where the unit lets the server read
MIB = 1 << 20
MOST_EXPOSED = {UNIT: 2.3, WORKER: 1.2}  # as systemd-analyze counts
WITHOUT_ENGINES_EXPOSED = 1.2

promises = []


def promise(text):
    def add(function):
        promises.append((text, function))
        return function
    return add


def run(*words, fails=False, **options):
    """What it says on both outputs."""
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=PATIENCE_S, **options)
    assert (done.returncode != 0) == fails, f"{words} ended with {done.returncode}: {done.stdout}"
    return done.stdout


def shown(unit, key):
    return run("systemctl", "show", unit, "--value", "--property", key).strip()


def journal(*options, unit=UNIT):
    return run("journalctl", "--quiet", "--no-pager", "-o", "cat", "-u", unit, *options)


def install(package):
    return run("apt-get", "-q", "-y", "-o", "Dpkg::Use-Pty=0", "install", "--reinstall", "--allow-downgrades", package)


def configure(text):
    """Beside what the package has written, which is all commented out."""
    own = CONFIG.read_text().split("# ---- of this test\n")[0]
    CONFIG.write_text(own + "# ---- of this test\n" + text)


@contextmanager
def config_with(line):
    before = CONFIG.read_text()
    CONFIG.write_text(f"{before}{line}\n")
    try:
        yield
    finally:
        CONFIG.write_text(before)


@contextmanager
def unit_with(text):
    """The server runs with a drop-in."""
    DROP_INS.mkdir(exist_ok=True)
    file = DROP_INS / "test.conf"
    file.write_text(text)
    try:
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", UNIT)
        yield
    finally:
        file.unlink()
        run("systemctl", "daemon-reload")
        run("systemctl", "restart", UNIT)


def group_of(pid):
    return Path(f"/proc/{pid}/cgroup").read_text().strip().removeprefix("0::")


def exposure(unit):
    return float(re.search(r"exposure level for \S+: ([\d.]+)", run("systemd-analyze", "security", "--no-pager",
                                                                   unit))[1])


class Service(Bed):
    """The bed of the evil engines, whose server is the unit."""

    def __init__(self):
        self.fuhyo, self.data, self.evil, self.server, self.csa = FUHYO, DATA, ENGINES / "evil_engine", self, CSA

    @property
    def process(self):
        return self

    @property
    def pid(self):
        return int(shown(UNIT, "MainPID"))

    def poll(self):
        return None if shown(UNIT, "ActiveState") == "active" else shown(UNIT, "ExecMainStatus")

    def log(self):
        return journal()


service = Service()


# ---- installed ----


@promise("Debian 12 has started, with nothing that failed")
def boots():
    assert run("systemctl", "is-system-running", "--wait").strip() == "running"


@promise("the package installs, enables and starts the server, which listens at once")
def installs():
    install(PACKAGE)
    ENGINES.mkdir()
    shutil.copy(BROUGHT / "evil_engine", ENGINES)
    assert [shown(UNIT, key) for key in ("ActiveState", "SubState", "Type", "NRestarts", "UnitFileState")] == [
        "active", "running", "notify", "0", "enabled"]
    with CsaClient(CSA, "LOGIN ann x x1") as ann:
        ann.until("LOGIN:ann OK")
    assert "<title>" in ask(HTTP, "/").text and ask(HTTP, "/healthz").text.strip() == "ok"
    for file, owner, mode in ((CONFIG, "root", 0o640), (DATA, "fuhyo", 0o700)):
        assert (file.owner(), file.group(), file.stat().st_mode & 0o7777) == (owner, "fuhyo", mode), file
    assert {mode & 0o077 for mode in modes_in(DATA).values()} == {0}, "others may read what the server keeps"
    assert DATA.owner() == "fuhyo" and shown(WORKER, "UnitFileState") == "disabled"


@promise("systemctl restart returns when the server listens")
def ready():
    configure('exempt = ["127.0.0.1"]\nengine-threads = 64\ndrain-timeout = 2\n')
    run("systemctl", "restart", UNIT)
    with CsaClient(CSA, "LOGIN ann x x1") as ann:
        ann.until("LOGIN:ann OK")


# ---- played ----


@promise("a game is played to its end, and its record is written")
def game():
    black, white = sit_down(CSA)
    play((black, white), *(walk(ply) for ply in range(10)))
    resign(black, white)
    record = eventually(lambda: next(DATA.glob("records/**/*cup-900-10*.csa"), None), "a record")
    assert record.owner() == "fuhyo" and "%TORYO" in record.read_text()


@promise("a built-in engine plays in its sandbox, in a cgroup with its limits")
def engine():
    service.seat("Nnue", "fuhyo-nnue", "game=nnue-900-60", "turn=-", "threads=1", "tasks=20", "memory=1024",
                 "option.USI_Hash=16", "level=3")
    held = service.admin("engines")
    for said in ("each engine is held to its threads' share of the processor, by cgroups",
                 "each engine is held to its memory by cgroups",
                 "engines do not see the server's files, nor their names and sizes"):
        assert said in held, held
    with service.login("carol", "nnue-900-60-B") as carol:
        begin(carol)
        for ply in (0, 2, 4):
            carol.say(walk(ply))
            carol.until("-")
        pids = processes_of("/usr/bin/fuhyo-nnue")
        assert pids
        for pid in pids:
            check_confined(pid, {"memory.max": str(1280 * MIB), "cpu.max": "125000 100000", "pids.max": "20"})
        resign(carol)
    service.unseat("Nnue")
    eventually(lambda: not list((CGROUPS / "system.slice" / UNIT).glob("engine-*")), "its cgroup goes with it")


def check_confined(pid, limits):
    group, server = group_of(pid), group_of(service.pid)
    assert server == f"/system.slice/{UNIT}/server" and group.startswith(f"/system.slice/{UNIT}/engine-"), group
    for file, text in limits.items():
        assert (CGROUPS / group[1:] / file).read_text().strip() == text, file
    status = Path(f"/proc/{pid}/status").read_text()
    for line in (r"Seccomp:\s+2", r"NoNewPrivs:\s+1", r"CapEff:\s+0+"):
        assert re.search(rf"(?m)^{line}$", status), status
    for kind in ("user", "pid", "net", "ipc", "mnt"):
        here, there = (Path(f"/proc/{each}/ns/{kind}").readlink() for each in (service.pid, pid))
        assert here != there, f"it shares the server's namespace: {kind}"


EATER = """#!/usr/bin/python3
# Writes files into memory: no process has them, and nobody but the kernel counts them.
import sys
for line in sys.stdin:
    if line == "usi\\n":
        print("id name Eater\\nusiok", flush=True)
    elif line == "isready\\n":
        for number in range(12):
            with open(f"/srv/scratch/{number}", "wb") as file:
                for _ in range(64):
                    file.write(bytes(1 << 20))
        print("readyok", flush=True)
"""


@promise("an engine that fills memory where only the kernel counts is ended; the server is not")
def eater():
    engine_of("eater.py", EATER)
    scratch = Path("/srv/scratch")
    scratch.mkdir()
    run("mount", "-t", "tmpfs", "-o", "size=1g", "none", scratch)
    shutil.chown(scratch, "fuhyo")
    with unit_with(f"[Service]\nReadWritePaths={scratch}\n"):
        pid, since = service.pid, len(service.log())
        service.seat("Eater", f"/usr/bin/python3 {ENGINES}/eater.py", "game=eater-60-0", "memory=128",
                     f"scratch={scratch}")
        service.log_until("built-in player Eater: the engine ended: more than 128 MiB of memory", since)
        service.unseat("Eater")
        assert sum(file.stat().st_size for file in scratch.iterdir()) <= 384 * MIB
        assert service.pid == pid and service.poll() is None
    run("umount", scratch)


SPINNER = """#!/bin/sh
# Takes two processors for a thread's worth of thinking.
while read -r line; do
  case $line in
    usi) echo id name Spinner; echo usiok ;;
    isready) (while :; do :; done) & (while :; do :; done) & echo readyok ;;
    quit) exit 0 ;;
  esac
done
"""


@promise("an engine gets no more of the processor than its threads")
def spinner():
    service.seat("Spinner", engine_of("spinner.sh", SPINNER), "game=spinner-60-0", "threads=1")
    unit = CGROUPS / "system.slice" / UNIT

    def throttled():
        return any(re.search(r"nr_throttled [1-9]", file.read_text()) for file in unit.glob("engine-*/cpu.stat"))
    eventually(throttled, "it takes what it wants")
    service.unseat("Spinner")


def engine_of(name, text):
    file = ENGINES / name
    file.write_text(text)
    file.chmod(0o755)
    return file


@promise("what evil engines try fails under the unit, and the honest game beside them goes on")
def evil():
    try_out(service, attempts_of(service.evil))


# ---- looked after ----


@promise("a killed server is back within seconds, and its game goes on")
def killed():
    players = sit_down(CSA, "kill-900-10")
    play(players, *(walk(ply) for ply in range(4)))
    before, began = service.pid, time.monotonic()
    os.kill(before, signal.SIGKILL)
    eventually(lambda: service.pid not in (0, before) and service.poll() is None, "it is not started again")
    print(f"    back after {time.monotonic() - began:.1f} s")
    assert shown(UNIT, "NRestarts") == "1"
    go_on(players, "kill-900-10")


def go_on(players, name):
    """The players come back to their game, after four plies, and play it to its end; its record has all of it."""
    for player in players:
        player.close()
    black, white = sit_down(CSA, name)
    play((black, white), *(walk(ply) for ply in range(4, 8)))
    resign(black, white)

    def record():
        texts = [file.read_text() for file in DATA.glob(f"records/**/*{name}*.csa")]
        return any("%TORYO" in text and sum(line in text for line in map(walk, range(8))) == 8 for text in texts)
    eventually(record, "the record of the game")


@promise("systemctl reload takes a changed file, and leaves a game and a file that is wrong alone")
def reload():
    black, white = sit_down(CSA, "reload-900-10")
    pid = service.pid
    with config_with("max-moves = 320"):
        reload_says("max-moves")
    with config_with("no-such-key = 1"):
        reload_says("no-such-key")
    assert "no-such-key" in journal("-p", "warning")
    assert service.pid == pid
    play((black, white), walk(0), walk(1))
    resign(black, white)


def reload_says(text):
    since = len(service.log())
    run("systemctl", "reload", UNIT)
    service.log_until(f"reload: .*{text}", since)


@promise("a wrong configuration fails the start, is told as a warning, and is not tried for ever")
def wrong():
    with config_with("no-such-thing = 1"):
        run("systemctl", "restart", UNIT, fails=True)
        states = [shown(UNIT, key) for key in ("ActiveState", "SubState", "ExecMainStatus", "NRestarts")]
    run("systemctl", "start", UNIT)
    assert states == ["failed", "failed", "64", "0"], states
    assert "no-such-thing" in journal("-p", "warning")


# ---- replaced ----


def next_version():
    """The package again, as a newer one."""
    folder, newer = BROUGHT / "newer", BROUGHT / "newer.deb"
    run("dpkg-deb", "-R", PACKAGE, folder)
    control = folder / "DEBIAN/control"
    control.write_text(re.sub(r"(?m)^Version: (.*)$", r"Version: \1+newer", control.read_text()))
    run("dpkg-deb", "-Znone", "-b", folder, newer)
    return newer


@promise("an upgrade as the documents have it: a copy, a drain, and games that go on")
def upgrade():
    players = sit_down(CSA, "upgrade-900-10")
    play(players, *(walk(ply) for ply in range(4)))
    copy = BROUGHT / "before.db"
    run(FUHYO, "store", "backup", "--data", DATA, copy)
    run(FUHYO, "store", "verify", copy)
    service.admin("drain", "upgrade")
    eventually(lambda: shown(UNIT, "ActiveState") == "inactive", "it does not end")
    assert shown(UNIT, "NRestarts") == "0" and shown(UNIT, "Result") == "success"
    install(next_version())
    assert run("dpkg-query", "-W", "-f", "${Version}", "fuhyo").endswith("+newer")
    assert service.poll() is None
    go_on(players, "upgrade-900-10")


@promise("an upgrade without a drain restarts the server, and games go on")
def upgrade_at_once():
    players = sit_down(CSA, "again-900-10")
    play(players, *(walk(ply) for ply in range(4)))
    before = service.pid
    install(PACKAGE)
    assert service.pid not in (0, before) and service.poll() is None
    go_on(players, "again-900-10")


@promise("without engines the server runs with what they need taken away")
def without_engines():
    text = Path("/usr/share/doc/fuhyo/docker/fuhyo-without-engines.conf").read_text()
    with unit_with(text):
        players = sit_down(CSA, "bare-900-10")
        play(players, walk(0), walk(1))
        resign(*players)
        found = exposure(UNIT)
    print(f"    {UNIT} with fuhyo-without-engines.conf: {found}")
    assert found <= WITHOUT_ENGINES_EXPOSED


# ---- the worker of matches ----


@promise("the worker plays what somebody of its group puts into the queue, and nothing else of the machine is its own")
def worker():
    queue = Path("/srv/fuhyo/queue")
    run("install", "-d", "-m", "2770", "-o", "fuhyo-worker", "-g", "fuhyo-worker", queue)
    run("useradd", "--create-home", "--groups", "fuhyo-worker", "aki")
    run("systemctl", "enable", "--now", WORKER)
    match = (f"umask 002; exec {FUHYO} match --queue {queue} -n 4 --chunk 1"
             " -e 'player=material-1 name=a' -e 'name=b cmd=fuhyo-nnue USI_Hash=1 Level=1' --tc 10+1")
    said = run("runuser", "-u", "aki", "--", "sh", "-c", match)
    assert "a against b" in said, said
    pid = shown(WORKER, "MainPID")
    assert Path(f"/proc/{pid}").owner() == "fuhyo-worker"
    run("systemctl", "stop", WORKER)
    assert shown(WORKER, "Result") == "success" and "chunks counted" in journal(unit=WORKER)
    run("runuser", "-u", "fuhyo-worker", "--", "ls", DATA, fails=True)
    run("systemctl", "start", WORKER)


@promise("neither unit is exposed more than the documents say")
def exposed():
    figures = {unit: exposure(unit) for unit in MOST_EXPOSED}
    print(f"    {figures}")
    assert all(figures[unit] <= most for unit, most in MOST_EXPOSED.items())


# ---- gone ----


@promise("a purge takes everything but the data and the users")
def purge():
    run("apt-get", "-q", "-y", "purge", "fuhyo")
    assert not processes_of(FUHYO) and not CONFIG.exists() and not Path(FUHYO).exists()
    for unit in (UNIT, WORKER):
        run("systemctl", "cat", unit, fails=True)
    assert not list(Path("/etc/systemd/system").glob("*/fuhyo*.service")), "what was enabled is left"
    assert (DATA / "fuhyo.db").exists() and (DATA / "secret.key").exists() and DATA.owner() == "fuhyo"
    run("id", "fuhyo-worker")


def keep(text, function):
    """Whether it was kept; what else was said says why not."""
    began = time.monotonic()
    try:
        function()
    except BaseException:
        print(f"FAILED {text}\n{traceback.format_exc()}")
        print(run("journalctl", "--quiet", "--no-pager", "-n", 40, "-o", "short-monotonic"), flush=True)
        return False
    print(f"ok     {text} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


def main():
    wanted = (BROUGHT / "checks").read_text().split()
    chosen = [each for each in promises if not wanted or each[1].__name__ in ("installs", "ready", *wanted)]
    kept = sum(keep(*each) for each in chosen)
    print(f"{kept} of {len(chosen)} promises were kept, under Linux {Path('/proc/sys/kernel/osrelease').read_text()}")
    return 0 if kept == len(chosen) else 1


if __name__ == "__main__":
    sys.exit(main())
