// Reads an opening from a line of text, in any of these notations. Pure functions; any thread.
//
//   startpos moves 7g7f 3c3d          also without "moves", and with "position" in front
//   sfen <board> <b|w> <hands> [number] [moves ...]      also without "sfen"
//   7g7f 3c3d                         USI moves from the normal start position
//   +7776FU,T12-3334FU                CSA moves, their times unread, in one word or several
//   name +7776FU-3334FU               a buoy: its name before CSA moves, or before a position as above
//   %%SETBUOY name +7776FU-3334FU 5   as players of the server set one; %%SETBUOYSFEN likewise
// USI and CSA moves may follow every kind of start. Behind a bar stands the name of the opening, and behind a second
// one a comment, as in the server's sets of positions; '#' begins a comment anywhere.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "engines/usi/game.h"

namespace fuhyo::match {

struct Opening {
  usi::Game game;    // where it starts, and moves that nobody has to find
  std::string name;  // may be empty
};

// Cuts the moves after `max_plies`. Nothing for an empty line or a comment. An error names the wrong word and the
// reason; a position that ends the game (no legal move, a fourth repetition) is an error.
std::expected<std::optional<Opening>, std::string> parse_opening(std::string_view line,
                                                                 std::optional<int> max_plies = std::nullopt);

// Cuts the moves to `max_plies`. Returns what ends the game within them, in words; nothing if it goes on.
std::optional<std::string> cut_opening(usi::Game& game, std::optional<int> max_plies);

}  // namespace fuhyo::match
