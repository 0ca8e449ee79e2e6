// FIDE's report of a tournament: what is written, what is read, and that both say the same. And results as CSV.
#include "server/app/tournament/trf.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "server/app/tournament/results_file.h"
#include "server/core/tournament/simulation.h"
#include "server/core/tournament/tables.h"
#include "tests/unit/core/tournament/event_maker.h"

namespace fuhyo::app {
namespace {

using core::Outcome;
using namespace core::tournament;

// Three players, two rounds: p1 beat p3 with Black, then drew p2 with White; p2 had a bye; p3 left.
constexpr std::string_view kThree =
    "012 test\n062 3\n092 Swiss\nXXR 3\nXXP 1 2\n"
    "001    1      p1                                2480                             1.5    2"
    "     3 w 1     2 b =\n"
    "001    2      p2                                2460                             1.5    1"
    "  0000 - U     1 w =\n"
    "001    3      p3                                2440                             0.0    3"
    "     1 b 0  0000 - Z\n";

std::vector<Decision> three() {
  const auto result = [](int round, PlayerId black, PlayerId white, Outcome outcome) {
    return GameResult{.game = {.division = kFirst, .round = round},
                      .black = std::move(black),
                      .white = std::move(white),
                      .outcome = outcome,
                      .end = {},
                      .record = {}};
  };
  return {DivisionFormed{.division = kFirst, .members = {{"p1", 1}, {"p2", 2}, {"p3", 3}}},
          RoundPaired{
              .division = kFirst, .round = 1, .pairings = {{"p1", "p3"}}, .byes = {{.player = "p2", .instead_of = {}}}},
          result(1, "p1", "p3", Outcome::black_wins),
          Withdrawn{.player = "p3", .stage = 0, .from = 2},
          RoundPaired{.division = kFirst, .round = 2, .pairings = {{"p2", "p1"}}, .byes = {}},
          result(2, "p2", "p1", Outcome::draw)};
}

TEST(Trf, IsWrittenInItsColumns) {
  Event event = event_of(3, settings_for(Format::swiss, 3));
  event.apart = {{"p1", "p2"}};
  EventState state(event);
  for (const Decision& decision : three()) state.apply(decision);
  EXPECT_EQ(trf_text(event, state, kFirst).value_or("?"), kThree);
  state.apply(RoundPaired{.division = kFirst, .round = 3, .pairings = {{"p1", "p2"}}, .byes = {}});
  EXPECT_EQ(trf_text(event, state, kFirst).value_or("?"), kThree) << "a round that is not over is not there";
}

TEST(Trf, WhatItCannotSayIsRefused) {
  Event event = event_of(3, settings_for(Format::swiss, 3));
  EventState state(event);
  for (const Decision& decision : three()) state.apply(decision);
  DivisionSettings& settings = event.stages[0].divisions[0].settings;
  settings.scoring.bye = {250};
  EXPECT_EQ(trf_text(event, state, kFirst).error(), "TRF cannot say the 0.75 points of p2");
  settings.scoring.bye = kHalfPoint;
  EXPECT_NE(trf_text(event, state, kFirst).value_or("").find("\nBBU  0.5\n"), std::string::npos);
  settings.games = 2;
  EXPECT_EQ(trf_text(event, state, kFirst).error(), "TRF has one game of a pairing");
}

TEST(Trf, LeadsToTheSameTable) {
  for (const Format format : {Format::swiss, Format::round_robin}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Event event = event_of(9, settings_for(format, 5));
      Simulation simulation(event, {}, {.draws = 0.2, .forfeits = 0.1}, seed);
      for (int step = 0; step < 3; ++step) simulation.step();
      ASSERT_TRUE(simulation.decide(
          Withdrawn{.player = "p4", .stage = 0, .from = 4, .until = format == Format::swiss ? 0 : 4}));
      while (simulation.step()) continue;
      const auto text = trf_text(event, simulation.state(), kFirst);
      ASSERT_TRUE(text) << text.error();
      const auto rows = parse_trf(*text);
      ASSERT_TRUE(rows) << *text << rows.error().front().text;
      const auto decisions = decisions_of(event, *rows);
      ASSERT_TRUE(decisions) << decisions.error().front().text;
      EventState again(event);
      for (const Decision& decision : *decisions) again.apply(decision);
      const Ledger one = ledger_of(event, simulation.state(), kFirst), other = ledger_of(event, again, kFirst);
      for (std::size_t place = 0; place < one.rows.size(); ++place) {
        EXPECT_EQ(one.rows[place].points, other.rows[place].points) << *text;
      }
    }
  }
}

TEST(Trf, PlayersBecomeEntrants) {
  constexpr std::string_view kPlayer = "001 {:>4} {:1}{:>3} {:<33} {:>4} JPN\r\n";
  const std::string foreign = "012 Open\r\n" + fmt::format(kPlayer, 1, "m", "GM", "Sato, \"Taro\"", 2511) +
                              fmt::format(kPlayer, 2, "", "", "Sato, \"Taro\"", 1800) +
                              "001    3      \xE4\xBD\x90\r\n";
  EXPECT_EQ(trf_entrants(foreign).value_or("?"),
            "[[entrant]]\nname = \"Sato---Taro-\"\ntitle = \"Sato, \\\"Taro\\\"\"\nseed = 1\nrate = 2511\n\n"
            "[[entrant]]\nname = \"Sato---Taro--2\"\ntitle = \"Sato, \\\"Taro\\\"\"\nseed = 2\nrate = 1800\n\n"
            "[[entrant]]\nname = \"player3\"\ntitle = \"\xE4\xBD\x90\"\nseed = 3\nrate = 0\n\n");
}

TEST(Trf, WhatDoesNotFitIsToldWithItsLine) {
  const auto problem = [](std::string text) {
    const auto rows = parse_trf(text);
    return rows ? "" : std::to_string(rows.error().front().line) + ": " + rows.error().front().text;
  };
  EXPECT_EQ(problem(""), "1: there is no player (a line that begins with 001)");
  EXPECT_EQ(problem("001    0      x\n"), "1: a player has a number (columns 5 to 8) and a name (15 to 47)");
  std::string text(kThree);
  EXPECT_EQ(problem(text), "");
  text[text.find("3 w 1") + 4] = '0';
  EXPECT_EQ(problem(text), "6: round 1: '0' against 3 is not what the other one has");
  EXPECT_EQ(problem(std::string(kThree) + "001    3      again\n"),
            "9: the number is there twice, or the name is no text");
}

TEST(ResultsCsv, ACellInQuotesMayHoldCommasAndQuotesWhereverItStands) {
  const auto rows = parse_results_csv(
      "how,round,black,white,result,record\n"
      "\"by word, of mouth\",1,ann,ben,black,\"a \"\"b\"\", c\"\n");
  ASSERT_TRUE(rows) << rows.error().front().text;
  EXPECT_EQ(rows->front().how, "by word, of mouth");
  EXPECT_EQ(rows->front().record, "a \"b\", c");
  EXPECT_EQ(parse_results_csv(results_csv(*rows))->front().record, rows->front().record);
}

}  // namespace
}  // namespace fuhyo::app
