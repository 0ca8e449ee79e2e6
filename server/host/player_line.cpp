#include "server/host/player_line.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "engines/usi/levels.h"
#include "engines/usi/process.h"
#include "engines/usi/text.h"
#include "server/core/text_parts.h"
#include "server/csa/command.h"
#include "server/csa/game_name.h"

namespace fuhyo::host {
namespace {

using Result = std::expected<void, std::string>;

constexpr std::size_t kMaxIdentifier = 32;  // of the protocol
constexpr int kMostOfOne = 64, kMostThreads = 512, kMostTasks = 4096;
constexpr std::int64_t kMostMemory_mib = std::int64_t{1} << 20;
constexpr std::size_t kMostServed = 32, kLongestGreeting = 100;
constexpr int kSpareTasks = 32, kUsualTasks = 64;

std::unexpected<std::string> refuse(std::string_view key, std::string_view value, std::string_view wanted) {
  return std::unexpected(std::string(key) + "=" + std::string(value) + ": " + std::string(wanted) + " expected");
}

Result set_number(std::int64_t& out, std::string_view key, std::string_view value, std::int64_t least,
                  std::int64_t most) {
  const auto number = usi::to_integer(value);
  if (!number || *number < least || *number > most) {
    return refuse(key, value, "a number from " + std::to_string(least) + " to " + std::to_string(most));
  }
  out = *number;
  return {};
}

Result set_name(BuiltinPlayer& player, std::string_view value) {
  if (!csa::is_identifier(value, kMaxIdentifier)) return refuse("name", value, "1 to 32 of A-Z a-z 0-9 _ @ . -");
  player.name = std::string(value);
  return {};
}

Result set_engine(BuiltinPlayer& player, std::string_view value) {
  auto command = usi::split_command(value);
  if (!command) return std::unexpected("engine: " + command.error());
  player.command = std::move(*command);
  return {};
}

Result set_turn(BuiltinPlayer& player, std::string_view value) {
  if (value != "+" && value != "-" && value != "*") return refuse("turn", value, "+, - or *");
  player.turn = value.front();
  return {};
}

Result set_flag(bool& flag, std::string_view key, std::string_view value) {
  if (value != "true" && value != "false") return refuse(key, value, "true or false");
  flag = value == "true";
  return {};
}

Result set_nice(BuiltinPlayer& player, std::string_view value) {
  std::int64_t nice = 0;
  if (auto set = set_number(nice, "nice", value, 0, 19); !set) return set;
  player.nice = static_cast<int>(nice);
  return {};
}

Result set_think(BuiltinPlayer& player, std::string_view value) {
  std::int64_t ms = 0;
  if (auto set = set_number(ms, "think-ms", value, 1, 3'600'000); !set) return set;
  player.unlimited = usi::GoLimits{.movetime_ms = ms};
  return {};
}

Result set_patience(std::int64_t& out_ms, std::string_view key, std::string_view value) {
  std::int64_t seconds = 0;
  if (auto set = set_number(seconds, key, value, 1, 86'400); !set) return set;
  out_ms = seconds * 1000;
  return {};
}

Result set_word(std::string& out, std::string_view key, std::string_view value) {
  if (value.empty() || value.find_first_of(" \t") != std::string_view::npos) return refuse(key, value, "one word");
  out = std::string(value);
  return {};
}

Result set_game(BuiltinPlayer& player, std::string_view value) {
  if (!csa::parse_game_name(value, kMaxIdentifier)) return refuse("game", value, "a game name like club-900-5F");
  player.game = std::string(value);
  return {};
}

// The characters of game names and the star.
bool is_pattern(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '*');
  return text.size() <= kMaxIdentifier && (plain.empty() || csa::is_identifier(plain, kMaxIdentifier));
}

Result set_serve(BuiltinPlayer& player, std::string_view value) {
  player.serves = core::parts_of<std::string>(value, ',');
  const bool fine = std::ranges::all_of(player.serves, is_pattern);
  if (player.serves.empty() || player.serves.size() > kMostServed || !fine) {
    return refuse("serve", value, "game names or patterns like club-*, with commas between them,");
  }
  return {};
}

Result set_int(int& out, std::string_view key, std::string_view value, int least, int most) {
  std::int64_t number = 0;
  if (auto set = set_number(number, key, value, least, most); !set) return set;
  out = static_cast<int>(number);
  return {};
}

Result set_level(BuiltinPlayer& player, std::string_view value) {
  player.level_by_game = value == "game";
  if (player.level_by_game) return {};
  int level = 0;
  if (auto set = set_int(level, "level", value, 1, usi::kHighestLevel); !set) return set;
  player.options.emplace_back("Level", value);
  return {};
}

Result set_memory(BuiltinPlayer& player, std::string_view value) {
  std::int64_t mib = 0;
  if (auto set = set_number(mib, "memory", value, 16, kMostMemory_mib); !set) return set;
  player.sandbox.memory_bytes = static_cast<std::size_t>(mib) << 20;
  return {};
}

// It stands in a line of the protocol, and in the record.
Result set_greeting(BuiltinPlayer& player, std::string_view value) {
  const bool control =
      std::ranges::any_of(value, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; });
  if (value.size() > kLongestGreeting || control || value.starts_with('*')) {
    return refuse("greeting", value, "up to 100 bytes of text that does not begin with a star");
  }
  player.greeting = std::string(value);
  return {};
}

Result set_folder(std::string& out, std::string_view key, std::string_view value) {
  std::error_code error;
  if (!std::filesystem::is_directory(value, error)) return refuse(key, value, "a folder");
  out = std::string(value);
  return {};
}

Result set_readable(BuiltinPlayer& player, std::string_view value) {
  for (std::string& path : core::parts_of<std::string>(value, ',')) {
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return refuse("read", path, "a file or folder that is there");
    player.sandbox.readable.push_back(std::move(path));
  }
  return {};
}

// What belongs to what its engine may use. Nothing where the key is of something else.
std::optional<Result> set_means(BuiltinPlayer& player, std::string_view key, std::string_view value) {
  if (key == "level") return set_level(player, value);
  if (key == "threads") return set_int(player.threads, key, value, 1, kMostThreads);
  if (key == "memory") return set_memory(player, value);
  if (key == "tasks") return set_int(player.sandbox.tasks, key, value, 1, kMostTasks);
  if (key == "dir") return set_folder(player.working_dir, key, value);
  if (key == "read") return set_readable(player, value);
  if (key == "scratch") return set_folder(player.sandbox.scratch, key, value);
  if (key == "share") return set_flag(player.sandbox.shared_memory, key, value);
  return std::nullopt;
}

Result set(BuiltinPlayer& player, std::string_view key, std::string_view value) {
  if (const auto done = set_means(player, key, value)) return *done;
  if (key == "serve") return set_serve(player, value);
  if (key == "count") return set_int(player.count, key, value, 1, kMostOfOne);
  if (key == "greeting") return set_greeting(player, value);
  if (key == "name") return set_name(player, value);
  if (key == "engine") return set_engine(player, value);
  if (key == "game") return set_game(player, value);
  if (key == "turn") return set_turn(player, value);
  if (key == "password") return set_word(player.password, key, value);
  if (key == "room") return set_word(player.room, key, value);
  if (key == "ponder") return set_flag(player.ponder, key, value);
  if (key == "comments") return set_flag(player.comments, key, value);
  if (key == "nice") return set_nice(player, value);
  if (key == "think-ms") return set_think(player, value);
  if (key == "usiok-timeout") return set_patience(player.usiok_ms, key, value);
  if (key == "readyok-timeout") return set_patience(player.readyok_ms, key, value);
  if (key.starts_with("option.") && key.size() > 7) {
    player.options.emplace_back(key.substr(7), value);
    return {};
  }
  return std::unexpected("unknown key '" + std::string(key) + "'");
}

// What follows from what was said.
Result fill_in(BuiltinPlayer& player) {
  if (player.game.empty() && player.serves.empty()) player.game = "default-1500-0";
  if (player.count > 1 && player.name.size() + 3 > kMaxIdentifier) {
    return refuse("name", player.name, "29 characters, for there are several of them,");
  }
  const auto said = std::ranges::find(player.options, "Threads", &std::pair<std::string, std::string>::first);
  if (player.threads > 0) {
    player.options.emplace(player.options.begin(), "Threads", std::to_string(player.threads));
  } else if (said != player.options.end()) {
    if (auto set = set_int(player.threads, "option.Threads", said->second, 1, kMostThreads); !set) return set;
  } else {
    player.threads = 1;
  }
  if (player.sandbox.tasks == 0) player.sandbox.tasks = std::max(kUsualTasks, player.threads + kSpareTasks);
  for (const auto& [option, value] : player.options) {
    std::error_code error;
    const bool names_a_place = value.contains('/') && std::filesystem::exists(value, error);
    if (names_a_place) player.sandbox.readable.push_back(value);
  }
  return {};
}

}  // namespace

std::expected<BuiltinPlayer, std::string> parse_player_line(std::string_view line) {
  const auto words = usi::split_command(line);
  if (!words) return std::unexpected(words.error());
  BuiltinPlayer player;
  player.nice = 5;
  player.threads = player.sandbox.tasks = 0;
  player.game.clear();
  for (const std::string& word : *words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) return std::unexpected("'" + word + "': key=value expected");
    const std::string_view key = std::string_view(word).substr(0, equals);
    if (auto done = set(player, key, std::string_view(word).substr(equals + 1)); !done) {
      return std::unexpected(done.error());
    }
  }
  if (player.name.empty()) return std::unexpected(std::string("name=... is missing"));
  if (player.command.empty()) return std::unexpected(std::string("engine=... is missing"));
  if (auto done = fill_in(player); !done) return std::unexpected(done.error());
  return player;
}

}  // namespace fuhyo::host
