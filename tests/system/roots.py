"""Roots of distributions, made by debootstrap and kept, and programs that run in them. It needs root, and network."""

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

# Suite and components; archives are those that debootstrap knows.
SUITES = {"debian-12": ("bookworm", "main"), "debian-13": ("trixie", "main"),
          "ubuntu-24.04": ("noble", "main universe")}
# In a mount namespace, which takes all of it away: the folder becomes /, and not only by chroot(2), in which users
# cannot make the namespaces that engines live in.
ENTER = """mount --bind "$0" "$0" && cd "$0" && mount -t proc proc proc && mount --rbind /dev dev &&
pivot_root . . && umount -l . && cd / && exec "$@" """
SETTINGS = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive", "NODE_EXTRA_CA_CERTS": "/srv/authorities.crt"}
AUTHORITIES = Path("/etc/ssl/certs/ca-certificates.crt")  # npm in a root trusts whom this machine does


def run(*words, log=None, **environment):
    """What it says, which goes to the end of the file `log`, too; where it fails, SystemExit says why."""
    done = subprocess.run(list(map(str, words)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", env={**os.environ, **environment})
    if log:
        with log.open("a", encoding="utf-8") as file:
            file.write(done.stdout)
    if done.returncode != 0:
        sys.exit(f"...{' '.join(map(str, words))[-80:]} ended with {done.returncode}: {done.stdout[-4000:]}")
    return done.stdout


def inside(root, *words, folder="/", **environment):
    """The words that run these with the root as /, in a folder of it. Their process is the one that is started."""
    settings = [f"{name}={value}" for name, value in {**SETTINGS, **environment}.items()]
    return ["unshare", "--mount", "sh", "-c", ENTER, str(root), "env", "-i", "-C", folder, *settings, *map(str, words)]


def kept(name, *facts, make):
    """A folder in the cache of the user, which make(folder to work in) makes the first time, and anew for other facts:
    it says which part of its folder is to be kept."""
    key = hashlib.sha256(" ".join(facts).encode()).hexdigest()[:12]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "fuhyo" / f"{name}-{key}"
    if not cache.exists():
        cache.parent.mkdir(parents=True, exist_ok=True)
        print(f"making {cache}, once: some minutes", flush=True)
        with tempfile.TemporaryDirectory(dir=cache.parent, prefix="new-") as new:
            make(Path(new)).rename(cache)
    return cache


def ubuntus_keys(folder):
    """Debian 12 has no package of them, but Debian 13 has."""
    (folder / "keys").mkdir()
    return bootstrap("debian-13", folder / "keys", "ubuntu-keyring") / "usr/share/keyrings/ubuntu-archive-keyring.gpg"


def bootstrap(distribution, folder, *included):
    """The smallest root of a distribution, as folder/root; its path."""
    suite, components = SUITES[distribution]
    root, options, script = folder / "root", [f"--components={components.replace(' ', ',')}"], []
    if included:
        options.append(f"--include={','.join(included)}")
    if distribution.startswith("ubuntu"):
        options.append(f"--keyring={ubuntus_keys(folder)}")
        script = ["", "gutsy"]  # debootstrap's, for what came later
    try:
        run("debootstrap", "--variant=minbase", *options, suite, root, *script)
    except SystemExit as why:
        sys.exit(f"{distribution}: {str(why).splitlines()[-1]}")
    sources = root / "etc/apt/sources.list"
    deb, address, *_ = sources.read_text().split()
    sources.write_text("".join(f"{deb} {address} {each} {components}\n" for each in (suite, f"{suite}-updates")))
    if AUTHORITIES.exists():
        shutil.copy(AUTHORITIES, root / "srv/authorities.crt")
    run(*inside(root, "apt-get", "update"))
    return root


def root_of(distribution, purpose):
    """A kept one, which may be changed for that purpose."""
    return kept(f"{distribution}-{purpose}", *SUITES[distribution], make=lambda folder: bootstrap(distribution, folder))


def copy_of(root, folder):
    """To be thrown away with the folder."""
    run("cp", "-a", "--reflink=auto", root, folder / "root")
    return folder / "root"


def install(root, package, log=None):
    """A file, with what it needs from the archive."""
    shutil.copy(package, root / "srv/package.deb")
    return run(*inside(root, "apt-get", "-q", "-y", "-o", "Dpkg::Use-Pty=0", "--no-install-recommends", "install",
                       "/srv/package.deb"), log=log)
