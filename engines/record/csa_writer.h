// Writes games as CSA record files. What it writes, read_csa() reads back as the same Game, but for branches, which CSA
// has not, and EndKind::other with a word that is not ASCII: that is %CHUDAN with a comment. Pure functions; any
// thread.
#pragma once

#include <span>
#include <string>

#include "engines/record/csa_format.h"
#include "engines/record/game.h"

namespace fuhyo::record {

// UTF-8 with LF; see encode_from_utf8() for other encodings. Times are whole seconds before V3.0: what is below a
// second is cut off.
std::string write_csa(const Game& game, CsaVersion version);
// Several games, separated by "/" lines.
std::string write_csa(std::span<const Game> games, CsaVersion version);

}  // namespace fuhyo::record
