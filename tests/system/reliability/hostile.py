"""Those who mean no good, from addresses of their own, and what must hold around them: games go on beside it at no cost
that their players notice, and when it is over the server holds no descriptor and no memory for it."""

import asyncio
import contextlib
import time

from bed import Bed
from measures import echoes, in_ms, share
from wire import PATIENCE_S, until

PLAYERS_ALONE = "127.0.0.1"  # is spared by the limits per address; everybody else is not


class Stranger:
    """A raw connection; bytes out, whatever comes in. A context manager."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def connect(cls, address, source="127.0.0.2"):
        return cls(*await asyncio.wait_for(asyncio.open_connection(*address, local_addr=(source, 0)), PATIENCE_S))

    async def say(self, data):
        """False: the other end has closed."""
        if self.writer.transport.is_closing():
            return False
        try:
            self.writer.write(data)
            await asyncio.wait_for(self.writer.drain(), PATIENCE_S)
        except (OSError, TimeoutError):
            return False
        return not self.writer.transport.is_closing()

    async def line(self, limit_s=PATIENCE_S):
        """The next one without its end; None: the connection is over, or nothing comes."""
        try:
            data = await asyncio.wait_for(self.reader.readline(), limit_s)
        except (OSError, TimeoutError, ValueError):
            return None
        return data.rstrip(b"\r\n") if data.endswith(b"\n") else None

    async def until_line(self, *beginnings, limit_s=PATIENCE_S):
        """The first line that begins like one of these."""
        end = time.monotonic() + limit_s
        while (line := await self.line(max(0.01, end - time.monotonic()))) is not None:
            if line.startswith(beginnings):
                return line
        return None

    async def rest(self, limit_s=PATIENCE_S):
        """What comes until the end of the connection; and whether it came to one."""
        told = b""
        try:
            async with asyncio.timeout(limit_s):
                while data := await self.reader.read(65536):
                    told += data
        except TimeoutError:
            return told, False
        except OSError:
            pass
        return told, True

    def end(self):
        with contextlib.suppress(OSError, RuntimeError):
            self.writer.write_eof()

    def drop(self):
        self.writer.transport.abort()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.drop()


async def log_in(address, name, source="127.0.0.1"):
    """One in extended mode."""
    stranger = await Stranger.connect(address, source)
    await stranger.say(f"LOGIN {name} trip x1\n".encode())
    assert await stranger.until_line(b"##[LOGIN]") is not None, f"{name} cannot log in"
    return stranger


@contextlib.asynccontextmanager
async def beside_games(settings, report, *flags, log="text", memory_mib=32, ends=frozenset({"toryo"})):
    """A bed with games that have begun. After the body: the conditions above, every game to its end, the checker."""
    async with Bed(settings, *flags) as bed:
        bed.server.exempt, bed.server.log_format = PLAYERS_ALONE, log
        await bed.open(settings.pairs or (4 if settings.quick else 50))
        began = time.monotonic()
        await (bed.moves_go_on(8) if settings.quick else asyncio.sleep(3))
        descriptors, memory, hostile = bed.server.descriptors(), bed.server.rss_kib(), time.monotonic()
        yield bed
        report.require(bed.server.is_running(), f"the server has ended: {bed.server.last_lines()}")
        await bed.moves_go_on(8, hostile)  # enough to be measured
        usual, meanwhile = echoes(bed.history, began, hostile), echoes(bed.history, hostile)
        report.add("echo before, ms", in_ms(usual))
        report.add("echo meanwhile, ms", in_ms(meanwhile))
        report.promise(share(meanwhile, 0.5) <= 2 * share(usual, 0.5) + 0.02, "the players are slowed down")
        grown = bed.server.rss_kib() - memory
        report.add("memory grown, MiB", round(grown / 1024, 1))
        report.require(grown <= memory_mib * 1024, f"memory has grown by {grown} KiB")
        await until(lambda: bed.server.descriptors() <= descriptors + 2,
                    lambda: f"{bed.server.descriptors()} descriptors, {descriptors} before it")
        await bed.all_play()
        await bed.end(report)
        report.take(bed.evidence(ends=ends))


def log_of(bed, since=0):
    return bed.server.log()[since:].splitlines()


async def answer_to(address, said, source="127.0.0.2"):
    """(everything that comes after these bytes, whether the connection came to its end)"""
    with await Stranger.connect(address, source) as one:
        await one.say(said)
        return await one.rest()
