"""Rows about what is done to the store around a crash: crashes inside a step, migrations, backups, other versions."""

import asyncio
import random
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

from bed import Bed
from fuhyo_server import modes_in
from rows import row
from server import Server, ServerFault
from shims import Control, ForgettingDisk
from wire import until

MIGRATIONS = Path(__file__).resolve().parents[3] / "migrations" / "sqlite"
REFUSED = 74  # exit code: the store cannot be opened


async def is_refused(report, server, why, when="as it is"):
    try:
        await asyncio.to_thread(server.start)
    except ServerFault as fault:
        code = server.process.returncode
        report.require(code == REFUSED and why in str(fault), f"{when} it ends with {code} and says: {fault}")
    else:
        report.require(False, f"{when} it starts")
        await asyncio.to_thread(server.kill)


async def is_replaced(report, server):
    """By another one: it ends, and says why."""
    code = await asyncio.to_thread(server.wait)
    report.require(code == REFUSED, f"the former one ended with {code}: {server.last_lines()}")
    report.require("taken the store over" in server.log(), f"it does not say why: {server.last_lines()}")


@row("A15", "killed before every single disk call of a start, with an empty folder and with an older database"
     " (with PostgreSQL: at ever later moments of a start)",
     "a migration is there whole or not at all; the next start goes through, with every game")
async def A15_kill_in_a_migration(settings, report):
    if settings.store == "postgres":
        return await _kill_starts_on_postgres(settings, report)
    return await _kill_starts_on_sqlite(settings, report)


async def _kill_starts_on_postgres(settings, report):
    """There the server's disk calls say nothing; it is killed after ever longer times instead."""
    kills = settings.times or 100
    async with Bed(settings) as bed:
        began = time.monotonic()
        await bed.start()
        whole_s = time.monotonic() - began
        await asyncio.to_thread(bed.server.kill)
        for number in range(kills):
            bed.store.empty()
            process = subprocess.Popen(bed.server.command(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            await asyncio.sleep(whole_s * number / kills)
            process.kill()
            process.wait()
            await bed.start()
            await asyncio.to_thread(bed.server.kill)
            done = bed.store.migrations()
            files = len(list((MIGRATIONS.parent / "postgres").glob("*.sql")))
            report.require(done == files, f"after kill {number + 1}: {done} of {files} migrations")
        report.add("kills with an empty database", kills)


async def _kill_starts_on_sqlite(settings, report):
    async with Bed(settings) as bed:
        await bed.open(settings.pairs or 4)
        await asyncio.sleep(1)
        await asyncio.to_thread(bed.server.kill)
        await bed.leave()
        before = bed.store.journal()
        older = bed.folder / "older.db"
        _make_older(bed.store.file, older)
        for name, database, rows in (("an empty folder", None, []), ("an older database", older, before)):
            kills = await _kill_starts(settings, report, bed.folder / name.split()[1], database, rows)
            report.add("kills with " + name, kills)


def _make_older(database, older):
    """The same games in a database that the last migration has not seen."""
    with sqlite3.connect(database) as new, sqlite3.connect(older) as old:
        files = sorted(MIGRATIONS.glob("*.sql"))
        old.execute("PRAGMA application_id = %d" % new.execute("PRAGMA application_id").fetchone()[0])
        old.execute(new.execute("SELECT sql FROM sqlite_schema WHERE name = 'migration'").fetchone()[0])
        for file in files[:-1]:
            old.executescript(file.read_text(encoding="utf-8"))
        old.executemany("INSERT INTO migration VALUES (?, ?, ?)",
                        new.execute("SELECT * FROM migration ORDER BY number").fetchall()[:-1])
        for table in ("journal", "live", "game", "used", "lease"):
            rows = new.execute(f"SELECT * FROM {table}").fetchall()
            old.execute(f"DELETE FROM {table}")
            if rows:
                old.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(rows[0]))})", rows)
    new.close()
    old.close()


async def _kill_starts(settings, report, folder, database, rows):
    """Kills a start before its first, second, ... disk call, each time with a fresh copy. How many times."""
    kills = 0
    while True:
        work = folder / str(kills)
        (work / "data").mkdir(parents=True)
        if database:
            shutil.copy(database, work / "data" / "fuhyo.db")
        control = Control(work / "control")
        disk = ForgettingDisk(work / "undo", work / "data", control, settings.shim("forgetting_disk"))
        control.kill_at = kills + 1
        server = Server(settings.program, work, env=disk.env())
        try:
            await asyncio.to_thread(server.start)
        except ServerFault:
            control.kill_at = 0
            if kills % 2:
                disk.power_cut()
            await asyncio.to_thread(server.start)
        else:
            await asyncio.to_thread(server.kill)
            return kills
        await asyncio.to_thread(server.stop)
        _require_whole(report, work / "data" / "fuhyo.db", rows, f"after a kill before disk call {kills + 1}")
        shutil.rmtree(work)
        kills += 1


