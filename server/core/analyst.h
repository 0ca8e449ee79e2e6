// Analysis of finished games: the interface between the web and the engine. Callers ask again until the answer is
// there; an analysis that nobody asks for any more is dropped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "server/core/analysis.h"

namespace fuhyo::core {

enum class AnalysisState : std::uint8_t {
  queued,    // others go first
  running,   // there is a part of it
  done,      // this is all
  failed,    // the engine has no answer to this
  too_many,  // the caller has asked for too much that is not done yet
  full,      // all callers have
  away,      // the engine cannot be started, or dies again and again
};

struct PositionReport {
  AnalysisState state = AnalysisState::away;
  std::string engine;         // its name; empty until it has said so
  AnalysedPosition position;  // running: as far as it has come, its lines may be missing
};
struct GameReport {
  AnalysisState state = AnalysisState::away;
  std::string engine;
  std::size_t done = 0;    // positions looked at
  AnalysedGame positions;  // running: with gaps
};

class Analyst {
 public:
  virtual ~Analyst() = default;

  // Any thread; both return at once. `ply`: at most the number of moves. `lines`: 1 to kMostLines. `caller`: an
  // address.
  static constexpr int kMostLines = 5;
  virtual PositionReport position(const PlayedGame& game, std::size_t ply, int lines, const std::string& caller) = 0;
  virtual GameReport game(const PlayedGame& game, const std::string& caller) = 0;
};

}  // namespace fuhyo::core
