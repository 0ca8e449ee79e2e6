// What a match reads: files of openings, games that it kept itself, files that it goes on with. What is taken is
// written so that it is taken again as the same.

#include "engines/match/opening_line.h"
#include "engines/match/openings.h"
#include "engines/match/output/game_file.h"
#include "engines/match/output/json.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
namespace match = fuhyo::match;
namespace usi = fuhyo::usi;

void check_openings(std::string_view bytes) {
  const auto set = match::parse_openings(bytes, "fuzz", {.max_plies = 30, .seed = 1});
  if (!set) return require(set.error().starts_with("fuzz:"), "a refusal says where");
  require(!set->openings.empty() && set->repeated < set->openings.size(), "there is an opening, and the first is new");
  for (const match::Opening& opening : set->openings) {
    require(opening.game.moves.size() <= 30, "an opening is cut");
    const auto again = match::parse_opening(usi::position_text(opening.game.start, opening.game.moves));
    require(again.has_value() && again->has_value(), "an opening survives being said");
    require((*again)->game.moves == opening.game.moves, "with all its moves");
    require((*again)->game.current().key() == opening.game.current().key(), "and reaches the same position");
  }
}

void check_game(std::string_view line) {
  const auto game = match::game_from_json(line);
  if (!game) return require(!game.error().empty(), "a refusal says why");
  const std::string text = match::to_json(*game);
  const auto again = match::game_from_json(text);
  require(again.has_value() && match::to_json(*again) == text, "a game survives being kept");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = fuhyo::fuzz::text(data, size);
  check_openings(text);
  check_game(text);
  for (const auto format : {match::GameFormat::csa, match::GameFormat::pgn}) {
    const std::size_t whole = match::whole_games(text, format);
    require(whole <= size, "no more is whole than there is");
    require(match::whole_games(text.substr(0, whole), format) == whole, "what is whole stays whole");
  }
  return 0;
}
