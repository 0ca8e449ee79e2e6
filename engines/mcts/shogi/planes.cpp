#include "engines/mcts/shogi/planes.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/mcts/shogi/labels.h"

namespace fuhyo::mcts {
namespace {

using namespace shogi;

constexpr std::size_t kKinds = PIECE_TYPE_NB - 1;
constexpr std::size_t kCounts = 3;
constexpr std::size_t kPlanesOfSide = 2 * kKinds + kCounts;
static_assert(2 * kPlanesOfSide == kPlanes);

struct InHand {
  PieceType type;
  int most;
};
constexpr InHand kHand[] = {{PAWN, 8}, {LANCE, 4}, {KNIGHT, 4}, {SILVER, 4}, {GOLD, 4}, {BISHOP, 2}, {ROOK, 2}};

constexpr int kMostMissing = 10;  // pieces in the zone
constexpr int kMostLacking = 20;  // points
constexpr std::size_t kScalarsOfDeclaration = 1 + kMostMissing + kMostLacking;

// Squares by their number, and turned round for White.
nn::Plane plane_of(Bitboard set, Color turn) {
  const std::uint64_t low = set.low() | set.high() << 63, high = set.high() >> 1;
  if (turn == BLACK) return {low, high};
  // Of 128 bits in reverse, bit 127 - s is square s; 47 places lower it is bit 80 - s.
  const std::uint64_t first = __builtin_bitreverse64(high), second = __builtin_bitreverse64(low);
  return {first >> 47 | second << 17, second >> 47};
}

void write_pieces(const Position& position, Color side, std::span<nn::Plane> planes) {
  const Color turn = position.side_to_move();
  const Bitboard occupied = position.occupied();
  Bitboard once, twice, thrice;
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const auto type = static_cast<PieceType>(kind + 1);
    const Bitboard pieces = position.pieces(side, type);
    Bitboard attacked;
    pieces.for_each([&](Square s) {
      const Bitboard reach = attacks(side, type, s, occupied);
      attacked |= reach;
      thrice |= twice & reach;
      twice |= once & reach;
      once |= reach;
    });
    planes[kind] = plane_of(pieces, turn);
    planes[kKinds + kind] = plane_of(attacked, turn);
  }
  planes[2 * kKinds] = plane_of(once, turn);
  planes[2 * kKinds + 1] = plane_of(twice, turn);
  planes[2 * kKinds + 2] = plane_of(thrice, turn);
}

float* write_hand(Hand hand, float* out) {
  for (const auto& [type, most] : kHand) {
    std::fill_n(out, std::min(hand.count(type), most), 1.F);
    out += most;
  }
  return out;
}

int points(const Position& position, Color side, Bitboard zone) {
  const Bitboard pieces = zone & position.pieces(side);
  const Bitboard big =
      position.pieces(BISHOP) | position.pieces(ROOK) | position.pieces(HORSE) | position.pieces(DRAGON);
  int sum = (pieces - position.pieces(KING)).count() + 4 * (pieces & big).count();
  for (const auto& [type, most] : kHand) {
    sum += position.hand(side).count(type) * (type == BISHOP || type == ROOK ? 5 : 1);
  }
  return sum;
}

void write_declaration(const Position& position, Color side, std::span<float> out) {
  const Bitboard zone = promotion_zone(side);
  const Bitboard king = position.pieces(side, KING);
  const int pieces = ((zone & position.pieces(side)) - king).count();
  const int missing = kMostMissing - pieces;
  const int lacking = (side == BLACK ? 28 : 27) - points(position, side, zone);
  if ((king & zone).any()) out[0] = 1;
  if (missing >= 0 && missing < kMostMissing) out[1 + static_cast<std::size_t>(missing)] = 1;
  if (lacking >= 0 && lacking < kMostLacking) out[1 + kMostMissing + static_cast<std::size_t>(lacking)] = 1;
}

}  // namespace

std::expected<void, std::string> check_shape(const nn::Shape& shape) {
  if (shape.edge != 9) return std::unexpected(fmt::format("its board has {0}x{0} squares, not 9x9", shape.edge));
  if (shape.planes != kPlanes) {
    return std::unexpected(fmt::format("it has {} input planes where shogi has {}", shape.planes, kPlanes));
  }
  if (shape.scalars != kScalars && shape.scalars != kScalarsWithDeclaration) {
    return std::unexpected(fmt::format("it has {} planes of hands where shogi has {}, or {} with declarations",
                                       shape.scalars, kScalars, kScalarsWithDeclaration));
  }
  if (shape.policy_size() != kLabels) {
    return std::unexpected(fmt::format("it has {} labels of moves where shogi has {}", shape.policy_size(), kLabels));
  }
  return {};
}

void write_inputs(const Position& position, std::span<nn::Plane> planes, std::span<float> scalars) {
  const Color own = position.side_to_move();
  write_pieces(position, own, planes.first(kPlanesOfSide));
  write_pieces(position, ~own, planes.subspan(kPlanesOfSide));
  float* out = write_hand(position.hand(own), scalars.data());
  out = write_hand(position.hand(~own), out);
  *out = position.in_check() ? 1.F : 0.F;
  if (scalars.size() == kScalars) return;
  write_declaration(position, own, scalars.subspan(kScalars, kScalarsOfDeclaration));
  write_declaration(position, ~own, scalars.subspan(kScalars + kScalarsOfDeclaration));
}

std::uint32_t add(const Position& position, nn::Batch& batch) {
  const std::uint32_t i = batch.add();
  write_inputs(position, batch.planes(i), batch.scalars(i));
  return i;
}

}  // namespace fuhyo::mcts
