#include "engines/mix/vote.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/mix/stage.h"

namespace fuhyo::mix {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const Part kRook{.move = "2g2f", .scores = {{"2g2f", "cp 100"}, {"7g7f", "cp 50"}}};
const Part kBishop{.move = "7g7f", .scores = {{"7g7f", "cp 300"}, {"2g2f", "cp -200"}}};

Part with(Part part, const std::function<void(Part&)>& change) {
  change(part);
  return part;
}

// They differ, and nothing is the matter with them.
class VoteOfTwo : public ::testing::Test {
 protected:
  static Terms pondering() { return Stage::terms("startpos", {.byoyomi_ms = 3'000, .timed = true, .ponder = true}); }
  Stage stage{{kRook, kBishop}};
};

TEST(Vote, TheSameMoveIsPlayedWithoutCrossExamination) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.move = "2g2f"; })});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::agreed);
  EXPECT_FALSE(outcome.differed);
  EXPECT_LE(stage.spent(), 860);
  EXPECT_EQ(stage.actors[0]->count("movetime 841"), 1U) << "85 % of 990 ms";
  EXPECT_EQ(stage.actors[0]->count("searchmoves"), 0U);
  // Half of 100 and half of -200 centipawns at a scale of 600.
  EXPECT_NEAR(outcome.choice.value->chance, (0.5416 + 0.4174) / 2, 0.001);
}

TEST_F(VoteOfTwo, WhoDifferLookAtBothMovesWithinTheClock) {
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "7g7f");
  EXPECT_EQ(outcome.choice.reason, Reason::values);
  EXPECT_TRUE(outcome.differed);
  EXPECT_GT(stage.spent(), 900);
  EXPECT_LE(stage.spent(), 991);
  for (const auto& actor : stage.actors) {
    EXPECT_EQ(actor->count("searchmoves 7g7f"), 1U);
    EXPECT_EQ(actor->count("searchmoves 2g2f"), 1U);
  }
  ASSERT_EQ(outcome.voices.size(), 2U);
  EXPECT_EQ(outcome.voices[0].before.move, mv("2g2f"));
  EXPECT_EQ(outcome.voices[0].before.values.size(), 1U);
  EXPECT_EQ(outcome.voices[0].after.values.size(), 2U);
}

TEST(Vote, WeightsDecide) {
  for (const auto& [weight, move] : {std::pair(0.98, "2g2f"), std::pair(0.02, "7g7f")}) {
    Stage stage({kRook, kBishop});
    Terms terms = Stage::terms();
    terms.first_weight = weight;
    EXPECT_EQ(Stage::move(stage.decide(terms)), move) << weight;
  }
}

TEST(Vote, AMoveThatTheOtherProvesLostIsNotPlayed) {
  Stage stage({with(kRook, [](Part& p) { p.scores["7g7f"] = "mate -6"; }), kBishop});
  Terms terms = Stage::terms();
  terms.first_weight = 0.01;  // its values alone would not be heard
  const Outcome& outcome = stage.decide(terms);
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::veto);
}

TEST(Vote, AProvenMateIsPlayedAtOnce) {
  Stage stage({with(kRook, [](Part& p) { p.scores["2g2f"] = "mate 9", p.answers = true, p.honours_movetime = true; }),
               with(kBishop, [](Part& p) { p.answers = false; })});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::mate);
  EXPECT_EQ(outcome.choice.value->plies, 9);
  EXPECT_LE(stage.spent(), 850) << "the one that is silent is not waited for";
}

TEST(Vote, AMateThatIsFoundInCrossExaminationWins) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.scores["2g2f"] = "mate 11"; })});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::mate);
}

TEST_F(VoteOfTwo, AShortMateNeedsNobody) {
  const Outcome& outcome = stage.decide(Stage::terms("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1"));
  EXPECT_EQ(Stage::move(outcome), "G*5b");
  EXPECT_EQ(stage.spent(), 0);
  EXPECT_EQ(stage.actors[0]->count("go"), 0U);
}

TEST_F(VoteOfTwo, TheOnlyMoveNeedsNobody) {
  Terms terms = Stage::terms();
  terms.moves = {mv("9g9f")};
  const Outcome& outcome = stage.decide(terms);
  EXPECT_EQ(Stage::move(outcome), "9g9f");
  EXPECT_EQ(outcome.choice.reason, Reason::only);
  EXPECT_EQ(stage.spent(), 0);
}

// ---- members that fail ----

