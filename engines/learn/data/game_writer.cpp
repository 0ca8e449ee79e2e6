// Writes a file of games. One thread at a time per object.
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <utility>

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

std::expected<GameWriter, std::string> GameWriter::create(const fs::path& path, std::string_view made_by) {
  const auto header = file_header(made_by);
  if (!header) return trouble(path, header.error());
  std::FILE* const made = std::fopen(path.string().c_str(), "wbx");
  if (made == nullptr) return trouble(path, std::strerror(errno));
  std::fclose(made);
  auto file = jobs::AppendFile::open(path);
  if (!file) return trouble(path, file.error());
  GameWriter writer(path);
  writer.file_ = *std::move(file);
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
  const auto written = file_.append(std::as_bytes(bytes));
  return written ? written : trouble(path_, "cannot be written: " + written.error());
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
  if (const auto synced = file_.sync(); !synced) return trouble(path_, "cannot be written: " + synced.error());
  return file_.size();
}

}  // namespace fuhyo::learn
