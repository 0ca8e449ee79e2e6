// The file formats of game records: their names, and one function to read and one to write all of them. Pure functions;
// any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/record/game_file.h"

namespace fuhyo::record {

// A format together with the encoding that its extension promises.
enum class RecordFormat : std::uint8_t {
  csa,     // V2.2, UTF-8
  csa_v3,  // V3.0, UTF-8
  kif,     // Shift_JIS
  kifu,    // KIF in UTF-8
  ki2,     // Shift_JIS
  ki2u,    // KI2 in UTF-8
  jkf,     // JSON
  usi,     // a line of moves
};
constexpr std::array kRecordFormats = {RecordFormat::csa, RecordFormat::csa_v3, RecordFormat::kif, RecordFormat::kifu,
                                       RecordFormat::ki2, RecordFormat::ki2u,   RecordFormat::jkf, RecordFormat::usi};

// "csa", "csa3", "kif", "kifu", "ki2", "ki2u", "jkf", "usi"; also the format's name in a URL.
std::string_view extension_of(RecordFormat format);
// Without a dot; case does not matter.
std::optional<RecordFormat> format_by_extension(std::string_view extension);
// With the character set: "application/x-kif; charset=Shift_JIS", "application/json". Nobody has registered types for
// records; a browser is to save them, not to show them.
std::string_view content_type_of(RecordFormat format);

struct RecordFile {
  std::string bytes;  // in the encoding of the format
  std::string_view content_type;
  std::size_t replaced = 0;  // characters that the encoding lacks, which became '?'
  std::string missing;       // the first few of them, in UTF-8
  std::size_t left_out = 0;  // branches, of a format that has none
  // What of the game is not in the file, for people to read; empty: nothing of these.
  std::string losses() const;
};
// The game as a file, without_controls() (encoding.h). What each format leaves out stands in its writer's header. An
// error says what it cannot tell.
std::expected<RecordFile, std::string> write_record(const Game& game, RecordFormat format);

struct ReadRecord {
  RecordFormat format{};
  GameFile file;  // of several games in a CSA file the first one; a warning says so
};
// Any of them as it lies on disk. `name` is the file's, for its extension; it may be empty. A first line that only one
// format has counts more. Nearly any text with a colon is a KIF file of nothing but headers: look for moves.
std::expected<ReadRecord, Diagnostic> read_record(std::string_view bytes, std::string_view name = {});

// The same with all games of the file: CSA files and lines of USI hold several. At least one.
std::expected<std::vector<ReadRecord>, Diagnostic> read_records(std::string_view bytes, std::string_view name = {});

}  // namespace fuhyo::record
