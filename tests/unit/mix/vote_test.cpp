#include "engines/mix/vote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/mix/simulation.h"

namespace fuhyo::mix {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Script kRook{.move = "2g2f", .scores = {{"2g2f", "cp 100"}, {"7g7f", "cp 50"}}};
const Script kBishop{.move = "7g7f", .scores = {{"7g7f", "cp 300"}, {"2g2f", "cp -200"}}};

Script with(Script script, const std::function<void(Script&)>& change) {
  change(script);
  return script;
}

// They differ, and nothing is the matter with them.
class VoteOfTwo : public ::testing::Test {
 protected:
  static VoteOptions pondering() {
    return Simulation::options("startpos", {.byoyomi_ms = 3'000, .timed = true, .ponder = true});
  }
  Simulation simulation{{kRook, kBishop}};
};

TEST(Vote, TheSameMoveIsPlayedWithoutCrossExamination) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.move = "2g2f"; })});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::agreed);
  EXPECT_FALSE(result.differed);
  EXPECT_LE(simulation.spent(), 860);
  EXPECT_EQ(simulation.engines[0]->count("movetime 841"), 1U) << "85 % of 990 ms";
  EXPECT_EQ(simulation.engines[0]->count("searchmoves"), 0U);
  // Half of 100 and half of -200 centipawns at a scale of 600.
  EXPECT_NEAR(result.choice.value->chance, (0.5416 + 0.4174) / 2, 0.001);
}

TEST_F(VoteOfTwo, WhoDifferLookAtBothMovesWithinTheClock) {
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "7g7f");
  EXPECT_EQ(result.choice.reason, Reason::values);
  EXPECT_TRUE(result.differed);
  EXPECT_GT(simulation.spent(), 900);
  EXPECT_LE(simulation.spent(), 991);
  for (const auto& engine : simulation.engines) {
    EXPECT_EQ(engine->count("searchmoves 7g7f"), 1U);
    EXPECT_EQ(engine->count("searchmoves 2g2f"), 1U);
  }
  ASSERT_EQ(result.ballots.size(), 2U);
  EXPECT_EQ(result.ballots[0].before.move, mv("2g2f"));
  EXPECT_EQ(result.ballots[0].before.values.size(), 1U);
  EXPECT_EQ(result.ballots[0].after.values.size(), 2U);
}

TEST(Vote, WeightsDecide) {
  for (const auto& [weight, move] : {std::pair(0.98, "2g2f"), std::pair(0.02, "7g7f")}) {
    Simulation simulation({kRook, kBishop});
    VoteOptions options = Simulation::options();
    options.first_weight = weight;
    EXPECT_EQ(Simulation::move(simulation.decide(options)), move) << weight;
  }
}

TEST(Vote, AMoveThatTheOtherProvesLostIsNotPlayed) {
  Simulation simulation({with(kRook, [](Script& p) { p.scores["7g7f"] = "mate -6"; }), kBishop});
  VoteOptions options = Simulation::options();
  options.first_weight = 0.01;  // its values alone would not be heard
  const VoteResult& result = simulation.decide(options);
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::veto);
}

TEST(Vote, AProvenMateIsPlayedAtOnce) {
  Simulation simulation(
      {with(kRook, [](Script& p) { p.scores["2g2f"] = "mate 9", p.answers = true, p.honours_movetime = true; }),
       with(kBishop, [](Script& p) { p.answers = false; })});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::mate);
  EXPECT_EQ(result.choice.value->plies, 9);
  EXPECT_LE(simulation.spent(), 850) << "the one that is silent is not waited for";
}

TEST(Vote, AMateThatIsFoundInCrossExaminationWins) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.scores["2g2f"] = "mate 11"; })});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::mate);
}

TEST_F(VoteOfTwo, AShortMateNeedsNobody) {
  const VoteResult& result =
      simulation.decide(Simulation::options("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"));
  EXPECT_EQ(Simulation::move(result), "G*5b");
  EXPECT_EQ(simulation.spent(), 0);
  EXPECT_EQ(simulation.engines[0]->count("go"), 0U);
}

TEST_F(VoteOfTwo, TheOnlyMoveNeedsNobody) {
  VoteOptions options = Simulation::options();
  options.moves = {mv("9g9f")};
  const VoteResult& result = simulation.decide(options);
  EXPECT_EQ(Simulation::move(result), "9g9f");
  EXPECT_EQ(result.choice.reason, Reason::only);
  EXPECT_EQ(simulation.spent(), 0);
}

// ---- members that fail ----

