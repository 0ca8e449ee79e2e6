// Bytes distributed over many files on the disk and read back a file at a time, to sort or shuffle more than fits into
// memory. Writes files; one thread at a time per object.
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

  // The number of buckets of which each takes a quarter of `memory` (bytes) when `total` bytes fill them evenly. An
  // error if it is more than kMost; it says how much memory is enough.
  static std::expected<std::size_t, std::string> count_for(std::uint64_t total, std::uint64_t memory);

  // `folder` must be new or left by a former run; it is removed with the object. Buffers take at most a quarter of
  // `memory`, or a page a bucket.
  Buckets(std::filesystem::path folder, std::size_t count, std::uint64_t memory);
  ~Buckets();
  Buckets(const Buckets&) = delete;
  Buckets& operator=(const Buckets&) = delete;

  std::size_t count() const { return waiting_.size(); }
  // An error names the file: the disk is full.
  std::expected<void, std::string> add(std::size_t bucket, record::ByteView bytes);
  // The bytes of the bucket, which is empty afterwards.
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
