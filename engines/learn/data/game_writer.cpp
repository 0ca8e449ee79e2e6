// Writes a file of games, and finds out what stays of one that is written again. One thread at a time per object.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <utility>
#include <vector>

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

struct Block {
  std::uint64_t offset = 0;
  BlockHeader header;
  std::uint64_t end() const { return offset + kBlockHeader + header.bytes; }
};

// A file that is looked through before it is written again.
struct Survey {
  std::uint64_t begin = 0;    // where its blocks begin
  std::vector<Block> blocks;  // whole by their lengths, one after the other
  std::uint64_t end() const { return blocks.empty() ? begin : blocks.back().end(); }
};

Bytes read_at(std::ifstream& in, std::uint64_t offset, std::size_t count) {
  Bytes bytes(count);
  in.clear();
  in.seekg(static_cast<std::streamoff>(offset));
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  bytes.resize(static_cast<std::size_t>(std::max<std::streamsize>(in.gcount(), 0)));
  return bytes;
}

bool is_whole(std::ifstream& in, const Block& block) {
  const Bytes bytes = read_at(in, block.offset + kBlockHeader, block.header.bytes);
  return bytes.size() == block.header.bytes && crc32c(bytes) == block.header.checksum;
}

// Whether what begins at `offset`, where no block begins, may be all that became of one last block: it is not longer
// than one, and no other block begins within it.
bool is_last(std::ifstream& in, std::uint64_t offset, std::uint64_t size) {
  if (size - offset >= kBlockHeader + kMaxBlock) return false;
  const Bytes rest = read_at(in, offset, static_cast<std::size_t>(size - offset));
  for (std::size_t i = 1; i + kBlockHeader <= rest.size(); ++i) {
    if (block_header(ByteView(rest).subspan(i, kBlockHeader))) return false;
  }
  return true;
}

// The blocks that are there to their ends within the first `size` bytes.
std::expected<Survey, std::string> survey(std::ifstream& in, std::uint64_t size) {
  const Bytes header = read_at(in, 0, kFileHeaderStart + kMaxMadeBy + sizeof(std::uint32_t));
  if (auto text = made_by(header); !text) return Failure(std::move(text.error()));
  Survey out{.begin = *file_header_size(ByteView(header).first(kFileHeaderStart)), .blocks = {}};
  while (out.end() + kBlockHeader <= size) {
    const auto found = block_header(read_at(in, out.end(), kBlockHeader));
    if (!found && !is_last(in, out.end(), size)) {
      return Failure(fmt::format("offset {}: here is no block of games: the file is damaged", out.end()));
    }
    if (!found || Block{.offset = out.end(), .header = *found}.end() > size) break;
    out.blocks.push_back({.offset = out.end(), .header = *found});
  }
  return out;
}

// The blocks that stay in a file of this size.
std::expected<Survey, std::string> choose(std::ifstream& in, std::uint64_t size,
                                          std::optional<std::uint64_t> committed) {
  if (committed && *committed > size) {
    return Failure(fmt::format("has {} bytes, and {} were flushed: it is another file, or damaged", size, *committed));
  }
  auto file = survey(in, committed.value_or(size));
  if (!file) return file;
  if (committed && file->end() != *committed) {
    return Failure(fmt::format(
        "offset {}: no block ends here, where the file was flushed: it is another file, or damaged", *committed));
  }
  if (!committed && !file->blocks.empty() && file->end() == size && !is_whole(in, file->blocks.back())) {
    file->blocks.pop_back();
  }
  if (file->blocks.empty() || is_whole(in, file->blocks.back())) return file;
  return Failure(
      fmt::format("offset {}: the block's checksum is wrong: the file is damaged", file->blocks.back().offset));
}

}  // namespace

std::expected<GameWriter, std::string> GameWriter::locked(const fs::path& path) {
  auto lock = jobs::FileLock::take(path);
  if (!lock) return trouble(path, lock.error());
  return GameWriter(path, *std::move(lock));
}

// For appending: so that what is cut off leaves no hole. A block is written at once, and is in the file or is not.
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
  auto writer = locked(path);
  if (!writer) return writer;
  if (auto opened = writer->open(); !opened) return Failure(std::move(opened.error()));
  if (auto written = writer->write(*header); !written) return Failure(std::move(written.error()));
  return writer;
}

std::expected<GameWriter::Reopened, std::string> GameWriter::reopen(const fs::path& path,
                                                                    std::optional<std::uint64_t> committed) {
  std::error_code error;
  // The lock would make a file that is not there.
  if (!fs::exists(path, error)) return trouble(path, "there is no such file");
  auto writer = locked(path);
  if (!writer) return Failure(std::move(writer.error()));
  const std::uint64_t size = fs::file_size(path, error);
  std::ifstream in(path, std::ios::binary);
  if (error || !in) return trouble(path, "cannot be read");
  const auto file = choose(in, size, committed);
  if (!file) return trouble(path, file.error());
  if (file->end() < size) fs::resize_file(path, file->end(), error);
  if (error) return trouble(path, error.message());
  if (auto opened = writer->open(); !opened) return Failure(std::move(opened.error()));
  writer->written_ = file->end();
  for (const Block& block : file->blocks) writer->games_ += block.header.games;
  return Reopened{.writer = *std::move(writer), .cut = size - file->end()};
}

std::expected<void, std::string> GameWriter::append(const record::ScoredGame& game) {
  const std::size_t before = waiting_.size();
  if (auto appended = append_scored_game(waiting_, game); !appended) return trouble(path_, appended.error());
  if (waiting_.size() > kMaxBlock) {
    waiting_.resize(before);
    return trouble(path_, "games that could not be written fill a block");
  }
  ++waiting_games_;
  ++games_;
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
  // Half a block would be cut at the next start anyway; here it would stand before the next one.
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
