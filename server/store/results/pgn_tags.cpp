#include "server/store/results/pgn_tags.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "engines/record/lines.h"

namespace fuhyo::store {
namespace {

using Tag = std::pair<std::string, std::string>;

// [White "Robert \"Bobby\" Fischer"]
std::optional<Tag> parse_tag(std::string_view line) {
  if (!line.starts_with('[') || !line.ends_with(']')) return std::nullopt;
  line = record::trim(line.substr(1, line.size() - 2));
  const std::size_t blank = line.find_first_of(" \t");
  if (blank == std::string_view::npos || blank == 0) return std::nullopt;
  const std::string_view name = line.substr(0, blank), quoted = record::trim(line.substr(blank));
  if (quoted.size() < 2 || quoted.front() != '"' || quoted.back() != '"') return std::nullopt;
  std::string value;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    const bool escaped = quoted[i] == '\\' && i + 2 < quoted.size();
    value += quoted[escaped ? ++i : i];
  }
  return Tag{std::string(name), std::move(value)};
}

}  // namespace

std::vector<PgnGame> read_pgn_tags(std::string_view text, const std::string& file, std::vector<FileFault>& faults) {
  std::vector<PgnGame> games;
  bool in_tags = false, in_comment = false;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = record::trim(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (in_comment || !line.starts_with('[')) {
      in_tags = false;
      if (!games.empty() && !line.empty()) games.back().moves.append(line).append("\n");
      for (const char c : line) in_comment = c == '{' || (in_comment && c != '}');
      continue;
    }
    auto tag = parse_tag(line);
    if (!tag) {
      faults.push_back({file, number, "is no tag like [White \"name\"]"});
      continue;
    }
    if (!in_tags || games.back().tags.contains(tag->first)) games.push_back({.line = number});
    in_tags = true;
    games.back().tags.insert(std::move(*tag));
  }
  return games;
}

}  // namespace fuhyo::store
