// Games in AobaZero's form of CSA: its header, and behind each move all visits and the moves with theirs.
#pragma once

#include <fmt/format.h>
#include <set>
#include <string>

#include "engines/record/csa_move.h"
#include "engines/shogi/position.h"
#include "tests/support/scored_games.h"

namespace fuhyo::test {

struct AobaForm {
  std::set<std::size_t> drawn{};  // plies (from 0) whose move is not the most visited one
  std::size_t candidates = 12;    // at most, a move
  bool values = false;            // "v=0.512," in front
  std::string_view end = "%TORYO";
};

// Of the mover's legal moves, so many, the played one among them; the visits fall from the first one on.
inline std::string aoba_comment(const shogi::Position& position, shogi::Move played, bool drawn, const AobaForm& form,
                                Random& random) {
  std::vector<shogi::Move> moves = {played};
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (move != played) moves.push_back(move);
  }
  std::shuffle(moves.begin() + 1, moves.end(), random);
  moves.resize(std::min(moves.size(), form.candidates));
  if (drawn && moves.size() > 1) std::swap(moves[0], moves[1]);
  std::string out = form.values ? fmt::format("v={:.3f},800", static_cast<double>(random() % 1001) / 1000) : "800";
  std::uint64_t left = 790;
  for (const shogi::Move move : moves) {
    const std::uint64_t visits = left / 2 + 1;
    left -= std::min(left, visits);
    out += fmt::format(",{},{}", record::to_csa(position, move).substr(1), visits);
  }
  return out;
}

inline std::string aoba_record(const record::ScoredGame& game, const AobaForm& form, Random& random) {
  std::string out = "'w 630 (crc64:69a8fc9bbf9c3c2d), autousi 1.2, usi-engine 16\n'cpuct 1.25\n";
  out += game.start.same_as(shogi::Position()) ? "PI\n+\n" : record::csa_board(game.start);
  shogi::Position position = game.start;
  for (std::size_t ply = 0; ply < game.moves.size(); ++ply) {
    const shogi::Move move = game.moves[ply].move;
    out += fmt::format("{},'{}\n", record::to_csa(position, move),
                       aoba_comment(position, move, form.drawn.contains(ply), form, random));
    position.do_move(move);
  }
  return out + fmt::format("{}\n", form.end);
}

}  // namespace fuhyo::test
