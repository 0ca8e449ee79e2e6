#!/usr/bin/env python3
"""A tarball of what `cmake --install` lays under /opt/fuhyo, with the libraries of the programs and their licences: all
that they need of a Linux but glibc, of this machine's version or a newer one. For Debian and its like; needs patchelf.

    tarball.py BUILD       makes BUILD/fuhyo-VERSION-linux-MACHINE.tar.xz, and prints its path
"""

import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PREFIX = Path("/opt/fuhyo")
DOCUMENTS, LICENCES = Path("/usr/share/doc"), Path("/usr/share/common-licenses")
GLIBC = "libc6"
TEXT = """Shared libraries of Debian's, unchanged, that the programs use. Their licences lie here. Each may be replaced
by another build of it. Debian keeps their sources, by name and version, in its archive of snapshots.

package  version  source  version of the source
"""


def run(*words, **environment):
    return subprocess.run(list(map(str, words)), check=True, stdout=subprocess.PIPE, text=True,
                          env={**os.environ, **environment}).stdout


def libraries_of(program):
    """{its name for the loader: the file}"""
    return dict(re.findall(r"(?m)^\s*(\S+) => (/\S+)", run("ldd", program)))


def package_of(file):
    """What has laid the file where it is; before /usr was merged it was written without /usr."""
    real = os.path.realpath(file)
    for path in (real, real.removeprefix("/usr"), f"/usr{real}"):
        found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True)
        if found.returncode == 0:
            return found.stdout.split(":")[0]
    sys.exit(f"no package has {file}: nobody knows its licence")


def add_libraries(root):
    """Beside the programs, each of which finds them, and they each other. The packages that they come from."""
    folder, packages = root / "lib/fuhyo", set()
    folder.mkdir(parents=True)
    for program in (root / "bin").iterdir():
        for name, file in libraries_of(program).items():
            if (package := package_of(file)) != GLIBC:
                shutil.copy(file, folder / name)
                packages.add(package)
        # Not DT_RUNPATH, which libraries of libraries would not be looked for in.
        run("patchelf", "--force-rpath", "--set-rpath", "$ORIGIN/../lib/fuhyo", program)
    return packages


def add_licences(root, packages):
    folder = root / "share/doc/fuhyo/libraries"
    folder.mkdir()
    table, named = TEXT, set()
    for package in sorted(packages):
        text = (DOCUMENTS / package / "copyright").read_text(encoding="utf-8", errors="replace")
        (folder / package).write_text(text, encoding="utf-8")
        named |= set(re.findall(rf"{LICENCES}/([\w.+-]*\w)", text))
        columns = "${Package}  ${Version}  ${source:Package}  ${source:Version}\n"
        table += run("dpkg-query", "-W", "-f", columns, package)
    for licence in named:
        shutil.copy(LICENCES / licence, folder)
    (folder / "README").write_text(table, encoding="utf-8")


def check(root):
    """All but glibc comes from there. The oldest glibc that will do."""
    needed = set()
    for program in (*(root / "bin").iterdir(), *(root / "lib/fuhyo").iterdir()):
        needed |= set(re.findall(r"GLIBC_(2[.\d]+)", run("objdump", "-p", program)))
    for program in (root / "bin").iterdir():
        for name, file in libraries_of(program).items():
            if not Path(file).resolve().is_relative_to(root) and package_of(file) != GLIBC:
                sys.exit(f"{program.name} would take {name} from {file}")
    return max(needed, key=lambda version: list(map(int, version.split("."))))


def main(build):
    build = Path(build).resolve()
    cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
    version = re.search(r"CMAKE_PROJECT_VERSION:STATIC=(\S+)", cache)[1]
    made = build / f"fuhyo-{version}-linux-{platform.machine()}.tar.xz"
    with tempfile.TemporaryDirectory(dir=build) as folder:
        root = Path(folder + str(PREFIX))
        run("cmake", "--install", build, "--prefix", PREFIX, "--strip", DESTDIR=folder)
        add_licences(root, add_libraries(root))
        glibc = check(root)
        run("tar", "-c", "-f", made, "-C", root.parent, "--owner=0", "--group=0", "--sort=name", "-I", "xz -T0",
            PREFIX.name)
    print(f"{made}: {made.stat().st_size >> 20} MiB, for glibc {glibc} and newer")


if __name__ == "__main__":
    main(*sys.argv[1:])
