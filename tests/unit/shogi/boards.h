// Short ways to positions and moves for the tests of the rules.
#pragma once

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <string_view>

#include "engines/shogi/movegen.h"
#include "engines/shogi/position.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::shogi {

inline Position at(std::string_view sfen) {
  auto position = Position::from_sfen(sfen);
  if (!position) ADD_FAILURE() << sfen << ": " << position.error().message;
  return position ? *position : Position();
}

inline Move usi(std::string_view text) {
  const auto move = parse_usi_move(text);
  EXPECT_TRUE(move.has_value()) << text;
  return move.value_or(Move{});
}

// Plays moves separated by blanks; each must be legal.
inline Position after(Position position, std::string_view moves) {
  while (!moves.empty()) {
    const std::string_view text = moves.substr(0, moves.find(' '));
    moves.remove_prefix(std::min(text.size() + 1, moves.size()));
    const Move move = usi(text);
    EXPECT_EQ(position.why_illegal(move), Illegal::none) << text << " in " << position.sfen();
    position.do_move(move);
  }
  return position;
}

template <GenKind Kind>
std::set<std::string> texts(const Position& position) {
  std::set<std::string> all;
  for (const Move move : MoveList<Kind>(position)) all.insert(to_usi(move));
  return all;
}

}  // namespace fuhyo::shogi
