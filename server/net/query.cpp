#include "server/net/query.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "engines/shogi/number.h"

namespace fuhyo::net {

std::optional<std::string> percent_decoded(std::string_view text, bool form) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += form && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    unsigned byte = 0;
    const char* const digits = text.data() + i + 1;
    if (text.size() - i < 3) return std::nullopt;
    const auto [end, error] = std::from_chars(digits, digits + 2, byte, 16);
    if (error != std::errc{} || end != digits + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  return out;
}

Query::Query(std::string_view text) {
  while (!text.empty()) {
    const std::string_view pair = text.substr(0, text.find('&'));
    text.remove_prefix(std::min(text.size(), pair.size() + 1));
    if (pair.empty()) continue;
    const std::size_t equals = pair.find('=');
    auto key = percent_decoded(pair.substr(0, equals), true);
    auto value = percent_decoded(equals == pair.npos ? std::string_view() : pair.substr(equals + 1), true);
    if (!key || !value) {
      fault_ = "a percent sign stands for itself as %25";
    } else if (value->contains('\0')) {
      refuse(*key, "holds a zero byte");  // where SQLite's LIKE ends, and PostgreSQL's does not
    } else if (!values_.emplace(*key, std::move(*value)).second) {
      refuse(*key, "stands there twice");
    }
  }
}

std::string Query::text(std::string_view key) {
  const auto found = values_.find(key);
  if (found == values_.end()) return {};
  std::string value = std::move(found->second);
  values_.erase(found);
  return value;
}

std::int64_t Query::number(std::string_view key, std::int64_t least, std::int64_t most, std::int64_t missing) {
  const std::string value = text(key);
  if (value.empty()) return missing;
  const auto number = shogi::number_of<std::int64_t>(value);
  if (number && *number >= least && *number <= most) return *number;
  refuse(key, fmt::format("a number from {} to {}", least, most));
  return missing;
}

void Query::refuse(std::string_view key, std::string_view why) {
  if (!fault_) fault_ = fmt::format("{}: {}", key, why);
}

std::optional<std::string> Query::fault() {
  if (!values_.empty()) refuse(values_.begin()->first, "there is no such key");
  return fault_;
}

}  // namespace fuhyo::net
