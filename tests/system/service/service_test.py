#!/usr/bin/env python3
"""What the Debian package and its units promise, tried in a machine of its own: Debian 12 with its own kernel under
qemu. It needs root (debootstrap), network at the first time, and minutes; so it is started by hand, as
`./dev service-test`, and no lane has it. The promises are in promises.py, which runs inside.

    service_test.py PACKAGE.deb EVIL_ENGINE [CHECK...]
"""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import threading
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from roots import bootstrap, inside, kept, run  # noqa: E402

SYSTEM = Path(__file__).resolve().parents[1]
INCLUDED = ("systemd-sysv", "dbus", "libpam-systemd", "udev", "python3", "linux-image-cloud-amd64")
UNIT = """[Service]
Type=exec
ExecStart=/bin/sh -c 'tar -x -f /dev/vdb -C /srv && python3 -B -u /srv/system/service/promises.py; \
echo "exit $?"; systemctl poweroff'
StandardOutput=tty
StandardError=tty
TTYPath=/dev/ttyS1
"""
KVM_ANSWERS_IN_S, PATIENCE_S = 30, 3600  # of a kernel that ends at once; of the whole


def needed_packages(package):
    """What the package depends on, without versions: the machine inside has no network."""
    depends = run("dpkg-deb", "-f", package, "Depends")
    return [re.match(r"[\w.+-]+", each.strip())[0] for each in depends.split(",")]


def machine_of(package):
    """A folder with a kernel and a disk to start from, made the first time and kept, a new one for other packages."""
    needed = needed_packages(package)
    return kept("service-test", UNIT, *INCLUDED, *needed, make=lambda folder: make_machine(folder, needed))


def make_machine(folder, needed):
    root, machine = bootstrap("debian-12", folder, *INCLUDED), folder / "machine"
    # debootstrap knows no virtual packages.
    run(*inside(root, "apt-get", "-q", "-y", "--no-install-recommends", "install", *needed))
    run(*inside(root, "apt-get", "clean"))
    (root / "etc/fstab").write_text("/dev/vda / ext4 defaults 0 1\n")
    units = root / "etc/systemd/system"
    (units / "service-test.service").write_text(UNIT)
    wanted = units / "multi-user.target.wants/service-test.service"
    wanted.parent.mkdir(exist_ok=True)
    wanted.symlink_to("../service-test.service")
    machine.mkdir()
    for name in ("vmlinuz", "initrd.img"):
        shutil.copy(root / name, machine / name)
    run("mke2fs", "-q", "-t", "ext4", "-d", root, machine / "disk.img", "4G")
    return machine


def payload(folder, package, evil, checks):
    """A disk that is an archive: the package, the evil engine, and the tests' own helpers."""
    archive = folder / "payload.tar"
    (folder / "checks").write_text(" ".join(checks))
    with tarfile.open(archive, "w") as tar:
        for file in (*SYSTEM.glob("*.py"), *SYSTEM.glob("evil/*.py"), *SYSTEM.glob("service/*.py")):
            tar.add(file, f"system/{file.relative_to(SYSTEM)}")
        tar.add(package, "fuhyo.deb")
        tar.add(evil, "evil_engine")
        tar.add(folder / "checks", "checks")
    return archive


def qemu(machine, accelerator, *words, kernel="", **options):
    return subprocess.Popen(
        ["qemu-system-x86_64", "-accel", accelerator, "-cpu", "max", "-smp", "2", "-m", "3072", "-nodefaults",
         "-display", "none", "-no-reboot", "-kernel", str(machine / "vmlinuz"), "-append",
         f"console=ttyS0 panic=-1 {kernel}", *map(str, words)], stdin=subprocess.DEVNULL, **options)


def accelerator_of(machine):
    """Some machines have a /dev/kvm where no kernel gets anywhere: one that has no root to find must end soon."""
    if not os.access("/dev/kvm", os.W_OK):
        return "tcg"
    tried = qemu(machine, "kvm", "-serial", "null", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        return "kvm" if tried.wait(KVM_ANSWERS_IN_S) == 0 else "tcg"
    except subprocess.TimeoutExpired:
        tried.kill()
        tried.wait()
        return "tcg"


def boot(machine, archive, folder):
    """The exit code of what ran inside, whose words are printed as they come."""
    accelerator = accelerator_of(machine)
    print(f"starting it ({accelerator})", flush=True)
    process = qemu(machine, accelerator, "-initrd", machine / "initrd.img",
                   "-drive", f"file={machine / 'disk.img'},format=raw,if=virtio,snapshot=on,cache=unsafe",
                   "-drive", f"file={archive},format=raw,if=virtio,readonly=on",
                   "-serial", f"file:{folder / 'console'}", "-serial", "stdio",
                   kernel="root=/dev/vda rw", stdout=subprocess.PIPE, text=True, errors="replace")
    watch = threading.Timer(PATIENCE_S, process.kill)
    watch.start()
    code = None
    for line in process.stdout:
        if ended := re.match(r"exit (\d+)$", line.strip()):
            code = int(ended[1])
        else:
            print(line.rstrip(), flush=True)
    process.wait()
    watch.cancel()
    if code is None:
        print("the machine ended before the checks did:\n", (folder / "console").read_text(errors="replace")[-4000:])
    return 1 if code is None else code


def main(package, evil, *checks):
    machine = machine_of(package)
    with tempfile.TemporaryDirectory(prefix="fuhyo-") as folder:
        return boot(machine, payload(Path(folder), package, evil, checks), Path(folder))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
