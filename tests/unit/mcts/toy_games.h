// Small games for the tree search, whose truth is known: tic-tac-toe, and games at random with cycles.
#pragma once

#include <array>
#include <random>
#include <span>
#include <vector>

#include "engines/mcts/tree/game.h"

namespace fuhyo::mcts {

inline const nn::Shape kToyShape{.edge = 3, .planes = 2, .scalars = 0, .channels = 1, .policy_planes = 1};

// Squares 0 to 8. A move is a square.
class TicTacToe {
 public:
  static constexpr std::size_t kMostMoves = 9;

  void do_move(MoveCode move) {
    boards_[moves_.size() % 2] |= 1U << move;
    moves_.push_back(move);
  }
  void undo_move() {
    const MoveCode move = moves_.back();
    moves_.pop_back();
    boards_[moves_.size() % 2] &= ~(1U << move);
  }
  std::uint64_t key() const {
    return ((boards_[0] << 9 | boards_[1]) * 2 + moves_.size() % 2 + 1) * 0x9e3779b97f4a7c15ULL;
  }
  int ply() const { return static_cast<int>(moves_.size()); }
  Verdict verdict() const {
    const unsigned last = boards_[(moves_.size() + 1) % 2];
    for (const unsigned line : {0007U, 0070U, 0700U, 0111U, 0222U, 0444U, 0421U, 0124U}) {
      if ((last & line) == line) return {.result = Result::loss};
    }
    return {.result = moves_.size() == 9 ? Result::draw : Result::unknown};
  }
  static int plies_to_win() { return 0; }
  std::size_t moves(std::span<LabelledMove> room) const {
    std::size_t count = 0;
    for (MoveCode square = 0; square < 9; ++square) {
      if (((boards_[0] | boards_[1]) >> square & 1) == 0) room[count++] = {square, square};
    }
    return count;
  }
  void write(std::span<nn::Plane> planes, std::span<float>) const {
    planes[0][0] = boards_[moves_.size() % 2];
    planes[1][0] = boards_[(moves_.size() + 1) % 2];
  }

 private:
  std::array<unsigned, 2> boards_{};
  std::vector<MoveCode> moves_;
};
static_assert(Game<TicTacToe>);

// Places with ways between them, walked along by two in turn. Some places end it, and so does coming to a place for the
// second time with the same side to move: with a draw, or one side loses by it. Who cannot go on has lost.
class CycleGame {
 public:
  static constexpr std::size_t kMostMoves = 4;
  struct Map {
    std::vector<std::vector<MoveCode>> ways;
    std::vector<Result> end;            // unknown: it goes on
    Result coming_back = Result::draw;  // for the side that is to move at even plies
  };
  static Map at_random(std::mt19937& random, std::size_t places) {
    Map map;
    for (std::size_t place = 0; place < places; ++place) {
      auto& ways = map.ways.emplace_back();
      for (MoveCode to = 0; to < places; ++to) {
        if (to != place && ways.size() < kMostMoves && random() % places < 3) ways.push_back(to);
      }
      map.end.push_back(place > 0 && random() % 4 == 0 ? static_cast<Result>(1 + random() % 3) : Result::unknown);
    }
    map.coming_back = static_cast<Result>(1 + random() % 3);
    return map;
  }

  explicit CycleGame(const Map& map) : map_(&map) {}

  void do_move(MoveCode move) { path_.push_back(move); }
  void undo_move() { path_.pop_back(); }
  std::uint64_t key() const { return (path_.back() * 2U + path_.size() % 2 + 1) * 0x9e3779b97f4a7c15ULL; }
  int ply() const { return static_cast<int>(path_.size()) - 1; }
  Verdict verdict() const {
    for (int before = ply() - 2; before >= 0; before -= 2) {
      if (path_[static_cast<std::size_t>(before)] == path_.back()) {
        return {.result = ply() % 2 == 0 ? map_->coming_back : reversed(map_->coming_back), .since = before};
      }
    }
    return {.result = map_->end[path_.back()]};
  }
  static int plies_to_win() { return 0; }
  std::size_t moves(std::span<LabelledMove> room) const {
    std::size_t count = 0;
    for (const MoveCode to : map_->ways[path_.back()]) room[count++] = {to, static_cast<std::uint16_t>(to % 9)};
    return count;
  }
  void write(std::span<nn::Plane>, std::span<float>) const {}

 private:
  const Map* map_;
  std::vector<MoveCode> path_{0};
};
static_assert(Game<CycleGame>);

// The result with best play of both, by looking at every line.
template <Game G>
Result truth(G& game) {
  if (const Verdict verdict = game.verdict(); verdict.result != Result::unknown) return verdict.result;
  std::array<LabelledMove, G::kMostMoves> moves;
  const std::size_t count = game.moves(moves);
  Result best = Result::loss;
  for (std::size_t i = 0; i < count && best != Result::win; ++i) {
    game.do_move(moves[i].move);
    best = std::max(best, reversed(truth(game)));
    game.undo_move();
  }
  return best;
}

}  // namespace fuhyo::mcts
