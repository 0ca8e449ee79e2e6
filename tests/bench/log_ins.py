#!/usr/bin/env python3
"""What 50 games feel of people who log in: the echo of moves, and how long a newcomer needs to log in, under attack.

    ./dev bench log_ins [--bin build/bin] [--dir FOLDER] [--seconds N] [--games N] [--newcomers N]
                        [--handshakes N] [--port PORT [--pid PID]] [ATTACK ...]

A fresh server with 50 games, a move every 100 ms in each, from an exempt address; the attackers come from others of the
loopback network, one kind after the other:

    quiet       nobody
    idle        100 connections that say nothing, from 100 addresses, and another 100 when those are cut
    duplicate   a login with a name that plays and a wrong secret, 20 times a second
    long line   64 MiB without a line end, again and again
    guesses     a password that is wrong, for a name that has one, 20 times a second (each costs a slow hash)
    strangers   200 new connections a second, from 200 addresses, which say nothing
    tls quiet   nobody, and the games are played under TLS
    handshakes  full TLS handshakes, one after the other in four threads, against games in the clear
    tls storm   the same against games under TLS, whose lines are read by the thread that shakes hands

Behind them: how many handshakes a second there were, and how many if sessions are resumed (of the page's port; that of
the players has none). With --port the same against a server that runs already, which need not be this one (no
guesses and no TLS then).
"""

import contextlib
import multiprocessing
import socket
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS / "support"), str(TESTS / "system"), str(TESTS / "system" / "tls")]
import under_load  # noqa: E402
from certificates import make_pair  # noqa: E402
from web_client import Visitor  # noqa: E402

PACE_MS = 100
VICTIM = "Lb0r0"  # a player of bench_load


def attacker(number):
    return f"127.1.{number // 250}.{1 + number % 250}"


def dial(port, number, timeout=2.0):
    """A connection from the attacker's address; None: refused."""
    sock = socket.socket()
    sock.settimeout(timeout)
    try:
        sock.bind((attacker(number), 0))
        sock.connect(("127.0.0.1", port))
    except OSError:
        sock.close()
        return None
    return sock


def still_open(sock):
    sock.settimeout(0)
    try:
        return sock.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def idle(port):
    held = []
    while True:
        held = [sock for sock in held if still_open(sock)]
        for number in range(100 - len(held)):
            sock = dial(port, number)
            if sock:
                held.append(sock)
        time.sleep(0.2)


def each(port, rate, act):
    """Calls act(socket) for a new connection, so many times a second; each is closed a little later."""
    held, number, due = [], 0, time.monotonic()
    while True:
        number += 1
        sock = dial(port, number % 5000)
        if sock:
            with contextlib.suppress(OSError):
                act(sock)
            held.append(sock)
        if len(held) > 2 * rate:
            held.pop(0).close()
        due += 1 / rate
        time.sleep(max(0.0, due - time.monotonic()))


def duplicate(port):
    each(port, 20, lambda sock: sock.sendall(f"LOGIN {VICTIM} load-3600-60,wrong\n".encode()))


def guesses(port):
    each(port, 20, lambda sock: sock.sendall(b"LOGIN person wrong-guess x1\n"))


def strangers(port):
    each(port, 200, lambda sock: None)


def long_line(port):
    block, number = b"x" * 65536, 0
    while True:
        number += 1
        sock = dial(port, number % 5000)
        if sock is None:
            time.sleep(0.05)
            continue
        with contextlib.suppress(OSError):
            for _ in range(1024):
                sock.sendall(block)
        sock.close()


ATTACKS = {"quiet": None, "idle": idle, "duplicate": duplicate, "long line": long_line, "guesses": guesses,
           "strangers": strangers, "tls quiet": None, "handshakes": None, "tls storm": None}
STORMS = ("handshakes", "tls storm")  # a load generator of its own shakes hands, from exempt addresses
UNDER_TLS = ("tls quiet", "tls storm")  # the games
OWN_SERVER = ("guesses", "tls quiet", *STORMS)


def newcomer(port, number, patience=10.0):
    """Seconds from dialling to LOGIN OK; trying again as a program would. None: not within the time."""
    began = time.monotonic()
    while time.monotonic() - began < patience:
        sock = dial(port, 20_000 + number, 1.0)
        if sock is None:
            time.sleep(0.05)
            continue
        with contextlib.suppress(OSError):
            sock.sendall(f"LOGIN new{number} trip x1\n".encode())
            if b" OK" in sock.recv(256):
                sock.close()
                return time.monotonic() - began
        sock.close()
        time.sleep(0.05)
    return None


