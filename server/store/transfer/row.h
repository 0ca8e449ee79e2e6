// One row of a table on its way: its cells, and the line of an export that says them. Values.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/transfer/tables.h"

namespace fuhyo::store {

// Of its members the one that the type of its column names: a number (also of a flag: 0 or 1), a real, or bytes.
struct Cell {
  std::int64_t number = 0;
  double real = 0;
  std::string bytes;
};
using Row = std::vector<Cell>;  // as many as the table has columns

// The line in printable ASCII, each cell behind a TAB: numbers in decimal; text with \\, \t and \n, and \xNN for every
// other byte that is not printable. With its LF.
void append_row(std::string& out, const Table& table, const Row& row);
// Reads what append_row() wrote, without the LF; the error says in which column what is wrong.
std::expected<void, std::string> parse_row(std::string_view line, const Table& table, Row& row);

// The same for one text.
void append_escaped(std::string& out, std::string_view bytes);
// False: the text is not as append_escaped() writes it.
bool parse_escaped(std::string_view text, std::string& bytes);

}  // namespace fuhyo::store
