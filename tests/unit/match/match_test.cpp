// Whole matches: of players that are built in, and of engines that misbehave.
#include "engines/match/match.h"

#include <filesystem>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <set>

#include "engines/match/output/json.h"
#include "engines/match/report.h"
#include "engines/shogi/usi_move.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::match {
namespace {

using testing::HasSubstr;
using testing::Not;

Contestant simple(const std::string& player, const std::string& name = "") {
  return *parse_contestant("player=" + player + (name.empty() ? "" : " name=" + name));
}
Contestant fake(const std::string& mode, const std::string& more = "tc=byoyomi=600000") {
  return *parse_contestant(std::string(FAKE_ENGINE) + " " + mode + " name=" + mode + " " + more);
}

struct Ran {
  MatchEnd end{};
  std::vector<PlayedGame> games;
  std::string report;
};

Ran run(Match& match, std::int64_t stop_after = -1) {
  Ran out;
  std::stop_source stop;
  out.end = match.run(
      [&](const PlayedGame& game) {
        out.games.push_back(game);
        if (--stop_after == 0) stop.request_stop();
      },
      stop.get_token());
  out.report = final_report(match, {.played = static_cast<std::int64_t>(out.games.size()), .seconds = 1});
  return out;
}

Match made(MatchPlan plan) {
  auto match = Match::make(std::move(plan));
  EXPECT_TRUE(match) << match.error();
  return std::move(*match);
}

TEST(Match, OfBuiltInPlayersIsThePlayersStrength) {
  Match match = made({.engines = {simple("material-2", "counter"), simple("random")},
                      .schedule = {.rounds = 5},
                      .runner = {.concurrency = 2}});
  ASSERT_TRUE(match.try_out({}));
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::played);
  ASSERT_EQ(ran.games.size(), 10U);
  EXPECT_THAT(ran.games[0].names, testing::Contains("counter"));
  const Meeting& meeting = match.standings().meetings().at({0, 1});
  EXPECT_EQ(meeting.games.games(), 10);
  EXPECT_GE(meeting.games.wins, 9);
  EXPECT_EQ(meeting.pairs.pairs(), 5);
  EXPECT_EQ(match.standings().engines()[0].by_color[0].games(), 5);
  EXPECT_THAT(ran.report, HasSubstr("counter against random: +"));
}

TEST(Match, IsTheSameHoweverManyGamesRunAtATime) {
  const auto lines = [](int concurrency) {
    Match match = made({.engines = {simple("material-1"), simple("random"), simple("material-1", "again")},
                        .schedule = {.rounds = 2},
                        .runner = {.concurrency = concurrency}});
    std::map<std::int64_t, std::vector<shogi::Move>> moves;
    for (const PlayedGame& game : run(match).games) {
      for (const MoveData& data : game.moves) moves[game.number].push_back(data.move);
    }
    EXPECT_EQ(moves.size(), 12U);
    return moves;
  };
  EXPECT_EQ(lines(1), lines(3));
}

TEST(Match, StartsACrashedEngineAnewAndCountsIt) {
  Match match = made({.engines = {fake("crash"), simple("random")}, .schedule = {.rounds = 2}});
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::played);
  EXPECT_EQ(ran.games.size(), 4U);
  EXPECT_EQ(match.standings().engines()[0].crashes, 4);
  EXPECT_EQ(match.standings().engines()[1].counts.wins, 4);
  EXPECT_THAT(ran.games[0].detail, HasSubstr("signal 6"));
  EXPECT_THAT(ran.report, HasSubstr("FAULTS: 4 crashes"));
}

TEST(Match, CountsACrashBetweenGamesInTheNextOne) {
  Match match = made({.engines = {fake("shortlived"), fake("good", "tc=byoyomi=600000 name=other")},
                      .schedule = {.rounds = 2},
                      .runner = {.rules = {.move_limit = 6}}});
  const Ran ran = run(match);
  ASSERT_EQ(ran.games.size(), 4U);
  EXPECT_EQ(ran.games[0].ending, Ending::move_limit);
  EXPECT_EQ(ran.games[1].ending, Ending::crashed);
  EXPECT_THAT(ran.games[1].detail, HasSubstr("exit status 4"));
  EXPECT_EQ(ran.games[2].ending, Ending::move_limit) << "started anew";
  EXPECT_EQ(match.standings().engines()[0].crashes, 2);
  EXPECT_EQ(match.standings().engines()[1].crashes, 0);
}

