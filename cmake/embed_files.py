#!/usr/bin/env python3
"""Writes C++ that embeds every file of a folder, for server/net/embedded_files.h.

embed_files.py FOLDER OUTPUT.cpp
"""

import hashlib
import sys
from pathlib import Path

HEAD = """// Made by cmake/embed_files.py.
#include "server/net/embedded_files.h"

#include <array>

"""
# The assembler reads the bytes: a compiler would take seconds for what they are as numbers. The digest is for a
# compiler cache, which sees neither that a file is read nor that it changed.
FILE = """// SHA-256 {2}
asm(R"(.pushsection .rodata
.global fuhyo_file_{0}, fuhyo_file_{0}_end
fuhyo_file_{0}: .incbin "{1}"
fuhyo_file_{0}_end:
.popsection)");
extern "C" const char fuhyo_file_{0}[], fuhyo_file_{0}_end[];

"""
TAIL = """namespace fuhyo::net {{

std::span<const EmbeddedFile> embedded_files() {{
  static const std::array<EmbeddedFile, {0}> files = {{{{
{1}  }}}};
  return files;
}}

}}  // namespace fuhyo::net
"""
ROW = "      {{\"{1}\", {{fuhyo_file_{0}, static_cast<std::size_t>(fuhyo_file_{0}_end - fuhyo_file_{0})}}}},\n"


def main(folder, output):
    folder = Path(folder).resolve()
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    digests = [hashlib.sha256(path.read_bytes()).hexdigest() for path in files]
    text = HEAD + "".join(FILE.format(number, path, digests[number]) for number, path in enumerate(files))
    rows = "".join(ROW.format(number, path.relative_to(folder).as_posix()) for number, path in enumerate(files))
    Path(output).write_text(text + TAIL.format(len(files), rows), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
