// A built-in player whose strength is what the name of each game asks for.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

#include "server/host/bridge.h"
#include "server/host/game_summary.h"
#include "server/host/player_line.h"
#include "tests/unit/host/summary_text.h"

namespace fuhyo::host {
namespace {

TEST(LevelByGame, IsTheNumberInItsName) {
  const std::pair<const char*, int> ids[] = {
      {"ev+level1-600-10F+a+b+20261121041440", 1},
      {"ev+level30-0-30+a+b+20261121041440", 30},
      {"ev+level31-600-10+a+b+20261121041440", 0},
      {"ev+level0-600-10+a+b+20261121041440", 0},
      {"ev+level-600-10+a+b+20261121041440", 0},
      {"ev+level7x-600-10+a+b+20261121041440", 0},
      {"ev+club-600-10+level7-x+b+20261121", 0},
      {"level7-600-10", 0},
      {"", 0},
  };
  for (const auto& [id, level] : ids) EXPECT_EQ(level_asked(id), level) << id;
}

TEST(LevelByGame, IsSaidInALineOfConfiguration) {
  EXPECT_TRUE(parse_player_line("name=a engine=b serve=level*-* level=game")->level_by_game);
  EXPECT_FALSE(parse_player_line("name=a engine=b level=7")->level_by_game);
}

// What the engine hears between `begin` and the end of its preparation for a game of this name.
std::vector<std::string> prepared_for(Bridge& bridge, const std::string& name) {
  for (std::string line : summary('+', time_block(10, 1, 0))) {
    if (const std::size_t at = line.find("test-10-1"); at != std::string::npos) line.replace(at, 9, name);
    bridge.server_line(line, 0);
  }
  std::vector<std::string> heard;
  for (const Bridge::Output& output : bridge.take()) {
    if (const auto* line = std::get_if<Bridge::ToEngine>(&output)) heard.push_back(line->line);
  }
  return heard;
}

TEST(LevelByGame, IsToldToTheEngineBeforeEveryGame) {
  Bridge bridge({.name = "A", .mode = Bridge::Mode::x1, .game = "", .level_by_game = true});
  bridge.engine_started(0);
  for (const char* line : {"usiok", "readyok"}) bridge.engine_line(line, 0);
  bridge.connected(0);
  bridge.server_line("LOGIN:A OK", 0);
  bridge.take();
  EXPECT_THAT(prepared_for(bridge, "level7-10-1"), testing::ElementsAre("setoption name Level value 7", "isready"));
  bridge.server_line("REJECT:ev+level7-10-1+A+B+20261121041440 by B", 0);
  bridge.engine_line("readyok", 0);
  bridge.take();
  EXPECT_THAT(prepared_for(bridge, "club-10-1"), testing::ElementsAre("setoption name Level value 0", "isready"));
}

}  // namespace
}  // namespace fuhyo::host
