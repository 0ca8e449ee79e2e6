"""The store as a parameter: where the server puts its journal, how it is read back, and what can be done to it."""

import shutil
import sqlite3

from cluster import Cluster
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
        """As docs/operations/moving.md says, while the server runs."""
        folder.mkdir()
        with sqlite3.connect(self.file) as source, sqlite3.connect(folder / "fuhyo.db") as copy:
            source.backup(copy)
        source.close()
        copy.close()

    def restore(self, folder):
        shutil.copy(folder / "fuhyo.db", self.file)

    def add_migration(self, name):
        with sqlite3.connect(self.file) as database:
            database.execute("INSERT INTO migration SELECT max(number) + 1, ?, 'x' FROM migration", (name,))
        database.close()

    def journal(self):
        return [Row(row["seq"], row["kind"], row["game"],
                    row["payload"].decode("latin-1") if isinstance(row["payload"], bytes) else row["payload"])
                for row in self._query(_JOURNAL)]

    def archive(self):
        return [dict(row) for row in self._query(_GAMES)]


class PostgresStore:
    name = "postgres"
    has_processes = True

    def __init__(self, folder):
        self.cluster = Cluster(folder / "postgres")
        self.disk, self.made = self.cluster.data, False

    @property
    def env(self):
        return self.cluster.env

    def flags(self):
        return ["--store", self.cluster.url]

    def start(self):
        if self.made:
            self.cluster.start()
        else:
            self.cluster.make()
            self.made = True

    def kill(self):
        self.cluster.kill()

    def close(self):
        self.cluster.close()

    def back_up(self, folder):
        folder.mkdir()
        (folder / "dump.sql").write_text(self.cluster.run("pg_dump", "-h", str(self.cluster.folder), "-U", "postgres",
                                                          "games"), encoding="utf-8")

    def restore(self, folder):
        self.cluster.run("psql", "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", str(self.cluster.folder), "-U", "postgres",
                         "-d", "games", "-f", str(folder / "dump.sql"))

    def empty(self):
        self.cluster.sql("DROP DATABASE games WITH (FORCE)", database="postgres")
        self.cluster.sql("CREATE DATABASE games OWNER fuhyo", database="postgres")

    def migrations(self):
        return int(self.cluster.sql("SELECT count(*) FROM fuhyo_migration")[0][0])

    def add_migration(self, name):
        self.cluster.sql("INSERT INTO fuhyo_migration (number, name, checksum)"
                         f" SELECT max(number) + 1, '{name}', 'x' FROM fuhyo_migration")

    def journal(self):
        rows = self.cluster.sql("SELECT seq, kind, game, encode(payload, 'hex') FROM journal ORDER BY seq")
        return [Row(int(seq), int(kind), int(game), bytes.fromhex(payload).decode("latin-1"))
                for seq, kind, game, payload in rows]

    def archive(self):
        return [{"csa_id": csa_id, "end_kind": kind, "outcome": outcome, "plies": int(plies), "moves": moves}
                for csa_id, kind, outcome, plies, moves in self.cluster.sql(_GAMES)]


STORES = {"sqlite": SqliteStore, "postgres": PostgresStore}
