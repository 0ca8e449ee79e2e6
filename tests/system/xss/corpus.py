"""The texts of hostile.txt, and what a page shows of them."""

import re
from pathlib import Path

FILE = Path(__file__).parent / "hostile.txt"
# What the server puts a blank for: controls, and marks that turn the direction of what follows.
CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Text:
    def __init__(self, line):
        self.name, spelled = line.split(b" ", 1)
        self.name = self.name.decode()
        self.raw = re.sub(rb"\\x([0-9a-f]{2})", lambda byte: bytes([int(byte[1], 16)]), spelled).replace(b"\\\\", b"\\")

    def is_unicode(self):
        try:
            return bool(self.raw.decode())
        except UnicodeDecodeError:
            return False

    def is_line(self):
        return not re.search(rb"[\r\n\0]", self.raw)

    def shown(self, raw=None):
        return shown(self.raw if raw is None else raw)


def shown(raw):
    """What is seen of these bytes: a sign for each byte that is no UTF-8, one blank for any row of blanks."""
    text = raw.decode("utf-8", "surrogateescape")
    text = re.sub("[\udc80-\udcff]", "\ufffd", text)
    return collapsed(CONTROLS.sub(" ", text))


def collapsed(text):
    """With one blank for any row of what JavaScript takes for blanks, as the watching browser tells texts."""
    return re.sub("[\t\n\v\f\r \xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+", " ", text).strip(" ")


def texts():
    lines = FILE.read_bytes().splitlines()
    return [Text(line) for line in lines if not line.startswith(b"#")]
