// What a refused command line may have meant.
#include "server/app/mistake.h"

#include <gtest/gtest.h>
#include <string>

#include <CLI/CLI.hpp>

namespace fuhyo::app {
namespace {

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

}  // namespace
}  // namespace fuhyo::app
