// players.yaml and the history of floodgate: shogi-server's own files are read, ours are written as it writes them, and
// what is wrong is named with its line.
#include "server/store/shogi_server/players_file.h"

#include <algorithm>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <string>
#include <vector>

#include "server/store/shogi_server/history_file.h"

namespace fuhyo::store {
namespace {

std::string golden_file() {
  std::ifstream in(std::string(FUHYO_SOURCE_DIR) + "/tests/golden/rating/players.yaml");
  return {std::istreambuf_iterator<char>(in), {}};
}

// The lines of each player, in the order of players: mk_rate writes a group in the order in which it walked through it.
std::vector<std::string> in_order(const std::string& text) {
  std::vector<std::string> blocks;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    if (line.starts_with("      "))
      blocks.back() += line;
    else
      blocks.push_back(line);
    at = end;
  }
  std::ranges::sort(blocks);
  return blocks;
}

TEST(PlayersFile, OfMkRateIsRead) {
  const auto ratings = read_players(golden_file(), "players.yaml");
  ASSERT_TRUE(ratings) << to_string(ratings.error());
  ASSERT_EQ(ratings->players.size(), 9U);
  const core::PlayerRating& player = ratings->players.at("player000+50f5647d2380309d432a5cd27a6b13a1");
  EXPECT_EQ(player.name, "player000");
  EXPECT_EQ(player.group, 0);
  EXPECT_EQ(player.rate, 844);
  EXPECT_EQ(player.win, 8.559226673490846);
  EXPECT_EQ(player.last_modified.us, 1'767'181'384 * core::kSecond);  // 2025-12-31 11:43:04 UTC
}

TEST(PlayersFile, IsWrittenAsMkRateWritesIt) {
  const auto ratings = read_players(golden_file(), "players.yaml");
  ASSERT_TRUE(ratings);
  EXPECT_EQ(in_order(write_players(*ratings, {})), in_order(golden_file()));
}

TEST(PlayersFile, WhatIsWrittenIsReadBack) {
  core::PlayerRatings ratings;
  ratings.players["true+1"] = {.name = "true", .rate = -12, .group = 3, .win = 1e-7, .loss = 1e20};
  ratings.players["a'b: c+2"] = {.name = "a'b: c", .rate = 0, .group = core::kUnratedGroup, .win = 0.1};
  ratings.players["@x"] = {.name = "@x", .rate = 1.5, .last_modified = {1'766'551'869'123'456}};
  ratings.players["123+4"] = {.name = "123", .rate = 9999};
  for (const core::TimeZone& zone :
       {core::TimeZone{}, core::TimeZone{{{INT64_MIN, 9 * 3600}}}, core::TimeZone{{{INT64_MIN, -12'600}}}}) {
    const std::string text = write_players(ratings, zone);
    const auto read = read_players(text, "f");
    ASSERT_TRUE(read) << to_string(read.error()) << text;
    EXPECT_EQ(*read, ratings) << text;
  }
}

TEST(PlayersFile, SaysItInRubysWords) {
  core::PlayerRatings ratings;
  EXPECT_EQ(write_players(ratings, {}), "---\nplayers:\n  999: {}\n");
  ratings.players["no+1"] = {.name = "no", .rate = 1200, .win = 1e-5, .loss = 1e16, .last_modified = {1'000'000}};
  EXPECT_EQ(write_players(ratings, core::TimeZone{{{INT64_MIN, 9 * 3600}}}),
            "---\n"
            "players:\n"
            "  0:\n"
            "    no+1:\n"
            "      name: 'no'\n"
            "      rating_group: 0\n"
            "      rate: 1200.0\n"
            "      last_modified: 1970-01-01 09:00:01.000000000 +09:00\n"
            "      win: 1.0e-05\n"
            "      loss: 1.0e+16\n"
            "  999: {}\n");
}

TEST(PlayersFile, FormsThatPeopleWrite) {
  const auto ratings = read_players(
      "players:\n  0:\n    a+1: {rate: 1500}\n    b+1: {rate: 12, last_modified: 2026-01-02, win: 3}\n"
      "    c+1: {last_modified: 2026-01-02T03:04:05Z}\n  1:\n    a+1: {rate: 7}\n  999:\n",
      "f");
  ASSERT_TRUE(ratings) << to_string(ratings.error());
  EXPECT_EQ(ratings->players.at("a+1").rate, 1500) << "the first group has the word";
  EXPECT_EQ(ratings->players.at("a+1").name, "a");
  EXPECT_EQ(ratings->players.at("b+1").last_modified.us, 1'767'312'000 * core::kSecond);
  EXPECT_EQ(ratings->players.at("c+1").last_modified.us, 1'767'323'045 * core::kSecond);
  EXPECT_TRUE(read_players("", "f")->players.empty());
  EXPECT_TRUE(read_players("--- {}\n", "f").error().text.contains("players"));
}

std::string fault_of(const std::string& text) {
  const auto ratings = read_players(text, "players.yaml");
  return ratings ? "" : to_string(ratings.error());
}

TEST(PlayersFile, SaysWhereItIsWrong) {
  const std::string head = "players:\n  0:\n    a+1:\n";
  EXPECT_EQ(fault_of(head + "      rate: many\n"), "players.yaml:4: rate: 'many' is no number");
  EXPECT_EQ(fault_of(head + "      rate: .nan\n"), "players.yaml:4: rate: '.nan' is no number");
  EXPECT_EQ(fault_of(head + "      win: 1\n      last_modified: today\n"),
            "players.yaml:5: last_modified: 'today' is no time");
  EXPECT_EQ(fault_of(head + "      last_modified: 2026-02-30\n"),
            "players.yaml:4: last_modified: '2026-02-30' is no time");
  EXPECT_EQ(fault_of("players:\n  first:\n    a+1: {}\n"),
            "players.yaml:2: the number of a group: 'first' is no number");
  EXPECT_EQ(fault_of("players:\n  -1: {}\n"), "players.yaml:2: -1 is no group");
  EXPECT_EQ(fault_of("players:\n  0:\n    a+1: 5\n"), "players.yaml:3: has no keys");
  EXPECT_EQ(fault_of("players:\n  0: [1]\n"), "players.yaml:2: group 0 has no players");
  EXPECT_EQ(fault_of("a: 1\n"), "players.yaml:1: has no 'players:'");
  EXPECT_TRUE(fault_of("players: [\n").starts_with("players.yaml:")) << fault_of("players: [\n");
}

TEST(FloodgateHistory, IsRead) {
  const auto games = read_floodgate_history(
      "---\n"
      "- :game_id: wdoor+floodgate-900-0+a+b+20260101120000\n"
      "  :black: a+1\n  :white: b+2\n  :winner: b+2\n  :loser: a+1\n"
      "- :game_id: x\n"
      "  :black: a+1\n  :white: b+2\n  :winner:\n  :loser:\n",
      "f");
  ASSERT_TRUE(games) << to_string(games.error());
  ASSERT_EQ(games->size(), 2U);
  EXPECT_EQ((*games)[0], (core::PastGame{.csa_id = "wdoor+floodgate-900-0+a+b+20260101120000",
                                         .game_name = "floodgate-900-0",
                                         .black_id = "a+1",
                                         .white_id = "b+2",
                                         .outcome = core::Outcome::white_wins}));
  EXPECT_EQ((*games)[1].outcome, core::Outcome::draw);
  EXPECT_TRUE(read_floodgate_history("", "f")->empty());
}

TEST(FloodgateHistory, SaysWhereItIsWrong) {
  const auto fault_in = [](const std::string& text) {
    const auto games = read_floodgate_history(text, "h.yaml");
    return games ? "" : to_string(games.error());
  };
  EXPECT_EQ(fault_in("a: 1\n"), "h.yaml:1: is no list of games");
  EXPECT_EQ(fault_in("- :game_id: x\n  :black: a\n"), "h.yaml:1: has no white");
  EXPECT_EQ(fault_in("- :game_id: x\n  :black: a\n  :white: b\n  :winner: c\n"),
            "h.yaml:4: the winner is neither black nor white");
}

}  // namespace
}  // namespace fuhyo::store