TEST(Vote, ASilentMemberIsLeftOutOfThisMove) {
  Stage stage({with(kRook, [](Part& p) { p.answers = false; }), kBishop});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "7g7f");
  EXPECT_EQ(outcome.choice.reason, Reason::alone);
  EXPECT_LE(stage.spent(), 990);
  EXPECT_THAT(outcome.notes, ElementsAre(HasSubstr("has not answered")));
  EXPECT_EQ(stage.actors[0]->count("stop"), 1U);
  // Its answer comes during the next move: it is not taken for that one's.
  stage.actors[0]->part.answers = true;
  stage.actors[0]->part.move = "9g9f";
  stage.actors[0]->member.line("bestmove 2g2f", stage.now);
  const Outcome& next = stage.decide(Stage::terms("startpos moves 7g7f 3c3d"));
  EXPECT_EQ(next.voices[0].before.move, mv("9g9f"));
}

TEST(Vote, OneThatIsSilentCostsNoMoreThanTheMovesTime) {
  Stage stage({with(kRook, [](Part& p) { p.answers = false; }), kBishop});
  const Terms terms = Stage::terms("startpos", {.time_ms = {600'000, 600'000}, .timed = true});
  ASSERT_GT(terms.plan.maximum_ms(), terms.plan.optimum_ms() + 300);
  EXPECT_EQ(stage.decide(terms).choice.reason, Reason::alone);
  EXPECT_LE(stage.spent(), terms.plan.stop_at_ms(terms.plan.optimum_ms()) + 200) << "though the clock would allow it";
}

TEST(Vote, WhereAllAreSilentTheLastLineIsPlayedInTime) {
  const auto silent = [](Part& p) { p.answers = false; };
  Stage stage({with(kRook, silent), with(kBishop, silent)});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::last_line);
  EXPECT_LE(stage.spent(), 990);
}

TEST(Vote, WhereNobodySaysAnythingALegalMoveIsPlayedInTime) {
  const auto mute = [](Part& p) { p.answers = p.speaks = false; };
  Stage stage({with(kRook, mute), with(kBishop, mute)});
  const Terms terms = Stage::terms();
  const Outcome& outcome = stage.decide(terms);
  EXPECT_EQ(outcome.choice.reason, Reason::fallback);
  EXPECT_TRUE(terms.game.current().is_legal(outcome.choice.move));
  EXPECT_LE(stage.spent(), 990);
}

TEST(Vote, AMemberThatEndsIsLeftOutAndTheOtherPlaysOnAlone) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.dies_after = 100; })});
  EXPECT_EQ(Stage::move(stage.decide(Stage::terms())), "2g2f");
  EXPECT_EQ(stage.actors[1]->member.state(), Member::State::off);
  EXPECT_LE(stage.spent(), 850);
  const Outcome& next = stage.decide(Stage::terms());
  EXPECT_EQ(next.voices.size(), 1U);
  EXPECT_EQ(next.choice.reason, Reason::alone);
}

TEST(Vote, OneThatIsReadyBeforeHalfOfTheTimeIsOverJoinsIn) {
  for (const auto& [loads, voices] : {std::pair(200, 2U), std::pair(600, 1U)}) {
    Stage stage({kRook, kBishop});
    stage.actors[1]->part.loads = loads;
    stage.actors[1]->start(stage.now);
    EXPECT_EQ(stage.decide(Stage::terms()).voices.size(), voices) << loads;
    EXPECT_LE(stage.spent(), 991);
  }
}

TEST(Vote, IfNobodyIsReadyWhoIsStartingIsWaitedForWhileThereIsTime) {
  for (const auto& [loads, reason] : {std::pair(200, Reason::agreed), std::pair(600, Reason::fallback)}) {
    Stage stage({kRook, kRook});
    for (const auto& actor : stage.actors) actor->part.loads = loads, actor->start(stage.now);
    EXPECT_EQ(stage.decide(Stage::terms()).choice.reason, reason) << loads;
    EXPECT_LE(stage.spent(), 860);
  }
}

TEST_F(VoteOfTwo, AMemberThatEndsInCrossExaminationHasSaidWhatItSaid) {
  stage.begin(Stage::terms());
  stage.run(850);
  ASSERT_FALSE(stage.talk->outcome());
  stage.actors[1]->member.closed("killed");
  ASSERT_TRUE(stage.run(200));
  EXPECT_LE(stage.spent(), 990);
  EXPECT_EQ(Stage::move(*stage.talk->outcome()), "7g7f");
}

