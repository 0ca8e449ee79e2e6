#include "engines/learn/data/buckets.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "engines/learn/data/part_file.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kPart = 4;  // of the memory
constexpr std::size_t kPage = 4'096, kMostAtOnce = std::size_t{1} << 20U;

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

}  // namespace

std::expected<std::size_t, std::string> Buckets::count_for(std::uint64_t total, std::uint64_t memory) {
  const std::uint64_t count = total / std::max<std::uint64_t>(memory / kPart, 1) + 1;
  if (count <= kMost) return static_cast<std::size_t>(count);
  return std::unexpected(fmt::format("{} MB at once are too little for {} MB; {} would do", memory >> 20U, total >> 20U,
                                     ((total / (kMost - 1) + 1) * kPart >> 20U) + 1));
}

Buckets::Buckets(fs::path folder, std::size_t count, std::uint64_t memory)
    : folder_(std::move(folder)),
      at_once_(std::clamp(static_cast<std::size_t>(memory / kPart / count), kPage, kMostAtOnce)),
      waiting_(count),
      written_(count) {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Buckets::~Buckets() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

fs::path Buckets::file_of(std::size_t bucket) const { return folder_ / std::to_string(bucket); }

std::expected<void, std::string> Buckets::add(std::size_t bucket, record::ByteView bytes) {
  record::Bytes& waiting = waiting_[bucket];
  if (!waiting.empty() && waiting.size() + bytes.size() > at_once_) {
    if (auto done = write(bucket); !done) return done;
  }
  waiting.insert(waiting.end(), bytes.begin(), bytes.end());
  return {};
}

std::expected<void, std::string> Buckets::write(std::size_t bucket) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return unwritten(folder_, error.message());
  record::Bytes& waiting = waiting_[bucket];
  File file(std::fopen(file_of(bucket).string().c_str(), "ab"));
  if (!file) return unwritten(file_of(bucket), std::strerror(errno));
  const bool wrote = std::fwrite(waiting.data(), 1, waiting.size(), file.get()) == waiting.size();
  // What is buffered is written at closing, which may fail, too.
  if (!wrote || std::fclose(file.release()) != 0) return unwritten(file_of(bucket), std::strerror(errno));
  written_[bucket] += waiting.size();
  waiting.clear();
  return {};
}

std::expected<record::Bytes, std::string> Buckets::take(std::size_t bucket) {
  record::Bytes waiting = std::exchange(waiting_[bucket], {});
  const auto on_disk = static_cast<std::size_t>(std::exchange(written_[bucket], 0));
  if (on_disk == 0) return waiting;
  record::Bytes all(on_disk);
  {
    const File file(std::fopen(file_of(bucket).string().c_str(), "rb"));
    if (!file || std::fread(all.data(), 1, on_disk, file.get()) != on_disk) {
      return std::unexpected(fmt::format("{}: cannot be read", file_of(bucket).string()));
    }
  }
  std::error_code ignored;
  fs::remove(file_of(bucket), ignored);
  all.insert(all.end(), waiting.begin(), waiting.end());
  return all;
}

}  // namespace fuhyo::learn