TEST(Match, GivesUpAnEngineThatNeverStarts) {
  Match match = made({.engines = {fake("exit3"), simple("random")}, .schedule = {.rounds = 50}});
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::faulty);
  EXPECT_LE(ran.games.size(), 4U);
  EXPECT_THAT(match.trouble(), HasSubstr("exit status 3"));
  EXPECT_THAT(made({.engines = {fake("exit3"), simple("random")}}).try_out({}).error(), HasSubstr("exit status 3"));
}

TEST(Match, NamesAFaultAfterItsCauseAndCountsIt) {
  struct Case {
    std::string mode;
    Ending ending;
    std::string detail, counted;
    std::string time = "tc=byoyomi=600000";
  };
  const std::vector<Case> cases = {{"hang", Ending::hung, "", "1 hangs", "tc=byoyomi=1"},
                                   {"illegal", Ending::illegal_move, "5e5d", "1 illegal moves"},
                                   {"longline", Ending::crashed, "", "1 crashes"},
                                   {"malformed", Ending::illegal_move, "'7g7f7e+' is not a move", "1 illegal moves"},
                                   {"none", Ending::illegal_move, "'(none)' is not a move", "1 illegal moves"},
                                   {"same", Ending::illegal_move, "1g1f", "1 illegal moves"},
                                   {"muted", Ending::crashed, "it closed its output", "1 crashes"}};
  for (const auto& [mode, ending, detail, counted, time] : cases) {
    SCOPED_TRACE(mode);
    Match match = made({.engines = {fake(mode, time), simple("random")},
                        .schedule = {.games_per_encounter = 1},
                        .runner = {.rules = {.hang_ms = 1}}});
    const Ran ran = run(match);
    EXPECT_EQ(ran.end, MatchEnd::played);
    ASSERT_EQ(ran.games.size(), 1U);
    EXPECT_EQ(ran.games[0].ending, ending);
    EXPECT_EQ(ran.games[0].result, GameResult::white_wins);
    EXPECT_THAT(ran.games[0].detail, HasSubstr(detail));
    EXPECT_THAT(ran.report, HasSubstr(counted));
  }
  EXPECT_THAT(made({.engines = {fake("unfit"), simple("random")}}).try_out({}).error(),
              HasSubstr("exit status 1; it said: Error! no network"));
}

TEST(Match, AMoveMadeTwiceIsNoHang) {
  constexpr std::int64_t kLong_us = 600'000'000;
  const std::string first = "position startpos", second = "position startpos moves 1g1f 3c3d";
  const shogi::Position position;
  // An engine that has not even made its move by then has hung: it gets more time.
  for (std::int64_t patience_us = 100'000; patience_us < kLong_us; patience_us *= 4) {
    UsiPlayer player({.command = std::string(FAKE_ENGINE) + " again"}, "again");
    ASSERT_TRUE(player.new_game({}));
    ASSERT_TRUE(player.think({.line = first, .position = position, .limits = {}, .patience_us = kLong_us}));
    const auto answer = player.think({.line = second, .position = position, .limits = {}, .patience_us = patience_us});
    ASSERT_FALSE(answer);
    if (answer.error().ending == Ending::hung) continue;
    EXPECT_EQ(answer.error().ending, Ending::illegal_move);
    EXPECT_THAT(answer.error().why, HasSubstr("1g1f"));
    return;
  }
  FAIL() << "the move was never made again";
}

TEST(Match, OnlyTheMoveThatWasPonderedIsAHit) {
  constexpr std::int64_t kLong_us = 600'000'000;
  const std::string first = "position startpos", after = first + " moves 2h3h ";
  const shogi::Position position;
  std::vector<std::string> told;
  UsiPlayer player({.command = std::string(FAKE_ENGINE) + " good", .ponder = true}, "good", -1,
                   [&](std::string_view, char direction, std::string_view line) {
                     if (direction == '<') told.emplace_back(line);
                   });
  for (const auto& [played, answer] : {std::pair{"8b7b", "ponderhit"}, {"3c3d", "stop"}}) {
    ASSERT_TRUE(player.new_game({}));
    auto reply = player.think({.line = first, .position = position, .limits = {}, .patience_us = kLong_us});
    ASSERT_TRUE(reply);
    reply->best.ponder = *shogi::parse_usi_move("8b7b");
    player.ponder(first, *reply, {});
    told.clear();
    ASSERT_TRUE(player.think({.line = after + played, .position = position, .limits = {}, .patience_us = kLong_us}));
    ASSERT_THAT(told, testing::Not(testing::IsEmpty()));
    EXPECT_EQ(told.front(), answer);
  }
}

