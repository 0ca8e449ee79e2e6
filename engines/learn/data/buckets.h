// Bytes spread over many files on the disk and taken back a file at a time: how more is sorted or shuffled than there
// is memory for. Writes files; one thread at a time per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include "engines/record/bytes.h"

namespace fuhyo::learn {

class Buckets {
 public:
  static constexpr std::size_t kMost = 4'096;

  // So many that each of them is a quarter of `memory` (bytes), if they fill evenly with `total` bytes; an error if
  // that were more than kMost, which says how much memory would do.
  static std::expected<std::size_t, std::string> count_for(std::uint64_t total, std::uint64_t memory);

  // In a folder of its own, which must not be there or be left over by a former run, and goes with the object. What
  // waits to be written takes no more than a quarter of `memory`, or a page a bucket.
  Buckets(std::filesystem::path folder, std::size_t count, std::uint64_t memory);
  ~Buckets();
  Buckets(const Buckets&) = delete;
  Buckets& operator=(const Buckets&) = delete;

  std::size_t count() const { return waiting_.size(); }
  // An error names the file: a disk that is full.
  std::expected<void, std::string> add(std::size_t bucket, record::ByteView bytes);
  // All that was added to the bucket, which is empty then.
  std::expected<record::Bytes, std::string> take(std::size_t bucket);

 private:
  std::filesystem::path file_of(std::size_t bucket) const;
  std::expected<void, std::string> write(std::size_t bucket);

  std::filesystem::path folder_;
  std::size_t at_once_;
  std::vector<record::Bytes> waiting_;
  std::vector<std::uint64_t> written_;
};

}  // namespace fuhyo::learn
