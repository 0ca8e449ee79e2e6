// The layout of a file of games: a header that says how the games were made, and blocks of games, each with checksums.
// Pure functions of bytes; any thread.
//
//   header   "FuhyoSG\n"; u32 version (1); u32 length of the text; the text, one line of UTF-8; u32 CRC-32C of all that
//   block    u32 bytes of games; u32 games; u32 CRC-32C of the games' bytes; u32 CRC-32C of the twelve bytes before;
//   then
//            the games, one after the other (engines/record/scored_game_codec.h)
//
// Little-endian. A new block is appended; nothing before it changes.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/record/bytes.h"

namespace fuhyo::learn {

constexpr std::uint32_t kGameFileVersion = 1;
constexpr std::size_t kFileHeaderStart = 16;  // magic, version and length of the text
constexpr std::size_t kMaxMadeBy = 1 << 16;   // bytes of the text
constexpr std::size_t kBlockHeader = 16;
constexpr std::size_t kMaxBlock = 1 << 20;  // bytes of games in a block: what a reader holds at a time

// CRC-32C (Castagnoli), as iSCSI has it: of "123456789" it is 0xe3069283.
std::uint32_t crc32c(record::ByteView bytes);

// An error if the text is longer than kMaxMadeBy or has control characters.
std::expected<record::Bytes, std::string> file_header(std::string_view made_by);
// How long the whole header is that begins with these kFileHeaderStart bytes; an error if it is of no file of games, or
// of a version that is not known.
std::expected<std::size_t, std::string> file_header_size(record::ByteView start);
// The text of a whole header.
std::expected<std::string, std::string> made_by(record::ByteView header);

struct BlockHeader {
  std::uint32_t bytes = 0;  // of games, 1 to kMaxBlock
  std::uint32_t games = 0;  // 1 to `bytes`
  std::uint32_t checksum = 0;
};
void put_block_header(record::Bytes& out, const BlockHeader& header);
// Of kBlockHeader bytes; nothing if their checksum or their numbers are wrong.
std::optional<BlockHeader> block_header(record::ByteView bytes);

}  // namespace fuhyo::learn
