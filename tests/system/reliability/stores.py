"""The store as a parameter: where the server puts its journal, how it is read back, and what can be done to it."""

import shutil
import sqlite3

from stored import Row

_JOURNAL = "SELECT seq, kind, game, payload FROM journal ORDER BY seq"
_GAMES = "SELECT csa_id, end_kind, outcome, plies, moves FROM game ORDER BY game"


class SqliteStore:
    """DATA/fuhyo.db. Nothing to start and nothing to kill: it lives in the server's process."""
    name = "sqlite"
    has_processes = False

    def __init__(self, folder):
        self.file = folder / "data" / "fuhyo.db"
        self.disk = folder / "data"  # what has to be synced

    def flags(self):
        return []

    def start(self):
        """There is none."""

    def kill(self):
        """It has died with the server."""

    def close(self):
        """There is nothing to end."""

    def _query(self, sql):
        with sqlite3.connect(self.file, timeout=30) as connection:
            connection.text_factory = lambda raw: raw.decode("latin-1")
            connection.row_factory = sqlite3.Row
            rows = connection.execute(sql).fetchall()
        connection.close()
        return rows

    def back_up(self, folder):
        """As docs/operations.md says, while the server runs."""
        folder.mkdir()
        with sqlite3.connect(self.file) as source, sqlite3.connect(folder / "fuhyo.db") as copy:
            source.backup(copy)
        source.close()
        copy.close()

    def restore(self, folder):
        shutil.copy(folder / "fuhyo.db", self.file)

    def journal(self):
        return [Row(row["seq"], row["kind"], row["game"],
                    row["payload"].decode("latin-1") if isinstance(row["payload"], bytes) else row["payload"])
                for row in self._query(_JOURNAL)]

    def archive(self):
        return [dict(row) for row in self._query(_GAMES)]


STORES = {"sqlite": SqliteStore}
