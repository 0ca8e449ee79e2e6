// What a spectator knows of a move of a game, as values: what a commentator may speak of, and nothing else. Pure; any
// thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/shogi/position.h"
#include "server/core/games/clock.h"
#include "server/core/games/game_story.h"

namespace fuhyo::core {

// The same in both languages.
struct Words {
  std::string ja, en;
  bool operator==(const Words&) const = default;
};

// What a program says of its own move: floodgate's convention, "* 30 +2726FU -8384FU".
struct Evaluation {
  std::int32_t cp = 0;             // from Black's side, hundredths of a pawn
  std::vector<std::string> moves;  // expected next, as it wrote them
};
constexpr std::int32_t kMateValue = 29'000;  // values from here on are mates
// Of the first line of the comment that is one.
std::optional<Evaluation> evaluation_of(std::string_view comment);

// Where both players stand in the event of their game, before its result.
struct EventStanding {
  struct Player {
    int rank = 0;        // from 1
    std::string points;  // "2.5"
  };
  std::string event;              // its name
  int round = 0;                  // from 1
  std::array<Player, 2> players;  // Black, White
};

// The newest move, or the beginning of a game.
struct Turn {
  GameId game{};
  std::string room;
  std::int32_t ply = 0;
  std::array<std::string, 2> names;  // of Black and White, raw bytes, at most kLongestName
  std::string sfen;                  // after the move
  // Empty: the game begins, and nothing stands below but its end.
  Words move;  // "☗７六歩", "☗P-76"
  shogi::Color side = shogi::BLACK;
  shogi::PieceType captured = shogi::NO_PIECE_TYPE;
  shogi::PieceType hangs = shogi::NO_PIECE_TYPE;  // the piece that moved, where it can be taken for nothing
  bool takes_back = false;                        // the move before captured on the same square
  bool check = false;
  std::optional<Evaluation> said;            // by who moved, of this move
  std::optional<std::int32_t> said_before;   // ... of the one before
  std::optional<std::int32_t> others_value;  // what the opponent said of his last move
  std::vector<Words> line;                   // of `said`, the legal moves, at most kLongestLine
  TimeRule time;                             // of who moved
  std::int32_t left_s = 0, left_before_s = 0;
  std::string_view opening;  // one of record::kOpeningNames, where it is decided with this move; else empty
  std::optional<GameEnded> ended;
  // What the one who moved has said so far, by ply: of every tenth or so, at most kMostValues.
  std::vector<std::pair<std::int32_t, std::int32_t>> values;
  std::optional<EventStanding> standing;  // only where a commentator finds words of its own

  static constexpr std::size_t kLongestName = 48, kLongestLine = 6, kMostValues = 12;
};

// From `ply` on, up to the first move that is not understood; the first one is that of the last preset move.
// `comments`: whether spectators may know what players said.
std::vector<Turn> turns_of(const GameStory& game, bool comments, std::size_t ply = 0);

// "☗"
std::string_view mark_of(shogi::Color side);

}  // namespace fuhyo::core
