// Tables for people. Pure.
#include <algorithm>
#include <string>

#include "server/core/admin/verbs.h"
#include "server/core/effects.h"

namespace fuhyo::core {
namespace {

std::uint32_t code_point(std::string_view text, std::size_t& at) {
  const auto byte = static_cast<unsigned char>(text[at++]);
  if (byte < 0xc0) return byte;
  std::uint32_t point = byte & (byte < 0xe0 ? 0x1fu : byte < 0xf0 ? 0x0fu : 0x07u);
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0u) == 0x80u) {
    point = point << 6 | (static_cast<unsigned char>(text[at++]) & 0x3fu);
  }
  return point;
}

std::size_t columns_of(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::uint32_t point = code_point(text, at);
    const bool wide = (point >= 0x1100 && point < 0x1160) || (point >= 0x2e80 && point < 0xd7b0) ||
                      (point >= 0xf900 && point < 0xfb00) || (point >= 0xff00 && point < 0xff61) || point >= 0x1f300;
    width += wide ? 2 : 1;
  }
  return width;
}

std::string line_of(const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    line += cells[i];
    if (i + 1 < cells.size()) line.append(widths[i] + 2 - std::min(columns_of(cells[i]), widths[i]), ' ');
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::vector<std::string> render(const AdminResult& result) {
  std::vector<std::size_t> widths(result.columns.size());
  const auto widen = [&](const std::vector<std::string>& cells) {
    widths.resize(std::max(widths.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) widths[i] = std::max(widths[i], columns_of(cells[i]));
  };
  widen(result.columns);
  for (const auto& row : result.rows) widen(row);
  std::vector<std::string> lines;
  if (!result.columns.empty() && !result.rows.empty()) lines.push_back(line_of(result.columns, widths));
  for (const auto& row : result.rows) lines.push_back(line_of(row, widths));
  if (!result.text.empty()) lines.push_back(result.text);
  return lines;
}

}  // namespace fuhyo::core
