// How layers that clip to 0..127 add up a number of thousands: the transformer has 80 values that all sum up the worth
// of the own pieces less the others', each less a bound 127 higher than the last one's, so that each counts through its
// own piece of the range. The first layer makes 32 of them, those far from balance by fours; the second passes them on,
// and the last one sums up with the weights of their pieces.
#include "engines/nnue/net/untrained.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "engines/nnue/net/classic_file.h"

namespace fuhyo::nnue {
namespace {

constexpr std::uint32_t kWidth = 256, kHidden = 32;
constexpr int kPiece = 127;   // of the range, counted by one value
constexpr int kCentral = 16;  // outputs of the first layer that count by ones, half of them on each side of balance
constexpr int kOuter = 8;     // ... and by fours, beyond them on each side
constexpr int kFours = 4;
constexpr int kValues = kCentral + 2 * kOuter * kFours;
constexpr int kScale = 16;  // FV_SCALE

// Indexed by PieceType: none, P, L, N, S, B, R, G, K, then the promoted ones.
constexpr std::array<int, shogi::PIECE_TYPE_NB> kWorth = {0, 90,  315, 405, 495, 855, 990, 540,
                                                          0, 540, 540, 540, 540, 945, 1395};
// A piece in hand can appear anywhere.
constexpr std::array<int, 8> kWorthInHand = {0, 100, 340, 430, 530, 920, 1060, 580};

int distance_from_centre(int file) { return std::abs(file - 5); }

// Small reasons to prefer one quiet move to another. Kings cannot be seen by other pieces here: they are supposed to
// stay at home.
int placement(shogi::PieceType type, int file, int rank) {
  switch (type) {
    case shogi::PAWN:
      return 2 * (7 - rank);
    case shogi::SILVER:
    case shogi::GOLD:
      return 5 * (rank >= 7 ? rank - 6 : 0) - (rank <= 3 ? 0 : 2 * distance_from_centre(file) / 2);
    case shogi::KNIGHT:
    case shogi::LANCE:
      return rank <= 6 ? 8 : 0;
    case shogi::KING:
      return 8 * distance_from_centre(file) + 6 * (rank - 7);
    default:
      return shogi::is_promoted(type) ? 3 * (5 - std::abs(rank - 3)) - 2 * distance_from_centre(file) : 0;
  }
}

// By number: what a piece adds to the worth of the own side. The other side's subtract theirs.
std::vector<std::int16_t> worth_by_number() {
  std::vector<std::int16_t> worth(kNumbers);
  for (const shogi::Color side : {shogi::BLACK, shogi::WHITE}) {
    const int sign = side == shogi::BLACK ? 1 : -1;
    for (int index = shogi::PAWN; index <= shogi::GOLD; ++index) {
      const auto type = static_cast<shogi::PieceType>(index);
      for (int nth = 1; nth <= numbered_in_hand(type); ++nth) {
        worth[hand_number(side, type, nth)] = static_cast<std::int16_t>(sign * untrained_worth_in_hand(type));
      }
    }
    for (int square = 0; square < shogi::SQUARE_NB; ++square) {
      for (int index = shogi::PAWN; index < shogi::PIECE_TYPE_NB; ++index) {
        // What shares the numbers of golds is worth what they are.
        const auto type = static_cast<shogi::PieceType>(index);
        const bool like_gold = type >= shogi::PRO_PAWN && type <= shogi::PRO_SILVER;
        const auto at = static_cast<shogi::Square>(square);
        const shogi::Square seen = seen_by(view_of(side, false), at);
        const int value = untrained_worth(like_gold ? shogi::GOLD : type, seen);
        worth[board_number(shogi::make_piece(side, type), at)] = static_cast<std::int16_t>(sign * value);
      }
    }
  }
  return worth;
}

void fill_transformer(ClassicWeights& network) {
  network.biases.resize(kWidth);
  for (int i = 0; i < kValues; ++i) {
    network.biases[static_cast<std::size_t>(i)] = static_cast<std::int16_t>((kValues / 2 - i) * kPiece);
  }
  for (const std::int16_t worth : worth_by_number()) {
    network.rows.insert(network.rows.end(), kValues, worth);
    network.rows.insert(network.rows.end(), kWidth - kValues, 0);
  }
}

bool is_outer(int output) { return output < kOuter || output >= kOuter + kCentral; }

// The values that an output of the first layer counts: the first of them, and how many.
std::pair<int, int> counted_by(int output) {
  if (output < kOuter) return {output * kFours, kFours};
  if (output < kOuter + kCentral) return {kOuter * kFours + output - kOuter, 1};
  return {kOuter * kFours + kCentral + (output - kOuter - kCentral) * kFours, kFours};
}

void fill_layers(std::array<ClassicLayer, 3>& layers) {
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t inputs = i == 0 ? 2 * kWidth : kHidden;
    layers[i] = {.bias = std::vector<std::int32_t>(kHidden), .weights = std::vector<std::int8_t>(inputs * kHidden)};
  }
  for (int output = 0; output < static_cast<int>(kHidden); ++output) {
    const auto row = static_cast<std::size_t>(output);
    const auto [first, count] = counted_by(output);
    for (int i = first; i < first + count; ++i) {
      layers[0].weights[row * 2 * kWidth + static_cast<std::size_t>(i)] = static_cast<std::int8_t>(64 / count);
    }
    layers[1].weights[row * kHidden + row] = 64;
    layers[2].weights.push_back(static_cast<std::int8_t>(is_outer(output) ? kFours * kScale : kScale));
  }
  // At balance the lower half of the range is counted in full.
  layers[2].bias = {-kUntrainedMost * kScale};
}

}  // namespace

int untrained_worth(shogi::PieceType type, shogi::Square square) {
  return kWorth[type] + placement(type, shogi::file_of(square), shogi::rank_of(square));
}

int untrained_worth_in_hand(shogi::PieceType type) { return kWorthInHand[type]; }

std::string untrained_network() {
  ClassicWeights network;
  network.shape = {.features = find_feature_set("K+P"), .width = kWidth, .hidden1 = kHidden, .hidden2 = kHidden};
  fill_transformer(network);
  fill_layers(network.layers);
  return classic_file(network);
}

}  // namespace fuhyo::nnue
