#include "engines/learn/generate/policy/game.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numeric>

#include "engines/record/training.h"
#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::learn {

using record::Hcpe3Game;
using record::Winner;

GameRandom::GameRandom(const PolicyPlayOptions& options, std::uint64_t number)
    : starts_(options.seed, number), moves_(starts_.bits()), to_the_end_(starts_.uniform() < options.to_the_end) {}

PolicyBoard::PolicyBoard(const PolicyPlayOptions& options, bool to_the_end, const shogi::Position& start)
    : options_(options),
      to_the_end_(to_the_end),
      so_far_{.start = start, .moves = {}},
      position_(start),
      adjudicator_(options.resign_score(), options.resign_after) {
  history_.start(position_);
}

PolicyBoard::End PolicyBoard::won(shogi::Color by) const {
  return {.winner = by == shogi::BLACK ? Winner::black : Winner::white};
}

std::optional<PolicyBoard::End> PolicyBoard::over_already() const {
  const shogi::Color us = position_.side_to_move();
  if (shogi::count_legal_moves(position_) == 0) return won(~us);
  if (shogi::can_declare(position_)) {
    End end = won(us);
    end.flags = Hcpe3Game::kDeclaration;
    return end;
  }
  if (position_.ply() >= options_.draw_at_ply) return End{.winner = Winner::nobody, .flags = Hcpe3Game::kMoveLimit};
  return std::nullopt;
}

std::optional<PolicyBoard::End> PolicyBoard::play(shogi::Move move, int score) {
  const shogi::Color us = position_.side_to_move();
  const auto ahead = adjudicator_.judge(us, score);
  const bool check = position_.gives_check(move);
  position_.do_move(move);
  so_far_.moves.push_back(move);
  const shogi::Repetition repetition = history_.push(position_, check);
  if (repetition != shogi::Repetition::NONE) {
    End end;
    if (repetition == shogi::Repetition::MOVER_LOSES) end = won(~us);
    if (repetition == shogi::Repetition::OPPONENT_LOSES) end = won(us);
    end.flags = Hcpe3Game::kRepetition;
    return end;
  }
  if (ahead && !to_the_end_) return won(*ahead);
  return std::nullopt;
}

std::expected<void, std::string> replay(PolicyBoard& board, const Hcpe3Game& record) {
  for (const record::Hcpe3Move& each : record.moves) {
    if (!board.position().is_legal(each.move)) {
      return std::unexpected(fmt::format("{} is illegal as move {}", shogi::to_usi(each.move), board.moves_made() + 1));
    }
    board.play(each.move, each.score);
  }
  return {};
}

std::vector<std::uint16_t> apportion(std::span<const double> shares, std::uint32_t total) {
  std::vector<std::uint16_t> out(shares.size());
  std::vector<std::size_t> by_rest(shares.size());
  std::iota(by_rest.begin(), by_rest.end(), std::size_t{0});
  std::uint32_t left = total;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    out[i] = static_cast<std::uint16_t>(std::min(static_cast<double>(left), std::floor(shares[i] * total)));
    left -= out[i];
  }
  const auto rest = [&](std::size_t i) { return shares[i] * total - out[i]; };
  std::ranges::sort(by_rest, [&](std::size_t a, std::size_t b) {
    const double of_a = rest(a), of_b = rest(b);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  for (std::size_t i = 0; left > 0 && !by_rest.empty(); i = (i + 1) % by_rest.size(), --left) ++out[by_rest[i]];
  return out;
}

std::optional<shogi::Color> gives_up(const PolicyPlayOptions& options, const Hcpe3Game& record) {
  const auto start = record::unnumbered_position(record.start);
  if (!start) return std::nullopt;
  Adjudicator adjudicator(options.resign_score(), options.resign_after);
  shogi::Color mover = start->side_to_move();
  for (const record::Hcpe3Move& each : record.moves) {
    if (const auto ahead = adjudicator.judge(mover, each.score)) return ~*ahead;
    mover = ~mover;
  }
  return std::nullopt;
}

}  // namespace fuhyo::learn
