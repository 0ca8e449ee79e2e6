"""What benchmarks of a server share: the words of their command lines, a server of their own, the load generator."""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "system"))
from fuhyo_server import FuhyoServer, free_ports  # noqa: E402


def folder_of(text):
    """The folder, made where it is not there."""
    folder = Path(text)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    return folder


def parser(doc, folder=tempfile.gettempdir()):
    """Knows --bin and --dir; `folder`: where servers have their data unless it is said."""
    made = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    made.add_argument("--bin", type=Path, default=Path("build/bin"), help="where the programs are")
    made.add_argument("--dir", type=folder_of, default=folder, help="where servers have their data")
    return made


def machine():
    return f"{os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f}, {time.strftime('%Y-%m-%d %H:%M')}"


def median(values):
    return sorted(values)[len(values) // 2]


@contextmanager
def new_folder(options):
    with tempfile.TemporaryDirectory(prefix="fuhyo-bench-", dir=options.dir) as folder:
        yield Path(folder)


@contextmanager
def serving(options, *flags, listeners=("csa",), exempt="127.0.0.0/8", program=None):
    """A fresh server; who is exempt meets no limit per address."""
    with new_folder(options) as data, FuhyoServer(
            program or options.bin / "fuhyo", *free_ports(*listeners), "--max-moves", "0", "--exempt", exempt,
            "--log-level", "warning", "--drain-timeout", "0", *flags, listeners=listeners, data=data) as server:
        yield server


def words(options, port, flags):
    return list(map(str, (options.bin / "bench_load", "--port", port, *flags)))


def told(said):
    """The figures in what the load generator printed."""
    return json.loads(next(line for line in said.splitlines() if line.startswith("{")))


def load(options, port, *flags):
    """A whole run of the load generator; its figures."""
    command = words(options, port, flags)
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)} failed:\n{done.stdout}{done.stderr}")
    return told(done.stdout)


@contextmanager
def loading(options, port, *flags):
    """The load generator's process, which ends with the block."""
    process = subprocess.Popen(words(options, port, flags), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               text=True)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
        process.stdout.close()
