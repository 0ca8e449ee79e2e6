"""What a row needs of the machine beside files, and takes away again: small disks, memory limits, cut cables."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from bed import CannotRun
from waiting import eventually


def need_root(what):
    if os.geteuid() != 0:
        raise CannotRun(f"{what} needs root")


def tool(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if found is None:
        raise CannotRun(f"there is no program {name}")
    return found


def run(*words):
    """CannotRun with what the program said, if it fails."""
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CannotRun(f"{' '.join(words)}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


@contextlib.contextmanager
def small_disk(kib):
    need_root("mounting a small disk")
    folder = Path(tempfile.mkdtemp(prefix="fuhyo-disk-"))
    try:
        run(tool("mount"), "-t", "tmpfs", "-o", f"size={kib}k", "tmpfs", str(folder))
        try:
            yield folder
        finally:
            eventually(lambda: not subprocess.run([tool("umount"), str(folder)], capture_output=True,
                                                  check=False).returncode, f"{folder} is used")
    finally:
        folder.rmdir()


class Ballast:
    """Takes what is free of a disk, and gives it back."""

    def __init__(self, folder):
        self.file = folder / "ballast"

    def fill(self):
        with open(self.file, "ab", buffering=0) as file, contextlib.suppress(OSError):
            for size in (1 << 16, 1 << 12, 1):
                with contextlib.suppress(OSError):
                    while file.write(bytes(size)) == size:
                        pass

    def release(self):
        self.file.unlink()


@contextlib.contextmanager
def memory_group(name):
    """A memory control group (version 1 or 2): the folder of its files."""
    need_root("a control group")
    version1 = Path("/sys/fs/cgroup/memory")
    parent = version1 if version1.is_dir() else Path("/sys/fs/cgroup")
    folder = parent / name
    try:
        folder.mkdir()
    except OSError as error:
        raise CannotRun(f"no memory control group: {error}") from None
    try:
        if not any((folder / file).exists() for file in ("memory.limit_in_bytes", "memory.max")):
            raise CannotRun("the memory controller is not enabled")
        yield folder
    finally:
        def is_gone():
            with contextlib.suppress(OSError):
                folder.rmdir()
            return not folder.exists()
        eventually(is_gone, f"{folder} is used")


def limit_memory(folder, bytes_):
    version1 = folder / "memory.limit_in_bytes"
    (version1 if version1.exists() else folder / "memory.max").write_text(str(bytes_), encoding="ascii")


class Island:
    """A network namespace with cables to this one; the server lives in it, and a cable can be pulled."""

    def __init__(self, cables):
        self.name = f"fy{os.getpid()}"
        self.net = f"{os.getpid() % 254 + 1}"  # of 10.77.0.0/16 and the like: another run has another one
        self.count, self.addresses = cables, []

    def __enter__(self):
        need_root("a network namespace")
        ip = tool("ip")
        run(ip, "netns", "add", self.name)
        try:
            for number in range(self.count):
                here, there = f"{self.name}a{number}", f"{self.name}b{number}"
                run(ip, "link", "add", here, "type", "veth", "peer", "name", there, "netns", self.name)
                run(ip, "addr", "add", f"10.{77 + number}.{self.net}.1/24", "dev", here)
                run(ip, "link", "set", here, "up")
                run(ip, "-n", self.name, "addr", "add", f"10.{77 + number}.{self.net}.2/24", "dev", there)
                run(ip, "-n", self.name, "link", "set", there, "up")
                self.addresses.append(f"10.{77 + number}.{self.net}.2")
            run(ip, "-n", self.name, "link", "set", "lo", "up")
        except CannotRun:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        subprocess.run([tool("ip"), "netns", "del", self.name], capture_output=True, check=False)

    def wrap(self):
        return [tool("ip"), "netns", "exec", self.name]

    def pull(self, number):
        """The other end stays up: nobody is told, packets go nowhere."""
        run(tool("ip"), "link", "set", f"{self.name}a{number}", "down")

    def push(self, number):
        """Back in; the address is kept."""
        run(tool("ip"), "link", "set", f"{self.name}a{number}", "up")
