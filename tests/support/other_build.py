"""The server of another commit, built once beside the work tree: in ${XDG_DATA_HOME:-~/.local/share}/fuhyo/commits."""

import os
import shutil
import subprocess
from pathlib import Path

TREE = Path(__file__).resolve().parents[2]


def built(commit):
    """The program of a commit; or the program itself. A build that was stopped goes on where it was."""
    if Path(commit).is_file():
        return Path(commit).resolve()
    asked = ["git", "rev-parse", "--verify", f"{commit}^{{commit}}"]
    name = subprocess.check_output(asked, cwd=TREE, text=True).strip()
    data = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local/share")
    folder = data / "fuhyo/commits" / name[:12]
    program, sources = folder / "fuhyo", folder / "tree"
    if program.exists():
        return program
    if not (sources / "dev").exists():
        sources.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", name], cwd=TREE, stdout=subprocess.PIPE, check=True).stdout
        subprocess.run(["tar", "-x", "-C", sources], input=archive, check=True)
    subprocess.run(["./dev", "build", "release", "fuhyo"], cwd=sources, check=True)
    (sources / "build/bin/fuhyo").rename(program)
    shutil.rmtree(sources)
    return program
