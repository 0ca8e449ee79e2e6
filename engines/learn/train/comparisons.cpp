#include "engines/learn/train/comparisons.h"

#include <bit>
#include <fmt/format.h>
#include <utility>

#include "engines/nnue/net/untrained.h"
#include "engines/shogi/exchange.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::learn {
namespace {

using Random = match::tune::Random;
using Failure = std::unexpected<std::string>;

constexpr std::uint64_t kHeldBack = 0x6368656c64;
constexpr std::uint64_t kOneOf = 64;  // is held back
constexpr int kTrials = 100'000;      // draws without a comparison, of lines that are not empty

// Pieces at the worth that the untrained network gives them.
const shogi::PieceValues& piece_values() {
  static const shogi::PieceValues values = [] {
    shogi::PieceValues worth{};
    for (int type = shogi::PAWN; type < shogi::PIECE_TYPE_NB; ++type) {
      worth[static_cast<std::size_t>(type)] =
          nnue::untrained_worth(static_cast<shogi::PieceType>(type), shogi::make_square(5, 5));
    }
    return worth;
  }();
  return values;
}

bool is_comparable(const shogi::Position& position, shogi::Move move) {
  if (move.is_promotion()) return false;
  if (!move.is_drop() && position.piece_on(move.to()) != shogi::NO_PIECE) return false;
  return shogi::exchange_reaches(position, move, 0, piece_values());
}

// By the line as far as the move, so that positions with one past are on one side.
bool is_held_back(std::uint64_t key) { return Random(key, kHeldBack).below(kOneOf) == 0; }

}  // namespace

std::expected<Comparisons, std::string> Comparisons::read(const ComparisonOptions& options) {
  auto lines = LineTree::read(options.lines, options.first_ply, options.last_ply);
  if (!lines) return Failure(lines.error());
  return make(options, std::move(*lines));
}

std::expected<Comparisons, std::string> Comparisons::make(const ComparisonOptions& options, LineTree lines) {
  if (!std::has_single_bit(options.choices) || options.choices < 2 || options.choices > kMostChoices) {
    return Failure(fmt::format("{} moves to a comparison: a power of two from 2 to {} is expected", options.choices,
                               kMostChoices));
  }
  Comparisons comparisons(options, std::move(lines));
  for (const bool held_back : {false, true}) {
    Random random(0, 0);
    if (comparisons.draw(random, held_back).empty()) {
      return Failure(
          fmt::format("{}: too few positions with {} quiet moves to compare", options.lines, options.choices));
    }
  }
  return comparisons;
}

std::vector<Sample> Comparisons::draw(Random& random, bool held_back) const {
  for (int trial = 0; trial < kTrials; ++trial) {
    const std::uint64_t index = random.below(lines_.size());
    const LinePosition chosen = lines_[index];
    if (chosen.moves.empty()) continue;
    shogi::Position position = chosen.start;
    for (const shogi::Move move : chosen.moves.first(chosen.moves.size() - 1)) position.do_move(move);
    if (is_held_back(position.key()) != held_back) continue;
    auto samples = compare(position, chosen.moves.back(), random);
    if (!samples.empty()) return samples;
  }
  return {};
}

// Nothing if there are too few moves to compare.
std::vector<Sample> Comparisons::compare(const shogi::Position& position, shogi::Move strong, Random& random) const {
  if (position.in_check() || !is_comparable(position, strong)) return {};
  std::vector<shogi::Move> others;
  for (const shogi::Move move : shogi::legal_moves(position)) {
    if (move != strong) others.push_back(move);
  }
  std::vector<Sample> samples;
  const auto add = [&](shogi::Move move) {
    shogi::Position after = position;
    after.do_move(move);
    const auto sample = sample_of(after);
    if (sample) samples.push_back(*sample);
    return sample.has_value();
  };
  if (!add(strong)) return {};
  while (samples.size() < options_.choices && !others.empty()) {
    shogi::Move& drawn = others[random.below(others.size())];
    if (is_comparable(position, drawn)) add(drawn);
    drawn = others.back();
    others.pop_back();
  }
  if (samples.size() < options_.choices) samples.clear();
  return samples;
}

}  // namespace fuhyo::learn
