#include "engines/members/member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engines/members/mate_search.h"
#include "tests/unit/members/scripted_engine.h"

namespace fuhyo::members {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using State = Member::State;

TEST(Member, GetsReadyByItself) {
  Member member(
      {.options = {{"EvalFile", "a b"}}, .if_declared = {{"Threads", "2"}, {"MultiPV", "3"}}, .max_moves = 320});
  member.start(0);
  EXPECT_THAT(member.take_lines(), ElementsAre("usi"));
  EXPECT_EQ(member.state(), State::starting);
  for (const char* const line : {"id name Some Engine", "option name Threads type spin default 1 min 1 max 8",
                                 "option name MaxMovesToDraw type spin default 0 min 0 max 9999", "usiok"}) {
    member.line(line, 1);
  }
  EXPECT_EQ(member.name(), "Some Engine");
  EXPECT_THAT(member.take_lines(),
              ElementsAre("setoption name USI_Ponder value false", "setoption name Threads value 2",
                          "setoption name EvalFile value a b", "setoption name MaxMovesToDraw value 320", "isready"));
  EXPECT_THAT(member.refused_options(), ElementsAre("no option named 'EvalFile'"));
  member.line("readyok", 2);
  EXPECT_EQ(member.state(), State::ready);
}

TEST(Member, OneThatSaysItCannotGetReadyIsBelievedAfterItsLastWords) {
  Member member({.name = "net"});
  member.start(0);
  member.line("usiok", 1);
  member.line("info string Error! there is no network", 5);
  member.tick(1'000);
  EXPECT_EQ(member.state(), State::starting);
  member.tick(member.deadline());
  EXPECT_EQ(member.state(), State::off);
  EXPECT_EQ(member.why_off(), "Error! there is no network");
  EXPECT_THAT(member.take_notes(), Contains("net: Error! there is no network"));
}

TEST(Member, SilenceAtTheStartIsAnError) {
  Member member({});
  member.start(0);
  member.tick(member.deadline());
  EXPECT_EQ(member.state(), State::off);
  EXPECT_THAT(member.why_off(), HasSubstr("no usiok"));
  member.start(100'000);
  EXPECT_EQ(member.state(), State::starting) << "it can be started again";
}

TEST(Member, KeepsTheNewestLineOfEachNumber) {
  ScriptedEngines simulation({Script{.speaks = false, .answers = false}});
  Member& member = simulation.engines[0]->member;
  member.ask(*usi::parse_position("startpos"), {.infinite = true}, 0);
  simulation.engines[0]->pass(simulation.now);
  for (const char* const line :
       {"info depth 1 multipv 1 score cp 10 pv 7g7f", "info depth 1 multipv 2 score cp 5 pv 2g2f",
        "info depth 2 multipv 1 score cp 12 nodes 77 pv 2g2f 8c8d", "info depth 3 score cp 1", "info string hello",
        "info depth 9 multipv 100000 score cp 1 pv 7g7f"}) {
    member.line(line, simulation.now);
  }
  ASSERT_EQ(member.lines().size(), 2U);
  EXPECT_EQ(member.lines()[0].depth, 2);
  EXPECT_EQ(member.nodes(), 77);
  ASSERT_EQ(member.values().size(), 1U) << "a move counts once, by its better line";
  EXPECT_THAT(member.take_notes(), ElementsAre("Actor: hello"));
  EXPECT_THAT(member.take_said(), HasSubstr("Actor: depth 9"));
  EXPECT_THAT(member.take_said(), IsEmpty());
}

TEST(Member, NotesAreLimited) {
  Member member({});
  member.start(0);
  for (int i = 0; i < 1'000; ++i) member.line("info string " + std::string(10'000, 'x'), 1);
  const auto notes = member.take_notes();
  EXPECT_EQ(notes.size(), 50U);
  EXPECT_LT(notes[0].size(), 600U);
}

// ---- what is beyond USI ----

// Ready, of an engine that says these lines before "usiok".
Member ready_member(const std::vector<std::string>& lines) {
  Member member({});
  member.start(0);
  for (const std::string& line : lines) member.line(line, 1);
  member.line("usiok", 1);
  member.line("readyok", 2);
  member.take_lines();
  return member;
}

TEST(Member, AQuestionHasItsTermsForWhoKnowsThem) {
  const auto start = *usi::parse_position("startpos");
  Member member = ready_member({"option name MultiPV type spin default 1 min 1 max 99", "tt keys 0123456789abcdef"});
  member.ask(start, {.infinite = true}, 3, {.lines = 4, .search = 7});
  EXPECT_THAT(member.take_lines(),
              ElementsAre("setoption name MultiPV value 4", "tt search 7", "position startpos", "go infinite"));
  member.line("bestmove 7g7f", 4);
  member.ask(start, {.infinite = true}, 5, {.lines = 4, .search = 8});
  EXPECT_THAT(member.take_lines(), ElementsAre("tt search 8", "position startpos", "go infinite"));
  Member other = ready_member({});
  other.ask(start, {.infinite = true}, 3, {.lines = 4, .search = 7});
  EXPECT_THAT(other.take_lines(), ElementsAre("position startpos", "go infinite"));
}

TEST(Member, TermsOfAQuestionThatNeverWentOutAreSaidAgain) {
  const auto start = *usi::parse_position("startpos");
  Member member = ready_member({"option name MultiPV type spin default 1 min 1 max 99"});
  member.ask(start, {.infinite = true}, 3);
  member.abandon(4);
  member.ask(start, {.infinite = true}, 5, {.lines = 4});
  member.ask(start, {.infinite = true}, 6, {.lines = 4});
  member.take_lines();
  member.line("bestmove 7g7f", 7);
  EXPECT_THAT(member.take_lines(), ElementsAre("setoption name MultiPV value 4", "position startpos", "go infinite"));
}

TEST(Member, WaitsForItsNextSlice) {
  Member member = ready_member({"tt keys 0123456789abcdef"});
  member.ask(*usi::parse_position("startpos"), {.infinite = true}, 3, {.search = 7, .slice = 100});
  EXPECT_THAT(member.take_lines(), ElementsAre("tt search 7 100", "position startpos", "go infinite"));
  member.line("tt waits 6", 4);
  EXPECT_FALSE(member.waits()) << "that was another search";
  member.line("tt waits 7", 4);
  EXPECT_TRUE(member.waits());
  member.next_slice();
  EXPECT_FALSE(member.waits());
  EXPECT_THAT(member.take_sent_tables(), ElementsAre(::testing::Pointee(std::string("tt next 7"))));
  member.line("tt waits 7", 4);
  member.ask(*usi::parse_position("startpos"), {.infinite = true}, 5, {.search = 8, .slice = 100});
  EXPECT_FALSE(member.waits());
}

TEST(Member, BatchesOfEntriesAreKeptUpToALimit) {
  Member member = ready_member({"tt keys 0123456789abcdef"});
  EXPECT_EQ(member.table_keys(), 0x0123456789abcdefU);
  const auto entries = std::make_shared<const std::string>("tt 7 entries");
  member.send_table(entries);  // too soon
  EXPECT_THAT(member.take_sent_tables(), IsEmpty());
  member.ask(*usi::parse_position("startpos"), {.infinite = true}, 3, {.search = 7});
  member.take_lines();
  member.send_table(entries);
  EXPECT_THAT(member.take_sent_tables(), ElementsAre(entries));
  for (int i = 0; i < 1'000; ++i) member.line("tt 7 an,entry", 4);
  member.line("tt nonsense", 4);
  member.line("tt 7 " + std::string(5'000, 'x'), 4);
  std::vector<TableText> tables;
  const auto take = [&](TableText batch) { tables.push_back(std::move(batch)); };
  member.take_tables(take);
  ASSERT_EQ(tables.size(), 256U);
  EXPECT_EQ(tables.front().search, 7);
  EXPECT_EQ(*tables.front().line, "tt 7 an,entry");
  tables.clear();
  member.take_tables(take);
  EXPECT_THAT(tables, IsEmpty());
}

// ---- "go mate" ----

constexpr const char* kMated = "sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1";

class MateSearches : public ::testing::Test {
 protected:
  usi::Checkmate search(const std::vector<Script>& scripts, std::int64_t limit_ms = 1'000) {
    ScriptedEngines simulation(scripts);
    MateSearch mate_search(*usi::parse_position(kMated), simulation.members());
    mate_search.begin(limit_ms, simulation.now);
    const std::int64_t begun = simulation.now;
    while (!mate_search.result() && simulation.now < begun + 10'000) {
      ++simulation.now;
      simulation.pass();
      mate_search.look(simulation.now);
    }
    spent = simulation.now - begun;
    notes = mate_search.take_notes();
    EXPECT_TRUE(mate_search.result());
    return mate_search.result().value_or(usi::Checkmate{});
  }
  std::int64_t spent = 0;
  std::vector<std::string> notes;
};

TEST_F(MateSearches, TheFirstProofWins) {
  const auto answer = search({{.mate = "G*5b", .delay = 20}, {}});
  EXPECT_EQ(to_text(answer), "checkmate G*5b");
  EXPECT_LE(spent, 21) << "who is silent is not waited for";
  EXPECT_EQ(to_text(search({{.mate = "timeout"}, {.mate = "nomate"}})), "checkmate nomate");
}

TEST_F(MateSearches, AMateThatIsNoneIsLeftOut) {
  for (const char* const line : {"G*4b", "G*5a", "5c5b", "5c5b+ 5a4b"}) {
    EXPECT_EQ(to_text(search({{.mate = line}, {.mate = "timeout"}})), "checkmate timeout") << line;
    EXPECT_THAT(notes, ElementsAre(HasSubstr("its mate is none"))) << line;
  }
}

TEST_F(MateSearches, SilenceIsATimeout) {
  EXPECT_EQ(to_text(search({{}, {}})), "checkmate timeout");
  EXPECT_EQ(spent, 1'200);
  EXPECT_EQ(to_text(search({{.mate = "notimplemented"}, {.mate = "notimplemented"}})), "checkmate timeout");
  EXPECT_LT(spent, 10);
}

}  // namespace
}  // namespace fuhyo::members
