#include "engines/nnue/net/activity.h"

#include <algorithm>
#include <numeric>

#include "engines/shogi/movegen.h"

namespace fuhyo::nnue {
namespace {

using shogi::Color;
using shogi::PieceType;
using shogi::Square;

constexpr int kGames = 24;
constexpr int kPlies = 64;      // of each
constexpr int kInterval = 8;    // one position in so many is looked at
constexpr int kLeast = 1 << 9;  // the least product that is not 0 (doubled sums are kept)

std::uint64_t next_random(std::uint64_t& state) {
  state ^= state << 13;
  state ^= state >> 7;
  return state ^= state << 17;
}

// All pieces as if nobody attacked them.
std::vector<std::int16_t> sums_of(const Network& network, const shogi::Position& position, Color side) {
  const FeatureSet& set = network.features();
  const Square king = position.king_square(side);
  const View view = set.view(side, king);
  const std::uint32_t base = set.bucket(side, king) * set.stride;
  std::vector<std::int16_t> sums(network.biases(), network.biases() + network.width());
  const auto add = [&](Number number) {
    const std::int16_t* row = network.row(base + set.row(renumber(view, number)));
    for (std::uint32_t i = 0; i < network.width(); ++i) sums[i] = static_cast<std::int16_t>(sums[i] + row[i]);
  };
  position.occupied().for_each([&](Square square) {
    const shogi::Piece piece = position.piece_on(square);
    if (set.kings != FeatureSet::Kings::none || shogi::type_of(piece) != shogi::KING) add(board_number(piece, square));
  });
  for (const Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<PieceType>(index);
      const int count = std::min(position.hand(owner).count(type), numbered_in_hand(type));
      for (int nth = 1; nth <= count; ++nth) add(hand_number(owner, type, nth));
    }
  }
  return sums;
}

void count(const Network& network, const shogi::Position& position, std::vector<std::uint32_t>& busy) {
  for (const Color side : {shogi::BLACK, shogi::WHITE}) {
    const std::vector<std::int16_t> sums = sums_of(network, position, side);
    for (std::size_t i = 0; i < busy.size(); ++i) {
      const int one = std::clamp<int>(sums[i], 0, 254);
      const int other = network.architecture().pairwise ? std::clamp<int>(sums[busy.size() + i], 0, 254) : kLeast;
      busy[i] += one * other >= kLeast;
    }
  }
}

}  // namespace

std::vector<std::uint32_t> order_by_activity(const Network& network) {
  std::vector<std::uint32_t> busy(network.architecture().pairwise ? network.width() / 2 : network.width());
  std::uint64_t random = 1;
  for (int game = 0; game < kGames; ++game) {
    shogi::Position position;
    for (int ply = 0; ply < kPlies; ++ply) {
      const auto moves = shogi::legal_moves(position);
      if (moves.empty()) break;
      position.do_move(moves[next_random(random) % moves.size()]);
      if (ply % kInterval == 0) count(network, position, busy);
    }
  }
  std::vector<std::uint32_t> order(busy.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order,
                    [&](std::uint32_t a, std::uint32_t b) { return busy[a] != busy[b] ? busy[a] > busy[b] : a < b; });
  return order;
}

}  // namespace fuhyo::nnue
