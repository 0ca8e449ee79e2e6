#include "engines/match/game.h"

#include <algorithm>

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

std::optional<Ending> parse_ending(std::string_view word) {
  const auto found = std::ranges::find(kEndings, word);
  if (found == kEndings.end()) return std::nullopt;
  return static_cast<Ending>(found - kEndings.begin());
}

bool is_fault(Ending ending) {
  return ending >= Ending::illegal_move;  // they stand together at the end
}

int half_points(Outcome outcome, shogi::Color color) {
  if (outcome == Outcome::draw) return 1;
  return (outcome == Outcome::black_wins) == (color == shogi::BLACK) ? 2 : 0;
}

}  // namespace fuhyo::match
