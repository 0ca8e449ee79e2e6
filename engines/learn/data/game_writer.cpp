// Writes a file of games. One thread at a time per object.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <utility>

#include "engines/jobs/files/durable_file.h"
#include "engines/learn/data/game_file.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using record::Bytes;
using record::ByteView;

std::unexpected<std::string> trouble(const fs::path& path, std::string_view what) {
  return Failure(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

// For appending: so that half a block that is taken back leaves no hole. A block is written at once, and is in the file
// or is not.
std::expected<void, std::string> GameWriter::open() {
  file_.reset(std::fopen(path_.string().c_str(), "ab"));
  if (!file_) return trouble(path_, std::strerror(errno));
  std::setvbuf(file_.get(), nullptr, _IONBF, 0);
  return {};
}

std::expected<GameWriter, std::string> GameWriter::create(const fs::path& path, std::string_view made_by) {
  const auto header = file_header(made_by);
  if (!header) return trouble(path, header.error());
  if (!File(std::fopen(path.string().c_str(), "wbx"))) return trouble(path, std::strerror(errno));
  GameWriter writer(path);
  if (auto opened = writer.open(); !opened) return Failure(std::move(opened.error()));
  if (auto written = writer.write(*header); !written) return Failure(std::move(written.error()));
  return writer;
}

std::expected<void, std::string> GameWriter::append(const record::ScoredGame& game) {
  const std::size_t before = waiting_.size();
  if (auto appended = append_scored_game(waiting_, game); !appended) return trouble(path_, appended.error());
  if (waiting_.size() > kMaxBlock) {
    waiting_.resize(before);
    return trouble(path_, "games that could not be written fill a block");
  }
  ++waiting_games_;
  return waiting_.size() < kBlockTarget ? std::expected<void, std::string>() : write_block();
}

std::expected<void, std::string> GameWriter::write(ByteView bytes) {
  errno = 0;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size()) {
    written_ += bytes.size();
    return {};
  }
  const int reason = errno;
  std::clearerr(file_.get());
  // Half a block would stand before the next one.
  std::error_code ignored;
  fs::resize_file(path_, written_, ignored);
  return trouble(path_, fmt::format("cannot be written: {}", std::strerror(reason)));
}

std::expected<void, std::string> GameWriter::write_block() {
  Bytes block;
  block.reserve(kBlockHeader + waiting_.size());
  put_block_header(
      block,
      {.bytes = static_cast<std::uint32_t>(waiting_.size()), .games = waiting_games_, .checksum = crc32c(waiting_)});
  block.insert(block.end(), waiting_.begin(), waiting_.end());
  if (auto written = write(block); !written) return written;
  waiting_.clear();
  waiting_games_ = 0;
  return {};
}

std::expected<std::uint64_t, std::string> GameWriter::flush() {
  if (waiting_games_ > 0) {
    if (auto written = write_block(); !written) return Failure(written.error());
  }
  if (const std::error_code error = jobs::sync_bytes(path_)) {
    return trouble(path_, fmt::format("cannot be written: {}", error.message()));
  }
  return written_;
}

}  // namespace fuhyo::learn
