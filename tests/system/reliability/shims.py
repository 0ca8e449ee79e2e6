"""The harness's end of the preloaded libraries: what shims/control.h describes, and the disk after a power cut."""

import mmap
import os
import struct

_PAGE = 4096
_FIELDS = ["sync_ms", "wall_us", "allocations", "fail_at", "fail_on", "disk_calls", "kill_at", "lying_syncs"]


class Control:
    """Attributes are those of shims/control.h; the preloaded program sees a change at once."""

    def __init__(self, file):
        object.__setattr__(self, "file", file)
        file.write_bytes(bytes(_PAGE))
        file.chmod(0o666)
        with open(file, "r+b") as opened:
            object.__setattr__(self, "page", mmap.mmap(opened.fileno(), _PAGE))

    def __getattr__(self, name):
        return struct.unpack_from("<q", self.page, 8 * _FIELDS.index(name))[0]

    def __setattr__(self, name, value):
        struct.pack_into("<q", self.page, 8 * _FIELDS.index(name), value)

    def env(self, library):
        return {"LD_PRELOAD": library, "FUHYO_SHIM_CONTROL": str(self.file)}


class ForgettingDisk:
    """A folder whose unsynced writes go at power_cut(). The program that writes there has to be dead by then."""

    def __init__(self, undo, disk, control, library):
        self.undo, self.disk, self.control, self.preloaded = undo, disk, control, library
        undo.mkdir(mode=0o777)
        undo.chmod(0o777)

    def env(self):
        return {**self.control.env(self.preloaded), "FUHYO_UNDO": str(self.undo), "FUHYO_DISK": str(self.disk)}

    def power_cut(self, keep=lambda count: 0):
        """Puts back what was not synced; of each file the first keep(count) of these writes stay. How many went."""
        forgotten = 0
        by_inode = {}
        for folder, _, names in os.walk(self.disk):
            for name in names:
                path = os.path.join(folder, name)
                found = os.lstat(path)
                by_inode[f"{found.st_dev}-{found.st_ino}"] = path
        for log in self.undo.iterdir():
            path = by_inode.get(log.name)
            records = _records(log.read_bytes())
            if path is not None and not path.endswith("-shm"):  # which is memory, and not of the disk
                records = records[keep(len(records)):]
                _put_back(path, records)
                forgotten += len(records)
            log.unlink()
        for path in by_inode.values():
            if path.endswith("-shm") and os.path.exists(path):
                os.unlink(path)
        return forgotten


def _records(data):
    if len(data) < _PAGE:
        return []
    at, records = struct.unpack_from("<q", data, _PAGE - 8)[0], []
    while at + 32 <= len(data):
        offset, size, count, _ = struct.unpack_from("<qqqq", data, at)
        records.append((offset, size, data[at + 32:at + 32 + count]))
        at += 32 + count
    return records


def _put_back(path, records):
    with open(path, "r+b") as file:
        for offset, size, old in reversed(records):
            file.seek(offset)
            file.write(old)
            file.truncate(size)
