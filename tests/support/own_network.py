"""Network namespaces behind one switch, all of them in a network of this program's own: the machine's is not touched,
and everything is gone with the last of its processes. It needs root."""

import os
import shutil
import subprocess
import sys

INSIDE = "FUHYO_OWN_NETWORK"
NETWORK = "10.88.0"
# Names of namespaces stand in a folder, which is its own, too.
BEGIN = "mkdir -p /run/netns && mount -t tmpfs tmpfs /run/netns && ip link set lo up && exec \"$0\" \"$@\""


def program(name):
    """Where it is; None: it is not there."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")


def enter():
    """Goes on as the same program in a network of its own. Returns there; where there can be none, what is missing."""
    if INSIDE in os.environ:
        return None
    if os.geteuid() != 0:
        return "network namespaces need root"
    missing = [name for name in ("unshare", "ip", "mount") if program(name) is None]
    if missing:
        return f"there is no program {missing[0]}"
    apart = [program("unshare"), "--net", "--mount", "--", "sh", "-c", BEGIN]
    tried = subprocess.run([*apart, "ip", "link", "add", "name", "tried", "type", "bridge"], capture_output=True,
                           text=True, check=False)
    if tried.returncode != 0:
        return f"no network of its own: {tried.stderr.strip()}"
    os.execvpe(apart[0], [*apart, sys.executable, "-B", *sys.argv], {**os.environ, INSIDE: "1"})


def ip(*words):
    subprocess.run([program("ip"), *words], check=True)


class Place:
    """A namespace with a cable to the switch."""

    def __init__(self, name, address, cpus):
        self.name, self.address = name, address
        self.on_cpus = [program("taskset"), "-c", cpus] if cpus else []

    def words(self):
        """Before a command, so that it runs there. Its process is the one that is started."""
        return [program("ip"), "netns", "exec", self.name, *self.on_cpus]


class Switch:
    """After enter(). This program itself is on it at `address`, places at others."""

    def __init__(self):
        self.address, self.network, self.count = f"{NETWORK}.1", f"{NETWORK}.0/24", 1
        ip("link", "add", "switch", "type", "bridge")
        ip("addr", "add", f"{self.address}/24", "dev", "switch")
        ip("link", "set", "switch", "up")

    def plug(self, name, cpus=None):
        """A new Place; what runs there has these processors ("0", "1-3")."""
        self.count += 1
        place, cable = Place(name, f"{NETWORK}.{self.count}", cpus), f"cable{self.count}"
        ip("netns", "add", name)
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name)
        ip("link", "set", cable, "master", "switch", "up")
        ip("-n", name, "addr", "add", f"{place.address}/24", "dev", "eth0")
        for device in ("lo", "eth0"):
            ip("-n", name, "link", "set", device, "up")
        return place
