// Games of random legal moves with times, comments and ends: what every format of records has to carry.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <utility>

#include "engines/record/game.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::record::test {

inline Game random_game(std::uint32_t seed, int plies, const Setup& start = Setup::standard()) {
  std::mt19937 random(seed);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  Game game;
  game.black = "先手" + std::to_string(seed);
  game.white = "White　Player";
  game.event = "第１回";
  game.start_time = "2026/01/02 03:04:05";
  game.black_time = game.white_time = TimeControl{.total_ms = 900'000, .byoyomi_ms = 10'000};
  game.headers = {{"備考欄", "x"}};
  game.start = start;
  auto position = *start.position();
  while (game.plies() < plies) {
    const auto moves = shogi::legal_moves(position);
    if (moves.empty()) break;
    const shogi::Move move = moves[below(moves.size())];
    RecordedMove& recorded = game.moves.emplace_back(move, std::nullopt);
    if (below(4) != 0) recorded.spent_ms = static_cast<std::int64_t>(below(5'000)) * 1000;
    position.do_move(move);
    if (below(8) == 0) {
      const std::string text = "* " + std::to_string(below(100)) + " comment";
      game.comments.push_back({game.plies(), Comment::Kind::program, false, text});
    }
  }
  constexpr EndKind kEnds[] = {EndKind::none,  EndKind::toryo,         EndKind::chudan,        EndKind::time_up,
                               EndKind::kachi, EndKind::black_illegal, EndKind::white_illegal, EndKind::jishogi,
                               EndKind::matta, EndKind::sennichite,    EndKind::hikiwake,      EndKind::error,
                               EndKind::tsumi, EndKind::max_moves,     EndKind::fuzumi};
  game.end.kind = kEnds[seed % std::size(kEnds)];
  if (game.end.kind != EndKind::none) {
    game.end.spent_ms = 61'000;
    game.comments.push_back({game.plies(), Comment::Kind::program, true, "after the end"});
  }
  return game;
}

inline Game without_times(Game game) {
  const auto reset = [](auto& line) {
    for (RecordedMove& move : line.moves) move.spent_ms.reset();
    line.end.spent_ms.reset();
  };
  reset(game);
  for (Branch& branch : game.branches) reset(branch);
  return game;
}

// What KI2 can hold of it.
inline Game in_ki2(Game game) {
  for (Comment& comment : game.comments) comment.after_end = false;
  return without_times(std::move(game));
}

}  // namespace fuhyo::record::test
