#include "engines/match/simple_players.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "engines/shogi/movegen.h"
#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

using shogi::Move;
using shogi::Position;

constexpr int kDeepest = 5;
constexpr int kMate = 20'000;
constexpr int kSooner = 1'000;  // for each ply that a mate comes earlier: more than a piece

// Of pieces on the board, by type: the units of the material balance in beginners' books.
constexpr std::array<int, shogi::PIECE_TYPE_NB> kWorth = {0, 1, 3, 4, 5, 8, 10, 6, 0, 4, 5, 6, 6, 11, 13};

// What the move changes in the balance: the captured piece leaves the opponent and comes to the hand.
int gain(const Position& position, Move move) {
  if (move.is_drop()) return 0;
  const shogi::PieceType captured = shogi::type_of(position.piece_on(move.to()));
  const shogi::PieceType type = shogi::type_of(position.piece_on(move.from()));
  int sum = kWorth[captured] + kWorth[shogi::unpromoted(captured)];
  if (move.is_promotion()) sum += kWorth[shogi::promoted(type)] - kWorth[type];
  return sum;
}

struct Gainful {
  int gain;
  Move move;
};

std::vector<Gainful> best_first(const Position& position) {
  std::vector<Gainful> moves;
  for (const Move move : shogi::MoveList<shogi::GenKind::LEGAL>(position))
    moves.push_back({gain(position, move), move});
  std::ranges::sort(moves, [](const Gainful& a, const Gainful& b) {
    return a.gain != b.gain ? a.gain > b.gain : a.move < b.move;  // one order on every machine
  });
  return moves;
}

bool mates(Position& position, Move move) {
  if (!position.gives_check(move)) return false;
  const Position::Undo undo = position.do_move(move);
  const bool mated = shogi::count_legal_moves(position) == 0;
  position.undo_move(move, undo);
  return mated;
}

// One ply: what a move gains is all that counts, so none but mates are made.
int search_last_ply(Position& position) {
  int best = -2 * kMate, most_mated = -2 * kMate;
  const shogi::MoveList<shogi::GenKind::LEGAL> moves(position);
  if (moves.empty()) return -kMate - kSooner;
  for (const Move move : moves) {
    const int gained = gain(position, move);
    best = std::max(best, gained);
    if (gained > most_mated && mates(position, move)) most_mated = gained;
  }
  return std::max(best, most_mated + kMate);
}

// The best change of the balance for the side to move within `depth` plies, exact between alpha and beta.
int search(Position& position, int depth, int alpha, int beta) {
  if (depth == 0) return position.in_check() && shogi::count_legal_moves(position) == 0 ? -kMate : 0;
  if (depth == 1) return search_last_ply(position);
  const std::vector<Gainful> moves = best_first(position);
  if (moves.empty()) return -kMate - kSooner * depth;
  int best = -2 * kMate;
  for (const auto& [gained, move] : moves) {
    const Position::Undo undo = position.do_move(move);
    const int value = gained - search(position, depth - 1, gained - beta, gained - std::max(alpha, best));
    position.undo_move(move, undo);
    best = std::max(best, value);
    if (best >= beta) break;
  }
  return best;
}

usi::BestMove answer(Move move) { return {.kind = usi::BestMove::Kind::move, .move = move}; }

class SimplePlayer final : public Player {
 public:
  SimplePlayer(std::string name, int depth, std::uint64_t by_lot, std::uint64_t seed)
      : name_(std::move(name)), depth_(depth), by_lot_(by_lot), seed_(seed) {}

  std::string name() const override { return name_; }
  std::expected<void, Fault> new_game(const GameOptions& options) override {
    std::seed_seq lots{static_cast<std::uint32_t>(seed_), static_cast<std::uint32_t>(seed_ >> 32),
                       static_cast<std::uint32_t>(options.number)};
    random_.seed(lots);
    return {};
  }
  std::expected<SearchReply, Fault> think(const SearchRequest& request) override {
    using namespace std::chrono;
    const auto asked = steady_clock::now();
    SearchReply told;
    told.best = random_() % 100 < by_lot_ ? random_move(request.position, random_)
                                          : material_move(request.position, depth_, random_);
    told.data.move = told.best.move;
    told.data.spent_us = duration_cast<microseconds>(steady_clock::now() - asked).count();
    return told;
  }
  void ponder(const std::string&, const SearchReply&, const usi::GoLimits&) override {}
  void game_over(std::string_view) override {}

 private:
  std::string name_;
  int depth_;
  std::uint64_t by_lot_;  // of 100 moves
  std::uint64_t seed_;
  std::mt19937_64 random_;
};

}  // namespace

usi::BestMove random_move(const Position& position, std::mt19937_64& random) {
  const shogi::MoveList<shogi::GenKind::LEGAL> moves(position);
  if (moves.empty()) return {};
  return answer(*(moves.begin() + static_cast<std::ptrdiff_t>(random() % moves.size())));
}

usi::BestMove material_move(const Position& position, int depth, std::mt19937_64& random) {
  Position board = position;
  std::vector<Move> best;
  int most = -4 * kMate;
  for (const auto& [gained, move] : best_first(position)) {
    const Position::Undo undo = board.do_move(move);
    // A window that takes in what is as good as the best: one of those is drawn by lot.
    const int value = gained - search(board, depth - 1, -4 * kMate, gained - most + 1);
    board.undo_move(move, undo);
    if (value > most) best.clear();
    if (value >= most) best.push_back(move);
    most = std::max(most, value);
  }
  if (best.empty()) return {};
  return answer(best[random() % best.size()]);
}

std::unique_ptr<Player> make_simple_player(std::string_view name, std::uint64_t seed) {
  constexpr std::string_view kMaterial = "material-";
  if (name == "random") return std::make_unique<SimplePlayer>(std::string(name), 1, 100, seed);
  if (!name.starts_with(kMaterial)) return nullptr;
  std::string_view rest = name.substr(kMaterial.size());
  const int depth = rest.empty() ? 0 : rest.front() - '0';
  if (depth < 1 || depth > kDeepest) return nullptr;
  rest.remove_prefix(1);
  if (rest.empty()) return std::make_unique<SimplePlayer>(std::string(name), depth, 0, seed);
  const auto by_lot = usi::to_integer(rest.substr(1));
  if (rest.front() != '-' || !by_lot || *by_lot < 1 || *by_lot > 99 || rest.size() > 3 || rest[1] == '+')
    return nullptr;
  return std::make_unique<SimplePlayer>(std::string(name), depth, static_cast<std::uint64_t>(*by_lot), seed);
}

}  // namespace fuhyo::match
