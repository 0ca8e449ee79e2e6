#include "engines/record/huffman.h"

#include <cstddef>
#include <string_view>
#include <utility>

namespace fuhyo::record::huffman {
namespace {

using shogi::Piece;
using shogi::PieceType;
using shogi::Square;

constexpr int kSquareBits = 7;
constexpr std::array<PieceType, 7> kOrder = {shogi::PAWN, shogi::LANCE,  shogi::KNIGHT, shogi::SILVER,
                                             shogi::GOLD, shogi::BISHOP, shogi::ROOK};
constexpr std::array<int, 8> kSet = {0, 18, 4, 4, 4, 2, 2, 4};  // pieces of a kind in a set

// Bits beyond the end are zero: writing another one there fails, reading gives zero.
class BitWriter {
 public:
  // `value` has no bits from `count` on, which is at most 8.
  void write(std::uint64_t value, int count) {
    word_ |= value << used_;
    used_ += count;
    if (used_ < kWord) return;
    flush();
    used_ -= kWord;
    word_ = value >> (count - used_);  // what did not fit
  }
  void write(Code code) { write(code.bits, code.length); }
  std::optional<Packed> finish() {
    flush();
    return full_ ? std::nullopt : std::optional(packed_);
  }

 private:
  static constexpr int kWord = 64;

  void flush() {
    if (at_ == packed_.size()) {
      full_ = full_ || word_ != 0;
      return;
    }
    for (int i = 0; i < kWord; i += 8) packed_[at_++] = static_cast<std::uint8_t>(word_ >> i);
  }

  Packed packed_{};
  std::size_t at_ = 0;  // bytes written
  std::uint64_t word_ = 0;
  int used_ = 0;  // bits of it, less than all
  bool full_ = false;
};

class BitReader {
 public:
  explicit BitReader(const Packed& packed) : packed_(packed) {}
  unsigned read(int count) {
    const unsigned value = peek() & ((1U << count) - 1);
    at_ += count;
    return value;
  }
  // Nothing if no code comes next.
  std::optional<Piece> read(const Lookup& lookup) {
    const Entry entry = lookup[peek()];
    at_ += entry.length;
    return entry.length == 0 ? std::nullopt : std::optional(entry.piece);
  }
  bool at_end() const { return at_ >= kBits; }

 private:
  unsigned peek() const {
    const auto byte = static_cast<std::size_t>(at_ / 8);
    const unsigned low = byte < packed_.size() ? packed_[byte] : 0;
    const unsigned high = byte + 1 < packed_.size() ? packed_[byte + 1] : 0;
    return (low | high << 8U) >> at_ % 8 & 0xffU;
  }

  const Packed& packed_;
  int at_ = 0;
};

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

}  // namespace

std::optional<Packed> pack(const shogi::Position& position, const CodeTable& table) {
  BitWriter out;
  out.write(position.side_to_move(), 1);
  for (const shogi::Color c : {shogi::BLACK, shogi::WHITE}) {
    out.write(static_cast<unsigned>(position.king_square(c)), kSquareBits);
  }
  std::array<int, 8> boxed = kSet;
  for (int s = 0; s < shogi::SQUARE_NB; ++s) {
    const Piece piece = position.piece_on(static_cast<Square>(s));
    const PieceType kind = shogi::unpromoted(shogi::type_of(piece));
    if (kind == shogi::KING) continue;
    out.write(table.board[piece]);
    --boxed[kind];
  }
  for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
    for (const PieceType kind : kOrder) {
      const int count = position.hand(owner).count(kind);
      for (int i = 0; i < count; ++i) out.write(table.hand[kind][owner]);
      boxed[kind] -= count;
    }
  }
  for (const PieceType kind : kOrder) {
    if (boxed[kind] < 0) return std::nullopt;
    for (int i = 0; i < boxed[kind]; ++i) out.write(table.box[kind][0]);
  }
  return out.finish();
}

std::expected<shogi::Position, std::string> unpack(const Packed& packed, const CodeTable& table, int ply) {
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
    if (piece != shogi::NO_PIECE) continue;
    const auto found = in.read(table.on_board);
    if (!found) return std::unexpected("a square holds no known piece");
    piece = *found;
  }
  while (!in.at_end()) {
    const auto found = in.read(table.in_hand);
    if (!found) return std::unexpected("a hand holds no known piece");
    if (*found != shogi::NO_PIECE) ++position.hands[shogi::color_of(*found)][shogi::type_of(*found)];
  }
  auto result = shogi::Position::from_sfen(position.sfen(ply));
  if (!result) return std::unexpected(result.error().message);
  return *std::move(result);
}

}  // namespace fuhyo::record::huffman
