#!/usr/bin/env python3
"""The real program on IPv6, in a network namespace of its own: shares are those of networks of 64 bits.

    networks_test.py FUHYO        (77: there is no such namespace here)
"""

import contextlib
import os
import shutil
import socket
import subprocess
import sys

from server_case import ServerCase, run_tests
from waiting import PATIENCE_S, eventually

INSIDE = "FUHYO_TEST_INSIDE"
SERVER = "2001:db8:ffff:1::1"
ONE_NETWORK = [f"2001:db8:1:1::{number:x}" for number in range(1, 41)]
NEXT_NETWORK = "2001:db8:1:2::1"
OF_PAGES, OF_STRANGERS = 64, 8  # connections of a network, to the pages, and of those who have not logged in


class Networks(ServerCase):
    def setUp(self):
        super().setUp()
        self.serve("--csa", f"[{SERVER}]:4081", "--http", f"[{SERVER}]:8081", listeners=("csa", "http"))

    def connect(self, port, source):
        link = socket.create_connection((SERVER, port), timeout=PATIENCE_S, source_address=(source, 0))
        self.addCleanup(link.close)
        return link

    def ask_for_events(self, source):
        """The line of the status; nothing if there is none."""
        link = self.connect(8081, source)
        with contextlib.suppress(ConnectionError):
            link.sendall(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\n\r\n")
            return link.makefile("rb").readline().decode().strip()
        return ""

    def test_a_network_has_one_share_of_the_pages(self):
        told = [self.ask_for_events(source) for source in ONE_NETWORK * 2]
        self.assertEqual(told.count("HTTP/1.1 200 OK"), OF_PAGES)
        self.assertEqual(self.ask_for_events(NEXT_NETWORK), "HTTP/1.1 200 OK")

    def test_a_network_has_one_share_of_the_door_of_players(self):
        """Every address of it connects and says nothing: 8 are held. The next network's players get in."""
        silent = [self.connect(4081, source) for source in ONE_NETWORK]

        def held():
            count = 0
            for link in silent:
                link.setblocking(False)
                try:
                    count += link.recv(1) != b""
                except BlockingIOError:
                    count += 1
                except OSError:
                    pass
            return count
        eventually(lambda: held() == OF_STRANGERS, lambda: f"{held()} are held")
        with self.connect(4081, NEXT_NETWORK) as guest:
            guest.sendall(b"LOGIN guest secret x1\n")
            self.assertEqual(guest.makefile("rb").readline(), b"LOGIN:guest OK\n")


def enter():
    """Runs this file again in a namespace with these addresses; its exit code."""
    tools = [shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin") for name in ("unshare", "ip")]
    if not all(tools):
        print("skipped: there is no unshare, or no ip")
        return 77
    unshare, ip = tools
    apart = [unshare, "--map-root-user", "--net", "--"]
    lines = ["link set lo up"] + [f"addr add {address}/128 dev lo nodad"
                                  for address in (SERVER, NEXT_NETWORK, *ONE_NETWORK)]
    script = f'printf "%s\\n" "$0" | {ip} -batch - && exec "$@"'
    tried = subprocess.run([*apart, "sh", "-c", script, "\n".join(lines), "true"], capture_output=True, text=True,
                           check=False)
    if tried.returncode != 0:
        print(f"skipped: {tried.stderr.strip()}")
        return 77
    again = [*apart, "sh", "-c", script, "\n".join(lines), sys.executable, "-B", *sys.argv]
    return subprocess.run(again, env={**os.environ, INSIDE: "1"}, check=False).returncode


if __name__ == "__main__":
    if INSIDE not in os.environ:
        sys.exit(enter())
    run_tests()
