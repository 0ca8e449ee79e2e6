// The results of searches in an append-only file, from which a book resumes after any interruption. One thread at a
// time per object; one process a file.
//
//   header   "FuhyoBK\n"; u32 version (1); u32 length of the text; the text: how positions are searched; u32 CRC-32C
//   record   u16 length of what follows but the checksum; 32 bytes position (engines/record/packed_sfen.h); i16 what an
//            ended game is worth; lines of 8 bytes: u16 move, u16 reply, i16 value, u16 depth; u32 CRC-32C of all that
//
// Numbers have their lowest byte first.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "engines/jobs/files/append_file.h"
#include "engines/learn/book/search_result.h"
#include "engines/record/bytes.h"
#include "engines/record/packed_sfen.h"

namespace fuhyo::learn {

class SearchLog {
 public:
  // Creates the file, or opens it and cuts off an unfinished last record. Errors name the file: it is damaged (and
  // where), holds searches with other options than `options` (at most 4,096 bytes), or cannot be written.
  static std::expected<SearchLog, std::string> open(const std::filesystem::path& file, std::string_view options);

  // Null if it was not searched yet. Valid as long as the log.
  const SearchResult* find(const record::PackedSfen& position) const;
  // At most kMostLines lines. After an error neither the file nor find() has it.
  std::expected<void, std::string> append(const record::PackedSfen& position, const SearchResult& found);
  // All records are on the disk afterwards.
  std::expected<void, std::string> sync();

  std::size_t size() const { return found_.size(); }
  std::uint64_t cut() const { return cut_; }  // bytes that open() cut off

 private:
  explicit SearchLog(std::filesystem::path path) : path_(std::move(path)) {}
  std::unexpected<std::string> trouble(std::string_view what) const;
  // The size of what is whole.
  std::expected<std::size_t, std::string> read(record::ByteView bytes, const record::Bytes& header);
  std::expected<void, std::string> write(record::ByteView bytes);

  std::filesystem::path path_;
  jobs::AppendFile file_;
  std::map<record::PackedSfen, SearchResult> found_;
  std::uint64_t cut_ = 0;
};

}  // namespace fuhyo::learn
