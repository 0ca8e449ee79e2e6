// A finished game, whole: one row of the archive, and what spectators and record files make of it. Values; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/game_facts.h"
#include "server/core/games/game_story.h"

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

// Of a story that has ended, and back. What the server said comes back as comments.
FinishedGame finished_game(GameStory story);
GameStory story_of(const FinishedGame& game);

// What the terms of a game have that those of few games have, as the archive keeps it:
// "white-time=600-5F declaration=24 rules=official". Empty: they are the usual ones. White's least time a move is
// Black's.
std::string special_terms(const GameOpened& opened);
// Takes them over; a word that nobody knows is of a newer program, and passed over.
void take_special_terms(GameOpened& opened, std::string_view terms);

}  // namespace fuhyo::core
