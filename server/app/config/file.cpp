#include "server/app/config/file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>

#include "engines/machine/toml.h"
#include "engines/manual/suggest.h"

namespace fuhyo::app {
namespace {

std::string_view wanted(Setting::Kind kind) {
  switch (kind) {
    case Setting::Kind::text:
      return "a string in quotes";
    case Setting::Kind::number:
      return "a whole number";
    case Setting::Kind::flag:
      return "true or false";
    case Setting::Kind::list:
      return "a string or an array of strings";
  }
  return "";
}

// [[operator]] name = "aki": "name=aki ...".
std::optional<std::string> line_of(const toml::table& table) {
  std::string line;
  for (const auto& [key, node] : table) {
    const auto* text = node.as_string();
    if (text == nullptr) return std::nullopt;
    line += fmt::format("{}{}={}", line.empty() ? "" : " ", key.str(), text->get());
  }
  return line;
}

std::optional<std::vector<std::string>> strings_of(const toml::array& array) {
  std::vector<std::string> words;
  for (const toml::node& item : array) {
    if (const toml::table* table = item.as_table()) {
      auto line = line_of(*table);
      if (!line) return std::nullopt;
      words.push_back(std::move(*line));
      continue;
    }
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    words.push_back(text->get());
  }
  return words;
}

std::optional<std::vector<std::string>> words_of(const toml::node& node, Setting::Kind kind) {
  if (kind == Setting::Kind::number) {
    const auto* number = node.as_integer();
    if (number == nullptr) return std::nullopt;
    return std::vector{std::to_string(number->get())};
  }
  if (kind == Setting::Kind::flag) {
    const auto* on = node.as_boolean();
    if (on == nullptr) return std::nullopt;
    return std::vector<std::string>{on->get() ? "true" : "false"};
  }
  if (const auto* text = node.as_string()) return std::vector{text->get()};
  if (kind == Setting::Kind::list && node.is_array()) return strings_of(*node.as_array());
  return std::nullopt;
}

std::string unknown_key(std::string_view key, std::span<const Setting> settings) {
  std::vector<std::string_view> keys;
  for (const Setting& setting : settings) keys.push_back(setting.key);
  return "there is no such setting" + manual::did_you_mean(key, keys);
}

}  // namespace

ConfigFile read_config_file(const std::filesystem::path& path, std::span<const Setting> settings, Problems& problems) {
  ConfigFile result;
  const std::string file = path.string();
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {  // reading one throws
    problems.emplace(0, fmt::format("cannot read {}: it is a folder", file));
    return result;
  }
  std::ifstream stream(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  if (!stream.is_open() || stream.bad()) {
    problems.emplace(0, fmt::format("cannot read {}: {}", file, std::strerror(errno)));
    return result;
  }
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    const long line = parsed.error().source().begin.line;
    problems.emplace(line, fmt::format("{}:{}: {}", file, line, parsed.error().description()));
    return result;
  }
  for (const auto& [key, node] : parsed.table()) {
    const long line = key.source().begin.line;
    const std::string origin = fmt::format("{}:{}: {}", file, line, key.str());
    const auto setting = std::ranges::find(settings, key.str(), &Setting::key);
    if (setting == settings.end()) {
      problems.emplace(line, fmt::format("{}: {}", origin, unknown_key(key.str(), settings)));
      continue;
    }
    if (auto words = words_of(node, setting->kind)) {
      result.emplace(key.str(), Said{std::move(*words), origin, line});
    } else {
      problems.emplace(line, fmt::format("{}: takes {}", origin, wanted(setting->kind)));
    }
  }
  return result;
}

}  // namespace fuhyo::app
