// How a game that is moved over has ended, where only its record says it.
#include "server/store/shogi_server/finished_record.h"

#include <gtest/gtest.h>
#include <string>
#include <tuple>

#include "engines/record/csa_reader.h"

namespace fuhyo::store {
namespace {

using core::EndKind;
using core::Outcome;

core::GameEnded ended(const std::string& end) {
  const std::string text = "V2\nN+a\nN-b\n$START_TIME:2010/05/07 12:00:00\nPI\n+\n+7776FU\nT1\n" + end;
  const auto file = record::read_csa(text);
  const auto game = finished_game(file->games.front().game, "x+y-60-0+a+b+20100507120000", {});
  EXPECT_TRUE(game) << end << game.error();
  return game ? game->ended : core::GameEnded{};
}

TEST(FinishedRecord, TheEndLineSaysTheKindWhereNoSummaryDoes) {
  const std::tuple<std::string, EndKind, Outcome> kEnds[] = {
      {"%KACHI\n", EndKind::kachi, Outcome::white_wins},
      {"%TORYO\n", EndKind::toryo, Outcome::black_wins},
      {"%TIME_UP\n", EndKind::time_up, Outcome::black_wins},
      {"%SENNICHITE\n", EndKind::sennichite, Outcome::draw},
      {"%MAX_MOVES\n", EndKind::max_moves, Outcome::draw},
      {"%KACHI\n'summary:illegal kachi:a win:b lose\n", EndKind::illegal_kachi, Outcome::black_wins},
      {"%TORYO\n'summary:time up:b lose:a win\n", EndKind::time_up, Outcome::black_wins},
  };
  for (const auto& [text, kind, outcome] : kEnds) {
    EXPECT_EQ(ended(text).kind, kind) << text;
    EXPECT_EQ(ended(text).outcome, outcome) << text;
    EXPECT_EQ(ended(text).reason, "") << text;
  }
}

}  // namespace
}  // namespace fuhyo::store
