// Positions and games of which other programs were asked how they write them (tests/golden/training), drawn by seed;
// the same on every machine, whatever order moves are generated in.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/scored_game.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::test {

struct TrainingPosition {
  shogi::Position position;
  shogi::Move move;  // the best one
  std::int16_t score = 0;
  record::Winner winner = record::Winner::nobody;
};

struct TrainingInputs {
  std::vector<TrainingPosition> positions;
  std::vector<record::ScoredGame> games;
};

// Standard, handicaps, pieces in the box, 18 pawns in one hand or most of a set in two, and no king of Black or of
// both.
inline constexpr std::array<std::string_view, 12> kTrainingStarts = {
    shogi::Position::kStartSfen,
    "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 2",
    "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "4k4/9/9/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
    "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL b 18P 1",
    "lnsgkgsnl/1r5b1/9/9/9/9/9/1B5R1/LNSGKGSNL w 18p 300",
    "4k4/9/9/9/9/9/9/9/4K4 b RBGSNL9Prb3g3s3n3l9p 61",
    "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1000",
    "8k/9/8P/9/9/9/9/9/9 b G 1",
    "9/9/4p4/9/9/9/9/9/4K4 w g2p 1",
    "1+P1+L1+N1+S1/9/4k4/9/9/9/4K4/9/1+p1+l1+n1+s1 b RBrb 41",
};

class TrainingDraw {
 public:
  explicit TrainingDraw(std::uint64_t seed) : random_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  // A legal move, if there is one; promotions and captures more often than others.
  std::optional<shogi::Move> move(const shogi::Position& position) {
    const shogi::MoveList<shogi::GenKind::LEGAL> list(position);
    std::vector<shogi::Move> moves(list.begin(), list.end());
    if (moves.empty()) return std::nullopt;
    std::ranges::sort(moves);
    shogi::Move chosen = moves[below(moves.size())];
    for (int tries = 0; tries < 2; ++tries) {
      if (chosen.is_promotion() || position.piece_on(chosen.to()) != shogi::NO_PIECE) break;
      chosen = moves[below(moves.size())];
    }
    return chosen;
  }

  // Small ones and large ones.
  std::int16_t score() {
    const int bound = 1 << below(16);
    return static_cast<std::int16_t>(static_cast<int>(below(2 * static_cast<std::uint64_t>(bound))) - bound);
  }
  record::Winner winner() { return static_cast<record::Winner>(below(3)); }

 private:
  std::mt19937_64 random_;
};

inline TrainingInputs training_inputs() {
  constexpr std::size_t kPositions = 1000, kGames = 50;
  TrainingDraw draw(20'261'122);
  TrainingInputs out;
  for (std::size_t walk = 0; out.positions.size() < kPositions; ++walk) {
    auto position = *shogi::Position::from_sfen(kTrainingStarts[walk % kTrainingStarts.size()]);
    const std::uint64_t step = 1 + draw.below(12);
    for (std::uint64_t ply = 0; ply < 160 && out.positions.size() < kPositions; ++ply) {
      const auto move = draw.move(position);
      if (!move) break;
      if (ply % step == 0) out.positions.push_back({position, *move, draw.score(), draw.winner()});
      position.do_move(*move);
    }
  }
  while (out.games.size() < kGames) {
    const auto start = kTrainingStarts[out.games.size() % 9];
    record::ScoredGame game{.start = *shogi::Position::from_sfen(start), .moves = {}};
    shogi::Position position = game.start;
    const std::uint64_t plies = draw.below(200), first = draw.below(30);
    for (std::uint64_t ply = 0; ply < plies; ++ply) {
      const auto move = draw.move(position);
      if (!move) break;
      game.moves.push_back({.move = *move, .score = {}});
      if (ply >= first) game.moves.back().score = draw.score();
      position.do_move(*move);
    }
    game.winner = draw.winner();
    game.end = static_cast<record::ScoredEnd>(draw.below(6));
    out.games.push_back(std::move(game));
  }
  return out;
}

// A line for each position ("p", SFEN, move, score, winner) and each game ("g", SFEN, moves, scores or '-', winner, end
// as its number), with a tab between fields and a blank between moves.
inline std::string text_of(const TrainingInputs& inputs) {
  std::string out;
  for (const auto& [position, move, score, winner] : inputs.positions) {
    out += fmt::format("p\t{}\t{}\t{}\t{}\n", position.sfen(), shogi::to_usi(move), score, static_cast<int>(winner));
  }
  for (const record::ScoredGame& game : inputs.games) {
    std::string moves, scores;
    for (const record::ScoredMove& each : game.moves) {
      moves += ' ' + shogi::to_usi(each.move);
      scores += each.score ? fmt::format(" {}", *each.score) : " -";
    }
    out += fmt::format("g\t{}\t{}\t{}\t{}\t{}\n", game.start.sfen(), moves, scores, static_cast<int>(game.winner),
                       static_cast<int>(game.end));
  }
  return out;
}

}  // namespace fuhyo::test
