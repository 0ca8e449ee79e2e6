// 00LIST and its two companions: one line per finished game, appended once each. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <unordered_set>

#include "server/store/records/disk.h"

namespace fuhyo::store {

class RecordsList {
 public:
  // Lines from byte `from` on may be appended again (after a crash) and are not written twice. A last line without its
  // line end, torn by a crash, is cut off. What is there is durable then.
  static std::expected<RecordsList, std::string> open(std::filesystem::path path, std::uint64_t from,
                                                      FileMode mode = {});

  // `record_path` identifies the game; it is the seventh field of the line.
  DiskResult append(std::string_view line, const std::string& record_path);
  DiskResult sync();  // makes what was appended durable
  std::uint64_t size() const { return size_; }
  void forget_old_lines() { known_.clear(); }  // nothing that was written before open() comes again

 private:
  RecordsList(std::filesystem::path path, FileMode mode) : path_(std::move(path)), mode_(mode) {}
  void remember(std::string_view lines);

  std::filesystem::path path_;
  FileMode mode_;
  std::uint64_t size_ = 0;
  std::unordered_set<std::string> known_;
  bool torn_ = false;  // an append failed and may have left a part of a line
  bool dirty_ = false;
};

}  // namespace fuhyo::store
