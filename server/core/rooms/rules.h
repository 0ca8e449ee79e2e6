// What a room asks of the games that are played in it. A value, and its spelling: one "key=value" a setting, which is
// what files, commands and the journal hold. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/game_facts.h"
#include "server/core/logins/accounts.h"
#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::core {

// Every game name that no room claims is played in the main room, which is shogi-server's.
inline constexpr std::string_view kMainRoom = "main";
// Of the demonstration: nobody else comes there, and its games are in no list.
inline constexpr std::string_view kDemoRoom = "demo";
// Whether players in these two rooms meet, see and hear each other.
inline bool in_one_house(std::string_view a, std::string_view b) { return (a == kDemoRoom) == (b == kDemoRoom); }

// 1 to 32 of a-z, 0-9, _ and -, a letter first: it is a folder of records, too. `main` and `demo` are taken.
std::expected<void, std::string> check_room_name(std::string_view name);

enum class AfterGame : std::uint8_t {
  close,  // a connection in CSA mode ends with its game, as with shogi-server
  stay    // it waits for the same game name again
};
enum class RoomPairing : std::uint8_t {
  lobby,  // two who wait play, in login order
  host    // nobody plays until the host, or an event, seats two
};

// What is nothing is as the settings for the game name say, or the defaults.
struct RoomRules {
  static constexpr std::size_t kLongestPattern = 100, kLongestTitle = 200, kMostPlayers = 1'000, kMostBuiltin = 64,
                               kLongestStart = 500;

  std::string games;  // the game names that it claims; * stands for any characters
  std::string title_ja, title_en;
  std::optional<TimeRule> time;                    // instead of what the game name says
  std::optional<TimeRule> time_black, time_white;  // ... of one colour, before `time`
  std::optional<std::int32_t> max_moves, least_time_s;
  std::optional<shogi::DeclarationRule> declaration;  // what %KACHI is judged by; nothing: 27 points
  Rulebook rulebook = Rulebook::shogi_server;
  std::string start;  // "set NAME" (in turn), "set NAME N", "buoy NAME", "startpos", "sfen ..."; empty: by game name
  std::optional<AccountPolicy> accounts;  // of who has no account
  std::vector<std::string> players;       // who may enter; empty: everybody
  std::optional<bool> tls;                // only where nobody can read along
  std::optional<BrowserPolicy> browsers;  // who may play from a page
  std::optional<SpectatorDelay> showing;
  std::optional<Comments> comments;  // when others read what players say of their moves
  bool rated = true;
  std::vector<std::string> builtin;  // the built-in players that may enter; empty: all
  std::optional<ResumeRule> resume;
  std::optional<std::int32_t> grace_s;
  AfterGame after_game = AfterGame::close;
  RoomPairing pairing = RoomPairing::lobby;
  bool chat = true;
  bool commentator = true;  // speaks of its games, where the server has one

  const std::optional<TimeRule>& time_of(shogi::Color side) const {
    const std::optional<TimeRule>& own = side == shogi::BLACK ? time_black : time_white;
    return own ? own : time;
  }
  bool hidden() const { return showing && showing->hidden; }
  bool operator==(const RoomRules&) const = default;
};

// Of a room that nobody has made. The demonstration shows what its players say: no opponent is harmed by it.
RoomRules default_rules(std::string_view name);

// Reads "key=value" settings, of which the last of a key counts; an empty value is the default. The error names the
// key, and for an unknown one the key that was probably meant.
std::expected<RoomRules, std::string> read_room(std::span<const std::string> settings);
// The settings that are not the default, in a fixed order: read_room() gives the same rules.
std::vector<std::string> settings_of(const RoomRules& rules);
// The keys in that order, for help and completion.
std::vector<std::string_view> room_keys();

// "900-10F", "1500-060", "0-0": total and byoyomi as in a game name.
std::optional<TimeRule> read_time(std::string_view text);
std::string time_text(const TimeRule& time);
// "public", "hidden", "seconds:60", "moves:3"; empty: nothing is said.
std::string visibility_text(const std::optional<SpectatorDelay>& showing);

// Parts `games=club-* title-en="The club"` at its blanks; quotes keep blanks together, and a backslash keeps the
// character behind it. The error is that of a quote that does not end.
std::expected<std::vector<std::string>, std::string> split_settings(std::string_view line);

}  // namespace fuhyo::core
