// What a client said: one line of text becomes one Command. Pure functions of the line; unknown input is a value, not
// an error. Grammar and prefix matching follow shogi-server (see PROTOCOL.md, "Commands").
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "server/csa/secret.h"

namespace fuhyo::csa {

// ---- before login ----

struct Login {
  std::string name;
  Secret password;        // the whole third word
  bool x1 = false;        // extended mode
  std::string reconnect;  // "<Game_ID>+<token>": back to that game; empty: not asked for
};
struct LoginRefused {
  bool hint = false;  // four or more words: shogi-server adds a line that says how to log in
};
// `max_identifier` bounds the name (shogi-server's --max-identifier).
std::expected<Login, LoginRefused> parse_login(std::string_view line, std::size_t max_identifier);

// What no CSA client says, but scanners do: HTTP, TLS, SSH, whatever has a NUL in it.
bool is_other_protocol(std::string_view line);

// [A-Za-z0-9_@.-]{1,max}: player names and the identifier part of game names.
bool is_identifier(std::string_view text, std::size_t max);

// ---- after login ----

struct KeepAlive {};  // an empty line: answered by an empty line
struct Blank {};      // white space only: nothing is answered
struct Agree {
  std::string game_id;
};  // the id is optional; empty if absent
struct Reject {
  std::string game_id;
};
struct Logout {};
struct MoveLine {       // "+7776FU,'* 30 -3334FU": also any malformed line that starts with a sign
  std::string move;     // up to the first comma
  std::string comment;  // after ",'" up to the next comma; empty if there is none
  std::string line;     // as received
};
struct Special {  // "%TORYO", "%KACHI", "%CHUDAN", ...
  std::string line;
};
enum class Turn : char { black = '+', white = '-', any = '*' };
struct Game {  // %%GAME and %%CHALLENGE
  std::string game_name;
  Turn turn = Turn::any;
  bool challenge = false;
};
struct StopWaiting {};  // %%GAME alone
struct TurnMissing {
  std::string line;
};  // %%GAME or %%CHALLENGE without a valid sign
struct List {};
struct Who {};
struct Help {};
struct Version {};
struct Admin {
  std::string text;  // what follows %%ADMIN, without the blanks around it
};
struct Rating {};
struct Show {
  std::string game_id;
};
struct Monitor {  // %%MONITORON/OFF (the board after each move), %%MONITOR2ON/OFF (the lines of the record)
  std::string game_id;
  bool record = false;
  bool on = false;
  bool comments = false;  // %%MONITOR2ON <game id> comments: also what is said of each move, as it comes
};
struct Chat {
  std::string text;
};
struct RoomCommand {  // %%ROOM
  enum class Verb : std::uint8_t { list, show, join, leave, make, set, close } verb = Verb::list;
  std::string name;  // of the room; empty with list and leave
  std::string rest;  // what follows it
};
struct TournamentCommand {  // %%TOURNAMENT
  std::string verb;         // the word after it, as it stands: "TABLE"
  std::string rest;
};
struct SetBuoy {
  std::string name;
  std::string moves;  // "+7776FU,T12-3334FU"
  std::int64_t count = 1;
};
struct SetBuoySfen {  // %%SETBUOYSFEN name sfen [moves] [count]
  std::string name;
  std::string position;  // all that stands between the name and the count
  std::int64_t count = 1;
};
struct DeleteBuoy {
  std::string name;
};
struct GetBuoyCount {
  std::string name;
};
struct Buoys {
  std::string prefix;  // of the names that are asked for; empty: all
};
struct Fork {
  std::string game_id;
  std::string name;                 // of the new buoy; empty: the server makes one
  std::optional<std::int64_t> ply;  // the last move that is taken over
};
struct Challenge {};  // CHALLENGE without %%
struct Ignored {};    // %%%...: commands of another server
struct Unknown {
  std::string shown;  // the line as it may be repeated: what follows a LOGIN name is left out
};

using Command =
    std::variant<KeepAlive, Blank, Agree, Reject, Logout, MoveLine, Special, Game, StopWaiting, TurnMissing, List, Who,
                 Help, Version, Admin, Rating, Show, Monitor, Chat, RoomCommand, TournamentCommand, SetBuoy,
                 SetBuoySfen, DeleteBuoy, GetBuoyCount, Buoys, Fork, Challenge, Ignored, Unknown>;
Command parse(std::string_view line);

}  // namespace fuhyo::csa