TEST(Vote, ASilentMemberIsLeftOutOfThisMove) {
  Simulation simulation({with(kRook, [](Script& p) { p.answers = false; }), kBishop});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "7g7f");
  EXPECT_EQ(result.choice.reason, Reason::alone);
  EXPECT_LE(simulation.spent(), 990);
  EXPECT_THAT(result.notes, ElementsAre(HasSubstr("has not answered")));
  EXPECT_EQ(simulation.engines[0]->count("stop"), 1U);
  // Its answer comes during the next move: it is not taken for that one's.
  simulation.engines[0]->script.answers = true;
  simulation.engines[0]->script.move = "9g9f";
  simulation.engines[0]->member.line("bestmove 2g2f", simulation.now);
  const VoteResult& next = simulation.decide(Simulation::options("startpos moves 7g7f 3c3d"));
  EXPECT_EQ(next.ballots[0].before.move, mv("9g9f"));
}

TEST(Vote, OneThatIsSilentCostsNoMoreThanTheMovesTime) {
  Simulation simulation({with(kRook, [](Script& p) { p.answers = false; }), kBishop});
  const VoteOptions options = Simulation::options("startpos", {.time_ms = {600'000, 600'000}, .timed = true});
  ASSERT_GT(options.plan.maximum_ms(), options.plan.optimum_ms() + 300);
  EXPECT_EQ(simulation.decide(options).choice.reason, Reason::alone);
  EXPECT_LE(simulation.spent(), options.plan.stop_at_ms(options.plan.optimum_ms()) + 200)
      << "though the clock would allow it";
}

TEST(Vote, WhereAllAreSilentTheLastLineIsPlayedInTime) {
  const auto silent = [](Script& p) { p.answers = false; };
  Simulation simulation({with(kRook, silent), with(kBishop, silent)});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::last_line);
  EXPECT_LE(simulation.spent(), 990);
}

TEST(Vote, WhereNobodySaysAnythingALegalMoveIsPlayedInTime) {
  const auto mute = [](Script& p) { p.answers = p.speaks = false; };
  Simulation simulation({with(kRook, mute), with(kBishop, mute)});
  const VoteOptions options = Simulation::options();
  const VoteResult& result = simulation.decide(options);
  EXPECT_EQ(result.choice.reason, Reason::fallback);
  EXPECT_TRUE(options.game.current().is_legal(result.choice.move));
  EXPECT_LE(simulation.spent(), 990);
}

TEST(Vote, AMemberThatEndsIsLeftOutAndTheOtherPlaysOnAlone) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.dies_after = 100; })});
  EXPECT_EQ(Simulation::move(simulation.decide(Simulation::options())), "2g2f");
  EXPECT_EQ(simulation.engines[1]->member.state(), Member::State::off);
  EXPECT_LE(simulation.spent(), 850);
  const VoteResult& next = simulation.decide(Simulation::options());
  EXPECT_EQ(next.ballots.size(), 1U);
  EXPECT_EQ(next.choice.reason, Reason::alone);
}

TEST(Vote, OneThatIsReadyBeforeHalfOfTheTimeIsOverJoinsIn) {
  for (const auto& [loads, ballots] : {std::pair(200, 2U), std::pair(600, 1U)}) {
    Simulation simulation({kRook, kBishop});
    simulation.engines[1]->script.loads = loads;
    simulation.engines[1]->start(simulation.now);
    EXPECT_EQ(simulation.decide(Simulation::options()).ballots.size(), ballots) << loads;
    EXPECT_LE(simulation.spent(), 991);
  }
}

TEST(Vote, IfNobodyIsReadyWhoIsStartingIsWaitedForWhileThereIsTime) {
  for (const auto& [loads, reason] : {std::pair(200, Reason::agreed), std::pair(600, Reason::fallback)}) {
    Simulation simulation({kRook, kRook});
    for (const auto& engine : simulation.engines) engine->script.loads = loads, engine->start(simulation.now);
    EXPECT_EQ(simulation.decide(Simulation::options()).choice.reason, reason) << loads;
    EXPECT_LE(simulation.spent(), 860);
  }
}

TEST_F(VoteOfTwo, AMemberThatEndsInCrossExaminationHasSaidWhatItSaid) {
  simulation.begin(Simulation::options());
  simulation.run(850);
  ASSERT_FALSE(simulation.vote->result());
  simulation.engines[1]->member.closed("killed");
  ASSERT_TRUE(simulation.run(200));
  EXPECT_LE(simulation.spent(), 990);
  EXPECT_EQ(Simulation::move(*simulation.vote->result()), "7g7f");
}

