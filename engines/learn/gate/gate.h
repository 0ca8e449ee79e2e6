// Whether a network is better than another one: a test that ends as soon as it is known, and a match at more nodes that
// says by how much. Games are kept in ledgers (engines/match/ledger.h), from which the same call goes on.
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

// Which engine the networks are for, and what its nodes are.
enum class GateKind : std::uint8_t {
  nnue,    // fuhyo-nnue; nodes of its search
  policy,  // fuhyo-mcts; playouts
};

struct GateOptions {
  GateNetwork candidate, champion;
  GateKind kind = GateKind::nnue;
  std::string engine;  // command of fuhyo-nnue, or of fuhyo-mcts
  // File of openings. At fixed nodes the same opening is the same pair of games: thousands of them are wanted.
  std::string openings;
  std::filesystem::path folder;  // gets test.jsonl and match.jsonl
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
  std::optional<match::Estimate> match;  // played only by a candidate that was accepted
  bool complete = false;                 // else it was asked to stop
  bool accepted() const { return verdict == match::Verdict::h1; }
};

// An error: a network cannot be loaded, the engine does not run, openings cannot be read, a ledger is of another match.
std::expected<GateResult, std::string> gate(const GateOptions& options, const std::stop_token& stop);

}  // namespace fuhyo::learn
