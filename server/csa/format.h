// What the server says, byte for byte as shogi-server says it. Pure; every function returns whole lines with LF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/declaration.h"
#include "engines/shogi/types.h"

namespace fuhyo::csa {

std::string login_ok(std::string_view name, bool x1);
// `eol` is the client's own line end, which shogi-server repeats in these two.
std::string login_incorrect(bool hint, std::string_view eol);
// The game is not to be read by others, and this connection is in the clear.
std::string tls_wanted(std::string_view game_name, std::string_view eol);
std::string browsers_shut(std::string_view game_name, std::string_view eol);
std::string login_duplicate(std::string_view name, bool hint, std::string_view eol);

// A block of times of a Game_Summary, in units of `unit`.
struct SummaryTime {
  std::string unit = "1sec";
  std::int32_t total = 0, byoyomi = 0, increment = 0, least_per_move = 0;
};

// Everything in a Game_Summary (CSA protocol 1.2.1, "Game conditions"; order of shogi-server).
struct Summary {
  std::string game_id;
  std::string black, white;
  shogi::Color your_turn = shogi::BLACK;
  shogi::Color to_move = shogi::BLACK;  // after the preset moves
  std::int32_t max_moves = 0;
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;
  SummaryTime time;                       // one block for both, or that of Black
  std::optional<SummaryTime> white_time;  // the blocks Time+ and Time- instead of Time
  std::string board;                      // "P1...\n...\n+\n"
  std::vector<std::string> preset_moves;  // "+7776FU,T1"
  std::string reconnect_token;            // 32 hex digits; empty: the line is left out
};
std::string game_summary(const Summary& summary);

// What %%SHOW and %%MONITORON say of a running game: each line behind its prefix, "+OK" last. As shogi-server, To_Move
// is always "+" there; the board tells the side to move. Where the colours have a block each, each has its own
// Remaining_Time in it, and Last_Move and Current_Turn stand in White's.
struct Shown {
  Summary summary;  // your_turn, to_move and preset_moves are not looked at; board is the current one
  std::int32_t remaining[2] = {0, 0};  // of Black and White, after the last move
  std::string last_move;               // "+7776FU,T3"; empty at the start
  std::int32_t plies = 0;
};
std::string show(std::string_view prefix, const Shown& shown);
// Each line of `text` behind the prefix, then "+OK".
std::string prefixed(std::string_view prefix, std::string_view text);

// How a game stands for a client that has come back by its token, behind the Game_Summary (rshogi-csa-server's form).
struct ReconnectState {
  shogi::Color to_move = shogi::BLACK;
  std::int64_t remaining_ms[2] = {0, 0};  // of Black and White, now
  std::string last_move;                  // "+7776FU"; empty: the line is left out
};
std::string reconnect_state(const ReconnectState& state);

std::string start(std::string_view game_id);
std::string reject(std::string_view game_id, std::string_view by);
std::string move(std::string_view move, std::int32_t spent_s);  // also "%KACHI,T3"
// "%TORYO\n#RESIGN\n#WIN\n": `line` is empty where the end has no move line of its own.
std::string game_end(std::string_view line, std::string_view reason, std::string_view result);

std::string error(std::string_view text);  // "##[ERROR] text\n"
std::string wrong_state(std::string_view state, std::string_view command, std::string_view valid);
std::string who_line(std::string_view id, bool x1, std::string_view state, std::string_view game_name, char turn);

}  // namespace fuhyo::csa