def _require_whole(report, file, rows, when):
    with sqlite3.connect(file) as database:
        state = database.execute("PRAGMA integrity_check").fetchone()[0]
        done = database.execute("SELECT count(*) FROM migration").fetchone()[0]
        last = database.execute("SELECT count(*) FROM journal WHERE seq <= ?", (len(rows),)).fetchone()[0]
    database.close()
    report.require(state == "ok", f"{when}: integrity_check says {state}")
    report.require(done == len(list(MIGRATIONS.glob("*.sql"))), f"{when}: {done} migrations are done")
    report.require(last == len(rows), f"{when}: {last} of {len(rows)} rows")


@row("A16", "a backup taken while games run, restored into an empty folder",
     "the server starts on it; what had ended is there with its records, what ran is treated as after a crash",
     quick=True)
async def A16_restore_a_backup(settings, report):
    async with Bed(settings) as bed:
        await bed.open(settings.pairs or (8 if settings.quick else 100))
        await bed.moves_go_on(16)
        ended = bed.hall.finished
        bed.hall.give_up = True  # some games end before it, some after
        await until(lambda: bed.hall.finished > ended, "no game ends")
        bed.hall.give_up = False
        backup = bed.folder / "backup"
        await asyncio.to_thread(bed.store.back_up, backup)
        await bed.moves_go_on(16)
        await bed.end(report)
        original = bed.evidence()
        report.take(original)
        async with Bed(settings) as other:
            await asyncio.to_thread(other.store.restore, backup)
            other.server.data.mkdir(parents=True, exist_ok=True)
            shutil.copy2(bed.server.data / "secret.key", other.server.data)  # kept apart from the backup
            other.history.mark("died: restored")
            await other.open(len(bed.hall.tables))
            await other.end(report)
            _compare(report, original, other.evidence())


def _compare(report, original, restored):
    """`restored` is the original up to some row, and then what became of the games that ran."""
    same = [row for row, other in zip(restored.rows, original.rows) if row == other]
    report.add("rows in the backup", len(same))
    report.require(restored.rows[:len(same)] == same, "the rows of the backup are not those of the original")
    whole = {game.csa_id for game in restored.games.values() if game.ends and game.ends[0].seq <= len(same)}
    report.add("games that had ended", len(whole))
    report.require(whole, "no game had ended: nothing has been shown")
    report.require(all(game.over for game in restored.games.values()), "a game was left open")
    records = {record.csa_id: record for record in restored.records}
    for record in original.records:
        if record.csa_id in whole:
            report.require(records.get(record.csa_id) == record, f"the record of {record.csa_id} is not the same")


@row("A17", "killed before any single disk call while games are played (between any two appends of a step, too)",
     "every move that anybody was told is stored; a step is there whole or not at all", quick=True, stores=("sqlite",))
async def A17_kill_inside_a_step(settings, report):
    random.seed(settings.seed)
    kills = settings.times or (8 if settings.quick else 150)
    async with Bed(settings, pause_s=(0.0, 0.05)) as bed:
        control, disk = await bed.forgetting_disk()
        await bed.open(settings.pairs or 4)
        for number in range(kills):
            await asyncio.sleep(random.uniform(0.05, 0.2))
            control.kill_at = control.disk_calls + random.randint(1, 60)
            await asyncio.to_thread(bed.server.wait)
            control.kill_at = 0
            if number % 2:
                disk.power_cut()
            await bed.start_again("killed")
            await bed.all_play()
        await bed.end(report)
        report.take(bed.evidence())
        report.add("kills", kills)


@row("A6", "the database is of a newer program",
     "the server refuses to start, and says what is newer", quick=True)
async def A6_other_schema(settings, report):
    async with Bed(settings) as bed:
        await bed.start()
        await asyncio.to_thread(bed.server.stop)
        bed.store.add_migration("9999_of_the_future")
        await is_refused(report, bed.server, "9999_of_the_future")


OPEN_UMASK = ("sh", "-c", 'umask 0; exec "$@"', "sh")


@row("A23", "started with a umask of 0, by somebody who thinks of nothing",
     "its folder, its database, its keys and the records are for its user alone", quick=True)
async def A23_open_umask(settings, report):
    async with Bed(settings, wrap=OPEN_UMASK) as bed:
        bed.server.data.rmdir()  # the server makes it
        async with bed.games(report, 4, 4):
            await bed.moves_go_on(8)
            _require_private(report, bed.server.data, "as it runs")
        _require_private(report, bed.server.data, "after its end")


def _require_private(report, folder, when):
    found = modes_in(folder)
    report.add(f"files and folders {when}", len(found))
    for path, mode in found.items():
        report.require(not mode & 0o077, f"{when}: {path.relative_to(folder)} is {mode:04o}")
