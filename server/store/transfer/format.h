// The text of an export, and what can go wrong with one. Lines of printable ASCII, each ended by LF:
//
//   fuhyo-store 1                              the version of this format
//   origin sqlite:/srv/fuhyo.db 2026-...       for people; the only line that the checksum leaves out
//   schema 9                                   the tables are those of migrations 1 to 9
//   rows journal=5 live=1 ...                  how many rows each table has, every table, in order
//   table journal seq:integer kind:integer ... a table: its columns and their types; its rows follow
//   <TAB>1<TAB>1<TAB>4<TAB>1<TAB>...           a row: each cell behind a TAB
//   end journal=5 live=1 ...                   how many rows there were
//   sha256 9f86d081...                         of all lines before this one but the origin's
//
// Types: integer (64 bits, decimal), flag (0 or 1), real (the shortest decimal of the double), text and bytes (\\, TAB
// \t, LF \n, any other unprintable byte \xNN). Tables have a fixed order, rows that of their keys, texts as UTF-8
// sorts: equal stores make equal files, and `tail -n 1` compares two. All tables are there but `lease`, which says who
// writes. A program reads exports of its own and older schemas.
//
// Values and pure functions; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/store/transfer/tables.h"

namespace fuhyo::store {

constexpr std::string_view kExportMagic = "fuhyo-store ";
constexpr std::int64_t kExportVersion = 1;
// A row is a fact at most, or a finished game: far below this. Beyond it a file is none of ours, and memory is spared.
constexpr std::size_t kLongestExportLine = 64U << 20U;

struct TransferFault {
  enum class Of : std::uint8_t {
    store,    // the store refuses or fails
    file,     // reading or writing the file fails
    content,  // the file is not what it should be
  };
  Of of = Of::store;
  std::string text;
};

constexpr std::size_t kTables = static_cast<std::size_t>(TableId::player) + 1;
using Counts = std::array<std::uint64_t, kTables>;  // rows, by place of their table: TableId, where no others are said

std::string count_words(std::span<const Table> tables, const Counts& counts);  // "journal=5 live=1 ..."
inline std::string count_words(const Counts& counts) { return count_words(tables(), counts); }
std::string schema_line();                   // "schema 6"
std::string table_line(const Table& table);  // "table live game:integer first_seq:integer"

}  // namespace fuhyo::store
