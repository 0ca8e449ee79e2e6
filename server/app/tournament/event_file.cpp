#include "server/app/tournament/event_file.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

#include "engines/machine/toml.h"
#include "server/app/text.h"

namespace fuhyo::app {
namespace {

using namespace core::tournament;

std::optional<std::string> scalar(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
  if (node.is_date_time()) {
    std::ostringstream out;
    out << *node.as_date_time();
    return out.str();
  }
  return std::nullopt;
}

class Flattener {
 public:
  void table(const std::string& place, const toml::table& table) {
    for (const auto& [key, node] : table) {
      const int at = line(node);
      if (key.str().find_first_of(".[]") != std::string_view::npos) {
        complain(at, fmt::format("'{}': points and brackets belong to no setting", key.str()));
      } else {
        value(place + std::string(key.str()), node);
      }
    }
  }

  std::vector<Setting> settings;
  std::vector<Problem> problems;

 private:
  static int line(const toml::node& node) { return static_cast<int>(node.source().begin.line); }
  void complain(int at, std::string text) { problems.push_back({.line = at, .text = std::move(text)}); }

  void value(const std::string& key, const toml::node& node) {
    if (const auto* inner = node.as_table()) return table(key + ".", *inner);
    if (const auto* list = node.as_array()) return array(key, *list);
    if (auto text = scalar(node)) {
      settings.push_back({.key = key, .value = std::move(*text), .line = line(node)});
    } else {
      complain(line(node), fmt::format("{}: takes text, a number, a time, true or false", key));
    }
  }

  void array(const std::string& key, const toml::array& list) {
    if (list.empty()) return complain(line(list), fmt::format("{}: an empty list", key));
    std::size_t number = 0;
    for (const toml::node& item : list) {
      if (list.front().is_table() != item.is_table()) return complain(line(item), fmt::format("{}: a mixed list", key));
      if (const auto* inner = item.as_table()) {
        table(fmt::format("{}[{}].", key, number++), *inner);
      } else if (item.is_array()) {
        complain(line(item), fmt::format("{}: a list in a list", key));
      } else {
        value(key, item);
      }
    }
  }
};

}  // namespace

std::expected<std::vector<Setting>, std::vector<Problem>> settings_of_toml(std::string_view text) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    return std::unexpected(std::vector<Problem>{{.line = static_cast<int>(parsed.error().source().begin.line),
                                                 .text = std::string(parsed.error().description())}});
  }
  Flattener flattener;
  flattener.table("", parsed.table());
  if (!flattener.problems.empty()) return std::unexpected(std::move(flattener.problems));
  return std::move(flattener.settings);
}

std::expected<std::string, std::string> read_small_file(const std::filesystem::path& path, std::size_t most) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return std::unexpected(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  std::string text(most + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (stream.bad()) return std::unexpected(fmt::format("cannot read {}", path.string()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > most) return std::unexpected(fmt::format("{} has more than {} bytes", path.string(), most));
  return text;
}

std::string problems_text(const std::string& file, const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    const std::string place = problem.line == 0 ? file : fmt::format("{}:{}", file, problem.line);
    text += fmt::format("{}: {}\n", place, escape_controls(problem.text));
  }
  return text;
}

std::expected<Event, std::string> read_event_file(const std::filesystem::path& path) {
  const auto text = read_small_file(path, kMostEventBytes);
  if (!text) return std::unexpected(text.error() + "\n");
  const auto settings = settings_of_toml(*text);
  if (!settings) return std::unexpected(problems_text(path.string(), settings.error()));
  auto event = read_event(*settings);
  if (!event) return std::unexpected(problems_text(path.string(), event.error()));
  return std::move(*event);
}

std::expected<std::string, std::string> read_event_settings(const std::filesystem::path& data, std::string_view file) {
  if (file.empty() || file.front() == '.' || file.find('/') != file.npos || file.find('\0') != file.npos) {
    return std::unexpected(fmt::format("'{}' is no file name in the folder tournaments", file));
  }
  const auto text = read_small_file(data / "tournaments" / file, kMostEventBytes);
  if (!text) return std::unexpected(text.error());
  const auto one_line = [&](const std::vector<Problem>& problems) {
    const std::string more = problems.size() > 1 ? fmt::format(" (and {} more)", problems.size() - 1) : "";
    return fmt::format("{}:{}: {}{}", file, problems.front().line, problems.front().text, more);
  };
  const auto settings = settings_of_toml(*text);
  if (!settings) return std::unexpected(one_line(settings.error()));
  if (const auto event = read_event(*settings); !event) return std::unexpected(one_line(event.error()));
  return settings_text(*settings);
}

}  // namespace fuhyo::app
