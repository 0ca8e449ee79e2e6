// Files of games (*.games): appended in blocks and read as a stream. What was flushed survives a crash of the program
// or the machine. One thread at a time per object; one writer a file, any number of readers.
#pragma once

#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "engines/jobs/files/append_file.h"
#include "engines/learn/data/block.h"
#include "engines/record/bytes.h"
#include "engines/record/scored_game.h"
#include "engines/record/scored_game_codec.h"

namespace fuhyo::learn {

constexpr std::string_view kGameFileEnd = ".games";

// Errors name the file. After a failed write, whatever was flushed before is still in the file, and the games that
// could not be written are kept: flush() tries them again (when there is room on the disk).
class GameWriter {
 public:
  // Makes the file, which must not be there yet. `made_by`: a line of text for whoever reads it.
  static std::expected<GameWriter, std::string> create(const std::filesystem::path& file, std::string_view made_by);

  // The game is written when its block is full (kBlockTarget bytes). An error may also be of a game that cannot be
  // written (append_scored_game()), which is left out.
  std::expected<void, std::string> append(const record::ScoredGame& game);
  // Writes and syncs everything; returns the size of the file. Nothing is written at destruction.
  std::expected<std::uint64_t, std::string> flush();

  static constexpr std::size_t kBlockTarget = 1 << 16;

 private:
  explicit GameWriter(std::filesystem::path path) : path_(std::move(path)) {}
  std::expected<void, std::string> write(record::ByteView bytes);
  std::expected<void, std::string> write_block();

  std::filesystem::path path_;
  jobs::AppendFile file_;  // of the header and whole blocks
  record::Bytes waiting_;
  std::uint32_t waiting_games_ = 0;
};

// Errors name the file and the offset of the block.
class GameReader {
 public:
  static std::expected<GameReader, std::string> open(const std::filesystem::path& file,
                                                     record::MoveCheck check = record::MoveCheck::legal);

  // The next game; nothing at the end. A block that is not there to its end is an end, too: see unfinished().
  std::expected<std::optional<record::ScoredGame>, std::string> next();
  // Skips so many games, or all that are left; returns how many.
  std::expected<std::uint64_t, std::string> skip(std::uint64_t games);

  // After the end: the file stops within a block, whose games are lost (or not written yet). Says where.
  const std::optional<std::string>& unfinished() const { return unfinished_; }
  const std::string& made_by() const { return made_by_; }
  std::uint64_t blocks() const { return blocks_; }  // begun so far

 private:
  GameReader(std::filesystem::path path, std::ifstream in, record::MoveCheck check)
      : path_(std::move(path)), in_(std::move(in)), check_(check) {}
  std::expected<void, std::string> read_header();
  std::expected<std::optional<BlockHeader>, std::string> next_block();
  std::expected<bool, std::string> load(const BlockHeader& header);
  void stop_within_block();
  std::string at_block(std::string_view what) const;

  std::filesystem::path path_;
  std::ifstream in_;
  record::MoveCheck check_;
  std::string made_by_;
  std::optional<std::string> unfinished_;
  std::uint64_t offset_ = 0;  // of the block that is read
  std::uint64_t next_ = 0;    // of the one after it
  std::uint64_t blocks_ = 0;
  record::Bytes block_;
  record::ByteReader games_{record::ByteView()};  // of the block, what is left of it
  std::uint32_t left_ = 0;                        // games of it
};

}  // namespace fuhyo::learn
