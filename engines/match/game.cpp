#include "engines/match/game.h"

#include "engines/jobs/fingerprint.h"
#include "engines/shogi/enum_names.h"

namespace fuhyo::match {
namespace {

constexpr std::array<std::string_view, 13> kEndings = {"mate",
                                                       "resignation",
                                                       "declaration",
                                                       "repetition",
                                                       "perpetual_check",
                                                       "move_limit",
                                                       "adjudicated_win",
                                                       "adjudicated_draw",
                                                       "illegal_move",
                                                       "false_declaration",
                                                       "time_up",
                                                       "hung",
                                                       "crashed"};

}  // namespace

std::string_view to_string(Ending ending) { return kEndings[static_cast<std::size_t>(ending)]; }

std::optional<Ending> parse_ending(std::string_view word) { return shogi::value_named<Ending>(kEndings, word); }

bool is_fault(Ending ending) {
  return ending >= Ending::illegal_move;  // they stand together at the end
}

std::uint64_t game_hash(const PlayedGame& game) {
  jobs::Fingerprint print;
  for (const std::string& name : game.names) print.add(name + "\n");
  print.add_number(game.start.current().key());
  for (const MoveData& data : game.moves) print.add_number(data.move.bits());
  print.add_number(static_cast<std::uint64_t>(game.ending));
  print.add(game.detail);
  return print.value();
}

int half_points(GameResult result, shogi::Color color) {
  if (result == GameResult::draw) return 1;
  return (result == GameResult::black_wins) == (color == shogi::BLACK) ? 2 : 0;
}

}  // namespace fuhyo::match
