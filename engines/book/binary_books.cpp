#include "engines/book/binary_books.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <vector>

#include "engines/record/counted.h"
#include "engines/record/packed_sfen.h"

namespace fuhyo::book {
namespace {

template <class Number>
Number little_endian(std::span<const char> bytes) {
  Number value = 0;
  for (std::size_t i = sizeof(Number); i-- > 0;) {
    value = static_cast<Number>(static_cast<std::uint64_t>(value) << 8 | static_cast<unsigned char>(bytes[i]));
  }
  return value;
}

// The first index for which `reached` holds; it must go on to hold.
template <class Reached>
std::uint64_t first_index(std::uint64_t count, const Reached& reached) {
  std::uint64_t low = 0;
  while (low < count) {
    const std::uint64_t middle = low + (count - low) / 2;
    if (reached(middle)) {
      count = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

struct Records {
  std::uint64_t begin = 0, count = 0;
  std::size_t size = 0;  // of one
};

// The first record that is not in order behind the one before it, among those that are looked at: all of a book that
// can be read through at once, else some in many places, the end included. Nothing: they are in order.
template <class InOrder>
std::optional<std::uint64_t> first_disorder(Bytes& bytes, const Records& records, const InOrder& in_order) {
  constexpr std::uint64_t kParts = 256, kPart = 4096;
  const bool whole = records.count * records.size <= kReadThrough;
  std::string before, block;
  for (std::uint64_t part = 0; part < (whole ? 1 : kParts); ++part) {
    const std::uint64_t first = whole ? 0 : (records.count - kPart) * part / (kParts - 1);
    const std::uint64_t end = whole ? records.count : first + kPart;
    for (std::uint64_t index = first; index < end; index += kPart) {
      const std::uint64_t many = std::min(kPart, end - index);
      block.resize(many * records.size);
      if (bytes.read(records.begin + index * records.size, block.data(), block.size()) != block.size()) return index;
      for (std::uint64_t i = 0; i < many; ++i) {
        const auto record = std::string_view(block).substr(i * records.size, records.size);
        if (!before.empty() && !in_order(before, record)) return index + i;
        before = record;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

// ---- .ybb ----

namespace {
constexpr std::size_t kYbbHeader = 32, kYbbRecord = 44;
constexpr std::uint64_t kYbbDepth = 1;
// Moves that a position can have; more are not read.
constexpr std::size_t kMostMoves = 600;
}  // namespace

struct YbbBook::Record {
  record::PackedSfen position;
  std::uint64_t moves_offset = 0;
  std::uint16_t ply = 0, moves = 0;
};

std::expected<std::unique_ptr<YbbBook>, std::string> YbbBook::make(std::unique_ptr<Bytes> bytes) {
  std::array<char, kYbbHeader> header{};
  if (bytes->read(0, header.data(), header.size()) != header.size() ||
      !std::string_view(header.data(), header.size()).starts_with(kYbbMagic)) {
    return std::unexpected("it does not begin as a .ybb does");
  }
  const std::span<const char> view(header);
  const auto count = little_endian<std::uint64_t>(view.subspan(16));
  const auto flags = little_endian<std::uint64_t>(view.subspan(24));
  if ((flags & ~kYbbDepth) != 0) return std::unexpected(fmt::format("it has flags that are not known ({:#x})", flags));
  if (count > (bytes->size() - kYbbHeader) / kYbbRecord) {
    return std::unexpected(fmt::format("it is cut: {} bytes are too few for {} positions", bytes->size(), count));
  }
  if (count == 0) return std::unexpected("it has no position");
  std::unique_ptr<YbbBook> book(new YbbBook(std::move(bytes)));
  book->positions_ = count;
  book->has_depth_ = flags == kYbbDepth;
  if (const auto index = book->disorder()) {
    return std::unexpected(fmt::format("it is not sorted (near position {})", *index));
  }
  return book;
}

std::optional<YbbBook::Record> YbbBook::record(std::uint64_t index) {
  std::array<char, kYbbRecord> bytes{};
  if (bytes_->read(kYbbHeader + index * kYbbRecord, bytes.data(), bytes.size()) != bytes.size()) return std::nullopt;
  const std::span<const char> view(bytes);
  Record record;
  std::memcpy(record.position.bytes.data(), bytes.data(), record::PackedSfen::kSize);
  record.moves_offset = little_endian<std::uint64_t>(view.subspan(32));
  record.ply = little_endian<std::uint16_t>(view.subspan(40));
  record.moves = little_endian<std::uint16_t>(view.subspan(42));
  return record;
}

std::optional<std::uint64_t> YbbBook::disorder() {
  return first_disorder(*bytes_, {.begin = kYbbHeader, .count = positions_, .size = kYbbRecord},
                        [](std::string_view a, std::string_view b) {
                          constexpr std::size_t kKey = record::PackedSfen::kSize;
                          return std::memcmp(a.data(), b.data(), kKey) <= 0;
                        });
}

void YbbBook::add_moves(const Record& record, Entry& entry) {
  const std::size_t size = has_depth_ ? 6 : 4;
  const std::uint64_t begin = kYbbHeader + positions_ * kYbbRecord;
  if (record.moves_offset > bytes_->size() - begin) return;
  std::vector<char> bytes(std::min<std::size_t>(record.moves, kMostMoves) * size);
  bytes.resize(bytes_->read(begin + record.moves_offset, bytes.data(), bytes.size()) / size * size);
  for (std::span<const char> rest(bytes); !rest.empty(); rest = rest.subspan(size)) {
    BookMove move{.move = shogi::Move::from_bits(little_endian<std::uint16_t>(rest)),
                  .value = little_endian<std::int16_t>(rest.subspan(2))};
    if (has_depth_) move.depth = little_endian<std::uint16_t>(rest.subspan(4));
    add_once(entry, move);
  }
}

Entry YbbBook::find(const Query& query) {
  Entry entry;
  const auto wanted = record::pack(query.position);
  if (!wanted) return entry;
  const auto reached = [&](std::uint64_t index) {
    const auto found = record(index);
    return !found || found->position >= *wanted;
  };
  for (std::uint64_t index = first_index(positions_, reached); index < positions_; ++index) {
    const auto found = record(index);
    if (!found || found->position != *wanted) break;
    if (!query.ply || found->ply == *query.ply) add_moves(*found, entry);
  }
  return entry;
}

std::string YbbBook::description() const { return record::counted(positions_, "position"); }

// ---- Apery ----

namespace {
constexpr std::size_t kAperyRecord = 16;
// Its books name no depth. This one passes every limit that people set, and is what YaneuraOu shows.
constexpr int kAperyDepth = 256;
}  // namespace

AperyKeys::AperyKeys() {
  std::mt19937_64 random;
  for (auto& squares : piece_) {
    for (std::uint64_t& key : squares) key = random();
  }
  for (auto& counts : hand_) {
    for (std::uint64_t& key : counts) key = random();
  }
  white_to_move_ = random();
}

std::uint64_t AperyKeys::key(const shogi::Position& position) const {
  constexpr std::array<shogi::PieceType, 7> kOrder = {shogi::PAWN, shogi::LANCE,  shogi::KNIGHT, shogi::SILVER,
                                                      shogi::GOLD, shogi::BISHOP, shogi::ROOK};
  std::uint64_t key = position.side_to_move() == shogi::WHITE ? white_to_move_ : 0;
  for (std::size_t s = 0; s < shogi::SQUARE_NB; ++s) {
    // Its pieces are numbered as ours are.
    const shogi::Piece piece = position.piece_on(static_cast<shogi::Square>(s));
    if (piece != shogi::NO_PIECE) key ^= piece_[piece][s];
  }
  const shogi::Hand hand = position.hand(position.side_to_move());
  for (std::size_t i = 0; i < kOrder.size(); ++i) key ^= hand_[i][static_cast<std::size_t>(hand.count(kOrder[i]))];
  return key;
}

shogi::Move apery_move(std::uint16_t bits) {
  const int to = bits & 0x7f, from = bits >> 7 & 0x7f;
  if (to >= shogi::SQUARE_NB) return {};
  const auto target = static_cast<shogi::Square>(to);
  if (from < shogi::SQUARE_NB) {
    return shogi::Move::board(static_cast<shogi::Square>(from), target, (bits & 1 << 14) != 0);
  }
  // Drops come from beyond the board: pawn, lance, knight, silver, bishop, rook, gold.
  const int kind = from - shogi::SQUARE_NB + 1;
  return kind <= shogi::GOLD ? shogi::Move::drop(static_cast<shogi::PieceType>(kind), target) : shogi::Move{};
}

std::expected<std::unique_ptr<AperyBook>, std::string> AperyBook::make(std::unique_ptr<Bytes> bytes) {
  if (bytes->size() % kAperyRecord != 0) {
    return std::unexpected(fmt::format("{} bytes are not a number of records of {}", bytes->size(), kAperyRecord));
  }
  if (bytes->size() == 0) return std::unexpected("it has no position");
  std::unique_ptr<AperyBook> book(new AperyBook(std::move(bytes)));
  book->records_ = book->bytes_->size() / kAperyRecord;
  if (!book->ordered()) return std::unexpected("it is not sorted");
  return book;
}

std::string AperyBook::sorted(std::string_view bytes) {
  std::vector<std::pair<std::uint64_t, std::size_t>> order;  // key and offset: equal keys keep theirs
  for (std::size_t at = 0; at + kAperyRecord <= bytes.size(); at += kAperyRecord) {
    order.emplace_back(little_endian<std::uint64_t>(bytes.substr(at, 8)), at);
  }
  std::ranges::sort(order);
  std::string out;
  out.reserve(bytes.size());
  for (const auto& [key, at] : order) out += bytes.substr(at, kAperyRecord);
  return out;
}

std::uint64_t AperyBook::key_at(std::uint64_t index) {
  std::array<char, 8> bytes{};
  bytes_->read(index * kAperyRecord, bytes.data(), bytes.size());
  return little_endian<std::uint64_t>(bytes);
}

bool AperyBook::ordered() {
  const auto key = [](std::string_view record) { return little_endian<std::uint64_t>(record.substr(0, 8)); };
  return !first_disorder(*bytes_, {.begin = 0, .count = records_, .size = kAperyRecord},
                         [&](std::string_view a, std::string_view b) { return key(a) <= key(b); });
}

Entry AperyBook::find(const Query& query) {
  Entry entry;
  const std::uint64_t key = keys_.key(query.position);
  for (std::uint64_t index = first_index(records_, [&](std::uint64_t at) { return key_at(at) >= key; });
       index < records_ && entry.size() < kMostMoves; ++index) {
    std::array<char, kAperyRecord> bytes{};
    bytes_->read(index * kAperyRecord, bytes.data(), bytes.size());
    const std::span<const char> view(bytes);
    if (little_endian<std::uint64_t>(view) != key) break;
    add_once(entry, {.move = apery_move(little_endian<std::uint16_t>(view.subspan(8))),
                     .value = little_endian<std::int32_t>(view.subspan(12)),
                     .depth = kAperyDepth,
                     .count = little_endian<std::uint16_t>(view.subspan(10))});
  }
  return entry;
}

std::string AperyBook::description() const { return record::counted(records_, "move"); }

}  // namespace fuhyo::book
