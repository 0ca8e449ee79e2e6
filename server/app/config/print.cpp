#include "server/app/config/print.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vector>

#include "server/app/config/key_values.h"

namespace fuhyo::app {
namespace {

constexpr std::size_t kWidth = 110;
constexpr std::string_view kHidden = "***";
constexpr std::string_view kHead =
    R"(# Everything that `fuhyo serve` can be told. Each setting stands here with its default, or, where nothing is the
# default, with an example; take away the # before it to set it.
#
#     fuhyo config check FILE                          all that is wrong in a file
#     fuhyo config print --effective --config FILE     the effective settings and where each comes from
#     fuhyo serve --config FILE                        or FUHYO_CONFIG=FILE
#
# A flag (--max-moves 320) wins over an environment variable (FUHYO_MAX_MOVES=320; lists with commas), that over this
# file, that over the default. A list of one may be written without brackets. `fuhyo config example` prints this file.
)";

std::string without_secrets(std::string_view key, const std::string& word) {
  if (key == "store") return store::without_password(word);
  if (key != "operator" && key != "worker") return word;
  std::string line;
  for (const auto& [name, value] : key_values(word)) {
    line += fmt::format("{}{}={}", line.empty() ? "" : " ", name, name == "secret_hash" ? kHidden : value);
  }
  return line;
}

std::string toml_value(const Setting& setting, const std::vector<std::string>& words) {
  if (setting.kind == Setting::Kind::flag) return words.front() == "true" || words.front() == "1" ? "true" : "false";
  if (setting.kind == Setting::Kind::number) return words.front();
  std::vector<std::string> quoted;
  quoted.reserve(words.size());
  for (const std::string& word : words) quoted.push_back(quoted_toml(without_secrets(setting.key, word)));
  return setting.kind == Setting::Kind::text ? quoted.front() : fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string what_it_takes(const Setting& setting) {
  switch (setting.kind) {
    case Setting::Kind::number:
      return fmt::format("{}, {}", setting.value_name, setting.set.accepts);
    case Setting::Kind::flag:
      return "true or false";
    case Setting::Kind::list:
      return fmt::format("list of {}", setting.value_name);
    case Setting::Kind::text:
      return std::string(setting.value_name);
  }
  return {};
}

std::string comment(std::string_view text) {
  std::string out = "#";
  std::size_t column = 1;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (column + 1 + word.size() > kWidth) {
      out += "\n#";
      column = 1;
    }
    out += ' ';
    out += word;
    column += 1 + word.size();
  }
  return out + '\n';
}

// A setting that is commented out, in lines that are short enough: a # before each.
std::string commented_out(std::string line) {
  std::size_t begin = 0;
  while (line.size() - begin > kWidth && line.find('\n') == std::string::npos) {
    const std::size_t comma = line.rfind(", ", begin + kWidth);
    if (comma == std::string::npos || comma < begin) break;
    line.replace(comma + 1, 1, "\r");
    begin = comma + 2;
  }
  std::ranges::replace(line, '\r', '\n');
  for (std::size_t at = 0; (at = line.find('\n', at)) != std::string::npos; at += 2) line.insert(at + 1, "#");
  return "#" + line + "\n";
}

}  // namespace

std::string quoted_toml(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string print_config(const Resolved& resolved, Printed which) {
  std::string out;
  for (const Setting& setting : settings()) {
    const Said& said = resolved.said.find(setting.key)->second;
    if (which == Printed::said && said.origin == "default") continue;
    std::vector<std::string> words = said.words;
    // What lies in the data folder unless it is said.
    if (setting.key == "store") words = {resolved.config.store_address()};
    if (setting.key == "records") words = {resolved.config.records_folder().string()};
    out += fmt::format("{} = {}  # {}\n", setting.key, toml_value(setting, words), said.origin);
  }
  return out;
}

std::string example_config() {
  std::string out(kHead);
  std::string_view section;
  for (const Setting& setting : settings()) {
    if (setting.section != section) out += fmt::format("\n# ---- {} ----\n", setting.section);
    section = setting.section;
    out += '\n' + comment(setting.help) + comment(fmt::format("{}; --{}", what_it_takes(setting), setting.key));
    const std::string value =
        setting.example.empty() ? toml_value(setting, setting.initial) : std::string(setting.example);
    out += commented_out(fmt::format("{} = {}", setting.key, value));
  }
  return out;
}

}  // namespace fuhyo::app
