// A record file: read or refused, never worse; and what was read survives being written and read again.

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/record/encoding.h"
#include "tests/fuzz/fuzz.h"

namespace record = fuhyo::record;
using fuhyo::fuzz::require;

namespace {

// An end that CSA has no name for is written as a game that broke off, with a comment.
bool is_end_of_csa(const record::Game& game) {
  return game.end.kind != record::EndKind::other || record::is_ascii(game.end.text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto file = record::read_csa(fuhyo::fuzz::text(data, size));
  if (!file) {
    require(!file.error().text.empty(), "a refusal says why");
    return 0;
  }
  require(!file->games.empty(), "a file that is read holds a game");
  for (const record::CsaGame& read : file->games) {
    const std::string written = record::write_csa(read.game, record::CsaVersion::v3_0);
    const auto again = record::parse_csa(written);
    require(again.has_value(), "what is written can be read");
    require(again->size() == 1, "and is one game");
    const bool same = again->front().game == read.game;
    require(same || !is_end_of_csa(read.game), "the same game");
    require(again->front().game.moves == read.game.moves, "with the same moves");
  }
  return 0;
}
