// Books of fixed-size records: YaneuraOu's .ybb and Apery's book.bin. Both are searched where they are, in memory or on
// disk.
#pragma once

#include <expected>
#include <memory>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>

#include "engines/book/book.h"
#include "engines/book/bytes.h"

namespace fuhyo::book {

// The first 16 bytes of a .ybb.
constexpr std::string_view kYbbMagic("YANE-BINBOOK-V1\0", 16);

// 32 bytes (magic, number of positions, flags); a record of 44 bytes for each position, in the order of its PackedSfen
// (which is followed by the offset of its moves, its move number and how many moves it has); then the moves: move and
// value, 16 bits each, and if flag 1 is set the depth. All little-endian. Moves have no counts and no replies.
class YbbBook final : public Book {
 public:
  static std::expected<std::unique_ptr<YbbBook>, std::string> make(std::unique_ptr<Bytes> bytes);

  Entry find(const Query& query) override;
  std::string description() const override;

 private:
  struct Record;
  explicit YbbBook(std::unique_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {}
  std::optional<Record> record(std::uint64_t index);
  void add_moves(const Record& record, Entry& entry);
  // The first two positions out of order among those that are looked at.
  std::optional<std::uint64_t> disorder();

  std::unique_ptr<Bytes> bytes_;
  std::uint64_t positions_ = 0;
  bool has_depth_ = false;
};

// The numbers by which Apery's books know positions: of the pieces on the board, of what the side to move holds, and of
// who that is. Apery draws them from the generator of the C++ standard, seeded as it is by default.
class AperyKeys {
 public:
  AperyKeys();
  std::uint64_t key(const shogi::Position& position) const;

 private:
  std::array<std::array<std::uint64_t, shogi::SQUARE_NB>, 31> piece_{};
  std::array<std::array<std::uint64_t, 19>, 7> hand_{};
  std::uint64_t white_to_move_ = 0;
};

// Records of 16 bytes in the order of their keys: key (64 bits), move (16, in Apery's way), count (16), value (32).
class AperyBook final : public Book {
 public:
  static std::expected<std::unique_ptr<AperyBook>, std::string> make(std::unique_ptr<Bytes> bytes);
  // The same, sorted first.
  static std::string sorted(std::string_view bytes);

  Entry find(const Query& query) override;
  std::string description() const override;

 private:
  explicit AperyBook(std::unique_ptr<Bytes> bytes) : bytes_(std::move(bytes)) {}
  std::uint64_t key_at(std::uint64_t index);
  bool ordered();

  std::unique_ptr<Bytes> bytes_;
  std::uint64_t records_ = 0;
  AperyKeys keys_;
};

// Apery's 16 bits as a move; no move if they are none.
shogi::Move apery_move(std::uint16_t bits);

}  // namespace fuhyo::book
