#include "server/core/tournament/setting_reader.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <utility>

#include "engines/shogi/number.h"

namespace fuhyo::core::tournament {
namespace {

// "stage[0].rounds": "stage[0]." and "rounds".
std::pair<std::string, std::string> parted(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  if (dot == std::string::npos) return {"", path};
  return {path.substr(0, dot + 1), path.substr(dot + 1)};
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> far(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) far[i][0] = i;
  for (std::size_t j = 0; j <= b.size(); ++j) far[0][j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t changed = far[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      far[i][j] = std::min({far[i - 1][j] + 1, far[i][j - 1] + 1, changed});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        far[i][j] = std::min(far[i][j], far[i - 2][j - 2] + 1);
      }
    }
  }
  return far[a.size()][b.size()];
}

SettingReader::SettingReader(std::span<const Setting> settings) {
  if (settings.size() > kMostSettings) {
    complain(0, fmt::format("more than {} settings", kMostSettings));
    return;
  }
  for (const Setting& setting : settings) {
    if (setting.value.size() > kMostSettingBytes) {
      complain(setting.line, fmt::format("{}: longer than {} bytes", setting.key, kMostSettingBytes));
      continue;
    }
    auto& [value, taken] = entries_[setting.key];
    if (value.items.empty()) value.line = setting.line;
    value.items.push_back(setting.value);
    value.key = parted(setting.key).second;
  }
}

std::optional<Value> SettingReader::take(const std::string& place, std::string_view key) {
  known_[place].insert(std::string(key));
  const auto found = entries_.find(place + std::string(key));
  if (found == entries_.end()) return std::nullopt;
  found->second.taken = true;
  return found->second.value;
}

std::size_t SettingReader::count(const std::string& place, std::string_view list) {
  known_[place].insert(std::string(list));
  std::size_t count = 0;
  for (;; ++count) {
    const std::string prefix = fmt::format("{}{}[{}].", place, list, count);
    const auto found = entries_.lower_bound(prefix);
    if (found == entries_.end() || !found->first.starts_with(prefix)) return count;
  }
}

int SettingReader::line_of(const std::string& place) const {
  int line = 0;
  for (auto at = entries_.lower_bound(place); at != entries_.end() && at->first.starts_with(place); ++at) {
    if (line == 0 || at->second.value.line < line) line = at->second.value.line;
  }
  return line;
}

void SettingReader::complain(const Value& value, std::string_view what) {
  complain(value.line, fmt::format("{}: {}", value.key, what));
}

void SettingReader::complain_of_unknown(const std::string& path, const Entry& entry) {
  const auto [place, key] = parted(path);
  const auto known = known_.find(place);
  // The first part that is wrong: a table that nobody knows, or the key itself.
  const std::string& name = known == known_.end() ? path : key;
  std::string best;
  std::size_t least = std::max<std::size_t>(1, key.size() / 3) + 1;
  if (known != known_.end()) {
    for (const std::string& candidate : known->second) {
      const std::size_t distance = edit_distance(key, candidate);
      if (distance < least) least = distance, best = candidate;
    }
  }
  const std::string hint = best.empty() ? "" : fmt::format("; did you mean '{}'?", best);
  complain(entry.value.line, fmt::format("{}: there is no such setting{}", name, hint));
}

std::vector<Problem> SettingReader::problems() {
  for (const auto& [path, entry] : entries_) {
    if (!entry.taken) complain_of_unknown(path, entry);
  }
  std::vector<std::size_t> order(problems_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(problems_[i].line, i); });
  std::vector<Problem> sorted;
  for (const std::size_t i : order) sorted.push_back(problems_[i]);
  return sorted;
}

std::optional<std::string> one(SettingReader& reader, const Value& value) {
  if (value.items.size() == 1) return value.items.front();
  reader.complain(value, "takes one value, not a list");
  return std::nullopt;
}

std::optional<int> whole(SettingReader& reader, const Value& value, int least, int most) {
  const auto text = one(reader, value);
  if (!text) return std::nullopt;
  const auto number = shogi::number_of<int>(*text);
  if (number && *number >= least && *number <= most) return number;
  reader.complain(value, fmt::format("'{}' is no whole number from {} to {}", *text, least, most));
  return std::nullopt;
}

std::optional<bool> yes_or_no(SettingReader& reader, const Value& value) {
  const auto text = one(reader, value);
  if (!text) return std::nullopt;
  if (*text == "true" || *text == "false") return *text == "true";
  reader.complain(value, fmt::format("'{}' is neither true nor false", *text));
  return std::nullopt;
}

}  // namespace fuhyo::core::tournament
