// Outlines of the characters on pieces, those of the pages (web/src/board/glyphs.ts); cmake/glyph_outlines.py writes
// the other half. Any thread.
#pragma once

#include <string_view>

namespace fuhyo::net {

// As the path of an SVG, of absolute commands: 100 units to an em, the middle at 0,0. Empty: there is none.
std::string_view glyph_outline(char32_t character);

}  // namespace fuhyo::net
