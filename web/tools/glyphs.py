#!/usr/bin/env python3
"""Writes src/board/glyphs.ts: outlines of the characters on pieces and beside the board, so that boards look the same
wherever fonts differ.

Needs Debian's python3-fonttools and fonts-noto-cjk. Units: 100 to an em, the middle of the character at 0,0.
"""

import textwrap
from pathlib import Path

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTCollection

CHARACTERS = "玉王飛角金銀桂香歩龍馬全圭杏と将車行兵成一二三四五六七八九"
HEAD = """// Made by tools/glyphs.py from Noto Serif CJK JP Bold, which Adobe and Google publish under the SIL Open Font
// License 1.1 (https://openfontlicense.org). Outlines of characters: 100 units to an em, the middle at 0,0.
export const GLYPHS: Readonly<Record<string, string>> = {
"""


def main():
    fonts = TTCollection("/usr/share/fonts/opentype/noto/NotoSerifCJK-Bold.ttc").fonts
    font = next(font for font in fonts if "JP" in font["name"].getDebugName(1))
    glyphs, names = font.getGlyphSet(), font.getBestCmap()
    lines = []
    for character in CHARACTERS:
        pen = SVGPathPen(glyphs, ntos=lambda value: str(round(value)))
        glyphs[names[ord(character)]].draw(TransformPen(pen, (0.1, 0, 0, -0.1, -50, 38)))
        parts = textwrap.wrap(pen.getCommands(), 110, break_on_hyphens=False, drop_whitespace=False)
        lines.append(f"  {character}:\n    " + " +\n    ".join(f"'{part}'" for part in parts) + ",\n")
    target = Path(__file__).resolve().parent.parent / "src/board/glyphs.ts"
    target.write_text(HEAD + "".join(lines) + "}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
