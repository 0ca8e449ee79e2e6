// A game as its facts tell it: nothing is judged. All who follow a game have this, and beside it what they need: a
// position, watchers, a row of the archive. Values; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/facts.h"
#include "server/core/games/game_phase.h"

namespace fuhyo::core {

// What the record of a game says beside its moves.
struct GameNote {
  enum class Kind : std::uint8_t {
    comment,  // of a player on his move, raw bytes; in the archive also the server's
    server,   // the server's: " paused by host: power cut"
    line      // a line of the record as it stands: a deferred move, a player who is away
  };
  std::int32_t ply = 0;  // of the move before it
  Kind kind{};
  std::string text;
};

struct GameStory {
  GameOpened opened;
  Wall started{};
  GamePhase phase{};
  std::vector<std::string> moves = opened.preset_moves;  // "+7776FU,T1", preset ones first
  std::vector<GameNote> notes{};                         // in their order
  std::optional<GameEnded> ended{};

  void apply(const Fact& fact);  // of this game
  void add(const MoveMade& made);
  // The comments on a move that was made here, each on a line of its own; empty: none.
  std::string comments_on(std::int32_t ply) const;
};

// Which notes the reader of a record sees. Lines out of turn are among both: an opponent would read from them what is
// going to be played.
struct NotesShown {
  bool comments = true, others = true;
};
// The record file, as it was written while the game was played (record_text.h).
std::string record_text(const GameStory& game, NotesShown shown = {});

// A move of a story as a fact, of which it knows no more than the move and its time.
MoveMade move_made(GameId game, std::string_view text);

}  // namespace fuhyo::core
