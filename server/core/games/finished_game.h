// A finished game, whole: one row of the archive, and what spectators and record files make of it. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/facts.h"
#include "server/core/live_view.h"

namespace fuhyo::core {

struct FinishedGame {
  GameOpened opened;
  Wall started;
  GameEnded ended;
  std::string moves;  // "+7776FU,T1 -3334FU,T2", preset moves first
  std::string notes;  // lines "<ply before it> <* for a comment, ' for a note> <raw bytes>"
  bool operator==(const FinishedGame&) const = default;
};

// "+7776FU,T1" of each move, as views into `moves`.
std::vector<std::string_view> moves_of(std::string_view moves);

// As the feed had it when it ended. Several comments on one move stand behind each other, each on a line of its own;
// without a time rule that its moves keep to, no side has time left.
LiveGame live_game(const FinishedGame& game);

// What the terms of a game have that those of few games have, as the archive keeps it:
// "white-time=600-5F declaration=24 rules=official". Empty: they are the usual ones. White's least time a move is
// Black's.
std::string special_terms(const GameOpened& opened);
// Takes them over; a word that nobody knows is of a newer program, and passed over.
void take_special_terms(GameOpened& opened, std::string_view terms);

// The record file, as it was written while the game was played (record_text.h).
std::string record_text(const FinishedGame& game);
// The same of a game that may still run: without notes, and with comments only if `comments`.
std::string record_text(const LiveGame& game, bool comments);

}  // namespace fuhyo::core
