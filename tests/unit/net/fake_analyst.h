// An analyst that says what a test wants and remembers what it was asked.
#pragma once

#include <string>
#include <vector>

#include "server/core/analyst.h"

namespace fuhyo::net {

class FakeAnalyst : public core::Analyst {
 public:
  core::PositionReport position(const core::PlayedGame& game, std::size_t ply, int lines,
                                const std::string& caller) override {
    asked.push_back({core::value(game.id), static_cast<int>(ply), lines, caller});
    return {.state = state, .engine = "Fake <b>", .position = line(60, {"3c3d", "2g2f"})};
  }
  core::GameReport game(const core::PlayedGame& game, const std::string& caller) override {
    asked.push_back({core::value(game.id), -1, 0, caller});
    // Of "+7776FU -3334FU": White throws the game away.
    core::AnalysedGame positions{line(0, {"2g2f"}), line(30, {"8c8d", "2g2f"}), {}};
    positions[2] = core::AnalysedPosition{.depth = 9, .nodes = 5, .lines = {{core::decided(shogi::BLACK, 3), {}}}};
    return {.state = state, .engine = "Fake", .done = 2, .positions = positions};
  }
  static core::AnalysedPosition line(int cp, std::vector<std::string> moves) {
    return {.depth = 12, .nodes = 400'000, .lines = {{core::valuation_of_cp(cp), std::move(moves)}}};
  }

  struct Asked {
    std::uint64_t game;
    int ply, lines;
    std::string caller;
    bool operator==(const Asked&) const = default;
  };
  core::AnalysisState state = core::AnalysisState::done;
  std::vector<Asked> asked;
};

}  // namespace fuhyo::net
