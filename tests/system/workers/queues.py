"""A queue of each kind as tests look into it, past the program: what workers hold, and what was set aside."""

ATTEMPTS = 5  # of a batch


class FolderQueue:
    def __init__(self, folder):
        self.address = folder / "queue"

    def batches(self):
        return [path.name for path in (self.address / "batches").glob("*")]

    def done(self, batch):
        return {path.name for path in (self.address / "batches" / batch / "done").glob("*")}

    def held_by(self, batch, worker):
        """The chunks that the worker has claimed and nobody has finished."""
        claims = [path for path in self._claims(batch).glob("*.*") if path.suffix[1:].isdigit()]
        chunks = {path.stem for path in claims if path.read_text(encoding="ascii").startswith(worker)}
        return chunks - self.done(batch)

    def set_aside(self, batch, chunk, why):
        for fence in range(1, ATTEMPTS + 1):
            (self._claims(batch) / f"{chunk}.{fence}").write_text("w 1000\n", encoding="ascii")
            (self._claims(batch) / f"{chunk}.{fence}.failed").write_text(why, encoding="ascii")

    def _claims(self, batch):
        return self.address / "batches" / batch / "claims"


class PostgresQueue:
    def __init__(self, cluster):
        self.cluster, self.address = cluster, cluster.url
        cluster.sql("DROP SCHEMA IF EXISTS fuhyo_jobs CASCADE")

    def batches(self):
        there = self.cluster.sql("SELECT to_regclass('fuhyo_jobs.chunk') IS NOT NULL")
        return self._column("SELECT name FROM fuhyo_jobs.batch") if there == [["t"]] else []

    def done(self, batch):
        return self._chunks(batch, "state = 'done'")

    def held_by(self, batch, worker):
        return self._chunks(batch, f"state = 'held' AND worker LIKE '{worker}%'") if self.batches() else set()

    def set_aside(self, batch, chunk, why):
        self.cluster.sql(f"UPDATE fuhyo_jobs.chunk c SET state = 'aside', failures = {ATTEMPTS},"
                         f" why = convert_to('{why}', 'UTF8') FROM fuhyo_jobs.batch b"
                         f" WHERE b.id = c.batch AND b.name = '{batch}' AND c.chunk = {chunk}")

    def _chunks(self, batch, which):
        return set(self._column("SELECT c.chunk FROM fuhyo_jobs.chunk c JOIN fuhyo_jobs.batch b ON b.id = c.batch"
                                f" WHERE b.name = '{batch}' AND {which}"))

    def _column(self, query):
        return [row[0] for row in self.cluster.sql(query)]
