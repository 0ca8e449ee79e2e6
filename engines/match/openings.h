// Reads sets of openings: files of lines (opening_line.h), CSA records, and folders of records. Any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/match/opening_line.h"

namespace fuhyo::match {

struct OpeningOptions {
  std::optional<int> max_plies{};       // of the moves, counted from the start position that is given
  std::optional<std::uint64_t> seed{};  // of the shuffle, the same on every machine; nothing: in the order of files
  std::size_t first = 0;                // index of the first one; those before it come last
};

struct OpeningSet {
  std::vector<Opening> openings;  // at least one
  std::size_t repeated = 0;       // openings whose position an earlier one reaches, too
};

// A file, or all .csa files in a folder and the folders below it, in the order of their names. A record may hold
// several games and be in any encoding. The first line or game that is no opening is an error: "FILE:LINE: why" or
// "FILE: game N: why".
std::expected<OpeningSet, std::string> read_openings(const std::filesystem::path& path, const OpeningOptions& options);

// The same of a file that has been read; `name` is for errors, and says by ".csa" that it is a record.
std::expected<OpeningSet, std::string> parse_openings(std::string_view bytes, const std::string& name,
                                                      const OpeningOptions& options);

}  // namespace fuhyo::match