TEST_F(VoteOfTwo, OneThatEndsBeforeItHasValuedEveryMoveIsNotCompared) {
  simulation.begin(Simulation::options());
  simulation.run(842);
  ASSERT_FALSE(simulation.vote->result());
  ASSERT_EQ(simulation.engines[1]->count("searchmoves 2g2f"), 1U);
  simulation.engines[1]->member.closed("killed");
  ASSERT_TRUE(simulation.run(200));
  EXPECT_EQ(Simulation::move(*simulation.vote->result()), "2g2f");
}

TEST(Vote, IfAllEndTheLastLineIsPlayedAtOnce) {
  const auto dies = [](Script& p) { p.dies_after = 50; };
  Simulation simulation({with(kRook, dies), with(kBishop, dies)});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_EQ(result.choice.reason, Reason::last_line);
  EXPECT_LE(simulation.spent(), 51);
}

TEST(Vote, AnIllegalAnswerIsDroppedWithANote) {
  for (const char* const answer : {"5e5d", "2h2b", "win"}) {
    Simulation simulation({with(kRook, [&](Script& p) { p.answer = answer; }), kBishop});
    const VoteResult& result = simulation.decide(Simulation::options());
    EXPECT_EQ(Simulation::move(result), "7g7f") << answer;
    EXPECT_EQ(result.choice.reason, Reason::alone);
    EXPECT_THAT(result.notes, ElementsAre(HasSubstr("left out"))) << answer;
  }
}

TEST(Vote, ResigningIsNotAMembersToDo) {
  const auto resigns = [](Script& p) { p.answer = "resign"; };
  Simulation simulation({with(kRook, resigns), with(kBishop, resigns)});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "7g7f") << "their lines are compared all the same";
}

TEST(Vote, ALateAnswerStillCounts) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.delay = 100; })});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(result.ballots[1].before.move, mv("7g7f"));
  EXPECT_LE(simulation.spent(), 991);
}

TEST(Vote, OneThatKnowsNoMovetimeIsStopped) {
  const auto endless = [](Script& p) { p.honours_movetime = false; };
  Simulation simulation({with(kRook, endless), with(kBishop, endless)});
  const VoteResult& result = simulation.decide(Simulation::options());
  EXPECT_EQ(Simulation::move(result), "7g7f");
  EXPECT_EQ(result.choice.reason, Reason::values);
  EXPECT_LE(simulation.spent(), 991);
}

