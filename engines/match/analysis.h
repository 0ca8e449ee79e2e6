// Analyses the positions of a recorded game with an engine, and writes the analysis into the record. Blocking; one
// thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/match/usi_player.h"
#include "engines/record/game.h"
#include "engines/usi/values.h"

namespace fuhyo::match {

struct AnalysisOptions {
  EngineCommand engine;
  usi::GoLimits limits;                // of each position: nodes, depth or movetime_ms
  int lines = 1;                       // MultiPV
  int first_ply = 0;                   // positions after so many moves ...
  std::optional<int> last_ply{};       // ... to so many (the end)
  std::int64_t patience_ms = 600'000;  // beyond its time; without an answer by then the engine counts as hung
};

struct AnalysedLine {
  usi::Score score;  // for the side to move
  std::optional<std::int64_t> depth{}, seldepth{}, nodes{};
  std::vector<shogi::Move> moves{};  // legal from the position on
};

struct AnalysedPosition {
  int ply = 0;  // moves made before it
  std::string sfen{};
  std::vector<AnalysedLine> lines{};  // best first; none if the game is over there, or the engine gave none
  usi::BestMove best{};
  std::int64_t spent_us = 0;
};

struct Analysis {
  std::string engine;  // what it calls itself
  std::vector<AnalysedPosition> positions;
  std::string remark{};  // the first illegal move, in words; empty: all are legal
};

// Positions are analysed from the last to the first, as far as the moves are legal: so the engine's table helps with
// the earlier ones. `told` is called after each. A stop returns the analysis so far. Errors: the start is no position;
// the engine cannot be started, crashes or hangs.
std::expected<Analysis, std::string> analyse(const record::Game& game, const AnalysisOptions& options,
                                             std::stop_token stop,
                                             const std::function<void(const AnalysedPosition&)>& told);

// The game with a comment behind each move whose position was analysed, and before the first move: floodgate's
// "'** 30 -3334FU +2726FU" in CSA ("** 30 ..." in KIF), centipawns as Black sees them (a mate counts 100,000) and the
// line from there on; then a line each for the further ones, "'*2: 12 -8384FU". Such comments that were there before
// are replaced.
record::Game with_comments(const record::Game& game, const Analysis& analysis);

// {"engine":"...","limits":"nodes=1000","start":"sfen ...","moves":["7g7f",...],"positions":[{"ply":0,"sfen":"...",
//  "best":"7g7f","ms":12,"lines":[{"score":"cp 30","black":30,"depth":9,"seldepth":12,"nodes":1000,"pv":"7g7f
//  3c3d"}]}]}
// Scores are the side to move's, "black" is in centipawns as Black sees it.
std::string to_json(const record::Game& game, const Analysis& analysis, const std::string& limits);

}  // namespace fuhyo::match
