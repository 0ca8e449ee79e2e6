#include "naive_network.h"

#include <algorithm>
#include <map>

namespace fuhyo::nnue::naive {
namespace {

using shogi::Color;
using shogi::Position;

const std::map<std::string, std::int64_t> kInputs = {
    {"HalfKP", 125'388},    {"K+P", 1'710},       {"HalfKPE9", 1'128'492}, {"HalfKP_vm", 69'660}, {"HalfKA1", 138'510},
    {"HalfKA_hm1", 76'950}, {"HalfKA2", 131'949}, {"HalfKA_hm2", 73'305},  {"K+A2", 1'791},       {"HalfKP_m9", 13'932},
};

int padded(int inputs) { return (inputs + 31) / 32 * 32; }

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
void put_all(std::string& out, const std::vector<T>& values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

void put_compressed(std::string& out, const std::vector<std::int16_t>& values) {
  std::string data;
  for (int value : values) {
    while (true) {
      const int low = value & 0x7f;
      value >>= 7;
      const bool done = (value == 0 && (low & 0x40) == 0) || (value == -1 && (low & 0x40) != 0);
      data += static_cast<char>(done ? low : low | 0x80);
      if (done) break;
    }
  }
  out += "COMPRESSED_LEB128";
  put(out, static_cast<std::uint32_t>(data.size()));
  out += data;
}

int square_for(Color side, int square) { return side == shogi::BLACK ? square : 80 - square; }
int mirrored(int square) { return (8 - square / 9) * 9 + square % 9; }

int king_of(const Position& position, Color owner, Color side) {
  const int square = position.king_square(owner);
  return square == 81 ? 44 : square_for(side, square);
}

// The first number of a piece on the board: own ones, the other side's 81 later.
int board_base(shogi::PieceType type) {
  switch (type) {
    case shogi::PAWN:
      return 90;
    case shogi::LANCE:
      return 252;
    case shogi::KNIGHT:
      return 414;
    case shogi::SILVER:
      return 576;
    case shogi::BISHOP:
      return 900;
    case shogi::HORSE:
      return 1062;
    case shogi::ROOK:
      return 1224;
    case shogi::DRAGON:
      return 1386;
    default:
      return 738;
  }
}

int hand_base(shogi::PieceType type, bool own) {
  switch (type) {
    case shogi::PAWN:
      return own ? 1 : 20;
    case shogi::LANCE:
      return own ? 39 : 44;
    case shogi::KNIGHT:
      return own ? 49 : 54;
    case shogi::SILVER:
      return own ? 59 : 64;
    case shogi::GOLD:
      return own ? 69 : 74;
    case shogi::BISHOP:
      return own ? 79 : 82;
    default:
      return own ? 85 : 88;
  }
}

struct Listed {
  int number;
  int square;  // as Black sees it; -1 in hand or missing
};

// All 38 pieces and the kings that there are, as one side sees them.
std::vector<Listed> list_pieces(const Position& position, Color side) {
  std::vector<Listed> list;
  int pieces = 0;
  for (int square = 0; square < 81; ++square) {
    const shogi::Piece piece = position.piece_on(static_cast<shogi::Square>(square));
    if (piece == shogi::NO_PIECE) continue;
    const bool own = shogi::color_of(piece) == side;
    const int seen = square_for(side, square);
    if (shogi::type_of(piece) == shogi::KING) {
      list.push_back({(own ? 1548 : 1629) + seen, square});
    } else {
      list.push_back({board_base(shogi::type_of(piece)) + (own ? 0 : 81) + seen, square});
      ++pieces;
    }
  }
  for (const Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (const auto type :
         {shogi::PAWN, shogi::LANCE, shogi::KNIGHT, shogi::SILVER, shogi::GOLD, shogi::BISHOP, shogi::ROOK}) {
      for (int n = 0; n < position.hand(owner).count(type); ++n, ++pieces) {
        list.push_back({hand_base(type, owner == side) + n, -1});
      }
    }
  }
  for (; pieces < 38; ++pieces) list.push_back({0, -1});
  return list;
}

int attack_class(const Position& position, Color side, int square) {
  if (square < 0) return 0;
  const auto at = static_cast<shogi::Square>(square);
  const int own = std::min(position.attackers(side, at, position.occupied()).count(), 2);
  const int other = std::min(position.attackers(~side, at, position.occupied()).count(), 2);
  return own * 3 + other;
}

// The nine parts of files 1 to 5: of rank 9 three, of rank 8 three, rank 7, ranks 4 to 6, ranks 1 to 3.
int king_part(int square) {
  const int file = square / 9 + 1, rank = square % 9 + 1;
  if (rank == 9) return file <= 2 ? 0 : file <= 4 ? 1 : 2;
  if (rank == 8) return file <= 2 ? 3 : file == 3 ? 4 : 5;
  return rank == 7 ? 6 : rank >= 4 ? 7 : 8;
}

// The inputs that are on.
std::vector<std::int64_t> active(const std::string& set, const Position& position, Color side) {
  std::vector<std::int64_t> on;
  int king = king_of(position, side, side);
  const bool folds = set == "HalfKP_vm" || set == "HalfKA_hm1" || set == "HalfKA_hm2" || set == "HalfKP_m9";
  const bool fold = folds && king >= 45;
  if (fold) king = mirrored(king);
  for (const auto& [plain_number, square] : list_pieces(position, side)) {
    int number = plain_number;
    if (fold && number >= 90) number = 90 + (number - 90) / 81 * 81 + mirrored((number - 90) % 81);
    const bool is_king = number >= 1548;
    if (set == "K+P") {
      on.push_back(number);  // kings are numbered behind the pieces
    } else if (set == "K+A2") {
      on.push_back(number >= 1629 ? number - 81 : number);
      if (is_king) on.push_back(1629 + number - 1548);
    } else if (set == "HalfKP" || set == "HalfKP_vm") {
      if (!is_king) on.push_back(king * 1548 + number);
    } else if (set == "HalfKP_m9") {
      if (!is_king) on.push_back(king_part(king) * 1548 + number);
    } else if (set == "HalfKPE9") {
      if (!is_king) on.push_back(king * 1548 + number + 1548 * 81 * attack_class(position, side, square));
    } else if (set == "HalfKA1" || set == "HalfKA_hm1") {
      on.push_back(king * 1710 + number);
    } else {
      on.push_back(king * 1629 + (number >= 1629 ? number - 81 : number));
    }
  }
  return on;
}

int zone(const std::string& scheme, int square) {
  const int rank = square % 9, file = square / 9;
  if (scheme == "k3k3") return rank / 3;
  if (scheme == "k9k9") return rank;
  if (scheme == "k13k13z") return rank < 7 ? rank : 7 + 3 * (rank - 7) + file / 3;
  if (rank < 6) return rank / 3;
  if (scheme == "k29k29") return 2 + 9 * (rank - 6) + file;
  if (rank == 6) return 2;
  return scheme == "k9k9z" ? 3 + 3 * (rank - 7) + file / 3 : 3 + 9 * (rank - 7) + file;
}

int zones(const std::string& scheme) {
  static const std::map<std::string, int> kCounts = {{"", 1},         {"k3k3", 3},    {"k9k9", 9},   {"k9k9z", 9},
                                                     {"k13k13z", 13}, {"k21k21", 21}, {"k29k29", 29}};
  return kCounts.at(scheme);
}

std::string dashes_removed(std::string name) {
  std::erase_if(name, [](char c) { return c == '_' || c == '+'; });
  std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

}  // namespace

NaiveNetwork::NaiveNetwork(Shape shape, Size size, std::uint64_t seed)
    : shape_(std::move(shape)), size_(size), state_(seed * 2 + 1), inputs_(kInputs.at(shape_.features)) {
  for (int i = 0; i < shape_.width; ++i) biases_.push_back(static_cast<std::int16_t>(transformer_weight()));
  weights_.resize(static_cast<std::size_t>(inputs_ * shape_.width));
  for (std::int16_t& weight : weights_) weight = static_cast<std::int16_t>(transformer_weight());
  const int count = zones(shape_.stacks) * zones(shape_.stacks);
  for (int i = 0; i < count; ++i) {
    const int shortcut = shape_.sfnn && shape_.hidden1 % 8 == 7 ? 1 : 0;
    stacks_.push_back({random_layer((shape_.sfnn ? 1 : 2) * shape_.width, shape_.hidden1 + shortcut),
                       random_layer((shape_.sfnn ? 2 : 1) * shape_.hidden1, shape_.hidden2),
                       random_layer(shape_.hidden2, 1)});
  }
}

// Evenly from -most to most.
std::int64_t NaiveNetwork::random(std::int64_t most) {
  state_ ^= state_ << 13;
  state_ ^= state_ >> 7;
  state_ ^= state_ << 17;
  return static_cast<std::int64_t>((state_ >> 20) % static_cast<std::uint64_t>(2 * most + 1)) - most;
}

std::int64_t NaiveNetwork::transformer_weight() {
  return random(size_ == Size::tiny ? 1 : size_ == Size::trained ? 40 : 9'000);
}

NaiveNetwork::Layer NaiveNetwork::random_layer(int inputs, int outputs) {
  Layer layer{.inputs = inputs, .outputs = outputs, .bias = {}, .weights = {}};
  for (int i = 0; i < outputs; ++i) {
    layer.bias.push_back(static_cast<std::int32_t>(random(size_ == Size::tiny ? 1 : 8'000)));
  }
  layer.weights.resize(static_cast<std::size_t>(outputs * padded(inputs)));
  for (std::int8_t& weight : layer.weights) {
    const std::int64_t value = random(size_ == Size::tiny ? 1 : size_ == Size::trained ? 30 : 128);
    weight = static_cast<std::int8_t>(std::min<std::int64_t>(value, 127));
  }
  return layer;
}

std::string NaiveNetwork::text() const {
  const std::string in = std::to_string(2 * shape_.width), w = std::to_string(shape_.width),
                    h1 = std::to_string(shape_.hidden1), h2 = std::to_string(shape_.hidden2);
  const std::string features = "Features=" + shape_.features + "(Friend)[" + std::to_string(inputs_) + "->" + w + "x2]";
  if (shape_.sfnn) {
    std::string name = "SFNN_" + dashes_removed(shape_.features) + "_" + w + "_" + h1 + "_" + h2;
    if (!shape_.stacks.empty()) name += "_" + dashes_removed(shape_.stacks);
    return "ModelType=SFNNWithoutPsqt;" + features + ",Network=" + name +
           "{LayerStack=" + std::to_string(stacks_.size()) + "}";
  }
  return features + ",Network=AffineTransform[1<-" + h2 + "](ClippedReLU[" + h2 + "](AffineTransform[" + h2 + "<-" +
         h1 + "](ClippedReLU[" + h1 + "](AffineTransformSparseInput[" + h1 + "<-" + in + "](InputSlice[" + in +
         "(0:" + in + ")])))))";
}

std::string NaiveNetwork::file(bool compressed) const {
  std::string out;
  put(out, std::uint32_t{0x7af32f16});
  put(out, std::uint32_t{0x12345678});  // checksums are no reason to refuse a file
  put(out, static_cast<std::uint32_t>(text().size()));
  out += text();
  put(out, std::uint32_t{1});
  if (shape_.sfnn && compressed) {
    put_compressed(out, biases_);
    put_compressed(out, weights_);
  } else {
    put_all(out, biases_);
    put_all(out, weights_);
  }
  for (const auto& stack : stacks_) {
    put(out, std::uint32_t{2});
    for (const Layer& layer : stack) {
      put_all(out, layer.bias);
      put_all(out, layer.weights);
    }
  }
  return out;
}

// SFNN: doubled, in 16 bits.
std::vector<int> NaiveNetwork::sums(const Position& position, Color side) const {
  const int factor = shape_.sfnn ? 2 : 1;
  std::vector<int> out;
  for (int i = 0; i < shape_.width; ++i) out.push_back(biases_[static_cast<std::size_t>(i)] * factor);
  for (const std::int64_t input : active(shape_.features, position, side)) {
    for (int i = 0; i < shape_.width; ++i) {
      out[static_cast<std::size_t>(i)] += weights_[static_cast<std::size_t>(input * shape_.width + i)] * factor;
    }
  }
  for (int& sum : out) {
    wrapped += sum != static_cast<std::int16_t>(sum);
    sum = static_cast<std::int16_t>(sum);
  }
  return out;
}

std::vector<int> NaiveNetwork::first_inputs(const Position& position) const {
  std::vector<int> in;
  const Color us = position.side_to_move();
  for (const Color side : {us, ~us}) {
    const std::vector<int> all = sums(position, side);
    const std::size_t half = all.size() / 2;
    for (std::size_t i = 0; i < (shape_.sfnn ? half : all.size()); ++i) {
      in.push_back(shape_.sfnn ? std::clamp(all[i], 0, 254) * std::clamp(all[half + i], 0, 254) / 512
                               : std::clamp(all[i], 0, 127));
    }
  }
  at_zero = static_cast<int>(std::ranges::count(in, 0));
  at_limit = static_cast<int>(std::ranges::count_if(in, [&](int x) { return x >= (shape_.sfnn ? 126 : 127); }));
  return in;
}

std::vector<std::int64_t> NaiveNetwork::apply(const Layer& layer, const std::vector<int>& in) {
  std::vector<std::int64_t> out;
  for (int o = 0; o < layer.outputs; ++o) {
    std::int64_t sum = layer.bias[static_cast<std::size_t>(o)];
    for (int i = 0; i < layer.inputs; ++i) {
      sum += layer.weights[static_cast<std::size_t>(o * padded(layer.inputs) + i)] * in[static_cast<std::size_t>(i)];
    }
    out.push_back(sum);
  }
  return out;
}

std::int32_t NaiveNetwork::evaluate(const Position& position) const {
  wrapped = 0;
  const Color us = position.side_to_move();
  const int own = king_of(position, us, us), other = king_of(position, ~us, ~us);
  const int index =
      shape_.stacks.empty() ? 0 : zone(shape_.stacks, own) * zones(shape_.stacks) + zone(shape_.stacks, other);
  const auto& stack = stacks_[static_cast<std::size_t>(index)];
  const auto clipped = [](std::int64_t x) { return static_cast<int>(std::clamp<std::int64_t>(x >> 6, 0, 127)); };
  const auto first = apply(stack[0], first_inputs(position));
  std::vector<int> hidden;
  if (shape_.sfnn) {
    for (int i = 0; i < shape_.hidden1; ++i) {
      const std::int64_t x = first[static_cast<std::size_t>(i)];
      hidden.push_back(static_cast<int>(std::min<std::int64_t>(127, (x * x) >> 19)));
    }
  }
  for (int i = 0; i < shape_.hidden1; ++i) hidden.push_back(clipped(first[static_cast<std::size_t>(i)]));
  std::vector<int> second;
  for (const std::int64_t x : apply(stack[1], hidden)) second.push_back(clipped(x));
  std::int64_t out = apply(stack[2], second)[0];
  if (shape_.sfnn && shape_.hidden1 % 8 == 7) out += first[static_cast<std::size_t>(shape_.hidden1)];
  return static_cast<std::int32_t>(out);
}

}  // namespace fuhyo::nnue::naive
