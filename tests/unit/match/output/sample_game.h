// A short game to write down: an opening of two plies, four moves with what was said of them.
#pragma once

#include <string>

#include "engines/match/game.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::match {

inline shogi::Move move_of(std::string_view text) { return *shogi::parse_usi_move(text); }

inline std::vector<shogi::Move> line_of(const std::vector<std::string>& texts) {
  std::vector<shogi::Move> moves;
  for (const std::string& text : texts) moves.push_back(move_of(text));
  return moves;
}

inline PlayedGame sample_game(std::int64_t number = 0) {
  using Kind = usi::Score::Kind;
  PlayedGame game;
  game.number = number;
  game.engines = {0, 1};
  game.names = {"new", "old"};
  game.times = {*parse_time_control("time=2000,inc=100"), *parse_time_control("nodes=5000")};
  game.opening = 3;
  game.opening_name = "Yokofu";
  game.start = *usi::parse_position("startpos moves 7g7f 3c3d");
  game.moves = {
      {.move = move_of("8h2b+"),
       .spent_us = 1'512'345,
       .score = usi::Score{.kind = Kind::cp, .value = 120},
       .pv = line_of({"8h2b+", "3a2b", "2g2f"})},
      {.move = move_of("3a2b"),
       .spent_us = 999,
       .score = usi::Score{.kind = Kind::cp, .value = 30},
       .pv = line_of({"3a2b", "2g2f", "2g2f"})},  // the second one is not possible
      {.move = move_of("B*5e"), .spent_us = 0, .score = usi::Score{.kind = Kind::win, .value = 5}},
      {.move = move_of("8c8d"),
       .spent_us = 2'000'000,
       .score = usi::Score{.kind = Kind::lose},
       .pv = line_of({"9c9d", "5e2b+"})},  // of another move
  };
  game.result = GameResult::black_wins;
  game.ending = Ending::resignation;
  game.began_ms = 1'795'334'400'123;
  game.ended_ms = 1'795'334'461'000;
  return game;
}

}  // namespace fuhyo::match
