#include "engines/match/contestant.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "engines/match/simple_players.h"
#include "engines/shogi/number.h"
#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;
using Done = std::expected<void, std::string>;

Done set_flag(bool& flag, std::string_view key, std::string_view value) {
  if (value != "true" && value != "false") return Failure(fmt::format("{}={}: true or false is expected", key, value));
  flag = value == "true";
  return {};
}

Done set_ms(std::int64_t& field, std::string_view key, std::string_view value) {
  const auto ms = usi::to_integer(value);
  if (!ms || *ms < 1) return Failure(fmt::format("{}={}: milliseconds are expected", key, value));
  field = *ms;
  return {};
}

Done set_rating(std::optional<double>& field, std::string_view value) {
  const auto rating = shogi::number_of<double>(value);
  constexpr double kGreatest = 100'000;
  if (!rating || !(std::abs(*rating) <= kGreatest)) {
    return Failure(fmt::format("rating={}: a number is expected", value));
  }
  field = rating;
  return {};
}

void set_option(EngineOptions& options, std::string_view name, std::string_view value) {
  const auto same = std::ranges::find(options, name, &EngineOptions::value_type::first);
  if (same != options.end()) options.erase(same);
  options.emplace_back(name, value);
}

Done set(Contestant& out, std::string_view key, std::string_view value) {
  if (key == "name") {
    out.name = value;
  } else if (key == "cmd") {
    out.engine.command = value;
  } else if (key == "dir") {
    out.engine.folder = value;
  } else if (key == "player") {
    if (!make_simple_player(value, 0)) return Failure(fmt::format("there is no built-in player '{}'", value));
    out.simple = value;
  } else if (key == "tc") {
    const auto time = parse_time_control(value);
    if (!time) return Failure(fmt::format("tc={}: {}", value, time.error()));
    out.time = *time;
  } else if (key == "ponder") {
    return set_flag(out.engine.ponder, key, value);
  } else if (key == "stderr") {
    if (value != "show" && value != "drop") return Failure(fmt::format("stderr={}: show or drop is expected", value));
    out.engine.show_stderr = value == "show";
  } else if (key == "start") {
    return set_ms(out.engine.start_ms, key, value);
  } else if (key == "ready") {
    return set_ms(out.engine.ready_ms, key, value);
  } else if (key == "rating") {
    return set_rating(out.rating, value);
  } else {
    constexpr std::string_view kOption = "option.";
    set_option(out.engine.options, key.starts_with(kOption) ? key.substr(kOption.size()) : key, value);
  }
  return {};
}

// A word that split_command() gives back as it is.
std::string shell_word(std::string_view word) {
  if (!word.empty() && word.find_first_of(" \t\r\n'\"\\") == std::string_view::npos) return std::string(word);
  // What a backslash means in double quotes is the system's affair (usi::split_command); in single ones it is itself.
  const bool single = word.find('\\') != std::string_view::npos;
  std::string out = single ? "'" : "\"";
  for (const char c : word) {
    if (single && c == '\'') {
      out += R"('"'"')";
      continue;
    }
    if (!single && c == '"') out += '\\';
    out += c;
  }
  return out + (single ? '\'' : '"');
}

}  // namespace

std::expected<Contestant, std::string> parse_contestant(std::string_view text, const Contestant& base) {
  Contestant contestant = base;
  if (usi::trim(text).empty()) return contestant;
  const auto words = usi::split_command(text);
  if (!words) return Failure(words.error());
  std::string command;
  for (const std::string& word : *words) {
    const std::size_t equals = word.find('=');
    // What is a path or a flag of the command may hold an equals sign; a key does not.
    const bool is_setting = equals != std::string::npos && equals > 0 && !word.starts_with('-') &&
                            word.substr(0, equals).find('/') == std::string::npos;
    if (!is_setting) {
      command += (command.empty() ? "" : " ") + shell_word(word);
      continue;
    }
    const std::string_view view = word;
    if (auto done = set(contestant, view.substr(0, equals), view.substr(equals + 1)); !done) {
      return Failure(done.error());
    }
  }
  if (!command.empty()) contestant.engine.command = command;
  return contestant;
}

std::string to_text(const Contestant& contestant) {
  std::string out;
  const auto add = [&](std::string_view key, std::string_view value) {
    out += (out.empty() ? "" : " ") + shell_word(fmt::format("{}={}", key, value));
  };
  const EngineCommand& engine = contestant.engine;
  const EngineCommand usual;
  if (!contestant.name.empty()) add("name", contestant.name);
  if (!contestant.simple.empty()) add("player", contestant.simple);
  if (!engine.command.empty()) add("cmd", engine.command);
  if (!engine.folder.empty()) add("dir", engine.folder);
  if (contestant.time != TimeControl{}) add("tc", to_text(contestant.time));
  if (engine.ponder) add("ponder", "true");
  if (engine.show_stderr) add("stderr", "show");
  if (engine.start_ms != usual.start_ms) add("start", fmt::format("{}", engine.start_ms));
  if (engine.ready_ms != usual.ready_ms) add("ready", fmt::format("{}", engine.ready_ms));
  if (contestant.rating) add("rating", fmt::format("{}", *contestant.rating));
  for (const auto& [name, value] : engine.options) add("option." + name, value);
  return out;
}

}  // namespace fuhyo::match
