#include "server/host/worker_offer.h"

#include <algorithm>
#include <array>

#include "engines/usi/process.h"
#include "server/host/player_line.h"

namespace fuhyo::host {
namespace {

// Keys of a player's line that the server needs.
constexpr std::array<std::string_view, 13> kOfServer = {
    "name",     "game",     "turn",     "serve",  "count",         "level",          "threads",
    "greeting", "comments", "think-ms", "ponder", "usiok-timeout", "readyok-timeout"};
// ... and those that only the machine of the engine can judge.
constexpr std::array<std::string_view, 8> kOfMachine = {"engine", "nice", "memory",  "tasks",
                                                        "dir",    "read", "scratch", "share"};

template <std::size_t N>
bool is_one_of(const std::array<std::string_view, N>& keys, std::string_view key) {
  return std::ranges::find(keys, key) != keys.end();
}

bool is_for_server(std::string_view key) { return is_one_of(kOfServer, key) || key.starts_with("option."); }

bool is_plain(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || u >= 0x80 ||
         std::string_view("_.,=*+:@/-").contains(c);
}

// For usi::split_command().
std::string escaped(std::string_view word) {
  std::string out;
  for (const char c : word) {
    if (!is_plain(c)) out += '\\';
    out += c;
  }
  return out;
}

// `star` stands for any characters.
bool fits(std::string_view name, std::string_view pattern) {
  const std::size_t star = pattern.find('*');
  if (star == std::string_view::npos) return name == pattern;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t at = star; at <= name.size(); ++at) {
    if (fits(name.substr(at), rest)) return true;
  }
  return false;
}

}  // namespace

std::expected<std::string, std::string> offer_of(std::string_view player_line) {
  const bool control = std::ranges::any_of(player_line, [](char c) { return static_cast<unsigned char>(c) < ' '; });
  if (control) return std::unexpected(std::string("control characters are no part of an engine's line"));
  const auto words = usi::split_command(player_line);
  if (!words) return std::unexpected(words.error());
  std::string line;
  for (const std::string& word : *words) {
    const std::string_view key = std::string_view(word).substr(0, word.find('='));
    if (is_one_of(kOfMachine, key)) continue;
    if (!is_for_server(key)) return std::unexpected("key '" + std::string(key) + "' is not for a worker's engine");
    line += (line.empty() ? "" : " ") + escaped(word);
  }
  return line;
}

std::expected<BuiltinPlayer, std::string> parse_offer(std::string_view line, std::string_view worker) {
  const auto words = usi::split_command(line);
  if (!words) return std::unexpected(words.error());
  for (const std::string& word : *words) {
    const std::string_view key = std::string_view(word).substr(0, word.find('='));
    if (!is_for_server(key)) return std::unexpected("key '" + std::string(key) + "' is not for a worker to say");
  }
  auto player = parse_player_line(std::string(line) + " engine=elsewhere");
  if (!player) return player;
  player->command = {std::string(worker) + ":"};
  player->sandbox = {};
  return player;
}

bool fits_any(std::string_view name, const std::vector<std::string>& patterns) {
  return std::ranges::any_of(patterns, [&](const std::string& pattern) { return fits(name, pattern); });
}

}  // namespace fuhyo::host
