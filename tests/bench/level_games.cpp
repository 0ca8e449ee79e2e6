#include "tests/bench/level_games.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/repetition.h"

namespace fuhyo::bench {
namespace {

using shogi::Move;
using shogi::Position;

constexpr int kWin = 2, kDraw = 1, kLoss = 0;

// Of pieces on the board, by type: the same units as the material balance of beginners' books.
constexpr std::array<int, shogi::PIECE_TYPE_NB> kWorth = {0, 1, 3, 4, 5, 8, 10, 6, 0, 4, 5, 6, 6, 11, 13};

// What the move changes in the balance of material: the captured piece leaves the opponent and comes to the hand.
int gain(const Position& position, Move move) {
  if (move.is_drop()) return 0;
  const shogi::PieceType captured = shogi::type_of(position.piece_on(move.to()));
  const shogi::PieceType type = shogi::type_of(position.piece_on(move.from()));
  int sum = kWorth[captured] + kWorth[shogi::unpromoted(captured)];
  if (move.is_promotion()) sum += kWorth[shogi::promoted(type)] - kWorth[type];
  return sum;
}

bool mates(const Position& position, Move move) {
  if (!position.gives_check(move)) return false;
  Position after = position;
  after.do_move(move);
  return shogi::count_legal_moves(after) == 0;
}

}  // namespace

usi::BestMove material_move(const Position& position, std::mt19937& random, bool knows_mate) {
  std::vector<Move> best;
  int most = -1;
  for (const Move move : shogi::MoveList<shogi::GenKind::SEARCH>(position)) {
    if (knows_mate && mates(position, move)) return {.kind = usi::BestMove::Kind::move, .move = move};
    const int worth = gain(position, move);
    if (worth > most) best.clear();
    if (worth >= most) best.push_back(move);
    most = std::max(most, worth);
  }
  if (best.empty()) return {};
  return {.kind = usi::BestMove::Kind::move, .move = best[random() % best.size()]};
}

int play_game(const usi::Game& opening, const Player& black, const Player& white) {
  usi::Game game = opening;
  Position position = game.start;
  shogi::RepetitionHistory history(shogi::RepetitionRule::REAL);
  history.start(position);
  const auto make = [&](Move move) {
    const bool check = position.gives_check(move);
    position.do_move(move);
    return history.push(position, check);
  };
  for (const Move move : opening.moves) make(move);
  while (position.ply() < kMaxPlies) {
    const bool blacks = position.side_to_move() == shogi::BLACK;
    const int win = blacks ? kWin : kLoss, loss = kWin - win;
    const usi::BestMove best = (blacks ? black : white)(game, position);
    if (best.kind == usi::BestMove::Kind::resign) return loss;
    const bool declares = best.kind == usi::BestMove::Kind::win;
    if (declares ? !shogi::can_declare(position) : !position.is_legal(best.move)) {
      throw std::runtime_error(usi::to_text(best) + " breaks the rules in " + position.sfen());
    }
    if (declares) return win;
    game.moves.push_back(best.move);
    const shogi::Repetition repetition = make(best.move);
    if (repetition == shogi::Repetition::DRAW) return kDraw;
    if (repetition == shogi::Repetition::MOVER_LOSES) return loss;
    if (repetition == shogi::Repetition::OPPONENT_LOSES) return win;
    if (shogi::count_legal_moves(position) == 0) return win;
  }
  return kDraw;
}

Strength strength_of(std::span<const int> half_points) {
  Strength strength{.games = static_cast<int>(half_points.size())};
  double sum = 0, squares = 0;
  const std::size_t pairs = half_points.size() / 2;
  for (std::size_t i = 0; i < pairs; ++i) {
    const double pair = (half_points[2 * i] + half_points[2 * i + 1]) / 4.0;
    sum += pair;
    squares += pair * pair;
  }
  if (pairs == 0) return strength;
  const double n = static_cast<double>(pairs), mean = sum / n;
  const double error = 1.96 * std::sqrt(std::max(squares / n - mean * mean, 0.0) / std::max(n - 1, 1.0));
  const auto elo = [](double score) {
    const double inside = std::clamp(score, 1e-4, 1 - 1e-4);
    return 400 * std::log10(inside / (1 - inside));
  };
  strength.score = mean;
  strength.elo = elo(mean);
  strength.low = elo(mean - error);
  strength.high = elo(mean + error);
  return strength;
}

}  // namespace fuhyo::bench
