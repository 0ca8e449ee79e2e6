// fuhyo-mix as a whole, with engines in processes of their own.
#include "engines/mix/engine.h"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "tests/support/expected.h"
#include "tests/support/patience.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/mix/simulation.h"
#include "tests/unit/usi/conversation.h"

namespace fuhyo::mix {
namespace {

using test::count;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::string converse(const std::string& input) {
  Engine engine("/");
  return test::converse(engine, input);
}

std::string engines(const std::string& first, const std::string& second) {
  return "Threads 2\nUSI_Hash 16\nEngine1 " + first + "\nEngine2 " + second + "\n";
}
std::string fakes(const std::string& first, const std::string& second) {
  return engines(std::string(FAKE_ENGINE) + " " + first, std::string(FAKE_ENGINE) + " " + second);
}
const std::string kNnueTwice =
    engines(FUHYO_NNUE, FUHYO_NNUE) + "Engine1Name first\nEngine2Name second\nEngine2Options EvalNoise=300\n";

TEST(MixProgram, SaysUsiokWithoutAskingAnybody) {
  const std::string out = converse(engines("/nonexistent", "/nonexistent") + "usi\nquit\n");
  EXPECT_THAT(out, HasSubstr("id name Fuhyo Mix"));
  EXPECT_THAT(out, HasSubstr("usiok"));
}

TEST(MixProgram, OneThatCannotBeStartedIsNamed) {
  const std::string out = converse(engines(FUHYO_NNUE, "/nonexistent/engine") + "isready\ngo nodes 1\nwait\nquit\n");
  EXPECT_THAT(out, HasSubstr("Error! /nonexistent/engine: has ended: cannot run"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
  EXPECT_THAT(out, HasSubstr("bestmove resign"));
}

TEST(MixProgram, WhatAMemberSaysIsWrongIsTold) {
  const std::string out =
      converse(engines(FUHYO_NNUE, FUHYO_NNUE) + "Engine2Options EvalFile=/nonexistent/net\nisready\nquit\n");
  EXPECT_THAT(out, HasSubstr("/nonexistent/net"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
}

TEST(MixProgram, AnUnknownOptionOfAMemberIsAnError) {
  const std::string out = converse(fakes("good", "good") + "Engine1Options Skill=3\nisready\nquit\n");
  EXPECT_THAT(out, HasSubstr("no option named 'Skill'"));
  EXPECT_THAT(out, Not(HasSubstr("readyok")));
}

TEST(MixProgram, SpeaksUsiWithTwoNnues) {
  const std::string out =
      converse(kNnueTwice +
               "isready\nusinewgame\nposition startpos moves 7g7f\ngo nodes 2000\nwait\n"
               "go infinite\nstop\nwait\ngo movetime 100\nwait\ngo ponder byoyomi 1000\nponderhit\n"
               "stop\ngo depth 4 searchmoves 8c8d\nwait\n"
               "position sfen 4k4/9/4P4/9/9/9/9/9/4K4 b G2r2b3g4s4n4l17p 1\ngo mate infinite\n"
               "wait\ngo nodes 100\nwait\nusinewgame\nposition startpos\ngo nodes 500\nwait\nbench 50\n"
               "eval\nquit\n");
  EXPECT_EQ(count(out, "readyok"), 1U);
  EXPECT_EQ(count(out, "\nbestmove "), 7U + 6U) << out;
  EXPECT_THAT(out, HasSubstr("\ncheckmate G*5b\n"));
  EXPECT_THAT(out, HasSubstr("bestmove 8c8d"));
  EXPECT_THAT(out, HasSubstr("bestmove G*5b"));
  EXPECT_THAT(out, HasSubstr("info string first: depth "));
  EXPECT_THAT(out, HasSubstr("info string second: depth "));
  EXPECT_THAT(out, HasSubstr(" wdl "));
  EXPECT_THAT(out, HasSubstr("\neval: "));
  EXPECT_EQ(count(out, "Error"), 0U) << out;
}

// From move to move: the one that ends at the second "go" of its life is left out, and back for the next move.
TEST(MixProgram, OneThatCrashesIsBackForTheNextMove) {
  Engine engine("/");
  ASSERT_TRUE(engine.options().set("USI_Hash", "16"));
  ASSERT_TRUE(engine.options().set("Engine1", FUHYO_NNUE));
  ASSERT_TRUE(engine.options().set("Engine2", std::string(FAKE_ENGINE) + " crash"));
  ASSERT_TRUE(engine.get_ready());
  const auto game = *usi::parse_position("startpos");
  std::vector<std::string> told;
  const auto report = [&](const usi::Info& info) { told.push_back(info.text); };
  bool crashed = false, back = false;
  // The opponent thinks meanwhile: as long as it takes.
  const bool came = test::eventually([&] {
    const usi::SearchControl control;
    told.clear();
    const auto result = engine.search(game, {.nodes = 200}, control, report);
    EXPECT_TRUE(game.current().is_legal(result.best.move));
    const auto says = [&](std::string_view what) {
      return std::ranges::any_of(told, [&](const auto& text) { return text.find(what) != std::string::npos; });
    };
    back = crashed && says("Fake crash 2h3h");
    crashed = crashed || says("killed by signal 6");
    return back;
  });
  EXPECT_TRUE(came);
}

TEST(MixProgram, BadMannersHarmNobody) {
  for (const char* const mode : {"hang", "late", "illegal", "garbage", "double", "flood", "longline"}) {
    const std::string out =
        converse(engines(FUHYO_NNUE, std::string(FAKE_ENGINE) + " " + mode) +
                 "isready\nposition startpos\ngo movetime 100\nwait\ngo movetime 100\nwait\nquit\n");
    EXPECT_EQ(count(out, "readyok"), 1U) << mode;
    EXPECT_EQ(count(out, "\nbestmove "), 2U) << mode;
    EXPECT_EQ(count(out, "\nbestmove resign"), 0U) << mode;
    EXPECT_EQ(count(out, "\nbestmove 5e5d"), 0U) << mode;
  }
}

TEST(MixProgram, AnswersThoughNobodyElseDoes) {
  Engine engine("/");
  ASSERT_TRUE(engine.options().set("Engine1", std::string(FAKE_ENGINE) + " hang"));
  ASSERT_TRUE(engine.options().set("Engine2", std::string(FAKE_ENGINE) + " hang"));
  ASSERT_TRUE(engine.get_ready());
  const usi::SearchControl control;
  const auto game = *usi::parse_position("startpos");
  const auto result = engine.search(game, {.movetime_ms = 100}, control, [](const usi::Info&) {});
  EXPECT_TRUE(game.current().is_legal(result.best.move));
}

TEST(MixProgram, ADeclarationIsOursToMake) {
  const std::string out = converse(fakes("good", "good") + "isready\nposition sfen " +
                                   "1K7/+R+R+B+B+P+P+P+P+P/+P8/9/9/9/9/9/8k b 4G4S10P 1\ngo movetime 100\nwait\n" +
                                   "EnteringKingRule NoEnteringKing\nisready\ngo movetime 100\nwait\nquit\n");
  EXPECT_EQ(count(out, "bestmove win"), 1U) << out;
  EXPECT_EQ(count(out, "bestmove "), 2U);
}

TEST(MixProgram, ResignValueIsOfTheMeanOfAll) {
  const std::string out = converse(kNnueTwice +
                                   "ResignValue 500\nisready\n"
                                   "position startpos\ngo nodes 500\nwait\n"
                                   "position sfen lnsgkgsnl/1r5b1/ppppppppp/9/9/9/9/9/4K4 b - 1\ngo nodes 500\nwait\n"
                                   "quit\n");
  EXPECT_EQ(count(out, "bestmove resign"), 1U) << out;
  EXPECT_THAT(out, HasSubstr("resigns, as ResignValue says"));
}

TEST(MixProgram, DisagreementsAreLogged) {
  const test::TemporaryFolder folder;
  const std::string file = folder / "decisions.jsonl";
  const std::string out = converse(
      engines(FUHYO_NNUE, std::string(FAKE_ENGINE) + " good") + "DecisionLog " + file +
      "\nEngine2Name \"fake\"\nisready\nposition startpos\ngo nodes 1000\nwait\ngo infinite\nstop\nwait\nquit\n");
  std::ifstream in(file);
  std::string line;
  ASSERT_TRUE(std::getline(in, line)) << out;
  const auto logged = boost::json::parse(line).as_object();
  EXPECT_THAT(std::string(logged.at("sfen").as_string()), StartsWith("lnsgkgsnl"));
  const auto& voices = logged.at("engines").as_array();
  ASSERT_EQ(voices.size(), 2U);
  EXPECT_EQ(voices[0].at("name").as_string(), "Fuhyo NNUE");
  EXPECT_EQ(voices[1].at("name").as_string(), "\"fake\"");
  EXPECT_EQ(voices[1].at("move").as_string(), "2h3h");
  EXPECT_EQ(voices[0].at("before").as_object().size(), 1U);
  EXPECT_EQ(voices[0].at("after").as_object().size(), 2U) << line;
  EXPECT_FALSE(logged.at("reason").as_string().empty());
  EXPECT_TRUE(logged.contains("choice") && logged.contains("first_ms") && logged.contains("total_ms"));
  EXPECT_FALSE(std::getline(in, line)) << "what is only analysed is not logged: " << line;
  EXPECT_THAT(out, HasSubstr("does not honour searchmoves"));
}

TEST(MixProgram, ALogThatCannotBeWrittenIsToldOnceAndHarmsNothing) {
  for (const char* const file : {"/nonexistent/log", "/dev/full"}) {
    const std::string out =
        converse(engines(FUHYO_NNUE, std::string(FAKE_ENGINE) + " good") + "DecisionLog " + file +
                 "\nisready\nposition startpos\ngo nodes 500\nwait\ngo nodes 500\nwait\ngo nodes 500\nwait\nquit\n");
    EXPECT_EQ(count(out, "DecisionLog"), 1U) << file << out;
    EXPECT_EQ(count(out, "bestmove "), 3U) << file;
  }
}

// ---- settings ----

TEST(Settings, ThreadsAndMemoryAreDealtOut) {
  Engine engine("/");
  usi::OptionTable& options = engine.options();
  ASSERT_TRUE(options.set("Threads", "5"));
  ASSERT_TRUE(options.set("USI_Hash", "100"));
  ASSERT_TRUE(options.set("Engine3", "./third --flag 'a b'"));
  ASSERT_TRUE(options.set("Engine3Options", "EvalFile='a b.bin' Threads=1"));
  const auto settings = settings_of(options, "/nonexistent");
  ASSERT_TRUE(settings);
  ASSERT_EQ(settings->members.size(), 3U);
  const auto told = [&](std::size_t post, const std::string& name) {
    for (const auto& [option, value] : settings->members[post].setup.if_declared) {
      if (option == name) return value;
    }
    return std::string();
  };
  EXPECT_EQ(told(0, "Threads") + told(1, "Threads") + told(2, "Threads"), "221");
  EXPECT_EQ(told(0, "USI_Hash") + " " + told(1, "USI_Hash") + " " + told(2, "USI_Hash"), "33 33 34");
  EXPECT_EQ(settings->members[0].command, std::vector<std::string>{"fuhyo-nnue"});
  EXPECT_EQ(settings->members[2].command, (std::vector<std::string>{"./third", "--flag", "a b"}));
  EXPECT_EQ(settings->members[2].setup.options, (EngineOptions{{"EvalFile", "a b.bin"}, {"Threads", "1"}}));
  EXPECT_EQ(settings->members[0].setup.scale, 600);
  EXPECT_EQ(settings->members[1].setup.scale, 756);
}

TEST(Settings, AProgramBesideIsTakenFirst) {
  Engine engine("/");
  const std::filesystem::path nnue = FUHYO_NNUE;
  const auto settings = settings_of(engine.options(), nnue.parent_path());
  EXPECT_EQ(settings->members[0].command.front(), nnue.string());
}

TEST(Settings, WhatIsWrongIsNamed) {
  const auto error = [](const std::string& option, const std::string& value) {
    Engine engine("/");
    EXPECT_TRUE(engine.options().set(option, value));
    return test::error_of(settings_of(engine.options(), "/"));
  };
  EXPECT_THAT(error("Engine1Options", "Threads"), HasSubstr("Engine1Options: NAME=VALUE expected, not 'Threads'"));
  EXPECT_THAT(error("Engine1Options", "=2"), HasSubstr("Engine1Options"));
  EXPECT_THAT(error("Engine2Options", "A='b"), HasSubstr("Engine2Options: a quote is not closed"));
  EXPECT_THAT(error("Engine2", "'x"), HasSubstr("Engine2: a quote is not closed"));
  Engine nobody("/");
  ASSERT_TRUE(nobody.options().set("Engine1", "") && nobody.options().set("Engine2", ""));
  EXPECT_THAT(settings_of(nobody.options(), "/").error(), HasSubstr("there is no engine"));
}

TEST(MixProgram, ItsOptionsAreDocumented) {
  Engine engine("/");
  test::expect_documented(engine, "fuhyo-mix");
}

}  // namespace
}  // namespace fuhyo::mix
