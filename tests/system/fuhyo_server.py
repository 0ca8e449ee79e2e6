"""A server of a system test's own: started on free ports, known by its address, stopped by its pid."""

import re
import subprocess

STOP_S = 60


def doors_of(process, *wanted):
    """Where it says that it listens, as soon as all of `wanted` are told: {"csa": ("127.0.0.1", 40123), ...}. Some are
    missing: it has ended."""
    doors = {}
    for line in process.stdout:
        if found := re.match(r"listening ([\w-]+)=(\S+):(\d+)$", line.strip()):
            doors[found[1]] = (found[2], int(found[3]))
        if doors.keys() >= set(wanted):
            break
    return doors


class ServerFault(Exception):
    """The server did not start or did not stop as it should."""


class FuhyoServer:
    """`fuhyo serve FLAG...`; where it listens is in `address` (CSA). A context manager, or stop() it."""

    def __init__(self, program, *flags, log=subprocess.DEVNULL):
        self.process = subprocess.Popen([program, "serve", *flags], stdout=subprocess.PIPE, stderr=log, text=True)
        csa = doors_of(self.process, "csa").get("csa")
        if csa is None:
            self.process.wait(STOP_S)
            self.process.stdout.close()
            raise ServerFault("the server did not start")
        self.address = f"{csa[0]}:{csa[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        """Again does no harm. Fails if it does not end, or not well."""
        if self.process.poll() is None:
            self.process.terminate()
        try:
            code = self.process.wait(STOP_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise ServerFault(f"the server did not stop within {STOP_S} s") from None
        finally:
            self.process.stdout.close()
        if code != 0:
            raise ServerFault(f"the server ended with {code}")