TEST(Match, DoesNotListenForEver) {
  Match match = made({.engines = {fake("flood", "tc=byoyomi=50"), simple("random")},
                      .schedule = {.games_per_encounter = 1},
                      .runner = {.rules = {.hang_ms = 1'000}}});
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::played);
  // By its flood where this program reads fast enough to see one, else by its time.
  EXPECT_EQ(match.standings().engines()[0].crashes + match.standings().engines()[0].hangs, 1);
}

TEST(Match, EndsAtTheFirstFaultIfItIsTo) {
  Match match =
      made({.engines = {fake("illegal"), simple("random")}, .schedule = {.rounds = 9}, .stop_at_fault = true});
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::faulty);
  EXPECT_EQ(ran.games.size(), 1U);
  EXPECT_THAT(match.trouble(), HasSubstr("5e5d"));
}

TEST(Match, ListensOnlyToWhatMatters) {
  for (const std::string mode : {"garbage", "double", "good"}) {
    Match match = made({.engines = {fake(mode), fake("good", "tc=byoyomi=600000 name=other")},
                        .schedule = {.rounds = 1},
                        .runner = {.rules = {.move_limit = 10}}});
    const Ran ran = run(match);
    ASSERT_EQ(ran.games.size(), 2U);
    for (const PlayedGame& game : ran.games) {
      EXPECT_EQ(game.ending, Ending::move_limit) << mode << " " << game.detail;
      EXPECT_EQ(game.moves.size(), 10U);
      EXPECT_EQ(game.moves[4].depth, 3);
      EXPECT_EQ(game.moves[4].nodes, 100);
    }
  }
}

// Else nobody could tell which of two processes of one engine has said it.
TEST(Match, ALogOfSeveralGamesAtOnceNamesTheSlot) {
  for (const int concurrency : {1, 2}) {
    std::set<std::string> names;
    Match match =
        made({.engines = {fake("good", "tc=byoyomi=600000 name=a"), fake("good", "tc=byoyomi=600000 name=b")},
              .schedule = {.rounds = 2},
              .runner = {.rules = {.move_limit = 6},
                         .concurrency = concurrency,
                         .log = [&](std::string_view name, char, std::string_view) { names.emplace(name); }}});
    run(match);
    if (concurrency == 1)
      EXPECT_THAT(names, testing::ElementsAre("a", "b"));
    else
      EXPECT_THAT(names,
                  testing::AllOf(testing::SizeIs(testing::Ge(2)), testing::Each(testing::ContainsRegex("#[12]$"))));
  }
}

TEST(Match, StopsWhenTheTestHasDecided) {
  Match match = made({.engines = {simple("material-1"), simple("random")},
                      .schedule = {.rounds = 1000},
                      .sprt = Sprt{.elo0 = 0, .elo1 = 50, .scale = EloScale::logistic}});
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::decided);
  EXPECT_LT(ran.games.size(), 200U);
  EXPECT_THAT(ran.report, HasSubstr("H1 accepted"));
}

// Two engines that always answer alike, and one opening: two games that say something, and copies of them.
MatchPlan alike(std::int64_t rounds) {
  return {.engines = {fake("good"), fake("good", "tc=byoyomi=600000 name=other")},
          .schedule = {.rounds = rounds},
          .runner = {.rules = {.move_limit = 6}},
          .sprt = Sprt{.elo0 = -100, .elo1 = 0}};
}

TEST(Match, EndsWhenOnlyCopiesComeAndTheirResultsProveNothing) {
  Match match = made(alike(1000));
  EXPECT_THAT(match.warning().value_or(""), HasSubstr("1 opening for 1000 rounds"));
  const Ran ran = run(match);
  EXPECT_EQ(ran.end, MatchEnd::repeating);
  EXPECT_EQ(ran.games.size(), 22U);
  EXPECT_EQ(match.standings().meetings().at({0, 1}).pairs, (PairCounts{{0, 0, 1, 0, 0}}));
  EXPECT_EQ(match.log_likelihood_ratio(), log_likelihood_ratio(*match.plan().sprt, PairCounts{{0, 0, 1, 0, 0}}));
  EXPECT_THAT(ran.report, HasSubstr("20 are COPIES"));
  EXPECT_EQ(copies_text("1 game", 1), "1 game is a COPY of an earlier one, move by move, and does not count");
}

TEST(Match, PlaysEveryOpeningBeforeItSaysThatTheyHaveRunOut) {
  MatchPlan plan = alike(15);
  plan.openings.resize(15);  // all of them the initial position
  Match match = made(std::move(plan));
  EXPECT_FALSE(match.warning());
  EXPECT_EQ(run(match).games.size(), 30U);
}

TEST(Match, WarnsOnlyWhereGamesMayBeCopies) {
  EXPECT_FALSE(made(alike(1)).warning());
  EXPECT_FALSE(made({.engines = {fake("good"), simple("random")}, .schedule = {.rounds = 9}}).warning());
}

class MatchWithLedger : public testing::Test {
 protected:
  MatchPlan plan(std::int64_t rounds = 4) {
    return {
        .engines = {simple("material-1"), simple("random")}, .schedule = {.rounds = rounds}, .ledger = path_.string()};
  }
  const test::TemporaryFolder folder_;
  const std::filesystem::path path_ = folder_ / "ledger";
};

TEST_F(MatchWithLedger, GoesOnWhereItWasBrokenOff) {
  std::map<std::int64_t, std::string> games;
  const auto keep = [&](const Ran& ran) {
    for (PlayedGame game : ran.games) {
      game.began_ms = game.ended_ms = 0;
      for (MoveData& data : game.moves) data.spent_us = 0;
      EXPECT_TRUE(games.emplace(game.number, to_json(game)).second) << "played twice";
    }
  };
  {
    Match first = made(plan());
    ASSERT_TRUE(first.resume());
    const Ran broken_off = run(first, 3);
    EXPECT_EQ(broken_off.end, MatchEnd::interrupted);
    keep(broken_off);
    EXPECT_THAT(made(plan()).resume().error(), HasSubstr("another process")) << "the first one has the file";
  }
  {
    Match second = made(plan());
    ASSERT_TRUE(second.resume());
    EXPECT_EQ(second.resumed(), 3);
    keep(run(second));
    EXPECT_EQ(games.size(), 8U);
    EXPECT_EQ(second.standings().games(), 8);
    EXPECT_EQ(second.standings().meetings().at({0, 1}).pairs.pairs(), 4);
  }
  {
    Match longer = made(plan(5));
    ASSERT_TRUE(longer.resume());
    EXPECT_EQ(longer.resumed(), 8);
    EXPECT_EQ(run(longer).games.size(), 2U);
  }
  Match shorter = made(plan(1));
  ASSERT_TRUE(shorter.resume());
  EXPECT_EQ(shorter.standings().games(), 2);
}

TEST_F(MatchWithLedger, ThatHoldsOnlyCopiesAtItsEndIsOver) {
  for (const std::size_t games : {22U, 0U}) {
    MatchPlan plan = alike(1000);
    plan.ledger = path_.string();
    Match match = made(std::move(plan));
    ASSERT_TRUE(match.resume());
    const Ran ran = run(match);
    EXPECT_EQ(ran.end, MatchEnd::repeating);
    EXPECT_EQ(ran.games.size(), games);
  }
}

TEST_F(MatchWithLedger, RefusesTheGamesOfAnotherMatch) {
  ASSERT_TRUE(made(plan()).resume());
  MatchPlan other = plan();
  other.engines[1] = simple("material-2");
  EXPECT_THAT(made(other).resume().error(), HasSubstr("another match"));
  other = plan();
  other.runner.rules.move_limit = 100;
  EXPECT_THAT(made(other).resume().error(), HasSubstr("another match"));
}

TEST(Match, RefusesAPlanThatCannotBe) {
  const auto why = [](MatchPlan plan) { return Match::make(std::move(plan)).error(); };
  EXPECT_THAT(why({.engines = {simple("random")}}), HasSubstr("two engines"));
  EXPECT_THAT(why({.engines = {simple("random"), simple("random")}}), HasSubstr("two engines are called 'random'"));
  EXPECT_THAT(why({.engines = {simple("random"), fake("good", "")}}), HasSubstr("'good' has no time control: --tc"));
  EXPECT_THAT(why({.engines = {simple("random"), *parse_contestant("name=a tc=nodes=1")}}),
              HasSubstr("engine 'a': no command is given"));
  EXPECT_THAT(why({.engines = {simple("random"), simple("material-1")}, .sprt = Sprt{.elo0 = 5, .elo1 = 5}}),
              HasSubstr("SPRT"));
}

TEST(Match, TriesOutASingleEngineWithoutATimeControl) {
  std::vector<Contestant> engines = {*parse_contestant(std::string(FAKE_ENGINE) + " good")};
  ASSERT_TRUE(try_out(engines, {}));
  EXPECT_EQ(engines.front().name, "Fake good");
  engines = {fake("good", ""), fake("good", "")};
  EXPECT_THAT(try_out(engines, {}).error(), HasSubstr("two engines are called 'good'"));
}

TEST(Match, NamesAnOptionThatAnEngineLacks) {
  Match match = made({.engines = {fake("good", "tc=byoyomi=9 Nope=1"), simple("random")}});
  EXPECT_THAT(match.try_out({}).error(), HasSubstr("no option named 'Nope'"));
}

TEST(Match, NamesAValueThatAnEngineDoesNotTake) {
  std::vector<Contestant> engines = {fake("choosy", "Strength=9")};
  EXPECT_TRUE(try_out(engines, {}));
  engines = {fake("choosy", "Strength=10")};
  EXPECT_THAT(try_out(engines, {}).error(), HasSubstr("option Strength: a number from 1 to 9 expected, not '10'"));
}

// Two rounds of two games each, in which Black always wins: the second round is a copy of the first.
Standings two_rounds_alike(const std::vector<std::int64_t>& order) {
  const auto schedule = *Schedule::make({.engines = 2, .rounds = 2});
  Standings standings(schedule);
  for (const std::int64_t number : order) {
    PlayedGame game;
    game.number = number;
    game.engines = schedule.at(number).engines;
    for (const std::size_t color : {0UZ, 1UZ}) game.names[color] = game.engines[color] == 0 ? "a" : "b";
    game.result = GameResult::black_wins;
    game.ending = Ending::resignation;
    standings.add(game);
  }
  return standings;
}

TEST(Standings, DoNotCountCopiesInWhateverOrderGamesEnd) {
  for (const auto& order : std::vector<std::vector<std::int64_t>>{{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 1, 0, 2}}) {
    const Standings standings = two_rounds_alike(order);
    EXPECT_EQ(standings.games(), 4);
    EXPECT_EQ(standings.repeats(), 2) << "the third and fourth are the first and second again";
    EXPECT_EQ(standings.black_wins(), 2);
    const Meeting& meeting = standings.meetings().at({0, 1});
    EXPECT_EQ(meeting.games, (GameCounts{.losses = 1, .draws = 0, .wins = 1}));
    EXPECT_EQ(meeting.pairs, (PairCounts{{0, 0, 1, 0, 0}})) << "each won once, in one pair";
    EXPECT_EQ(standings.engines()[0].counts.games(), 2);
  }
  EXPECT_EQ(two_rounds_alike({0, 1, 2, 3}).repeats_in_row(), 2);
}

TEST(CopiesOfGames, HaveTheSameSidesPositionMovesAndEnd) {
  PlayedGame game;
  game.names = {"a", "b"};
  game.start = *usi::parse_position("startpos moves 7g7f 3c3d 2g2f");
  game.moves = {{.move = *shogi::parse_usi_move("8c8d")}};
  game.ending = Ending::resignation;
  PlayedGame copy = game;
  copy.number = 7;
  copy.opening = 3;
  copy.start = *usi::parse_position("startpos moves 2g2f 3c3d 7g7f");  // the same position by other moves
  copy.moves[0].spent_us = 5;
  EXPECT_EQ(game_hash(copy), game_hash(game));
  const std::vector<std::function<void(PlayedGame&)>> changes = {
      [](PlayedGame& other) { std::swap(other.names[0], other.names[1]); },
      [](PlayedGame& other) { other.start = *usi::parse_position("startpos moves 7g7f 3c3d 2g2f 4a3b 2f2e"); },
      [](PlayedGame& other) { other.moves[0].move = *shogi::parse_usi_move("4a3b"); },
      [](PlayedGame& other) { other.moves.clear(); },
      [](PlayedGame& other) { other.ending = Ending::time_up; },
      [](PlayedGame& other) { other.detail = "5e5d"; },
  };
  for (const auto& change : changes) {
    PlayedGame other = game;
    change(other);
    EXPECT_NE(game_hash(other), game_hash(game));
  }
}

}  // namespace
}  // namespace fuhyo::match
