// YaneuraOu's text books (.db): read into memory and indexed, in whatever order they are; or, where they are sorted,
// searched on disk without reading them.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engines/book/book.h"
#include "engines/book/bytes.h"

namespace fuhyo::book {

class TextBook final : public Book {
 public:
  // What could not be read, and was left out.
  struct Damage {
    std::uint64_t lines = 0;       // how many
    std::uint64_t first_line = 0;  // the number of the first, from 1
    std::string first_text;        // and what it says, cut and printable
  };

  // An error says what is wrong: text without a single position is no book. Throws std::bad_alloc.
  static std::expected<std::unique_ptr<TextBook>, std::string> make(std::unique_ptr<MemoryBytes> bytes);

  Entry find(const Query& query) override;
  std::string description() const override;
  std::size_t positions() const { return positions_; }
  const Damage& damage() const { return damage_; }

 private:
  struct Place {
    std::uint64_t digest = 0, offset = 0;
  };
  explicit TextBook(std::unique_ptr<MemoryBytes> bytes) : bytes_(std::move(bytes)) {}
  std::vector<Place> scan();
  void report_damage(std::string_view line, std::uint64_t number);
  void index(std::span<const Place> places);

  std::unique_ptr<MemoryBytes> bytes_;
  // Open addressing. Of each line that opens a position: the upper bits of its key's digest and, in the lower bits, one
  // more than where it begins.
  std::vector<std::uint64_t> slots_;
  std::size_t positions_ = 0;
  Damage damage_;
};

class SortedTextBook final : public Book {
 public:
  // Looks at every line of a file that can be read through in some seconds, else at some hundred places. An error:
  // there is no position, they are not in order, or one is written so that a search would pass it by.
  static std::expected<std::unique_ptr<SortedTextBook>, std::string> make(std::unique_ptr<Bytes> bytes);

  Entry find(const Query& query) override;
  std::string description() const override;

 private:
  // Places are counted as if a line end stood before the first line, at 0: then every line comes behind one.
  struct Place {
    std::uint64_t begin = 0, end = 0;  // of the line; `end` is behind its line end
    std::string line;
  };
  SortedTextBook(std::unique_ptr<Bytes> bytes, std::uint64_t skipped)
      : bytes_(std::move(bytes)), skipped_(skipped), end_(bytes_->size() - skipped + 1) {}
  // Of the lines that begin in [from, to) of the file and, but for the last one, end there. `before`: the key of the
  // position before them, and then of their last one.
  std::expected<void, std::string> check(std::uint64_t from, std::uint64_t to, std::string& before);
  // Appends what stands at a place, as far as a block goes. False at the end.
  bool append_block(std::string& text, std::uint64_t at);
  // The first line that begins in [from, limit) and opens a position; from 1 on.
  std::optional<Place> next_position(std::uint64_t from, std::uint64_t limit);
  // What lies from there to the next position.
  std::string moves_after(std::uint64_t offset);

  std::unique_ptr<Bytes> bytes_;
  std::uint64_t skipped_;  // a byte order mark
  std::uint64_t end_;      // the place behind the last byte
  bool whole_ = true;      // every line was looked at
};

}  // namespace fuhyo::book