TEST(Vote, OneThatIgnoresSearchmovesIsAskedFromTheOtherSide) {
  Simulation simulation({with(kRook, [](Script& p) { p.honours_searchmoves = false; }), kBishop});
  VoteOptions options = Simulation::options("startpos", {.nodes = 1'000});
  const VoteResult& result = simulation.decide(options);
  ScriptedEngine& engine = *simulation.engines[0];
  EXPECT_FALSE(engine.member.honours_searchmoves());
  EXPECT_EQ(engine.count("searchmoves"), 1U) << "once, and never again";
  EXPECT_EQ(engine.count("position startpos moves 7g7f"), 1U);
  EXPECT_EQ(engine.count("position startpos moves 2g2f"), 1U);
  ASSERT_NE(result.ballots[0].after.value_of(mv("7g7f")), nullptr);
  EXPECT_NEAR(result.ballots[0].after.value_of(mv("7g7f"))->chance, 0.5208, 0.001) << "cp 50 for us: the value negated";
  EXPECT_EQ(Simulation::move(result), "7g7f");
  simulation.decide(options);
  EXPECT_EQ(engine.count("searchmoves"), 1U);
}

// ---- kinds of search ----

TEST_F(VoteOfTwo, NodesAreSharedLikeTime) {
  simulation.decide(Simulation::options("startpos", {.nodes = 1'000}));
  EXPECT_EQ(simulation.engines[0]->count("go nodes 850"), 1U);
  EXPECT_EQ(simulation.engines[0]->count("go nodes 75 searchmoves"), 2U);
  EXPECT_EQ(simulation.engines[0]->count("movetime"), 0U);
}

TEST(Vote, WhereNoClockRunsAMemberThatSaysNothingForAMinuteIsLeftOut) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.answers = false; })});
  const VoteResult& result = simulation.decide(Simulation::options("startpos", {.nodes = 1'000}));
  EXPECT_EQ(Simulation::move(result), "2g2f");
  EXPECT_NEAR(static_cast<double>(simulation.spent()), 60'000, 100);
}

TEST_F(VoteOfTwo, AnAnalysisGoesOnUntilItIsStopped) {
  VoteOptions options = Simulation::options("startpos", {.infinite = true});
  options.lines = 3;
  simulation.begin(options);
  EXPECT_FALSE(simulation.run(10'000));
  EXPECT_EQ(simulation.engines[0]->count("go infinite"), 1U);
  const auto lines = simulation.vote->lines(simulation.now);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].pv.front(), mv("7g7f"));
  EXPECT_EQ(lines[0].multipv, 1);
  EXPECT_EQ(lines[1].multipv, 2);
  EXPECT_EQ(lines[0].nodes, 200);
  simulation.vote->stop(simulation.now);
  ASSERT_TRUE(simulation.run(10));
  EXPECT_EQ(Simulation::move(*simulation.vote->result()), "7g7f");
  EXPECT_EQ(simulation.vote->result()->choice.reason, Reason::own_values);
}

TEST(Vote, StopIsAnsweredAtOnce) {
  Simulation simulation({kRook, with(kBishop, [](Script& p) { p.answers = false; })});
  simulation.begin(Simulation::options("startpos", {.movetime_ms = 60'000}));
  simulation.run(100);
  simulation.vote->stop(simulation.now);
  EXPECT_TRUE(simulation.run(500)) << "also where a member says nothing";
  EXPECT_EQ(Simulation::move(*simulation.vote->result()), "2g2f");
}

TEST_F(VoteOfTwo, StopEndsTheCrossExamination) {
  simulation.begin(Simulation::options());
  simulation.run(850);
  ASSERT_FALSE(simulation.vote->result());
  simulation.vote->stop(simulation.now);
  EXPECT_TRUE(simulation.vote->result());
}

TEST_F(VoteOfTwo, PonderingWaitsForTheHitAndThenKeepsToTheClock) {
  simulation.begin(pondering());
  EXPECT_FALSE(simulation.run(20'000));
  EXPECT_EQ(simulation.engines[0]->count("go infinite"), 1U);
  const std::int64_t hit = simulation.now;
  simulation.vote->ponderhit(hit);
  ASSERT_TRUE(simulation.run(3'000));
  EXPECT_LE(simulation.now - hit, 1'880) << "byoyomi without the network's delay";
  EXPECT_EQ(simulation.engines[0]->count("go infinite"), 1U) << "the thought was not begun anew";
  EXPECT_EQ(simulation.vote->result()->choice.reason, Reason::values);
}

TEST_F(VoteOfTwo, AMissEndsPonderingAtOnce) {
  simulation.begin(pondering());
  simulation.run(1'000);
  simulation.vote->stop(simulation.now);
  EXPECT_TRUE(simulation.run(10));
}

TEST(Vote, IfAllEndWhilePonderingTheHitIsAnsweredByTheLastLine) {
  const auto dies = [](Script& p) { p.dies_after = 50; };
  Simulation simulation({with(kRook, dies), with(kBishop, dies)});
  simulation.begin(Simulation::options("startpos", {.byoyomi_ms = 3'000, .timed = true, .ponder = true}));
  EXPECT_FALSE(simulation.run(1'000));
  simulation.vote->ponderhit(simulation.now);
  ASSERT_TRUE(simulation.vote->result());
  EXPECT_EQ(Simulation::move(*simulation.vote->result()), "2g2f");
}

TEST_F(VoteOfTwo, OnlyWantedMovesArePlayed) {
  VoteOptions options = Simulation::options();
  options.limits.searchmoves = {mv("2g2f"), mv("9g9f")};
  options.moves = options.limits.searchmoves;
  EXPECT_EQ(Simulation::move(simulation.decide(options)), "2g2f");
  EXPECT_EQ(simulation.engines[1]->count("searchmoves 2g2f 9g9f"), 1U);
}

TEST(Vote, ThreeMembersShareTheRestOfTheWeight) {
  Simulation simulation({kRook, kBishop, with(kBishop, [](Script& p) { p.move = "9g9f"; })});
  const VoteResult& result = simulation.decide(Simulation::options("startpos", {.nodes = 1'000}));
  ASSERT_EQ(result.ballots.size(), 3U);
  EXPECT_EQ(result.ballots[0].before.weight, 0.5);
  EXPECT_EQ(result.ballots[2].before.weight, 0.25);
  EXPECT_EQ(result.ballots[2].after.values.size(), 3U);
  EXPECT_EQ(Simulation::move(result), "7g7f");
}

}  // namespace
}  // namespace fuhyo::mix
