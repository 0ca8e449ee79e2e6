// Tests whether a network is better than another one: by an SPRT, and if it passes, a match at more nodes for the Elo.
// Games are kept in ledgers (engines/match/ledger.h), from which the same call resumes.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "engines/match/statistics/estimate.h"
#include "engines/match/statistics/sprt.h"

namespace fuhyo::learn {

struct GateNetwork {
  std::string file;
  int fv_scale = 16;  // of an NNUE network
};

// The engine of the networks, and what its nodes are.
enum class GateKind : std::uint8_t {
  nnue,    // fuhyo-nnue; nodes of its search
  policy,  // fuhyo-mcts; playouts
};

struct GateOptions {
  GateNetwork candidate, champion;
  GateKind kind = GateKind::nnue;
  std::string engine;  // command of fuhyo-nnue, or of fuhyo-mcts
  // File of openings; thousands are needed, since at fixed nodes the same opening gives the same pair of games.
  std::string openings;
  std::filesystem::path folder;  // gets test.jsonl and match.jsonl, and copies of both networks, which play
  int concurrency = 1;
  int hash_mb = 16;
  std::uint64_t seed = 1;
  match::Sprt test{.elo0 = 0, .elo1 = 10};
  std::int64_t test_nodes = 5'000;
  std::int64_t test_games = 4'000;  // undecided after so many: not accepted
  std::int64_t match_nodes = 20'000;
  std::int64_t match_games = 400;  // 0: none
  std::function<void(std::string_view line)> say{};
};

struct GateResult {
  match::Verdict verdict = match::Verdict::undecided;
  std::int64_t test_games = 0;
  double log_likelihood_ratio = 0;
  match::Estimate test;
  std::int64_t match_games = 0;
  std::optional<match::Estimate> match;  // only of a candidate that was accepted
  bool complete = false;                 // else it was stopped
  bool accepted() const { return verdict == match::Verdict::h1; }
};

// An error: a network cannot be loaded, the engine does not run, openings cannot be read, the folder is of other
// networks, a ledger is of another match.
std::expected<GateResult, std::string> gate(const GateOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
