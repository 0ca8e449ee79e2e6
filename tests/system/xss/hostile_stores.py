"""Stores whose names are hostile, which the protocol itself would not let in: a folder of another server that is moved
over, and an export that somebody has changed."""

import hashlib
import json
from datetime import datetime, timedelta

LONGEST_NAME = 32
RECORD = b"""V2
N+%(black)s
N-%(white)s
$EVENT:%(event)s
$START_TIME:%(start)s
PI
+
'rating:%(id)s+1:W%(id)s+1
+7776FU
T1
'** 12 %(said)s
-3334FU
T1
'** %(said)s
%%TORYO
'summary:%(kind)s:%(id)s+1 win:W%(id)s+1 lose
'$END_TIME:%(end)s
"""


def old_folder(root, texts):
    """A folder of a shogi-server, a game a text: as both names, game, comment, kind of its end; as owner of a buoy."""
    start = datetime.now().replace(microsecond=0) - timedelta(days=2)
    buoys = "---\n"
    for number, text in enumerate(texts):
        start += timedelta(minutes=7)
        line = text.raw.replace(b"\n", b" ").replace(b"\r", b" ").replace(b"\0", b" ")
        middle = line.replace(b"/", b"_").replace(b"+", b"_")[:120]
        event = b"old+%s+b%d+w%d+%s" % (middle, number, number, f"{start:%Y%m%d%H%M%S}".encode())
        record = RECORD % {b"black": line, b"white": b"W" + line, b"event": event, b"said": line,
                           b"kind": line.replace(b":", b"_"), b"id": line.replace(b":", b"_").replace(b"+", b"_"),
                           b"start": f"{start:%Y/%m/%d %H:%M:%S}".encode(),
                           b"end": f"{start + timedelta(minutes=5):%Y/%m/%d %H:%M:%S}".encode()}
        folder = root / f"{start:%Y/%m/%d}"
        folder.mkdir(parents=True, exist_ok=True)
        with open(bytes(folder) + b"/" + event + b".csa", "wb") as file:
            file.write(record)
        if text.is_unicode():
            owner = json.dumps(text.raw.decode())  # YAML reads it, too
            buoys += f"buoy_h{number}-900-0:\n  moves: +7776FU\n  owner: {owner}\n  count: 1\n"
    (root / "buoy.yaml").write_text(buoys, encoding="utf-8")


class Disguise:
    """Names that the protocol lets in, each as long as the text that stands there when an export has been changed."""

    def __init__(self, texts):
        self.texts = {}
        for number, text in enumerate(texts):
            escaped_in_facts = any(byte < 32 or byte == ord("\\") for byte in text.raw)
            if 6 <= len(text.raw) <= LONGEST_NAME and not escaped_in_facts:
                self.texts[f"Q{number:03}".ljust(len(text.raw), "q")] = text

    def change(self, export, to):
        """Writes the export anew, with a sum that fits."""
        body = export.read_bytes()
        body = body[:body.rindex(b"sha256 ")]
        for name, text in self.texts.items():
            body = body.replace(name.encode(), escaped(text.raw))
        lines = body.splitlines(keepends=True)
        digest = hashlib.sha256(lines[0] + b"".join(lines[2:])).hexdigest()
        to.write_bytes(body + f"sha256 {digest}\n".encode())


def escaped(raw):
    known = {ord("\\"): b"\\\\", ord("\t"): b"\\t", ord("\n"): b"\\n"}
    return b"".join(known.get(byte) or (bytes([byte]) if 32 <= byte < 127 else b"\\x%02x" % byte) for byte in raw)
