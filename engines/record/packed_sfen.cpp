#include "engines/record/packed_sfen.h"

#include <algorithm>
#include <utility>

namespace fuhyo::record {
namespace {

using shogi::Piece;
using shogi::PieceType;
using shogi::Square;

constexpr int kBits = 256;
constexpr int kSquareBits = 7;
constexpr std::array<PieceType, 7> kOrder = {shogi::PAWN, shogi::LANCE,  shogi::KNIGHT, shogi::SILVER,
                                             shogi::GOLD, shogi::BISHOP, shogi::ROOK};
constexpr std::array<int, 8> kSet = {0, 18, 4, 4, 4, 2, 2, 4};  // pieces of a kind in a set

// What stands for a kind on the board: then comes a bit for promotion (not of gold), then one for the colour. In hands
// the first bit is left out. No code begins with another one.
struct Code {
  unsigned bits;
  int length;
};
constexpr std::array<Code, 8> kCodes = {{
    {0, 1},     // an empty square
    {0x01, 2},  // pawn
    {0x03, 4},  // lance
    {0x0b, 4},  // knight
    {0x07, 4},  // silver
    {0x1f, 6},  // bishop
    {0x3f, 6},  // rook
    {0x0f, 5},  // gold
}};

// Lowest bit first. Bits beyond the end are zero: writing another one there fails, reading gives zero.
class BitWriter {
 public:
  void write(unsigned value, int count) {
    for (int i = 0; i < count; ++i, ++at_) {
      if ((value >> i & 1) == 0) continue;
      if (at_ < kBits) {
        auto& byte = packed_.bytes[static_cast<std::size_t>(at_ / 8)];
        byte = static_cast<std::uint8_t>(byte | 1U << at_ % 8);
      } else {
        full_ = true;
      }
    }
  }
  std::optional<PackedSfen> finish() const { return full_ ? std::nullopt : std::optional(packed_); }

 private:
  PackedSfen packed_;
  int at_ = 0;
  bool full_ = false;
};

class BitReader {
 public:
  explicit BitReader(const PackedSfen& packed) : packed_(packed) {}
  unsigned read(int count) {
    unsigned value = 0;
    for (int i = 0; i < count; ++i, ++at_) {
      if (at_ < kBits) value |= (packed_.bytes[static_cast<std::size_t>(at_ / 8)] >> at_ % 8 & 1U) << i;
    }
    return value;
  }
  int position() const { return at_; }

 private:
  const PackedSfen& packed_;
  int at_ = 0;
};

void write_king(BitWriter& out, Square s) { out.write(static_cast<unsigned>(s), kSquareBits); }

void write_on_board(BitWriter& out, Piece piece) {
  const PieceType kind = shogi::unpromoted(shogi::type_of(piece));
  out.write(kCodes[kind].bits, kCodes[kind].length);
  if (piece == shogi::NO_PIECE) return;
  if (kind != shogi::GOLD) out.write(shogi::is_promoted(shogi::type_of(piece)) ? 1 : 0, 1);
  out.write(shogi::color_of(piece), 1);
}

void write_in_hand(BitWriter& out, PieceType kind, shogi::Color owner) {
  out.write(kCodes[kind].bits >> 1, kCodes[kind].length - 1);
  if (kind != shogi::GOLD) out.write(0, 1);
  out.write(owner, 1);
}

// As a promoted piece in Black's hand, which does not exist; gold as a promoted silver in White's.
void write_in_box(BitWriter& out, PieceType kind) {
  const bool gold = kind == shogi::GOLD;
  const Code code = kCodes[gold ? shogi::SILVER : kind];
  out.write(code.bits >> 1, code.length - 1);
  out.write(1, 1);
  out.write(gold ? 1 : 0, 1);
}

// A kind by the bits that come next, or none. `left_out`: bits of each code that are not there.
std::optional<PieceType> read_kind(BitReader& in, int left_out) {
  unsigned bits = 0;
  for (int length = 1; length <= 6; ++length) {
    bits |= in.read(1) << (length - 1);
    for (std::size_t kind = static_cast<std::size_t>(left_out); kind < kCodes.size(); ++kind) {
      if (kCodes[kind].length - left_out == length && kCodes[kind].bits >> left_out == bits) {
        return static_cast<PieceType>(kind);
      }
    }
  }
  return std::nullopt;
}

constexpr std::string_view kLetters = " PLNSBRGK";

char letter(PieceType kind, shogi::Color owner) {
  const char upper = kLetters[kind];
  return owner == shogi::BLACK ? upper : static_cast<char>(upper - 'A' + 'a');
}

// The pieces as they are read, and their SFEN.
struct Unpacked {
  std::array<Piece, shogi::SQUARE_NB> board{};
  std::array<std::array<int, 8>, 2> hands{};
  shogi::Color to_move = shogi::BLACK;

