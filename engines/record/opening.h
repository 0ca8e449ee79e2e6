// The name of a game's opening, recognised from its moves. A pure function; any thread.
//
// Squares are those of the side's own seat (White's board is turned). Looked at are the first 40 plies of a game from
// the standard position, and of what follows the first that is true counts:
//
//   sujichigaikaku       bishops were exchanged, and by ply 12 a side drops its own on 4五
//   aifuribisha          both rooks swing: while they have never left the second rank, they settle on file 5, 6, 7 or 8
//   nakabisha            one rook swings, to file 5
//   kakugawarifuribisha  one rook swings to another file, and bishops were exchanged by ply 24
//   shikenbisha, sankenbisha, mukaibisha    one rook swings, to file 6, 7, 8
//   yokofudori           a rook takes the pawn on 3四 from 2四
//   kakugawari           bishops were exchanged by ply 24
//   aigakari             both rook pawns reach rank 5 while neither pawn on file 7 has moved, and one of them is
//                        exchanged
//   gangi                a side has a silver on 6七 behind its pawn on 6六, and a gold on 7八
//   yagura               a side has a silver on 7七 behind its pawn on 7六, its pawn on 6六, and a gold on 7八 or 6七
//
// Bishops are exchanged when a bishop (or horse) is taken and its taker is taken at once.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "engines/record/game.h"

namespace fuhyo::record {

// Every name that there is. Names stay what they are.
constexpr std::array<std::string_view, 12> kOpeningNames = {
    "sujichigaikaku", "aifuribisha", "nakabisha",  "kakugawarifuribisha",
    "shikenbisha",    "sankenbisha", "mukaibisha", "yokofudori",
    "kakugawari",     "aigakari",    "gangi",      "yagura"};
constexpr std::size_t kOpeningPlies = 40;  // what comes later changes no name

// One of these names, or "" for a game that is none of them or too short to tell.
std::string_view opening_name(const Game& game);
// The same for a start position and its moves, which must be such that Setup::apply() takes them.
std::string_view opening_name(const Setup& start, const std::vector<RecordedMove>& moves);

}  // namespace fuhyo::record
