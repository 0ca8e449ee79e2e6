#include "server/store/transfer/row.h"

#include <cmath>
#include <fmt/format.h>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

constexpr std::string_view kDigits = "0123456789abcdef";

bool printable(char c) { return c >= ' ' && c <= '~' && c != '\\'; }

// -1: none.
int nibble(char c) {
  const std::size_t at = kDigits.find(c);
  return at == kDigits.npos ? -1 : static_cast<int>(at);
}

template <class Number>
bool parse_number(std::string_view text, Number& number) {
  const auto found = shogi::number_of<Number>(text);
  number = found.value_or(number);
  return found.has_value();
}

bool parse_cell(std::string_view text, CellType type, Cell& cell) {
  switch (type) {
    case CellType::integer:
      return parse_number(text, cell.number);
    case CellType::flag:
      cell.number = text == "1" ? 1 : 0;
      return text == "0" || text == "1";
    case CellType::real:
      return parse_number(text, cell.real) && std::isfinite(cell.real);
    case CellType::text:
    case CellType::bytes:
      break;
  }
  return parse_escaped(text, cell.bytes);
}

}  // namespace

void append_escaped(std::string& out, std::string_view bytes) {
  for (const char c : bytes) {
    if (printable(c)) {
      out += c;
    } else if (c == '\\') {
      out += "\\\\";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == '\n') {
      out += "\\n";
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += "\\x";
      out += kDigits[byte >> 4U];
      out += kDigits[byte & 0xFU];
    }
  }
}

bool parse_escaped(std::string_view text, std::string& bytes) {
  bytes.clear();
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (printable(text[i])) {
      bytes += text[i];
      continue;
    }
    const char sort = text[i] == '\\' && i + 1 < text.size() ? text[++i] : '\0';
    if (sort == '\\') {
      bytes += '\\';
    } else if (sort == 't') {
      bytes += '\t';
    } else if (sort == 'n') {
      bytes += '\n';
    } else if (sort == 'x' && i + 2 < text.size()) {
      const int high = nibble(text[i + 1]), low = nibble(text[i + 2]);
      if (high < 0 || low < 0) return false;
      bytes += static_cast<char>(high * 16 + low);
      i += 2;
    } else {
      return false;
    }
  }
  return true;
}

void append_row(std::string& out, const Table& table, const Row& row) {
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    out += '\t';
    const Cell& cell = row[i];
    switch (table.columns[i].type) {
      case CellType::integer:
      case CellType::flag:
        out += fmt::format_int(cell.number).c_str();
        break;
      case CellType::real:
        out += fmt::format("{}", cell.real);  // the shortest text that reads back as the same
        break;
      case CellType::text:
      case CellType::bytes:
        append_escaped(out, cell.bytes);
        break;
    }
  }
  out += '\n';
}

std::expected<void, std::string> parse_row(std::string_view line, const Table& table, Row& row) {
  row.resize(table.columns.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (!line.starts_with('\t')) return std::unexpected(fmt::format("a row of {} lacks columns", table.name));
    line.remove_prefix(1);
    const std::string_view cell = line.substr(0, line.find('\t'));
    const Column& column = table.columns[i];
    if (!parse_cell(cell, column.type, row[i])) {
      return std::unexpected(fmt::format("{}.{} is no {}", table.name, column.name, to_string(column.type)));
    }
    line.remove_prefix(cell.size());
  }
  if (!line.empty()) return std::unexpected(fmt::format("a row of {} has too many columns", table.name));
  return {};
}

}  // namespace fuhyo::store
