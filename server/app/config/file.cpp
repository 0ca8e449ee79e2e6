#include "server/app/config/file.h"

#define TOML_EXCEPTIONS 0
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <toml++/toml.h>

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

}  // namespace

std::expected<ConfigFile, std::string> read_config_file(const std::filesystem::path& path,
                                                        std::span<const Setting> settings) {
  const std::string file = path.string();
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::unexpected(fmt::format("cannot read {}: {}", file, std::strerror(errno)));
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  const toml::parse_result parsed = toml::parse(text, file);
  if (!parsed) {
    return std::unexpected(
        fmt::format("{}:{}: {}", file, parsed.error().source().begin.line, parsed.error().description()));
  }
  ConfigFile result;
  for (const auto& [key, node] : parsed.table()) {
    const std::string origin = fmt::format("{}:{}: {}", file, node.source().begin.line, key.str());
    const auto setting = std::ranges::find(settings, key.str(), &Setting::key);
    if (setting == settings.end()) return std::unexpected(fmt::format("{}: there is no such setting", origin));
    auto words = words_of(node, setting->kind);
    if (!words) return std::unexpected(fmt::format("{}: takes {}", origin, wanted(setting->kind)));
    result.emplace(key.str(), Said{std::move(*words), origin});
  }
  return result;
}

}  // namespace fuhyo::app
