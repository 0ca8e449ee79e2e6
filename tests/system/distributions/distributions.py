#!/usr/bin/env python3
"""The project on other distributions: in a root of each, the committed tree is built from the distribution's own
packages, some tests run, and its Debian package is installed, used and purged in a bare root. What Debian 12 builds as
a tarball is then tried in the bare roots of all. It needs root, network and an hour each; so it is started by hand, as
`./dev distributions`.

    distributions.py FOLDER [--tarball FILE] [NAME...]      packages and logs go to FOLDER/NAME
--tarball: builds nothing, and tries this one
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from installed import try_out

sys.path.append(str(Path(__file__).resolve().parents[1]))
from fuhyo_server import ServerFault  # noqa: E402
from image import try_image  # noqa: E402
from roots import SUITES, copy_of, inside, install, root_of, run  # noqa: E402

PROJECT = Path(__file__).resolve().parents[3]
SOURCE = "src/fuhyo"
# What differs from one distribution to the next: the C++ library, Boost, OpenSSL and other libraries of secrets, the
# lists of passwords, TOML, YAML, archives and SQLite; what the kernel offers the sandbox. None needs a browser.
TARGETS = ("programs", "described", "test_usi", "test_secrets", "test_store", "test_record")
TESTS = r"^(test_(usi|secrets|store|record)\.1|system\.(install|config|seated|import|store|tls_W8))$"
TARBALL_OF = "debian-12"  # it has the oldest glibc
FAULTS = (SystemExit, AssertionError, OSError, ServerFault, subprocess.SubprocessError)


@contextmanager
def step(name, what):
    began = time.monotonic()
    print(f"{name}: {what}", flush=True)
    yield
    print(f"{name}: {what}: {time.monotonic() - began:.0f} s", flush=True)


def lay_sources(root):
    """What is committed, and nothing else."""
    source = root / SOURCE
    shutil.rmtree(source, ignore_errors=True)
    source.mkdir(parents=True)
    archive = source.parent / "source.tar"
    run("git", "-c", "safe.directory=*", "-C", PROJECT, "archive", "-o", archive, "HEAD")
    run("tar", "-x", "-f", archive, "-C", source)
    return source


def built(name, results):
    """The packages that it builds."""
    root, log = root_of(name, "build"), results / "log"
    passed = {key: os.environ[key] for key in ("FUHYO_JOBS", "FUHYO_WEB") if key in os.environ}

    def there(*words):
        return run(*inside(root, *words, folder=f"/{SOURCE}", FUHYO_YES="1", CI="true", XDG_CACHE_HOME="/var/cache",
                           **passed), log=log)
    source = lay_sources(root)
    with step(name, "packages for building"):
        there("./dev", "packages", "install")
    with step(name, "build"):
        there("./dev", "build", "release", *TARGETS)
    with step(name, f"tests: {TESTS}"):
        there("ctest", "--test-dir", "build", "--output-on-failure", "--no-tests=error", "-R", TESTS)
    with step(name, "package"):
        there("./dev", "package")
    if name == TARBALL_OF:
        with step(name, "tarball"):
            there("./dev", "package", "--tarball")
    return [shutil.copy(file, results) for file in (*source.glob("build/*.deb"), *source.glob("build/*.tar.xz"))]


@contextmanager
def bare_root(name):
    root = root_of(name, "bare")
    with tempfile.TemporaryDirectory(dir=root.parent, prefix="try-") as folder:
        yield copy_of(root, Path(folder)), Path(folder)


def try_package(name, package, log):
    with step(name, "install, play, purge"), bare_root(name) as (root, folder):
        install(root, package, log)
        try_out(root, folder, "/usr/bin/fuhyo")
        run(*inside(root, "apt-get", "-q", "-y", "-o", "Dpkg::Use-Pty=0", "purge", "fuhyo"), log=log)
        left = [path for path in ("usr/bin/fuhyo", "usr/share/doc/fuhyo", "etc/fuhyo") if (root / path).exists()]
        assert not left, f"a purge leaves {left}"


def try_tarball(name, tarball):
    with step(name, f"{Path(tarball).name}, unpacked"), bare_root(name) as (root, folder):
        run("tar", "-x", "-f", tarball, "-C", root / "opt")
        try_out(root, folder, "/opt/fuhyo/bin/fuhyo")


def try_distribution(name, results):
    shutil.rmtree(results, ignore_errors=True)
    results.mkdir(parents=True)
    packages = built(name, results)
    try_package(name, next(file for file in packages if str(file).endswith(".deb")), results / "log")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--tarball", type=Path)
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_intermixed_args()
    known, failed = [*SUITES, "image"], []
    names = arguments.names or known
    if unknown := set(names) - set(known):
        parser.error(f"nobody here knows {', '.join(unknown)}: NAME is one of {', '.join(known)}")

    def attempt(name, what, *words):
        try:
            what(*words)
        except FAULTS as why:
            print(f"{name}: FAILED: {why}", flush=True)
            failed.append(name)
    for name in names if not arguments.tarball else ():
        if name == "image":
            attempt(name, try_image, PROJECT)
        else:
            attempt(name, try_distribution, name, arguments.folder / name)
    tarball = arguments.tarball or next(arguments.folder.glob(f"{TARBALL_OF}/*.tar.xz"), None)
    for name in names if tarball else ():
        if name in SUITES:
            attempt(name, try_tarball, name, tarball)
    print(f"failed: {', '.join(failed)}" if failed else "all that was tried works")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
