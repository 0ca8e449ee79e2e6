#include "engines/members/own_checks.h"

#include <algorithm>

#include "engines/mate/mate_in_few.h"
#include "engines/shogi/movegen.h"
#include "engines/usi/levels.h"

namespace fuhyo::members {
namespace {

constexpr int kAttackPlies = 7, kDefencePlies = 5;
constexpr int kMostMoves = 10'000;  // made by a search for a mate: a few milliseconds

}  // namespace

std::vector<shogi::Move> playable_moves(const shogi::Position& position, std::span<const shogi::Move> wanted) {
  std::vector<shogi::Move> moves;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (wanted.empty() || std::ranges::find(wanted, move) != wanted.end()) moves.push_back(move);
  }
  return moves;
}

shogi::Move short_mate(const usi::Game& game, std::int64_t max_moves) {
  shogi::Position position = game.current();
  if (max_moves > 0 && position.ply() + kAttackPlies > max_moves) return {};
  int moves = kMostMoves;
  const shogi::Move move = mate::mate_in_few(position, kAttackPlies, moves);
  return move && !usi::brings_back(game, move) ? move : shogi::Move{};
}

bool ends_in_mate(shogi::Position position, std::span<const shogi::Move> line) {
  for (const shogi::Move move : line) {
    if (!position.is_legal(move)) return false;
    position.do_move(move);
  }
  return line.size() % 2 == 1 && position.in_check() && shogi::count_legal_moves(position) == 0;
}

bool allows_short_mate(const shogi::Position& position, shogi::Move move) {
  shogi::Position after = position;
  after.do_move(move);
  int moves = kMostMoves;
  return static_cast<bool>(mate::mate_in_few(after, kDefencePlies, moves));
}

bool ends_the_game(const shogi::Position& position, shogi::Move move) {
  shogi::Position after = position;
  after.do_move(move);
  return shogi::count_legal_moves(after) == 0;
}

shogi::Move safe_move(const shogi::Position& position, std::span<const shogi::Move> moves) {
  const usi::SafeMoves safe = usi::find_safe_moves(position, moves);
  return safe.mate ? safe.mate : safe.moves.front();
}

}  // namespace fuhyo::members
