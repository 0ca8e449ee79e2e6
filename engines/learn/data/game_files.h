// Several files of games as one stream. Reads files; one thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engines/learn/data/game_file.h"

namespace fuhyo::learn {

// The files that are meant by these names, each once, in the order of the names: a file; a folder, for the files in it
// that end in `ending`; or a pattern with '*' (anything) and '?' (any character) in its last part. Those of a folder or
// pattern are sorted. An error names what is not there.
std::expected<std::vector<std::filesystem::path>, std::string> files_named(std::span<const std::string> names,
                                                                           std::string_view ending);

class GameFiles {
 public:
  // Every header is read, so that a file which is none is an error now.
  static std::expected<GameFiles, std::string> open(std::span<const std::string> names,
                                                    record::MoveCheck check = record::MoveCheck::legal);

  // The next game of any; nothing after the last one.
  std::expected<std::optional<record::ScoredGame>, std::string> next();
  std::expected<std::uint64_t, std::string> skip(std::uint64_t games);  // as GameReader's
  void rewind();                                                        // to the first game

  const std::vector<std::filesystem::path>& files() const { return files_; }
  // A line for each file that stops within a block, as far as they were read.
  const std::vector<std::string>& unfinished() const { return unfinished_; }

 private:
  GameFiles(std::vector<std::filesystem::path> files, record::MoveCheck check)
      : files_(std::move(files)), check_(check) {}
  std::expected<bool, std::string> open_next();
  void close();

  std::vector<std::filesystem::path> files_;
  record::MoveCheck check_;
  std::size_t opened_ = 0;  // files of it
  std::optional<GameReader> reader_;
  std::vector<std::string> unfinished_;
};

}  // namespace fuhyo::learn
