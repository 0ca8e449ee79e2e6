#include "server/host/player_line.h"

#include "engines/usi/process.h"
#include "engines/usi/text.h"
#include "server/csa/command.h"
#include "server/csa/game_name.h"

namespace fuhyo::host {
namespace {

using Result = std::expected<void, std::string>;

constexpr std::size_t kMaxIdentifier = 32;  // of the protocol

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

Result set(BuiltinPlayer& player, std::string_view key, std::string_view value) {
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
  if (key.starts_with("option.") && key.size() > 7) {
    player.options.emplace_back(key.substr(7), value);
    return {};
  }
  return std::unexpected("unknown key '" + std::string(key) + "'");
}

}  // namespace

std::expected<BuiltinPlayer, std::string> parse_player_line(std::string_view line) {
  const auto words = usi::split_command(line);
  if (!words) return std::unexpected(words.error());
  BuiltinPlayer player;
  player.nice = 5;
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
  return player;
}

}  // namespace fuhyo::host
