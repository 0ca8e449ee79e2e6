// A program of commands: its exit codes, and what is meant by a line that is refused.
#include "engines/manual/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/mistake.h"
#include "engines/manual/suggest.h"

namespace fuhyo::manual {
namespace {

using testing::HasSubstr;

struct Mistakes : testing::Test {
  Mistakes() {
    CLI::App* serve = root.add_subcommand("serve");
    serve->add_option("--max-moves", value);
    root.add_subcommand("config")->add_subcommand("check");
  }
  std::string of(std::vector<std::string_view> words) { return meant(root, words); }
  CLI::App root;
  std::string value;
};

TEST_F(Mistakes, AreFlagsAndSubcommandsOfTheirPlace) {
  EXPECT_EQ(of({"serve", "--max-move", "3"}), "did you mean --max-moves?");
  EXPECT_EQ(of({"serve", "--max_moves=3"}), "did you mean --max-moves?");
  EXPECT_EQ(of({"sevre", "--max-moves", "3"}), "did you mean serve?");
  EXPECT_EQ(of({"config", "chek"}), "did you mean check?");
  EXPECT_EQ(of({"--max-moves"}), "");  // no flag of the root looks like it
  EXPECT_EQ(of({"config", "entirely"}), "");
  EXPECT_EQ(of({"serve", "--max-moves", "x"}), "");  // wrong in another way
  EXPECT_EQ(of({}), "");
}

TEST(Suggestions, AreNearAndOnlyThen) {
  const std::vector<std::string_view> known = {"max-moves", "event", "csa", "csa-tls", "resume-window"};
  EXPECT_EQ(nearest("MAX_MOVES", known), "max-moves");
  EXPECT_EQ(nearest("evnet", known), "event");
  EXPECT_EQ(nearest("cas", known), "csa");
  EXPECT_EQ(nearest("csa-tsl", known), "csa-tls");
  EXPECT_EQ(nearest("resumewindows", known), "resume-window");
  for (const std::string& far : {std::string("xyz"), std::string(), std::string(65, 'a'), std::string(10'000, 'e')}) {
    EXPECT_EQ(nearest(far, known), "");
  }
  EXPECT_EQ(nearest("event", {}), "");
  EXPECT_EQ(did_you_mean("evnet", known), "; did you mean event?");
}

class ProgramTest : public testing::Test {
 protected:
  int run_with(std::vector<const char*> words) {
    words.insert(words.begin(), "p");
    said_.clear();
    testing::internal::CaptureStdout();
    const int code = run(program_, static_cast<int>(words.size()), words.data());
    printed_ = testing::internal::GetCapturedStdout();
    return code;
  }

  int number_ = 0;
  std::string said_, printed_;
  Program program_{.name = "p",
                   .about = "A program.",
                   .version = "p 1.2",
                   .commands = {{"count",
                                 [this](CLI::App& root) {
                                   root.add_subcommand("count", "Counts")->add_option("--upto", number_);
                                   return [this] { return number_; };
                                 }},
                                {"fail",
                                 [](CLI::App& root) {
                                   root.add_subcommand("fail", "Fails");
                                   return [] { return 1; };
                                 }}},
                   .print_errors = [this](const std::string& lines) { said_ += lines; }};
};

TEST_F(ProgramTest, EndsAsTheCommandThatWasGiven) {
  EXPECT_EQ(run_with({"count", "--upto", "7"}), 7);
  EXPECT_EQ(run_with({"fail"}), 1);
  EXPECT_EQ(said_, "");
}

TEST_F(ProgramTest, SaysWhatItIs) {
  EXPECT_EQ(run_with({"--version"}), 0);
  EXPECT_EQ(printed_, "p 1.2\n");
  EXPECT_EQ(run_with({"--help"}), 0);
  for (const char* part : {"A program.", "Counts", "completion", "manual"}) EXPECT_THAT(printed_, HasSubstr(part));
  EXPECT_EQ(run_with({"completion", "bash"}), 0);
  EXPECT_THAT(printed_, HasSubstr("count"));
}

TEST_F(ProgramTest, RefusesWhatItDoesNotKnowAndAsksWhatWasMeant) {
  EXPECT_EQ(run_with({}), 64);
  EXPECT_EQ(run_with({"cuont"}), 64);
  EXPECT_THAT(said_, HasSubstr("did you mean count?"));
  EXPECT_EQ(run_with({"count", "--up", "3"}), 64);
  EXPECT_EQ(said_, "There is no option --up here.\nRun with --help for more information.\n");
  EXPECT_EQ(run_with({"count", "--upt", "3", "4"}), 64);
  EXPECT_EQ(said_, "There is no option --upt here.\nRun with --help for more information.\ndid you mean --upto?\n");
  EXPECT_EQ(run_with({"count", "one", "two"}), 64);
  EXPECT_EQ(said_, "There is nothing to do with one two here.\nRun with --help for more information.\n");
  EXPECT_EQ(run_with({"count", "--upto", "many"}), 64);
  EXPECT_EQ(printed_, "");
}

}  // namespace
}  // namespace fuhyo::manual
