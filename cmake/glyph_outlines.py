#!/usr/bin/env python3
"""Writes the outlines of web/src/board/glyphs.ts as C++, for server/net/picture/glyphs.h.

glyph_outlines.py GLYPHS.ts OUTPUT.cpp
"""

import re
import sys
from pathlib import Path

HEAD = """// Made by cmake/glyph_outlines.py.
#include "server/net/picture/glyphs.h"

namespace fuhyo::net {

std::string_view glyph_outline(char32_t character) {
  switch (character) {
"""
TAIL = """  }
  return {};
}

}  // namespace fuhyo::net
"""


def main(source, output):
    text = Path(source).read_text(encoding="utf-8")
    cases = ""
    for character, quoted in re.findall(r"^  (.):\n((?:.*\n)*?)(?=^  .:|^\})", text, re.MULTILINE):
        outline = "".join(re.findall(r"'([^']*)'", quoted))
        cases += f"    case U'{character}':\n      return \"{outline}\";\n"
    Path(output).write_text(HEAD + cases + TAIL, encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
