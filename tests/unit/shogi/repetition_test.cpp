#include "engines/shogi/repetition.h"

#include <gtest/gtest.h>
#include <sstream>

#include "tests/unit/shogi/boards.h"

namespace fuhyo::shogi {
namespace {

using enum Repetition;

// Plays a cycle of moves again and again; the number of the first move that ended the game, and how.
struct End {
  int ply = 0;
  Repetition how = NONE;
  bool operator==(const End&) const = default;
};

class Table {
 public:
  Table(RepetitionRule rule, Position start) : position_(start), history_(rule) { history_.start(position_); }

  Repetition play(std::string_view move) {
    position_ = after(position_, move);
    return history_.push(position_, position_.in_check());
  }
  // The moves of the cycle are separated by blanks.
  End cycle(std::string_view moves, int limit = 40) {
    std::istringstream words{std::string(moves)};
    while (ply_ < limit) {
      std::string move;
      if (!(words >> move)) {
        words = std::istringstream{std::string(moves)};
        continue;
      }
      ++ply_;
      if (const Repetition how = play(move); how != NONE) return {ply_, how};
    }
    return {};
  }
  RepetitionHistory& history() { return history_; }
  const Position& position() const { return position_; }

 private:
  Position position_;
  RepetitionHistory history_;
  int ply_ = 0;
};

Table real(Position start = Position()) { return {RepetitionRule::REAL, start}; }
Table server(Position start = Position()) { return {RepetitionRule::SHOGI_SERVER, start}; }

TEST(Repetition, HandsMustBeTheSameToo) {
  // Each round a pawn goes from White's hand to the board and into Black's hand: the board repeats, the hands do not.
  Table table = real(at("4k4/9/9/9/9/9/9/9/R3K4 b 9p 1"));
  for (int round = 0; round < 6; ++round) {
    for (const char* move : {"9i9h", "P*9g", "9h9g", "5a5b", "9g9i", "5b5a"}) EXPECT_EQ(table.play(move), NONE);
  }
}

// The rook checks on both of its squares, the king steps to and fro.
constexpr std::string_view kRookChase = "k8/9/6R2/9/9/9/9/9/8K b - 1";

struct Cycle {
  const char* name;
  std::string_view start, moves;
  End real, server;
};

TEST(Repetition, EndsACycle) {
  const Cycle cycles[] = {
      {"shogi-server does not count the start position",
       Position::kStartSfen,
       "2h3h 8b7b 3h2h 7b8b",
       {12, DRAW},
       {13, DRAW}},
      // The start position, before the first check, does not come back; the first check does: plies 1, 5, 9, 13.
      {"the side that always checks loses",
       kRookChase,
       "3c3a 9a9b 3a3b 9b9a 3b3a 9a9b 3a3b 9b9a 3b3a 9a9b 3a3b 9b9a 3b3a",
       {13, MOVER_LOSES},
       {13, MOVER_LOSES}},
      // The start position is in check, so no move of the game has led to its first occurrence.
      {"the side whose every check came after a start in check loses",
       "k5R2/9/9/9/9/9/9/9/8K w - 1",
       "9a9b 3a3b 9b9a 3b3a",
       {12, MOVER_LOSES},
       {13, OPPONENT_LOSES}},
      // The cycle begins in the position after an escape: 2b is where the rook stands at the start. shogi-server does
      // not count that: the next position comes for the fourth time by a check.
      {"an escape may complete the perpetual check",
       "k8/7R1/9/9/9/9/9/9/8K b - 1",
       "2b2a 9a9b 2a2b 9b9a",
       {12, OPPONENT_LOSES},
       {13, MOVER_LOSES}},
      // Black checks on 3a, and waits with the king in between.
      {"a quiet move makes it a draw", kRookChase, "3c3a 9a9b 3a3c 9b9a", {12, DRAW}, {13, DRAW}},
  };
  for (const Cycle& each : cycles) {
    EXPECT_EQ(real(at(each.start)).cycle(each.moves), each.real) << each.name;
    EXPECT_EQ(server(at(each.start)).cycle(each.moves), each.server) << each.name;
  }
}

TEST(Repetition, ShogiServerLooksForThreeEscapesInTheSeries) {
  // A quiet move first, so that the position before the first check is counted; it is the one that comes back.
  const Position start = at("9/k6R1/9/9/9/9/9/9/8K w - 1");
  Table table = server(start);
  EXPECT_EQ(table.play("9b9a"), NONE);
  EXPECT_EQ(table.cycle("2b2a 9a9b 2a2b 9b9a"), (End{12, OPPONENT_LOSES}));
}

TEST(Repetition, AQuietMoveBeforeTheFirstOccurrenceDoesNotExcuse) {
  Table table = real(at(kRookChase));  // which comes back by the fourth move
  for (const char* move : {"1i1h", "9a8a", "1h1i", "8a9a", "3c3a"}) EXPECT_EQ(table.play(move), NONE);
  EXPECT_EQ(table.cycle("9a9b 3a3b 9b9a 3b3a"), (End{12, MOVER_LOSES}));
}

TEST(Repetition, IsTakenBack) {
  Table table = real();
  Position position;
  RepetitionHistory& history = table.history();
  for (const char* move : {"2h3h", "8b7b", "3h2h", "7b8b", "2h3h", "8b7b", "3h2h", "7b8b", "2h3h", "8b7b", "3h2h"}) {
    EXPECT_EQ(table.play(move), NONE);
  }
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(history.push(Position(), false), DRAW);
    EXPECT_EQ(history.occurrences(), 4);
    history.pop();
  }
  history.start(Position());
  EXPECT_EQ(history.occurrences(), 1);
  EXPECT_EQ(table.play("7b8b"), NONE) << "a new game has forgotten the old one";
}

}  // namespace
}  // namespace fuhyo::shogi
