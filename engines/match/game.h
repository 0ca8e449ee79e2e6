// A played game of two engines: the engines, the opening, every move with what the engine said of it, and the ending. A
// plain value; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/match/time_control.h"
#include "engines/usi/game.h"
#include "engines/usi/values.h"

namespace fuhyo::match {

enum class GameResult : std::uint8_t { draw, black_wins, white_wins };

enum class Ending : std::uint8_t {
  mate,               // the side to move has no legal move, and loses
  resignation,        //
  declaration,        // the side to move has entered and declared: it wins (or draws, by the 24-point rule)
  repetition,         // fourfold: a draw
  perpetual_check,    // fourfold, with checks all along: the checking side loses
  move_limit,         // a draw
  adjudicated_win,    // by the scores that the engines told
  adjudicated_draw,   // likewise
  illegal_move,       // who made it, or what is no move at all, loses
  false_declaration,  // likewise
  time_up,            // whose clock ran out loses
  hung,               // no answer long after the time was up: that engine loses and is started anew
  crashed,            // the process ended or spoke no USI: that engine loses and is started anew
};
// The word that is stored: "mate", "resignation", ...
std::string_view to_string(Ending ending);
std::optional<Ending> parse_ending(std::string_view word);
// Whether the game was lost by a fault: a crash, a hang, lost time or an illegal move.
bool is_fault(Ending ending);

// A move, with what the engine said of it.
struct MoveData {
  shogi::Move move;
  std::int64_t spent_us = 0;                                 // from "go" to the last byte of "bestmove"
  std::optional<usi::Score> score{};                         // as told last, from the mover's side
  std::optional<std::int64_t> depth{}, seldepth{}, nodes{};  // likewise
  std::vector<shogi::Move> pv{};                             // likewise, the move itself first
  bool operator==(const MoveData&) const = default;
};

struct PlayedGame {
  std::int64_t number = 0;             // in the schedule, from 0
  std::array<int, 2> engines{};        // by colour: which of the match's engines
  std::array<std::string, 2> names{};  // by colour
  std::array<TimeControl, 2> times{};  // by colour
  std::int64_t opening = 0;            // which of the match's openings
  std::string opening_name{};
  usi::Game start{};  // the opening: a position, and moves that nobody had to find
  std::vector<MoveData> moves{};
  GameResult result = GameResult::draw;
  Ending ending = Ending::move_limit;
  std::string detail{};       // of the ending, for people: the illegal move, "exit status 3"
  std::int64_t began_ms = 0;  // UTC, since 1970
  std::int64_t ended_ms = 0;
};

// The same for two games that are copies: the same engines (by name) with the same colours, the same start position,
// moves and ending.
std::uint64_t game_hash(const PlayedGame& game);

// Half points of the side: 2, 1 or 0.
int half_points(GameResult result, shogi::Color color);

}  // namespace fuhyo::match
