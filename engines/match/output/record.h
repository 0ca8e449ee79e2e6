// A played game as a record, for CSA files. Pure functions; any thread.
#pragma once

#include <string>

#include "engines/match/game.h"
#include "engines/record/csa_format.h"
#include "engines/record/game.h"

namespace fuhyo::match {

// Each move has its time and, where its engine told a score, floodgate's comment "'** 30 -3334FU +2726FU": centipawns
// as Black sees them (a mate counts 100,000), then the moves that were expected to follow. The moves of the opening
// have neither. Start and end are in UTC.
//
// Ends: %TSUMI, %TORYO, %KACHI, %SENNICHITE, %TIME_UP, %MAX_MOVES (%HIKIWAKE before V3.0, which has no such word), and
// %JISHOGI for a declaration that draws. Who lost by a foul, an illegal move, perpetual check, a crash or a hung
// process: %+ILLEGAL_ACTION for Black, %-ILLEGAL_ACTION for White. Adjudicated: %TORYO where the loser was to move,
// else the loser's ILLEGAL_ACTION; %HIKIWAKE if drawn. The last comment says it exactly: "result white_wins crashed:
// ...".
record::Game to_record(const PlayedGame& game, record::CsaVersion version);

// "2026/11/22 08:00:00"
std::string utc_text(std::int64_t ms_since_1970);

}  // namespace fuhyo::match
