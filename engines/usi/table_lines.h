// The line "tt": entries of a transposition table that engines send each other while they search one game together.
// Values <-> text, and the limits of both. Pure functions; any thread.
//
//   tt search N [SLICE]   to an engine: the next "go" is search N; with SLICE it searches in lockstep: it waits
//   whenever
//                         it has searched so many nodes more
//   tt waits N            from an engine: it does
//   tt next N             to an engine: it searches the next slice
//   tt keys HEX           from an engine: engines that say the same have the same keys and the same evaluation
//   tt N ENTRY ENTRY ...  either way: entries of search N
//
// ENTRY is KEY,MOVE,DEPTH,BOUND,VALUE,EVAL: 16 lower-case hexadecimal digits; a move as USI writes it, "-" for none;
// plies; "e", "l" or "u" (exact, lower, upper); two values in units of the engine, EVAL "-" for none.
// This is no part of USI: an engine that reads it declares the option TableExchange.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engines/shogi/types.h"
#include "engines/usi/values.h"

namespace fuhyo::usi {

// Of a line: enough for the whole of a principal variation, and a pipe takes it in one piece (PIPE_BUF is 4,096).
constexpr std::size_t kMostTableEntries = 64;
constexpr std::size_t kLongestTableLine = 4'096;  // bytes, with "tt" and without the end of the line
// A mate in n plies is worth kTableMate - n to the side that gives it, counted from the position of the entry.
constexpr int kTableMate = 32'000;
constexpr int kDeepestTableEntry = 127;  // plies; -128 at least

struct TableEntry {
  shogi::Key key = 0;  // of the position
  shogi::Move move{};  // no move if none is known
  int depth = 0;
  Score::Bound bound = Score::Bound::exact;
  int value = 0;                    // for the side to move; kTableMate at most, either way
  std::optional<int> evaluation{};  // without search, uncorrected; of the same range
  bool operator==(const TableEntry&) const = default;
};

struct TableSearch {
  std::int64_t number = 0;  // 1 at least
  std::int64_t slice = 0;   // nodes; 0: it does not wait
  bool operator==(const TableSearch&) const = default;
};
struct TableKeys {
  std::uint64_t digest = 0;
  bool operator==(const TableKeys&) const = default;
};
struct TableWaits {
  std::int64_t search = 0;
  bool operator==(const TableWaits&) const = default;
};
struct TableNext {
  std::int64_t search = 0;
  bool operator==(const TableNext&) const = default;
};
struct TableBatch {
  std::int64_t search = 0;  // 1 at least
  std::vector<TableEntry> entries{};
  std::size_t malformed = 0;  // entries that could not be read, and are left out
  bool operator==(const TableBatch&) const = default;
};
using TableLine = std::variant<TableSearch, TableKeys, TableWaits, TableNext, TableBatch>;

// `text` is what follows "tt". A line that is too long, has too many entries or none, or no number, is an error; an
// entry that is malformed costs only itself. Moves are read, not judged.
std::expected<TableLine, std::string> parse_table_line(std::string_view text);
// The number of a line that would be a batch, without reading its entries: enough to pass it on, or to drop it.
std::optional<std::int64_t> batch_number(std::string_view text);

std::string to_text(const TableSearch& search);
std::string to_text(const TableKeys& keys);
std::string to_text(const TableWaits& waits);
std::string to_text(const TableNext& next);
// One line. `entries`: 1 to kMostTableEntries.
std::string to_text(std::int64_t search, std::span<const TableEntry> entries);

}  // namespace fuhyo::usi
