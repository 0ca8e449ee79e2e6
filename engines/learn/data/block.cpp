#include "engines/learn/data/block.h"

#include <algorithm>
#include <fmt/core.h>

#include <boost/crc.hpp>

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;
using record::ByteReader;
using record::Bytes;
using record::ByteView;
using record::put;

constexpr std::string_view kMagic = "FuhyoSG\n";
constexpr std::size_t kChecksum = 4;

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

}  // namespace

std::uint32_t crc32c(ByteView bytes) {
  boost::crc_optimal<32, 0x1EDC6F41, 0xFFFFFFFF, 0xFFFFFFFF, true, true> crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return static_cast<std::uint32_t>(crc.checksum());
}

std::expected<Bytes, std::string> file_header(std::string_view made_by) {
  if (made_by.size() > kMaxMadeBy)
    return Failure(fmt::format("says how it was made in more than {} bytes", kMaxMadeBy));
  if (std::ranges::any_of(made_by, is_control)) return Failure("says how it was made in more than a line of text");
  Bytes out(kMagic.begin(), kMagic.end());
  put(out, kGameFileVersion);
  put(out, static_cast<std::uint32_t>(made_by.size()));
  out.insert(out.end(), made_by.begin(), made_by.end());
  put(out, crc32c(out));
  return out;
}

std::expected<std::size_t, std::string> file_header_size(ByteView start) {
  ByteReader in(start);
  const auto magic = in.take_bytes(kMagic.size());
  const auto version = in.take<std::uint32_t>(), length = in.take<std::uint32_t>();
  if (magic && !std::ranges::equal(*magic, kMagic, {}, {}, [](char c) { return static_cast<std::uint8_t>(c); })) {
    return Failure("is no file of games");
  }
  if (!length) return Failure(start.empty() ? "is empty" : "ends within its header");
  if (*version != kGameFileVersion) {
    return Failure(
        fmt::format("is a file of games of version {}; this program knows version {}", *version, kGameFileVersion));
  }
  if (*length > kMaxMadeBy) return Failure("has a damaged header");
  return kFileHeaderStart + *length + kChecksum;
}

std::expected<std::string, std::string> made_by(ByteView header) {
  const auto size = file_header_size(header.first(std::min(header.size(), kFileHeaderStart)));
  if (!size) return Failure(size.error());
  if (header.size() < *size) return Failure("ends within its header");
  const ByteView covered = header.first(*size - kChecksum);
  ByteReader checksum(header.subspan(covered.size()));
  if (checksum.take<std::uint32_t>() != crc32c(covered)) return Failure("has a damaged header");
  const ByteView text = covered.subspan(kFileHeaderStart);
  return std::string(text.begin(), text.end());
}

void put_block_header(Bytes& out, const BlockHeader& header) {
  const std::size_t begin = out.size();
  put(out, header.bytes);
  put(out, header.games);
  put(out, header.checksum);
  put(out, crc32c(ByteView(out).subspan(begin)));
}

std::optional<BlockHeader> block_header(ByteView bytes) {
  ByteReader in(bytes);
  const auto length = in.take<std::uint32_t>(), games = in.take<std::uint32_t>(), checksum = in.take<std::uint32_t>(),
             own = in.take<std::uint32_t>();
  if (!own || *own != crc32c(bytes.first(kBlockHeader - kChecksum))) return std::nullopt;
  if (*length == 0 || *length > kMaxBlock || *games == 0 || *games > *length) return std::nullopt;
  return BlockHeader{.bytes = *length, .games = *games, .checksum = *checksum};
}

}  // namespace fuhyo::learn
