// A played game as one line of JSON and back, with nothing lost: what matches are kept in while they run, and what
// scripts read. Pure functions; any thread.
//
// {"game":0,"engines":[0,1],"names":["new","old"],"times":["nodes=5000","nodes=5000"],"opening":3,"openingName":"",
//  "start":"startpos moves 7g7f 3c3d","moves":["2g2f",...],"us":[512,...],"scores":["cp 31","mate 5",null,...],
//  "depths":[...],"seldepths":[...],"nodes":[...],"pvs":["2g2f 8c8d",...],"outcome":"black_wins","ending":"mate",
//  "detail":"","began":1795334400000,"ended":1795334401000}
// Everything by colour is [black, white]. Scores are the mover's ("lowerbound", "upperbound" follow if it was one);
// arrays that would hold nothing but null are left out.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "engines/match/game.h"

namespace fuhyo::match {

std::string to_json(const PlayedGame& game);  // without a line end
// Every move is checked by the rules. What is wrong is said in the error.
std::expected<PlayedGame, std::string> game_from_json(std::string_view line);

}  // namespace fuhyo::match
