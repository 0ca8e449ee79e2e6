// Command lines: the flags of `fuhyo join`, and what a refused one may have meant.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>

#include <CLI/CLI.hpp>

#include "server/app/commands.h"
#include "server/app/join/options.h"
#include "tests/support/temporary_folder.h"

namespace fuhyo::app {
namespace {

using testing::HasSubstr;

std::string server(std::string_view text) {
  const auto split = split_server(text);
  return split ? split->first + " " + split->second : split.error();
}

TEST(TournamentCommand, ReckonsWithAsManyEntrantsAsTheFileTakesAndNoMore) {
  const test::TemporaryFolder folder;
  const auto file = folder.write(
      "event.toml", "name = \"e\"\ntitle = \"E\"\nformat = \"round-robin\"\ntime = \"300-5F\"\n[entry]\nmax = 3\n");
  const auto code_for = [&](std::string_view verb, const char* entrants) {
    CLI::App root;
    const Command run = add_tournament(root);
    root.parse(fmt::format("tournament {} {} --entrants {}", verb, file.string(), entrants));
    return run();
  };
  for (const std::string& verb : {"simulate --output " + folder.file("tables"), std::string("check")}) {
    EXPECT_EQ(code_for(verb, "3"), kExitOk);
    EXPECT_EQ(code_for(verb, "4"), kExitUsage);
  }
}

TEST(JoinOptions, TakesEveryFormOfAddress) {
  EXPECT_EQ(server("wdoor.c.u-tokyo.ac.jp:4081"), "wdoor.c.u-tokyo.ac.jp 4081");
  EXPECT_EQ(server("localhost"), "localhost 4081");
  EXPECT_EQ(server("127.0.0.1:1"), "127.0.0.1 1");
  EXPECT_EQ(server("[::1]:65535"), "::1 65535");
  EXPECT_EQ(server("[::1]"), "::1 4081");
  EXPECT_EQ(server("fe80::1"), "fe80::1 4081");
}

TEST(JoinOptions, RefusesWhatIsNoAddress) {
  for (const char* text : {"", ":4081", "host:", "host:0", "host:65536", "host:x", "host:4081x", "[::1", "host:-1"}) {
    EXPECT_THAT(server(text), HasSubstr("--server")) << text;
  }
}

TEST(JoinOptions, SplitsEngineOptionsAtTheFirstEqualsSign) {
  EXPECT_EQ(*split_option("USI_Hash=256"), (std::pair<std::string, std::string>("USI_Hash", "256")));
  EXPECT_EQ(*split_option("Book=a=b c"), (std::pair<std::string, std::string>("Book", "a=b c")));
  EXPECT_EQ(*split_option("Empty="), (std::pair<std::string, std::string>("Empty", "")));
  for (const char* text : {"", "Name", "=value"}) EXPECT_FALSE(split_option(text)) << text;
}

TEST(JoinOptions, PutsTheGameIntoThePasswordOfCsaMode) {
  EXPECT_EQ(csa_password("", '*', "floodgate-300-10F,trip"), "floodgate-300-10F,trip");
  EXPECT_EQ(csa_password("test-10-1", '*', "x"), "test-10-1,x");
  EXPECT_EQ(csa_password("test-10-1", '+', "x"), "test-10-1-B,x");
  EXPECT_EQ(csa_password("test-10-1F", '-', "x"), "test-10-1F-W,x");
}

TEST(JoinOptions, APasswordIsTheFirstLineOfItsFile) {
  const test::TemporaryFolder folder;
  for (const char* text : {"secret", "secret\n", "secret\r\nmore\n"}) {
    EXPECT_EQ(password_in(folder.write("file", text)).value_or(""), "secret") << text;
  }
  for (const char* text : {"", "\n", "\r\n", "\nsecret\n"}) {
    EXPECT_EQ(password_in(folder.write("file", text)).error(), "its first line is empty") << text;
  }
  EXPECT_THAT(password_in(folder.file("none")).error(), HasSubstr("No such file"));
  EXPECT_THAT(password_in(folder.path()).error(), HasSubstr("directory"));
}

}  // namespace
}  // namespace fuhyo::app