TEST_F(VoteOfTwo, OneThatEndsBeforeItHasValuedEveryMoveIsNotCompared) {
  stage.begin(Stage::terms());
  stage.run(842);
  ASSERT_FALSE(stage.talk->outcome());
  ASSERT_EQ(stage.actors[1]->count("searchmoves 2g2f"), 1U);
  stage.actors[1]->member.closed("killed");
  ASSERT_TRUE(stage.run(200));
  EXPECT_EQ(Stage::move(*stage.talk->outcome()), "2g2f");
}

TEST(Vote, IfAllEndTheLastLineIsPlayedAtOnce) {
  const auto dies = [](Part& p) { p.dies_after = 50; };
  Stage stage({with(kRook, dies), with(kBishop, dies)});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_EQ(outcome.choice.reason, Reason::last_line);
  EXPECT_LE(stage.spent(), 51);
}

TEST(Vote, AnIllegalAnswerIsDroppedWithANote) {
  for (const char* const answer : {"5e5d", "2h2b", "win"}) {
    Stage stage({with(kRook, [&](Part& p) { p.answer = answer; }), kBishop});
    const Outcome& outcome = stage.decide(Stage::terms());
    EXPECT_EQ(Stage::move(outcome), "7g7f") << answer;
    EXPECT_EQ(outcome.choice.reason, Reason::alone);
    EXPECT_THAT(outcome.notes, ElementsAre(HasSubstr("left out"))) << answer;
  }
}

TEST(Vote, ResigningIsNotAMembersToDo) {
  const auto resigns = [](Part& p) { p.answer = "resign"; };
  Stage stage({with(kRook, resigns), with(kBishop, resigns)});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "7g7f") << "their lines are compared all the same";
}

TEST(Vote, ALateAnswerStillCounts) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.delay = 100; })});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(outcome.voices[1].before.move, mv("7g7f"));
  EXPECT_LE(stage.spent(), 991);
}

TEST(Vote, OneThatKnowsNoMovetimeIsStopped) {
  const auto endless = [](Part& p) { p.honours_movetime = false; };
  Stage stage({with(kRook, endless), with(kBishop, endless)});
  const Outcome& outcome = stage.decide(Stage::terms());
  EXPECT_EQ(Stage::move(outcome), "7g7f");
  EXPECT_EQ(outcome.choice.reason, Reason::values);
  EXPECT_LE(stage.spent(), 991);
}

