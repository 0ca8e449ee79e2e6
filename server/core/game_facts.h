// The facts of games: pairing, start, moves, pauses, end. Values; see facts.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/declaration.h"
#include "engines/shogi/types.h"
#include "server/core/games/game_terms.h"
#include "server/core/ids.h"
#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::core {

struct Seat {
  std::string name;
  std::string id;  // name+trip for a player with a trip (rated), else empty
  bool builtin = false;
  bool operator==(const Seat&) const = default;
};

// What becomes of a running game when the server has died, or was stopped.
enum class ResumeRule : std::uint8_t {
  position,    // it goes on from its position as soon as both players are there again
  adjudicate,  // it waits for the verdict of an operator
  abort        // it is over, and counts for nobody
};
std::string_view to_string(ResumeRule rule);
std::optional<ResumeRule> resume_rule_of(std::string_view word);  // "position"

// When others than a player read what he says of his moves.
enum class Comments : std::uint8_t { never, after, live };  // after: as soon as the game is over
std::string_view to_string(Comments rule);
std::optional<Comments> comments_of(std::string_view word);  // "after"

// Two players were paired. The game is not yet agreed to.
struct GameOpened {
  GameId game{};
  std::string room;    // "main", "demo", or one that a RoomSet tells of
  std::string csa_id;  // <event>+<game name>+<black>+<white>+<time stamp>
  std::string game_name;
  Seat black, white;
  TimeRule time;                          // of Black; of both where `white_time` says nothing
  std::int32_t max_moves = 0;             // 0: no limit
  std::string start_sfen;                 // the position that the Game_Summary shows
  std::vector<std::string> preset_moves;  // "+7776FU,T1": moves already made in it (buoys)
  Wall at;
  std::string local_time;  // "YYYY/MM/DD hh:mm:ss" in the server's zone
  bool rated = true;
  std::int32_t black_rate = 0, white_rate = 0;  // at pairing; 0: none
  // The T of the preset moves has been deducted from the clocks: the game goes on from a move of another one.
  bool preset_spent = false;
  // ... except for the first so many moves, which were preset in that game too.
  std::int32_t preset_free = 0;
  ResumeRule resume = ResumeRule::abort;
  std::int32_t grace_s = 0;  // how long a disconnected player may stay away; 0: he loses at once
  // The delay that its room asks for; nothing: that of the settings for its game name.
  std::optional<SpectatorDelay> showing;
  std::optional<Comments> comments;  // as its room shows them; nothing: as the server does
  bool stays = false;  // after it players in CSA mode wait for the next one, instead of being disconnected
  std::optional<TimeRule> white_time;  // only where the two colours have different clocks
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;  // what %KACHI is judged by
  Rulebook rulebook = Rulebook::shogi_server;
  const TimeRule& time_of(shogi::Color side) const { return side == shogi::WHITE && white_time ? *white_time : time; }
  bool operator==(const GameOpened&) const = default;
};

struct GameStarted {  // both sides agreed
  GameId game{};
  Wall at;
  bool operator==(const GameStarted&) const = default;
};

struct GameRejected {  // a side refused, left, or did not answer: the game never began
  GameId game{};
  std::string by;  // player name, or "the Server (timed out)"
  Wall at;
  std::string local_time;
  bool operator==(const GameRejected&) const = default;
};

struct MoveMade {
  GameId game{};
  std::int32_t ply = 0;          // 1 for the first move after the start position; preset moves count
  std::string csa;               // "+7776FU"
  std::int32_t spent_s = 0;      // the T value
  std::int32_t remaining_s = 0;  // of the mover, after the move (increment included)
  Wall at;
  std::string comment;  // what followed ",'" on the line, raw bytes; empty if none
  bool operator==(const MoveMade&) const = default;
};

// What was said of a move became known after the move itself: another server tells it so (server/app/relay).
struct CommentAdded {
  GameId game{};
  std::int32_t ply = 0;  // as in MoveMade
  std::string comment;   // likewise; never empty
  Wall at;
  bool operator==(const CommentAdded&) const = default;
};

// A line for the record only: a deferred move, a comment with it.
struct RecordNote {
  GameId game{};
  std::string text;  // the record line, without its leading apostrophe
  bool operator==(const RecordNote&) const = default;
};

struct GameEnded {
  GameId game{};
  EndKind kind{};
  Outcome outcome{};
  std::int32_t plies = 0;  // moves in the record, preset ones included
  std::string
      line;  // the line that ended it where one did: "%TORYO", "-0059FU"; "%TSUMI": a mate at the limit; else empty
  std::int32_t spent_s = 0;  // T of that line where it has one (%KACHI)
  std::string reason;        // in words: "two pawns on a file: -0059FU", "late by 0.8 s"
  std::string final_board;   // the position at the end, "P1...\nP2...\n...+\n" (perpetual check: last move taken back)
  Wall at;
  std::string local_time;
  bool operator==(const GameEnded&) const = default;
};

// The clocks of a running game stand still from now on, and go on from where they stood.
struct GamePaused {
  GameId game{};
  std::int64_t used_us = 0;  // of the turn that is under way
  std::string by, why;
  Wall at;
  bool operator==(const GamePaused&) const = default;
};

struct GameResumed {
  GameId game{};
  std::string by, why;
  Wall at;
  bool operator==(const GameResumed&) const = default;
};

// The server died or was stopped during the game: no clock runs until both players are back.
struct GameSuspended {
  GameId game{};
  std::int64_t used_us = 0;  // of the turn that is under way, as far as it is known
  std::string why;
  Wall at;
  bool operator==(const GameSuspended&) const = default;
};

// Both are back: the turn that was under way goes on.
struct GameContinued {
  GameId game{};
  Wall at;
  bool operator==(const GameContinued&) const = default;
};

}  // namespace fuhyo::core
