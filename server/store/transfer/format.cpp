#include "server/store/transfer/format.h"

#include <fmt/format.h>

namespace fuhyo::store {

std::string count_words(std::span<const Table> tables, const Counts& counts) {
  std::string words;
  for (std::size_t i = 0; i < tables.size(); ++i) {
    words += fmt::format("{}{}={}", i == 0 ? "" : " ", tables[i].name, counts[i]);
  }
  return words;
}

std::string schema_line() { return fmt::format("schema {}", kSchema); }

std::string table_line(const Table& table) {
  std::string line = fmt::format("table {}", table.name);
  for (const Column& column : table.columns) line += fmt::format(" {}:{}", column.name, to_string(column.type));
  return line;
}

}  // namespace fuhyo::store