  std::string sfen(int ply) const;
};

void append_rank(std::string& out, const Unpacked& position, int rank) {
  int empty = 0;
  for (int file = 9; file >= 1; --file) {
    const Piece piece = position.board[static_cast<std::size_t>(shogi::make_square(file, rank))];
    if (piece == shogi::NO_PIECE) {
      ++empty;
      continue;
    }
    if (empty > 0) out += static_cast<char>('0' + std::exchange(empty, 0));
    if (shogi::is_promoted(shogi::type_of(piece))) out += '+';
    out += letter(shogi::unpromoted(shogi::type_of(piece)), shogi::color_of(piece));
  }
  if (empty > 0) out += static_cast<char>('0' + empty);
}

std::string Unpacked::sfen(int ply) const {
  std::string out;
  for (int rank = 1; rank <= 9; ++rank) {
    if (rank > 1) out += '/';
    append_rank(out, *this, rank);
  }
  out += to_move == shogi::BLACK ? " b " : " w ";
  const std::size_t before = out.size();
  for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (const PieceType kind : kOrder) {
      const int count = hands[owner][kind];
      if (count > 1) out += std::to_string(count);
      if (count > 0) out += letter(kind, owner);
    }
  }
  if (out.size() == before) out += '-';
  return out + ' ' + std::to_string(ply + 1);
}

// False if there is none that could stand there.
bool read_square(BitReader& in, Piece& piece) {
  const auto kind = read_kind(in, 0);
  if (!kind) return false;
  if (*kind == shogi::NO_PIECE_TYPE) return true;
  const bool promoted = *kind != shogi::GOLD && in.read(1) != 0;
  const auto owner = static_cast<shogi::Color>(in.read(1));
  piece = shogi::make_piece(owner, promoted ? shogi::promoted(*kind) : *kind);
  return true;
}

bool read_in_hand(BitReader& in, Unpacked& position) {
  const auto kind = read_kind(in, 1);
  if (!kind) return false;
  const bool boxed = *kind != shogi::GOLD && in.read(1) != 0;
  const auto owner = static_cast<shogi::Color>(in.read(1));
  if (!boxed) ++position.hands[owner][*kind];
  return true;
}

}  // namespace

std::optional<PackedSfen> pack(const shogi::Position& position) {
  BitWriter out;
  out.write(position.side_to_move(), 1);
  for (const shogi::Color c : {shogi::BLACK, shogi::WHITE}) write_king(out, position.king_square(c));
  std::array<int, 8> boxed = kSet;
  for (int s = 0; s < shogi::SQUARE_NB; ++s) {
    const Piece piece = position.piece_on(static_cast<Square>(s));
    const PieceType kind = shogi::unpromoted(shogi::type_of(piece));
    if (kind == shogi::KING) continue;
    write_on_board(out, piece);
    --boxed[kind];
  }
  for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (const PieceType kind : kOrder) {
      const int count = position.hand(owner).count(kind);
      for (int i = 0; i < count; ++i) write_in_hand(out, kind, owner);
      boxed[kind] -= count;
    }
  }
  for (const PieceType kind : kOrder) {
    if (boxed[kind] < 0) return std::nullopt;
    for (int i = 0; i < boxed[kind]; ++i) write_in_box(out, kind);
  }
  return out.finish();
}

std::expected<shogi::Position, std::string> unpack(const PackedSfen& packed, int ply) {
  BitReader in(packed);
  Unpacked position;
  position.to_move = static_cast<shogi::Color>(in.read(1));
  for (const shogi::Color c : {shogi::BLACK, shogi::WHITE}) {
    const unsigned square = in.read(kSquareBits);
    if (square > static_cast<unsigned>(shogi::SQ_NONE)) return std::unexpected("a king stands beside the board");
    if (square == static_cast<unsigned>(shogi::SQ_NONE)) continue;
    if (position.board[square] != shogi::NO_PIECE) return std::unexpected("both kings stand on one square");
    position.board[square] = shogi::make_piece(c, shogi::KING);
  }
  for (Piece& piece : position.board) {
    if (piece == shogi::NO_PIECE && !read_square(in, piece)) return std::unexpected("a square holds no known piece");
  }
  while (in.position() < kBits) {
    if (!read_in_hand(in, position)) return std::unexpected("a hand holds no known piece");
  }
  auto result = shogi::Position::from_sfen(position.sfen(ply));
  if (!result) return std::unexpected(result.error().message);
  return *std::move(result);
}

std::array<std::uint8_t, PackedSfenValue::kSize> to_bytes(const PackedSfenValue& value) {
  std::array<std::uint8_t, PackedSfenValue::kSize> bytes{};
  auto out = std::ranges::copy(value.position.bytes, bytes.begin()).out;
  const auto put16 = [&](std::uint16_t number) {
    *out++ = static_cast<std::uint8_t>(number & 0xff);
    *out++ = static_cast<std::uint8_t>(number >> 8);
  };
  put16(static_cast<std::uint16_t>(value.score));
  put16(value.move.bits());
  put16(value.game_ply);
  *out++ = static_cast<std::uint8_t>(value.result);
  *out = value.padding;
  return bytes;
}

PackedSfenValue packed_sfen_value(std::span<const std::uint8_t, PackedSfenValue::kSize> bytes) {
  const auto get16 = [&](std::size_t at) { return static_cast<std::uint16_t>(bytes[at] | bytes[at + 1] << 8); };
  PackedSfenValue value;
  std::ranges::copy(bytes.first<PackedSfen::kSize>(), value.position.bytes.begin());
  value.score = static_cast<std::int16_t>(get16(32));
  value.move = shogi::Move::from_bits(get16(34));
  value.game_ply = get16(36);
  value.result = static_cast<std::int8_t>(bytes[38]);
  value.padding = bytes[39];
  return value;
}

}  // namespace fuhyo::record
