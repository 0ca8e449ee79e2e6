"""The list of rows: each an async function (Settings, Report), registered with its id, its title and its promise."""

import importlib
from pathlib import Path
from typing import Callable, NamedTuple


class Row(NamedTuple):
    id: str
    title: str
    promise: str
    run: Callable
    quick: bool          # short enough for every test run
    stores: tuple
    measures: bool       # is run by its name only


ROWS = {}


def read_rows():
    for file in sorted(Path(__file__).parent.glob("rows_*.py")):
        importlib.import_module(file.stem)


def row(id_, title, promise, quick=False, stores=("sqlite", "postgres"), measures=False):
    """Registers `async def <id>_...(settings, report)`."""
    def register(function):
        assert function.__name__.startswith(id_ + "_") and id_ not in ROWS, function.__name__
        ROWS[id_] = Row(id_, title, promise, function, quick, stores, measures)
        return function
    return register
