"""Those who watch: %%MONITOR2ON in extended mode, and the event stream of the web page."""

import asyncio

from wire import Wire, patient

GAMES_EACH = 48  # of one watcher; the server allows 64


class Watchers:
    """Every game that begins is watched by one of `count` sessions, as long as there is room."""

    def __init__(self, history, address, count, name="watch"):
        self.history, self.address, self.name = history, address, name
        self.sessions = [_Watcher(self, number) for number in range(count)]
        self.known, self.is_open = set(), True

    async def begin(self):
        for watcher in self.sessions:
            await watcher.begin()

    def watch(self, csa_id):
        if csa_id in self.known:
            return
        for watcher in self.sessions:
            if watcher.ready and watcher.watched < GAMES_EACH:
                self.known.add(csa_id)
                watcher.watched += 1
                watcher.wire.say("%%MONITOR2ON " + csa_id)
                return

    def close(self):
        self.is_open = False
        for watcher in self.sessions:
            if watcher.wire:
                watcher.wire.drop()


class _Watcher:
    def __init__(self, group, number):
        self.group, self.name, self.ready, self.watched, self.wire = group, f"{group.name}{number}", False, 0, None

    async def begin(self):
        history = self.group.history
        if not self.group.is_open:
            return
        self.wire = await patient(lambda: Wire.connect(self.group.address, history,
                                                       history.session(self.name, "watcher"), self._line,
                                                       self._closed))
        self.wire.say(f"LOGIN {self.name} watching x1")

    def _line(self, line):
        if line.startswith("##[LOGIN]"):
            self.ready = True

    def _closed(self):
        self.ready, self.watched = False, 0
        self.group.known.clear()  # whoever is still there takes over what begins from now on
        if self.group.is_open:
            asyncio.get_running_loop().call_later(0.2, lambda: asyncio.ensure_future(self._again()))

    async def _again(self):
        try:
            await self.begin()
        except OSError:
            self.ready = False


class Stream:
    """One reader of /api/v1/events; begins again when the server has gone."""

    def __init__(self, history, address, name="stream"):
        self.history, self.address, self.name, self.is_open, self.task = history, address, name, True, None

    def begin(self):
        self.task = asyncio.get_running_loop().create_task(self._read())

    async def _read(self):
        while self.is_open:
            try:
                await self._read_once()
            except (OSError, asyncio.IncompleteReadError, ValueError):
                pass
            await asyncio.sleep(0.2)

    async def _read_once(self):
        reader, writer = await asyncio.open_connection(*self.address, limit=1 << 24)
        session = self.history.session(self.name, "stream")
        try:
            writer.write(b"GET /api/v1/events HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n")
            head = await reader.readuntil(b"\r\n\r\n")
            if b" 200 " not in head.split(b"\r\n")[0]:
                raise OSError("refused")
            await self._events(reader, session, b"chunked" in head.lower())
        finally:
            self.history.add(session, "closed")
            writer.transport.abort()

    async def _events(self, reader, session, chunked):
        text = b""
        while self.is_open:
            if chunked:
                size = int((await reader.readline()).strip() or b"0", 16)
                data = await reader.readexactly(size + 2)
                data = data[:-2]
            else:
                data = await reader.read(65536)
            if not data:
                raise OSError("closed")
            at = self.history.clock()
            *events, text = (text + data).split(b"\n\n")
            for event in events:
                self._event(session, event.decode(), at)

    def _event(self, session, event, at):
        fields = dict(line.split(": ", 1) for line in event.split("\n") if ": " in line and not line.startswith(":"))
        if "event" in fields and "data" in fields:
            self.history.add(session, "seen", f"{fields['event']} {fields['data']}", at)

    async def close(self):
        self.is_open = False
        if self.task:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)
