#!/usr/bin/env python3
"""A few short engine games through the server, measured as tests/bench/engine_games.py does it with a thousand: each
move is, and what is told of losses on time is what the server's log says.

    engine_games_test.py FUHYO ENGINE
"""

import contextlib
import io
import json
import re
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "bench"))
import engine_games  # noqa: E402

GAMES, JOBS, MOST_PLIES = 4, 2, 30


def watch_of(*texts, level="info"):
    watch = engine_games.Watch()
    for text in texts:
        watch.take(json.dumps({"time": "", "level": level, "text": text}))
    return watch


def test_losses():
    """A loss is told with its share, and is a fault from --fault-ms on."""
    options = engine_games.options_of(["7", "--fault-ms", "100"])
    assert options.games == 7
    ended = "game wdoor+bench-10-1F+a+b+2026 ended: time up, black's flag fell"
    delays = {"all": {"moves": 90, "p50_us": 1, "p90_us": 2, "p99_us": 3, "max_us": 4}}

    def faults(watch, plies=90):
        return engine_games.faults_of(options, watch, plies, delays)

    quick = watch_of("game #3 is lost on time: the server had kept the move before for 99999 us", ended, "no json")
    assert quick.losses == [(3, 99_999)] and quick.games() == 1 and faults(quick) == [], quick.losses
    slow = watch_of("game #3 is lost on time: the server had kept the move before for 100000 us", ended)
    assert len(faults(slow)) == 1 and "100 ms" in faults(slow)[0], faults(slow)
    first = watch_of("game #3 is lost on time: there was no move before", ended)
    assert first.losses == [(3, None)] and faults(first) == []
    assert "explained" in faults(watch_of(ended))[0]
    assert "measured" in faults(first, plies=91)[0]
    assert watch_of("slow", level="warning").warnings == ["slow"]
    watch = engine_games.Watch()
    watch.take("what no log would say\n")
    assert watch.games() == 0


def test_bad_flags():
    for flags in (["0"], ["--games", "x"], ["--jobs", "33"], ["--jobs", "0"], ["--nodes", "-1"]):
        with contextlib.redirect_stderr(io.StringIO()), unittest.TestCase().assertRaises(SystemExit) as end:
            engine_games.options_of(flags)
        assert end.exception.code == 2, flags


def test_games(fuhyo, engine):
    assert Path(engine) == Path(fuhyo).with_name("fuhyo-nnue"), "the programs lie side by side"
    with tempfile.TemporaryDirectory() as folder:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            code = engine_games.main([str(GAMES), "--jobs", str(JOBS), "--nodes", "100", "--game",
                                      "bench-900-10F", "--bin", str(Path(fuhyo).parent),
                                      "--max-moves", str(MOST_PLIES), "--dir", folder])
        left = [path.name for path in Path(folder).iterdir()]
    text = said.getvalue()
    print(text)
    assert code == 0, text
    assert left == [], left
    games = int(re.search(r"^games +(\d+) in", text, re.M)[1])
    plies = int(re.search(r"^plies +(\d+)$", text, re.M)[1])
    assert GAMES <= games <= GAMES + 2 * JOBS and 0 < plies <= games * MOST_PLIES, text
    rows = {found[1]: list(map(int, found[2].split()))
            for found in re.finditer(r"^  (\S.*?)((?: +\d+){5})$", text, re.M)}
    assert rows["all"] == rows["built-in"] and rows["socket"][0] == 0, rows
    assert rows["all"][0] >= plies and rows["on the clock"][0] == rows["all"][0], rows
    assert 0 < rows["all"][1] and rows["on the clock"][4] <= rows["all"][4], rows


if __name__ == "__main__":
    test_losses()
    test_bad_flags()
    test_games(*sys.argv[1:])
