// The texts of games in files of records, one after the other: records between "/" lines (CSA), lines (USI), or a file
// each. Plain, compressed, in archives. Reads files; one thread at a time per object.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/learn/data/format.h"
#include "engines/learn/data/text_file.h"

namespace fuhyo::learn {

// Files, folders (every file below them whose name is one of this format, in the order of their names) and patterns
// with '*' and '?' in their last part; each file once. An error names what is not there.
std::expected<std::vector<std::filesystem::path>, std::string> record_files_named(std::span<const std::string> names,
                                                                                  DataFormat format);

class RecordTexts {
 public:
  static constexpr std::size_t kLongest = std::size_t{16} << 20U;  // bytes of a game

  // With `left_out`, which must outlive it, what is wrong with the file or a game of it is noted there; without, it is
  // an error.
  static std::expected<RecordTexts, std::string> open(const std::filesystem::path& file, DataFormat format,
                                                      LeftOut* left_out = nullptr);

  // The next game's text, valid until the next call; nothing after the last one. Text without anything but blanks is no
  // game. An error names the file, and is the end of it, noted or not: damage, or a game that is too long.
  std::expected<std::optional<std::string_view>, std::string> next();
  // Notes that the game of the last next() cannot be read; without `left_out`, returns the error.
  std::expected<void, std::string> leave_out(std::string_view why);

  // Of the game that next() gave: "FILE: game 3", "FILE:ENTRY: game 1".
  std::string where() const;
  // The name of the file or entry it is in.
  const std::string& file() const { return entries_.name(); }

 private:
  RecordTexts(TextEntries entries, DataFormat format, LeftOut* left_out)
      : entries_(std::move(entries)), format_(format), left_out_(left_out) {}
  std::expected<void, std::string> note(std::string why);
  std::optional<std::string_view> split();
  std::string_view last();
  std::expected<bool, std::string> more();
  std::string_view take(std::size_t end, std::size_t after);

  TextEntries entries_;
  DataFormat format_;
  LeftOut* left_out_;
  std::string buffer_;
  std::size_t begin_ = 0;    // of what was not given
  std::size_t scanned_ = 0;  // from begin_ on, in which no game ends
  std::uint64_t number_ = 0;
  bool in_entry_ = false, over_ = false;
};

}  // namespace fuhyo::learn