TEST(Vote, OneThatIgnoresSearchmovesIsAskedFromTheOtherSide) {
  Stage stage({with(kRook, [](Part& p) { p.honours_searchmoves = false; }), kBishop});
  Terms terms = Stage::terms("startpos", {.nodes = 1'000});
  const Outcome& outcome = stage.decide(terms);
  Actor& actor = *stage.actors[0];
  EXPECT_FALSE(actor.member.honours_searchmoves());
  EXPECT_EQ(actor.count("searchmoves"), 1U) << "once, and never again";
  EXPECT_EQ(actor.count("position startpos moves 7g7f"), 1U);
  EXPECT_EQ(actor.count("position startpos moves 2g2f"), 1U);
  ASSERT_NE(outcome.voices[0].after.value_of(mv("7g7f")), nullptr);
  EXPECT_NEAR(outcome.voices[0].after.value_of(mv("7g7f"))->chance, 0.5208, 0.001) << "cp 50 for us: the value negated";
  EXPECT_EQ(Stage::move(outcome), "7g7f");
  stage.decide(terms);
  EXPECT_EQ(actor.count("searchmoves"), 1U);
}

// ---- kinds of search ----

TEST_F(VoteOfTwo, NodesAreSharedLikeTime) {
  stage.decide(Stage::terms("startpos", {.nodes = 1'000}));
  EXPECT_EQ(stage.actors[0]->count("go nodes 850"), 1U);
  EXPECT_EQ(stage.actors[0]->count("go nodes 75 searchmoves"), 2U);
  EXPECT_EQ(stage.actors[0]->count("movetime"), 0U);
}

TEST(Vote, WhereNoClockRunsAMemberThatSaysNothingForAMinuteIsLeftOut) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.answers = false; })});
  const Outcome& outcome = stage.decide(Stage::terms("startpos", {.nodes = 1'000}));
  EXPECT_EQ(Stage::move(outcome), "2g2f");
  EXPECT_NEAR(static_cast<double>(stage.spent()), 60'000, 100);
}

TEST_F(VoteOfTwo, AnAnalysisGoesOnUntilItIsStopped) {
  Terms terms = Stage::terms("startpos", {.infinite = true});
  terms.lines = 3;
  stage.begin(terms);
  EXPECT_FALSE(stage.run(10'000));
  EXPECT_EQ(stage.actors[0]->count("go infinite"), 1U);
  const auto lines = stage.talk->picture(stage.now);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].pv.front(), mv("7g7f"));
  EXPECT_EQ(lines[0].multipv, 1);
  EXPECT_EQ(lines[1].multipv, 2);
  EXPECT_EQ(lines[0].nodes, 200);
  stage.talk->stop(stage.now);
  ASSERT_TRUE(stage.run(10));
  EXPECT_EQ(Stage::move(*stage.talk->outcome()), "7g7f");
  EXPECT_EQ(stage.talk->outcome()->choice.reason, Reason::own_values);
}

TEST(Vote, StopIsAnsweredAtOnce) {
  Stage stage({kRook, with(kBishop, [](Part& p) { p.answers = false; })});
  stage.begin(Stage::terms("startpos", {.movetime_ms = 60'000}));
  stage.run(100);
  stage.talk->stop(stage.now);
  EXPECT_TRUE(stage.run(500)) << "also where a member says nothing";
  EXPECT_EQ(Stage::move(*stage.talk->outcome()), "2g2f");
}

TEST_F(VoteOfTwo, StopEndsTheCrossExamination) {
  stage.begin(Stage::terms());
  stage.run(850);
  ASSERT_FALSE(stage.talk->outcome());
  stage.talk->stop(stage.now);
  EXPECT_TRUE(stage.talk->outcome());
}

TEST_F(VoteOfTwo, PonderingWaitsForTheHitAndThenKeepsToTheClock) {
  stage.begin(pondering());
  EXPECT_FALSE(stage.run(20'000));
  EXPECT_EQ(stage.actors[0]->count("go infinite"), 1U);
  const std::int64_t hit = stage.now;
  stage.talk->hit(hit);
  ASSERT_TRUE(stage.run(3'000));
  EXPECT_LE(stage.now - hit, 1'880) << "byoyomi without the network's delay";
  EXPECT_EQ(stage.actors[0]->count("go infinite"), 1U) << "the thought was not begun anew";
  EXPECT_EQ(stage.talk->outcome()->choice.reason, Reason::values);
}

TEST_F(VoteOfTwo, AMissEndsPonderingAtOnce) {
  stage.begin(pondering());
  stage.run(1'000);
  stage.talk->stop(stage.now);
  EXPECT_TRUE(stage.run(10));
}

TEST(Vote, IfAllEndWhilePonderingTheHitIsAnsweredByTheLastLine) {
  const auto dies = [](Part& p) { p.dies_after = 50; };
  Stage stage({with(kRook, dies), with(kBishop, dies)});
  stage.begin(Stage::terms("startpos", {.byoyomi_ms = 3'000, .timed = true, .ponder = true}));
  EXPECT_FALSE(stage.run(1'000));
  stage.talk->hit(stage.now);
  ASSERT_TRUE(stage.talk->outcome());
  EXPECT_EQ(Stage::move(*stage.talk->outcome()), "2g2f");
}

TEST_F(VoteOfTwo, OnlyWantedMovesArePlayed) {
  Terms terms = Stage::terms();
  terms.limits.searchmoves = {mv("2g2f"), mv("9g9f")};
  terms.moves = terms.limits.searchmoves;
  EXPECT_EQ(Stage::move(stage.decide(terms)), "2g2f");
  EXPECT_EQ(stage.actors[1]->count("searchmoves 2g2f 9g9f"), 1U);
}

TEST(Vote, ThreeMembersShareTheRestOfTheWeight) {
  Stage stage({kRook, kBishop, with(kBishop, [](Part& p) { p.move = "9g9f"; })});
  const Outcome& outcome = stage.decide(Stage::terms("startpos", {.nodes = 1'000}));
  ASSERT_EQ(outcome.voices.size(), 3U);
  EXPECT_EQ(outcome.voices[0].before.weight, 0.5);
  EXPECT_EQ(outcome.voices[2].before.weight, 0.25);
  EXPECT_EQ(outcome.voices[2].after.values.size(), 3U);
  EXPECT_EQ(Stage::move(outcome), "7g7f");
}

}  // namespace
}  // namespace fuhyo::mix
