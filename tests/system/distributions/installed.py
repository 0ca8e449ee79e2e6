"""What an installation in a root of its own (tests/system/roots.py) must do: say its version, serve, take a login, have
a game played to its record, and play by an engine in its sandbox."""

import shlex
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))
from csa_client import CsaClient, begin, play, resign, sit_down, walk  # noqa: E402
from fuhyo_server import FuhyoServer  # noqa: E402
from roots import inside, run  # noqa: E402
from waiting import eventually  # noqa: E402

FLAGS = ("--csa", "127.0.0.1:0", "--http", "127.0.0.1:0", "--builtin", "off", "--engine-sandbox", "required")
DATA = "srv/fuhyo"
SEAT = "name=Nnue engine={}-nnue game=nnue-900-60 turn=- level=3 threads=1 option.USI_Hash=16"


def launcher(folder, words):
    """A script that runs these, with what follows."""
    script = folder / "launcher"
    script.write_text(f'#!/bin/sh\nexec {shlex.join(words)} "$@"\n')
    script.chmod(0o755)
    return script


def play_two(csa, data):
    """Two people, and the record of their game."""
    black, white = sit_down(csa)
    play((black, white), *map(walk, range(10)))
    resign(black, white)
    record = eventually(lambda: next(data.glob("records/**/*cup-900-10*.csa"), None), "a record")
    eventually(lambda: "%TORYO" in record.read_text(), "the end in the record")


def play_engine(csa):
    """The first plies of a game against it."""
    with CsaClient(csa, "LOGIN carol nnue-900-60-B,secretcarol") as carol:
        begin(carol)
        for ply in (0, 2, 4):
            carol.say(walk(ply))
            carol.until("-")
        resign(carol)


def try_out(root, folder, program):
    """`program`: its path in the root. Nobody's rights will do."""
    data = root / DATA
    run(*inside(root, "install", "-d", "-m", "0700", "-o", "nobody", f"/{DATA}"))
    # As nobody: root's engines need less of the machine.
    fuhyo = launcher(folder, inside(root, "setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", program))
    print("   ", run(fuhyo, "--version").splitlines()[0])
    with FuhyoServer(fuhyo, *FLAGS, listeners=("csa", "http"), data=f"/{DATA}", log=folder / "log") as server:
        assert server.get("/healthz").text.strip() == "ok" and "<title>" in server.get("/").text
        play_two(server.csa, data)
        server.done("seat", SEAT.format(program))
        server.wait_for_log("built-in player Nnue: logged in")
        play_engine(server.csa)
        server.done("unseat", "Nnue")
