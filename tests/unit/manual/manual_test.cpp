// Man pages and completions of a small tree of commands.
#include <cstdint>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/commands.h"

namespace fuhyo::manual {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

struct Manual : testing::Test {
  Manual() {
    CLI::App* serve = root.add_subcommand("serve", "Runs it; \"it's\" a server");
    serve->add_option("-r,--role", text, ".5 of a\\b role")->type_name("game|web");
    serve->add_option("--data", text, "where")->type_name("DIR");
    serve->add_option("--secret", text, "hidden")->group("");
    serve->add_flag("--fast", flag, "at once");
    CLI::App* config = root.add_subcommand("config", "About files");
    config->require_subcommand(1);
    config->add_subcommand("check", "Looks")->add_option("FILE,--config", text, "which")->type_name("FILE");
    root.add_subcommand("complete", "Hidden")->group("");
    root.add_subcommand("admin", "Asks")->prefix_command();
    serve->footer("'quoted'\n.dot");
  }
  std::string page(const std::string& name) {
    for (const Page& one : man_pages(root, "p 1.2")) {
      if (one.name == name) return one.text;
    }
    ADD_FAILURE() << name;
    return {};
  }
  CLI::App root{"A program.", "p"};
  std::string text;
  bool flag = false;
};

TEST_F(Manual, ThePlacesAreThoseThatAreShown) {
  std::vector<std::string> paths;
  for (const CommandPath& command_path : command_paths(root)) paths.push_back(command_path.path);
  EXPECT_THAT(paths, ElementsAre("p", "p serve", "p config", "p config check", "p admin"));
}

TEST_F(Manual, NumbersWithoutASignTakeNoMinus) {
  std::uint64_t seed = 0, first = 0;
  std::vector<std::size_t> sizes;
  int last = 0;
  root.add_option("--seed", seed);
  CLI::App* play = root.add_subcommand("play");
  play->add_option("--first", first)->check(CLI::Range(1, 9));
  play->add_option("--last", last);
  play->add_option("--sizes", sizes)->delimiter(',');
  const std::string type = root.get_option("--seed")->get_type_name();
  refuse_negative(root);
  EXPECT_EQ(root.get_option("--seed")->get_type_name(), type);
  const auto fault = [&](const std::string& words) -> std::string {
    try {
      root.parse(words);
    } catch (const CLI::ParseError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(fault("--seed -1"), "--seed: -1 is less than 0");
  EXPECT_EQ(fault("--seed=-1"), "--seed: -1 is less than 0");
  EXPECT_EQ(fault("play --sizes 1,-2"), "--sizes: -2 is less than 0");
  EXPECT_NE(fault("play --first -1"), "");
  EXPECT_EQ(fault("--seed 18446744073709551615 play --last -1 --sizes 3,4"), "");
  EXPECT_EQ(seed, ~std::uint64_t{0});
  EXPECT_EQ(last, -1);
  EXPECT_THAT(sizes, ElementsAre(3, 4));
}

TEST_F(Manual, ChoicesAreTypesOfPlainWordsWithBars) {
  const CLI::App* serve = root.get_subcommand("serve");
  EXPECT_THAT(choices_of(*serve->get_option("--role")), ElementsAre("game", "web"));
  EXPECT_THAT(choices_of(*serve->get_option("--data")), ElementsAre());
  EXPECT_THAT(choices_of(*serve->get_option("--fast")), ElementsAre());
  EXPECT_FALSE(takes_value(*serve->get_option("--fast")));
}

TEST_F(Manual, APageACommandAndOneOfTheProgram) {
  EXPECT_THAT(page("p.1"), HasSubstr(".BR p\\-serve (1)\nRuns it"));
  EXPECT_THAT(page("p.1"), Not(HasSubstr("Hidden")));
  EXPECT_THAT(page("p-serve.1"), HasSubstr(".TH P-SERVE 1 "));
  EXPECT_THAT(page("p-serve.1"), HasSubstr("\\fB\\-r\\fR, \\fB\\-\\-role\\fR \\fIgame|web\\fR\n\\&.5 of a\\eb role\n"));
  EXPECT_THAT(page("p-serve.1"), HasSubstr(".nf\n\\&'quoted'\n\\&.dot\n.fi\n"));
  EXPECT_THAT(page("p-serve.1"), Not(HasSubstr("secret")));
  EXPECT_THAT(page("p-config.1"), HasSubstr(".SS p config check\n"));
  EXPECT_THAT(page("p-config.1"), HasSubstr("\\fBp config check\\fR [\\fIoption\\fR]... [\\fIFILE\\fR]"));
  EXPECT_THAT(page("p-config.1"), HasSubstr("\\fB\\-\\-config\\fR"));
}

TEST_F(Manual, CompletionsOfferCommandsFlagsAndChoices) {
  const std::string bash = completion_script(root, "bash");
  EXPECT_THAT(bash, HasSubstr("'p') offered='serve config admin -h --help'"));
  EXPECT_THAT(bash, HasSubstr("'p serve -r' | 'p serve --role') offered='game web'"));
  EXPECT_THAT(bash, HasSubstr("admin complete \"${COMP_WORDS[@]:2:COMP_CWORD-2}\""));
  const std::string zsh = completion_script(root, "zsh");
  EXPECT_TRUE(zsh.starts_with("#compdef p\n"));
  EXPECT_THAT(zsh, HasSubstr("'serve:Runs it; \"it'\\''s\" a server'"));
  const std::string fish = completion_script(root, "fish");
  EXPECT_THAT(fish, HasSubstr("-s r -l role -x -a 'game web' -d '.5 of a\\\\b role'"));
  EXPECT_THAT(fish, HasSubstr("-l data -r -d 'where'"));
  for (const std::string& script : {bash, zsh, fish}) EXPECT_THAT(script, Not(HasSubstr("secret")));
  EXPECT_EQ(completion_script(root, "tcsh"), "");
}

}  // namespace
}  // namespace fuhyo::manual
