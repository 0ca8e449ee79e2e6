#include "engines/cluster/cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/cluster/world.h"

namespace fuhyo::cluster {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kKeys = "tt keys 0000000000000001";
const std::string kMultiPv = "option name MultiPV type spin default 1 min 1 max 99";

Script wants(const std::string& move, const std::string& score) {
  return {.move = move, .scores = {{move, score}}, .declares = {kMultiPv}};
}
const Script kRook = wants("2g2f", "cp 50");
const Script kBishop = wants("7g7f", "cp 60");

Script with(Script script, const std::function<void(Script&)>& change) {
  change(script);
  return script;
}

// ---- one position ----

TEST(Cluster, AllSearchAndTheVoteDecides) {
  World world({kBishop, kRook, kRook});
  const Outcome& outcome = world.decide(World::request("startpos"));
  EXPECT_EQ(world.move(), "2g2f");
  EXPECT_EQ(outcome.reason, Reason::vote);
  EXPECT_EQ(outcome.line->pv.front(), mv("2g2f"));
  EXPECT_EQ(outcome.nodes, 300);
  EXPECT_LE(world.spent(), 990);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(world.heard(i, "go infinite"), 1U);
    EXPECT_EQ(world.heard(i, "stop"), 1U);
  }
}

TEST(Cluster, NodesAndDepthAreForEachNode) {
  World world({kRook, kRook});
  EXPECT_EQ(world.decide(World::request("startpos", {.nodes = 1'000})).reason, Reason::vote);
  EXPECT_EQ(world.heard(0, "go nodes 1000"), 1U);
  EXPECT_EQ(world.heard(1, "go nodes 1000"), 1U);
}

TEST(Cluster, WhatIsClearNeedsNobody) {
  World world({kRook, kRook});
  EXPECT_EQ(world.decide(World::request("startpos", {.movetime_ms = 1'000, .searchmoves = {mv("9g9f")}})).reason,
            Reason::only);
  EXPECT_EQ(world.decide(World::request("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1")).reason, Reason::mate);
  EXPECT_EQ(world.heard(0, "go"), 0U);
}

TEST(Cluster, AnAnalysisGoesOnUntilItIsStopped) {
  World world({kRook, kRook});
  world.begin(World::request("startpos", {.infinite = true}));
  EXPECT_FALSE(world.run(5'000));
  const auto lines = world.cluster->lines(world.now);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(lines[0].pv.front(), mv("2g2f"));
  EXPECT_EQ(lines[0].nodes, 200);
  world.cluster->stop(world.now);
  EXPECT_TRUE(world.run(500));
  EXPECT_EQ(world.move(), "2g2f");
}

// ---- faults ----

TEST(Cluster, IfTheRootDiesAnotherNodeAnswers) {
  World world({with(kBishop, [](Script& s) { s.dies_after = 100; }), kRook}, {}, {Role::root});
  EXPECT_EQ(world.decide(World::request("startpos")).reason, Reason::vote);
  EXPECT_EQ(world.move(), "2g2f");
  EXPECT_LE(world.spent(), 990);
}

TEST(Cluster, ASilentNodeCostsOnlyItsShare) {
  World world({with(kBishop, [](Script& s) { s.answers = false; }), kRook});
  const Outcome& outcome = world.decide(World::request("startpos"));
  EXPECT_EQ(world.move(), "2g2f");
  EXPECT_LE(world.spent(), 990);
  EXPECT_THAT(outcome.notes, Contains(HasSubstr("has not answered")));
}

TEST(Cluster, AnIllegalAnswerIsDropped) {
  for (const char* const answer : {"5e5d", "win"}) {
    World world({with(kBishop, [&](Script& s) { s.answer = answer; }), kRook});
    EXPECT_THAT(world.decide(World::request("startpos")).notes, Contains(HasSubstr("left out"))) << answer;
    EXPECT_EQ(world.move(), "2g2f");
  }
}

TEST(Cluster, IfAllDieTheLastLineIsPlayedAtOnce) {
  const auto dies = [](Script& s) { s.dies_after = 50; };
  World world({with(kRook, dies), with(kRook, dies)});
  EXPECT_EQ(world.decide(World::request("startpos")).reason, Reason::last_line);
  EXPECT_EQ(world.move(), "2g2f");
  EXPECT_LE(world.spent(), 51);
}

TEST(Cluster, WhereNobodySaysAnythingALegalMoveIsPlayedInTime) {
  const auto mute = [](Script& s) { s.answers = s.speaks = false; };
  World world({with(kRook, mute), with(kRook, mute)});
  const Outcome& outcome = world.decide(World::request("startpos"));
  EXPECT_EQ(outcome.reason, Reason::fallback);
  EXPECT_TRUE(usi::Game{}.current().is_legal(outcome.move));
  EXPECT_LE(world.spent(), 990);
}

TEST(Cluster, OneThatIsReadyLaterJoinsIn) {
  for (const auto& [loads, asked] : {std::pair(200, 1U), std::pair(800, 0U)}) {
    World world({kRook, kRook});
    world.engines[1]->script.loads = loads;
    world.engines[1]->start(world.now);
    world.decide(World::request("startpos"));
    EXPECT_EQ(world.heard(1, "go infinite"), asked) << loads;
  }
}

TEST(Cluster, StopIsAnsweredAlsoWhereANodeSaysNothing) {
  World world({kRook, with(kBishop, [](Script& s) { s.answers = false; })});
  world.begin(World::request("startpos", {.movetime_ms = 60'000}));
  world.run(100);
  world.cluster->stop(world.now);
  EXPECT_TRUE(world.run(500));
  EXPECT_EQ(world.move(), "2g2f");
}

// ---- entries ----

TEST(Cluster, EntriesGoToAllOthersOfTheSameKeysAndNeverBack) {
  const auto sends = [](const std::string& key, const std::string& keys) {
    return with(kRook, [&](Script& s) {
      s.entry = key + ",-,1,e,0,-";
      s.declares.push_back(keys);
    });
  };
  World world({sends("000000000000000a", kKeys), sends("000000000000000b", kKeys),
               sends("000000000000000c", "tt keys 0000000000000002"), kRook});
  world.begin(World::request("startpos"));
  world.run(10);
  EXPECT_EQ(world.heard(0, "a,-,1,e,0,-"), 0U);
  EXPECT_EQ(world.heard(0, "b,-,1,e,0,-"), 1U);
  EXPECT_EQ(world.heard(1, "a,-,1,e,0,-"), 1U);
  EXPECT_EQ(world.heard(0, "c,-,1,e,0,-") + world.heard(1, "c,-,1,e,0,-"), 0U);
  EXPECT_EQ(world.heard(2, ",-,1,e,0,-") + world.heard(3, "tt"), 0U) << "other keys, or none";
  world.engines[0]->member.line("tt 999 000000000000000d,-,1,e,0,-", world.now);
  world.run(10);
  EXPECT_EQ(world.heard(1, "d,-,1,e,0,-"), 0U) << "of another search";
}

TEST(Cluster, WithoutExchangeNobodyIsAskedForEntries) {
  const auto sends =
      with(kRook, [](Script& s) { s.declares.push_back(kKeys), s.entry = "000000000000000a,-,1,e,0,-"; });
  World world({sends, sends}, {.exchange = "off"});
  world.begin(World::request("startpos"));
  world.engines[0]->member.line("tt 1 000000000000000a,-,1,e,0,-", world.now);
  world.run(10);
  EXPECT_EQ(world.heard(0, "tt ") + world.heard(1, "tt "), 0U);
}

TEST(Cluster, OneThatJoinsLaterGetsWhatWasSentBefore) {
  const auto sends = with(kRook, [](Script& s) {
    s.entry = "000000000000000a,-,1,e,0,-";
    s.declares.push_back(kKeys);
  });
  World world({sends, with(sends, [](Script& s) { s.entry.clear(); })});
  world.engines[1]->script.loads = 200;
  world.engines[1]->start(world.now);
  world.begin(World::request("startpos"));
  world.run(300);
  EXPECT_EQ(world.heard(1, "a,-,1,e,0,-"), 1U);
}

TEST(Cluster, AFloodOfEntriesIsNotPassedOn) {
  const auto sends =
      with(kRook, [](Script& s) { s.declares.push_back(kKeys), s.entry = "000000000000000a,-,1,e,0,-"; });
  World world({sends, sends}, {.exchange_bytes = 1'000});
  world.begin(World::request("startpos"));
  world.run(10);
  const std::string batch = "tt 1 000000000000000b,-,1,e,0,-";
  for (int i = 0; i < 100; ++i) world.engines[0]->member.line(batch, world.now);
  world.run(10);
  EXPECT_LE(world.heard(1, batch), 1'000 / batch.size());
  EXPECT_GT(world.heard(1, batch), 20U);
  world.cluster->stop(world.now);
  world.run(500);
  EXPECT_THAT(world.cluster->outcome()->notes, Contains(HasSubstr("beyond the limit")));
}

TEST(Cluster, InLockstepNodesSearchInTurn) {
  const auto declares = with(kRook, [](Script& s) { s.declares.push_back(kKeys); });
  World world({declares, declares, kRook}, {.lockstep = 100});
  world.begin(World::request("startpos", {.nodes = 1'000}));
  world.run(2);
  EXPECT_EQ(world.heard(0, "tt search 1 100"), 1U);
  for (std::size_t i = 0; i < 2; ++i) {
    world.engines[i]->member.line("tt 1 00000000000000f" + std::to_string(i) + ",-,1,e,0,-", world.now);
  }
  world.engines[0]->member.line("tt waits 1", world.now);
  world.run(2);
  EXPECT_EQ(world.heard(1, "f0,-,1,e,0,-") + world.heard(0, "tt next 1"), 0U) << "the other one searches";
  world.engines[1]->member.line("tt waits 1", world.now);
  world.run(2);
  EXPECT_EQ(world.heard(1, "f0,-,1,e,0,-"), 1U);
  EXPECT_EQ(world.heard(0, "f1,-,1,e,0,-"), 1U);
  const auto turns = [&] { return std::pair(world.heard(0, "tt next 1"), world.heard(1, "tt next 1")); };
  EXPECT_EQ(turns(), std::pair(1UL, 0UL));
  for (const std::size_t waits : {0U, 1U}) {
    world.engines[waits]->member.line("tt waits 1", world.now);
    world.run(2);
    EXPECT_EQ(turns(), waits == 0 ? std::pair(1UL, 1UL) : std::pair(2UL, 1UL));
  }
  world.engines[0]->member.line("bestmove 2g2f", world.now);
  world.run(2);
  EXPECT_EQ(turns(), std::pair(2UL, 2UL)) << "one that has answered has no more turns";
  EXPECT_EQ(world.heard(2, "tt"), 0U);
}

// ---- multi ponder ----

class MultiPonder : public ::testing::Test {
 protected:
  static constexpr usi::GoLimits kByoyomi = {.byoyomi_ms = 5'000, .timed = true};
  MultiPonder() {
    usi::GoLimits limits = kByoyomi;
    limits.ponder = true;
    world.engines[0]->script.list = {{"8c8d", "cp 0"}, {"3c3d", "cp 0"}, {"9c9d", "cp -3000"}};
    world.begin(World::request("startpos moves 7g7f 3c3d", limits));
    world.run(150);
  }
  std::size_t asked(std::size_t engine, const std::string& position) const {
    return world.heard(engine, "position startpos moves " + position);
  }
  World world{{kRook, kRook, kRook, kRook}, {.ponder_replies = 3}};
};

TEST_F(MultiPonder, RepliesGetNodesByTheirShares) {
  EXPECT_EQ(world.heard(0, "setoption name MultiPV value 3"), 1U);
  EXPECT_EQ(world.heard(0, "go movetime 100"), 1U);
  EXPECT_FALSE(world.cluster->outcome());
  EXPECT_EQ(asked(0, "7g7f 3c3d"), 1U);
  EXPECT_EQ(asked(1, "7g7f 3c3d"), 1U);
  EXPECT_EQ(asked(2, "7g7f 8c8d"), 1U);
  EXPECT_EQ(asked(3, "7g7f 8c8d"), 1U);
  EXPECT_EQ(asked(3, "7g7f 9c9d"), 0U) << "a bad reply gets none";
}

TEST_F(MultiPonder, OnAHitTheOthersJoinInAndTheClockIsKept) {
  world.cluster->ponderhit(world.now, world.now);
  const std::int64_t hit = world.now;
  world.pass();
  EXPECT_TRUE(world.run(5'000));
  EXPECT_LE(world.now - hit, 5'000 - 1'120);
  EXPECT_EQ(world.move(), "2g2f");
  EXPECT_EQ(asked(1, "7g7f 3c3d"), 1U) << "it went on";
  EXPECT_EQ(asked(2, "7g7f 3c3d"), 2U) << "once before the list, and now again";
  EXPECT_THAT(world.cluster->outcome()->notes, Contains("2 nodes had pondered this reply, candidate 1"));
}

TEST_F(MultiPonder, AReplyThatWasPonderedGoesOnThoughTheGuiExpectedAnother) {
  world.cluster->stop(world.now);
  ASSERT_TRUE(world.cluster->outcome()) << "the answer is wanted at once";
  EXPECT_EQ(world.heard(2, "stop"), 1U) << "that of its first position";
  world.begin(World::request("startpos moves 7g7f 8c8d", kByoyomi));
  world.run(10);
  EXPECT_EQ(world.heard(2, "stop"), 1U);
  EXPECT_EQ(asked(2, "7g7f 8c8d"), 1U);
  EXPECT_EQ(asked(0, "7g7f 8c8d"), 1U);
  EXPECT_EQ(asked(1, "7g7f 8c8d"), 1U);
  EXPECT_TRUE(world.run(5'000));
  EXPECT_THAT(world.cluster->outcome()->notes, Contains("2 nodes had pondered this reply, candidate 2"));
}

TEST_F(MultiPonder, OnAMissAllStop) {
  world.cluster->stop(world.now);
  world.begin(World::request("startpos moves 7g7f 4c4d", kByoyomi));
  world.run(10);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(asked(i, "7g7f 4c4d"), 1U);
  EXPECT_TRUE(world.run(5'000));
  EXPECT_THAT(world.cluster->outcome()->notes, Not(Contains(HasSubstr("pondered"))));
}

TEST_F(MultiPonder, AfterRestNobodyThinks) {
  world.cluster->stop(world.now);
  world.cluster->rest(world.now);
  world.pass();
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(world.heard(i, "stop"), world.heard(i, "go ")) << i;
  }
}

// ---- split trees ----

TEST(SplitTree, TheCloserTheMovesTheMoreNodesSplit) {
  const std::vector<std::pair<std::string, std::string>> close = {{"2g2f", "cp 0"}, {"7g7f", "cp 0"}},
                                                         clear = {{"2g2f", "cp 900"}, {"7g7f", "cp 0"}};
  for (const auto& [list, splits] : {std::pair(close, 1U), std::pair(clear, 0U)}) {
    World world({kRook, kRook, kRook, kRook}, {.split = true});
    world.engines[0]->script.list = list;
    world.begin(World::request("startpos", {.movetime_ms = 5'000}));
    world.run(150);
    EXPECT_EQ(world.heard(3, "position startpos moves 2g2f"), splits);
    EXPECT_EQ(world.heard(2, "position startpos moves"), 0U);
    EXPECT_TRUE(world.run(5'000));
    EXPECT_EQ(world.move(), "2g2f");
    EXPECT_LE(world.spent(), 5'000);
  }
}

TEST(SplitTree, IfAllOfTheRootDieASplitterTakesOver) {
  World world({kRook, kRook, kRook, kRook}, {.split = true});
  world.engines[0]->script.list = {{"2g2f", "cp 0"}, {"7g7f", "cp 0"}};
  world.begin(World::request("startpos", {.movetime_ms = 5'000}));
  world.run(150);
  for (std::size_t i = 0; i < 3; ++i) world.engines[i]->member.closed("killed");
  world.engines[3]->script.move = "9g9f";
  world.run(5);
  EXPECT_TRUE(world.run(5'000));
  EXPECT_EQ(world.cluster->outcome()->reason, Reason::vote);
  EXPECT_EQ(world.move(), "9g9f");
}

// ---- mates ----

// A mate in one, which the game's limit of moves keeps from our own checks.
Request mate_request() {
  Request request = World::request("sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1");
  request.max_moves = 5;
  return request;
}

TEST(MateNodes, AMateEndsTheMoveAtOnce) {
  World world({kRook, with(kRook, [](Script& s) { s.mate = "G*5b"; })}, {}, {Role::search, Role::mate});
  const Outcome& outcome = world.decide(mate_request());
  EXPECT_EQ(outcome.reason, Reason::mate);
  EXPECT_EQ(world.move(), "G*5b");
  EXPECT_LE(world.spent(), 10);
  EXPECT_EQ(world.heard(1, "go mate infinite"), 1U);
}

TEST(MateNodes, AMateThatIsNoneIsLeftOut) {
  World world({with(kRook, [](Script& s) { s.move = "5i5h"; }), with(kRook, [](Script& s) { s.mate = "G*4b"; })}, {},
              {Role::search, Role::mate});
  const Outcome& outcome = world.decide(mate_request());
  EXPECT_EQ(world.move(), "5i5h");
  EXPECT_THAT(outcome.notes, Contains(HasSubstr("its mate is none")));
}

// 5a4b and 5a6b are the answers to S*5b. A knight on 7a takes on 6c.
const std::string kTwoDefences = "sfen 2s1k1s2/9/4P4/3P1P3/9/9/9/9/4K4 b SG 1";
const std::string kOneRefutes = "sfen 2n1k1s2/9/4P4/3P1P3/9/9/9/9/4K4 b SG 1";

Script finds(const std::string& mate, const std::string& after_other) {
  return with(kRook, [&](Script& s) { s.mate = mate, s.mates = {{"5a6b", after_other}}; });
}

const Outcome& decide_with(World& world, const std::string& position) {
  Request request = World::request(position);
  request.max_moves = 5;
  return world.decide(request);
}

TEST(MateNodes, OtherDefencesAreAskedOfTheNode) {
  World world({kRook, finds("S*5b 5a4b G*4c", "G*6c")}, {}, {Role::search, Role::mate});
  EXPECT_EQ(decide_with(world, kTwoDefences).reason, Reason::mate);
  EXPECT_EQ(world.move(), "S*5b");
  EXPECT_LE(world.spent(), 10);
  EXPECT_EQ(world.heard(1, "moves S*5b 5a6b"), 1U);
  EXPECT_EQ(world.heard(1, "go mate infinite"), 2U);
}

TEST(MateNodes, AMateThatFailsAgainstAnotherDefenceIsLeftOut) {
  for (const char* const answer : {"nomate", "G*6c", "timeout"}) {
    World world({with(kRook, [](Script& s) { s.move = "5i5h"; }), finds("S*5b 5a4b G*4c", answer)}, {},
                {Role::search, Role::mate});
    const Outcome& outcome = decide_with(world, kOneRefutes);
    EXPECT_EQ(world.move(), "5i5h");
    EXPECT_THAT(outcome.notes, Contains(HasSubstr("its mate is none"))) << answer;
    EXPECT_EQ(world.heard(1, "go mate infinite"), 2U);
  }
}

TEST(MateNodes, AfterAFalseMateAnotherNodeIsAsked) {
  World world({kRook, finds("S*5b 5a4b G*4c", "nomate"), with(kRook, [](Script& s) { s.mate = "G*5b"; })}, {},
              {Role::search, Role::mate, Role::mate});
  EXPECT_EQ(decide_with(world, kOneRefutes).reason, Reason::mate);
  EXPECT_EQ(world.move(), "G*5b");
}

TEST(MateNodes, AMateIsEnteredIntoTheTablesAsALine) {
  World world(
      {with(kRook, [](Script& s) { s.declares.push_back(kKeys); }), with(kRook, [](Script& s) { s.mate = "G*5b"; })},
      {}, {Role::search, Role::mate});
  Request request = mate_request();
  request.analysis = true;
  world.begin(request);
  world.run(20);
  EXPECT_EQ(world.heard(0, ",G*5b,127,l,31999,-"), 1U);
}

}  // namespace
}  // namespace fuhyo::cluster
