// Reads a file of games. One thread at a time per object.
#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/game_file.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using record::Bytes;

// Fewer bytes than asked for at the end of the file; nothing if it cannot be read.
std::optional<Bytes> read(std::ifstream& in, std::size_t count) {
  Bytes bytes(count);
  in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(count));
  if (in.bad()) return std::nullopt;
  bytes.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  return bytes;
}

}  // namespace

std::expected<GameReader, std::string> GameReader::open(const fs::path& file, record::MoveCheck check) {
  std::error_code error;
  if (!fs::exists(file, error)) return Failure(fmt::format("{}: there is no such file", file.string()));
  if (fs::is_directory(file, error)) return Failure(fmt::format("{}: is a folder", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) return Failure(fmt::format("{}: cannot be read", file.string()));
  GameReader reader(file, std::move(in), check);
  if (auto read = reader.read_header(); !read) return Failure(fmt::format("{}: {}", file.string(), read.error()));
  return reader;
}

std::expected<void, std::string> GameReader::read_header() {
  auto header = read(in_, kFileHeaderStart);
  if (!header) return Failure("cannot be read");
  const auto size = file_header_size(*header);
  if (!size) return Failure(size.error());
  const auto rest = read(in_, *size - header->size());
  if (!rest) return Failure("cannot be read");
  header->insert(header->end(), rest->begin(), rest->end());
  auto text = learn::made_by(*header);
  if (!text) return Failure(std::move(text.error()));
  made_by_ = *std::move(text);
  next_ = *size;
  return {};
}

std::string GameReader::at_block(std::string_view what) const {
  return fmt::format("{}: offset {}: {}", path_.string(), offset_, what);
}

void GameReader::stop_within_block() { unfinished_ = at_block("the file ends within a block of games"); }

// Nothing at the end of the file, also within a header.
std::expected<std::optional<BlockHeader>, std::string> GameReader::next_block() {
  if (unfinished_) return std::nullopt;
  offset_ = next_;
  in_.seekg(static_cast<std::streamoff>(offset_));
  const auto bytes = read(in_, kBlockHeader);
  if (!bytes) return Failure(at_block("cannot be read"));
  if (bytes->size() < kBlockHeader) {
    if (!bytes->empty()) stop_within_block();
    return std::nullopt;
  }
  const auto header = block_header(*bytes);
  if (!header) return Failure(at_block("here is no block of games: the file is damaged"));
  next_ = offset_ + kBlockHeader + header->bytes;
  return header;
}

// False if the block is not there to its end. The file stands behind its header.
std::expected<bool, std::string> GameReader::load(const BlockHeader& header) {
  auto bytes = read(in_, header.bytes);
  if (!bytes) return Failure(at_block("cannot be read"));
  if (bytes->size() < header.bytes) {
    stop_within_block();
    return false;
  }
  if (crc32c(*bytes) != header.checksum) return Failure(at_block("the block's checksum is wrong: the file is damaged"));
  block_ = *std::move(bytes);
  games_ = record::ByteReader(block_);
  left_ = header.games;
  ++blocks_;
  return true;
}

std::expected<std::optional<record::ScoredGame>, std::string> GameReader::next() {
  if (left_ == 0) {
    const auto header = next_block();
    if (!header) return Failure(header.error());
    if (!*header) return std::nullopt;
    const auto loaded = load(**header);
    if (!loaded) return Failure(loaded.error());
    if (!*loaded) return std::nullopt;
  }
  auto game = record::take_scored_game(games_, check_);
  if (!game) return Failure(at_block(fmt::format("the {}. game from its end: {}", left_, game.error())));
  if (--left_ == 0 && !games_.rest().empty()) return Failure(at_block("the block has bytes behind its last game"));
  return game;
}

std::expected<std::uint64_t, std::string> GameReader::skip(std::uint64_t games) {
  std::uint64_t passed = 0;
  while (passed < games) {
    if (left_ > 0) {
      const auto game = record::take_scored_game(games_, record::MoveCheck::trusted);
      if (!game) return Failure(at_block(game.error()));
      --left_;
      ++passed;
      continue;
    }
    const auto header = next_block();
    if (!header) return Failure(header.error());
    if (!*header) break;
    std::error_code error;
    const bool whole = fs::file_size(path_, error) >= next_;
    if (whole && !error && (*header)->games <= games - passed) {
      passed += (*header)->games;
      ++blocks_;
      continue;
    }
    const auto loaded = load(**header);
    if (!loaded) return Failure(loaded.error());
    if (!*loaded) break;
  }
  return passed;
}

}  // namespace fuhyo::learn
