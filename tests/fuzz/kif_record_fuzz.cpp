// A KIF, KI2 or JKF file, or a line of USI: read or refused, never worse; and what was read survives being written and
// read again, in its own format and as CSA.

#include "engines/record/csa_reader.h"
#include "engines/record/csa_writer.h"
#include "engines/record/jkf_reader.h"
#include "engines/record/jkf_writer.h"
#include "engines/record/kif_reader.h"
#include "engines/record/kif_writer.h"
#include "engines/record/opening.h"
#include "engines/record/record_format.h"
#include "engines/record/usi_line.h"
#include "tests/fuzz/fuzz.h"

namespace record = fuhyo::record;
using fuhyo::fuzz::require;
using record::Game;

namespace {

void same(const Game& before, const record::GameFile& after) {
  require(after.game.start == before.start, "the start is the same");
  require(after.game.moves.size() == before.moves.size(), "so are the moves");
  for (std::size_t i = 0; i < before.moves.size(); ++i) {
    require(after.game.moves[i].move == before.moves[i].move, "so is each of them");
  }
  require(after.game.impossible.has_value() == before.impossible.has_value(), "and what was tried last");
}

// A game comes back from its text as it was, branches included, and what came back as exactly itself.
void through(const Game& game, auto write, auto read) {
  const auto again = read(write(game));
  require(again.has_value(), "a file that is written can be read");
  same(game, *again);
  const auto is_same = [](const record::Branch& one, const record::Branch& other) {
    using record::RecordedMove;
    return one.ply == other.ply &&
           std::ranges::equal(one.moves, other.moves, {}, &RecordedMove::move, &RecordedMove::move);
  };
  require(std::ranges::equal(game.branches, again->game.branches, is_same), "so are the branches");
  const auto once_more = read(write(again->game));
  require(once_more && once_more->game == again->game, "and nothing changes any more");
}

void through_kif(const Game& game) {
  const auto read = [&](std::string_view text) {
    auto file = record::parse_kif(text);
    require(!file || file->game.end.kind == game.end.kind, "the end is the same");
    return file;
  };
  through(game, [](const Game& one) { return record::write_kif(one); }, read);
}

void through_ki2(const Game& game) {
  if (const auto text = record::write_ki2(game); !text) return require(!text.error().empty(), "a refusal says why");
  through(game, [](const Game& one) { return record::write_ki2(one).value_or(""); }, record::parse_kif);
}

void through_jkf(const Game& game) {
  through(game, [](const Game& one) { return record::write_jkf(one); }, record::read_jkf);
}

void through_csa(const Game& game) {
  const auto again = record::parse_csa(record::write_csa(game, record::CsaVersion::v3_0));
  require(again.has_value() && again->size() == 1, "a CSA file that is written can be read");
  require(again->front().game.moves.size() == game.moves.size(), "with the same moves");
}

void through_usi(const Game& game) {
  if (game.impossible || !game.start.position()) return;
  const auto again = record::read_usi(record::write_usi(game));
  require(again.has_value(), "a line that is written can be read");
  same(game, *again);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuhyo::fuzz::text(data, size);
  if (const auto any = record::read_record(bytes); !any) require(!any.error().text.empty(), "a refusal says why");
  if (const auto kif = record::read_kif(bytes)) {
    (void)record::opening_name(kif->game);
    through_kif(kif->game);
    through_ki2(kif->game);
    through_jkf(kif->game);
    through_csa(kif->game);
    through_usi(kif->game);
  }
  if (const auto jkf = record::read_jkf(bytes)) {
    through_jkf(jkf->game);
    through_csa(jkf->game);
    (void)record::write_kif(jkf->game);
    (void)record::write_ki2(jkf->game);
  }
  if (const auto usi = record::read_usi(bytes)) through_usi(usi->game);
  return 0;
}
