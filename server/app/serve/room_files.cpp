#include "server/app/serve/room_files.h"

#include <algorithm>
#include <expected>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>
#include <utility>

#include "engines/machine/toml.h"
#include "server/app/serve/small_file.h"
#include "server/core/rooms/rules.h"

namespace fuhyo::app {
namespace {

namespace fs = std::filesystem;
using Settings = std::vector<std::string>;

// As a setting of a room is spelled.
std::optional<std::string> word_of(const toml::node& node) {
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* on = node.as_boolean()) return on->get() ? "yes" : "no";
  const auto* array = node.as_array();
  if (array == nullptr) return std::nullopt;
  std::vector<std::string> words;
  for (const toml::node& item : *array) {
    const auto* text = item.as_string();
    if (text == nullptr) return std::nullopt;
    words.push_back(text->get());
  }
  return fmt::format("{}", fmt::join(words, ","));
}

// The error begins with the line, "3: ", where there is one.
std::expected<Settings, std::string> read_settings(const std::string& text, const std::string& name) {
  const toml::parse_result parsed = toml::parse(text, name);
  if (!parsed) {
    return std::unexpected(fmt::format("{}: {}", parsed.error().source().begin.line, parsed.error().description()));
  }
  Settings settings;
  for (const auto& [key, node] : parsed.table()) {
    const auto line = node.source().begin.line;
    const auto word = word_of(node);
    if (!word) {
      return std::unexpected(
          fmt::format("{}: {}: takes a string, a number, true or false, or an array of strings", line, key.str()));
    }
    settings.push_back(fmt::format("{}={}", key.str(), *word));
    const Settings alone = {"games=x-*", settings.back()};
    const auto fine = core::read_room(alone);
    if (!fine) return std::unexpected(fmt::format("{}: {}", line, fine.error()));
  }
  if (const auto together = core::read_room(settings); !together) {
    return std::unexpected(fmt::format(" {}", together.error()));
  }
  return settings;
}

}  // namespace

RoomFiles read_room_files(const fs::path& data) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry(data / "rooms", error), end; !error && entry != end; entry.increment(error)) {
    const fs::path& path = entry->path();
    if (path.extension() == ".toml" && !path.filename().string().starts_with('.')) paths.push_back(path);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return {.read = {}, .faults = {fmt::format("{}: {}", (data / "rooms").string(), error.message())}};
  }
  RoomFiles result{.read = core::RoomsRead{}, .faults = {}};
  std::ranges::sort(paths);
  for (const fs::path& path : paths) {
    const std::string name = path.stem().string();
    if (const auto fine = core::check_room_name(name); !fine) {
      result.faults.push_back(fmt::format("{}: {}", path.string(), fine.error()));
      continue;
    }
    const auto text = read_host_file(path, kMostRoomFile);
    auto settings = text ? read_settings(*text, path.string()) : std::unexpected(" " + text.error());
    if (settings) {
      result.read->files.push_back({.name = name, .settings = std::move(*settings)});
    } else {
      result.faults.push_back(fmt::format("{}:{}", path.string(), settings.error()));
      result.read->unreadable.push_back(name);
    }
  }
  return result;
}

}  // namespace fuhyo::app