def choose_password(address, first):
    """A person's own password: only such a one costs a slow hash."""
    person = Visitor(address)
    for answer in (person.log_in("person", first),
                   person.ask("PUT", "/api/v1/session/password", {"password": "correct horse battery"})):
        if answer.status not in (200, 204):
            sys.exit(f"no password: {answer.status} {answer.text}")


@contextlib.contextmanager
def server_of(options):
    """A server with a person who has a password."""
    with tempfile.TemporaryDirectory() as folder, under_load.serving(
            options, *make_pair(Path(folder), "log_ins").flags, listeners=("csa", "csa-tls", "http", "https"),
            exempt="127.0.0.0/16") as server:
        server.done("account-add", "person")
        choose_password(server.http, server.done("password", "person")["rows"][0][2])
        yield server


@contextlib.contextmanager
def attacking(options, port, tls_port, name):
    """One of ATTACKS, until the block ends."""
    if name in STORMS:
        with under_load.loading(options, tls_port, "--tls", "yes", "--handshakes", 10_000_000, "--at-once", 4):
            yield
    elif ATTACKS[name]:
        process = multiprocessing.Process(target=ATTACKS[name], args=(port,), daemon=True)
        process.start()
        yield
        process.kill()
        process.join()
    else:
        yield


def handshake_rates(options, server):
    for what, listener, tls in (("full, players", "csa-tls", "yes"), ("full, page", "https", "yes"),
                                ("resumed, page", "https", "resume")):
        port = server.listeners[listener][1]
        with under_load.loading(options, port, "--tls", tls, "--handshakes", options.handshakes, "--at-once", 4,
                                "--pid", server.process.pid) as storm:
            found = under_load.told(storm.communicate()[0])
        print(f"{what}: {found['per_s']:.0f} handshakes a second, {found['failed']} failed; "
              f"{found['server_cpu_ms']:.2f} ms of the server's processor each", flush=True)


def measure(options, port, pid, name, tls_port=None):
    plies = int(options.seconds * 1000 / PACE_MS) // 2 * 2
    where = (tls_port, "--tls", "yes") if name in UNDER_TLS else (port,)
    logins = []
    with under_load.loading(options, *where, "--pairs", options.games, "--plies", min(plies, 180), "--pace-ms", PACE_MS,
                            "--at-once", 8, "--dir", options.dir, "--limit", 120,
                            *(("--pid", pid) if pid else ())) as load:
        time.sleep(2)  # the games have begun
        with attacking(options, port, tls_port, name):
            for number in range(options.newcomers):
                time.sleep(0.5)
                logins.append(newcomer(port, number))
            found = under_load.told(load.communicate()[0])
    got_in = [seconds for seconds in logins if seconds is not None]
    echo = found["echo_ms"]
    print(f"{name:10} echo p50 {echo['p50']:.2f} p99 {echo['p99']:.2f} max {echo['max']:.1f} ms; "
          f"{found['finished']} of {found['pairs']} games ended; newcomers {len(got_in)} of {len(logins)} in, "
          f"slowest {max(got_in, default=float('nan')) * 1000:.0f} ms", flush=True)


def main():
    parser = under_load.parser(__doc__)
    parser.add_argument("--seconds", default=12, type=int)
    parser.add_argument("--games", default=50, type=int)
    parser.add_argument("--newcomers", default=10, type=int)
    parser.add_argument("--handshakes", default=3000, type=int)
    parser.add_argument("--port", type=int)
    parser.add_argument("--pid", type=int)
    parser.add_argument("attack", nargs="*", help="which of them; all")
    options = parser.parse_args()
    unknown = [name for name in options.attack if name not in ATTACKS]
    if unknown:
        parser.error(f"no attack {', '.join(unknown)}; there are {', '.join(ATTACKS)}")
    for name in options.attack or ATTACKS:
        if options.port:
            if name not in OWN_SERVER:
                measure(options, options.port, options.pid, name)
            continue
        with server_of(options) as server:
            measure(options, server.csa[1], server.process.pid, name, server.listeners["csa-tls"][1])
            if name == "handshakes":
                handshake_rates(options, server)


if __name__ == "__main__":
    main()
