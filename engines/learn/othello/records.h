// Files of games of Othello (*.othello), each written and read as a whole: a file that was cut off is no file of games.
// Any thread.
//
//   "FuhyoOG\n"; u32 version (1); u32 length of the text; the text, one line of UTF-8 that says how they were played;
//   u64 number of games; the games; u32 CRC-32C of all that. Little-endian.
//
// A game: u8 number of moves; the moves, a byte each, squares as engines/othello/board.h numbers them, 64 for a pass.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::learn {

// From the start to the end of a game; every move of it is legal.
struct OthelloRecord {
  std::vector<std::uint8_t> moves;
  bool operator==(const OthelloRecord&) const = default;
};

struct OthelloRecords {
  std::string made_by;
  std::vector<OthelloRecord> games;
  std::uint32_t checksum = 0;  // tells contents apart
};

// Replaces the file; if that fails, the old one stays. An error names the file. `made_by`: at most 65,536 bytes.
std::expected<void, std::string> write_othello(const std::filesystem::path& file, std::string_view made_by,
                                               std::span<const OthelloRecord> games);
// An error names the file and what is wrong with it: it is cut off or damaged, or a game has an illegal move or no end.
std::expected<OthelloRecords, std::string> read_othello(const std::filesystem::path& file);

}  // namespace fuhyo::learn
