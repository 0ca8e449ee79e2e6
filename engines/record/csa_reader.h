// Reads CSA record files: no version (V1), V2, V2.1, V2.2 and V3.0, one game or several separated by "/" lines, LF,
// CR LF or CR, in UTF-8, UTF-16 with its mark, Shift_JIS or EUC-JP. Pure functions; any thread.
//
// Takes what real programs write (headers after the moves, collapsed blanks, a repeated %KACHI, lines of the network
// protocol) and says in warnings what it made of it; refuses what leaves the game in doubt: no start position, a move
// that cannot be carried out with more moves after it, broken moves and pieces. Legality is not judged.
#pragma once

#include <expected>
#include <string_view>
#include <vector>

#include "engines/record/csa_format.h"
#include "engines/record/diagnostic.h"
#include "engines/record/encoding.h"
#include "engines/record/game.h"

namespace fuhyo::record {

struct CsaGame {
  CsaVersion version = CsaVersion::v1;
  Game game;
  std::vector<Diagnostic> warnings;
};

struct CsaFile {
  Encoding encoding = Encoding::utf8;
  std::vector<CsaGame> games;  // at least one
};

// A whole file as it lies on disk.
std::expected<CsaFile, Diagnostic> read_csa(std::string_view bytes);
// The same for text that is UTF-8 already.
std::expected<std::vector<CsaGame>, Diagnostic> parse_csa(std::string_view utf8);

}  // namespace fuhyo::record
