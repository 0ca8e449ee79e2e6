#include "engines/learn/gate/gate.h"

#include <chrono>
#include <fmt/format.h>
#include <utility>

#include "engines/learn/data/whole_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/match/match.h"
#include "engines/match/report.h"
#include "engines/mcts/shogi/shogi_model.h"
#include "engines/nnue/net/network.h"

namespace fuhyo::learn {
namespace {

namespace fs = std::filesystem;
using Failure = std::unexpected<std::string>;
using match::Contestant;
using match::Match;
using match::MatchEnd;
using match::MatchPlan;

constexpr std::int64_t kTellEvery = 100;

Contestant contestant(std::string name, const GateNetwork& network, const GateOptions& options) {
  Contestant made;
  made.name = std::move(name);
  made.engine.command = options.engine;
  made.engine.options = {{"Threads", "1"}, {"USI_Hash", std::to_string(options.hash_mb)}, {"USI_OwnBook", "false"}};
  auto& engine_options = made.engine.options;
  if (options.kind == GateKind::policy) {
    // Its file is looked for in the folder of networks unless the whole path is said.
    engine_options.emplace_back("DNN_Model", fs::absolute(network.file).string());
  } else {
    engine_options.emplace_back("FV_SCALE", std::to_string(network.fv_scale));
    engine_options.emplace_back("EvalFile", network.file);
  }
  return made;
}

// An engine without its network resigns every game, which would be taken for a result.
std::expected<void, std::string> try_to_load(const std::string& file, GateKind kind) {
  if (kind == GateKind::policy) {
    if (auto loaded = mcts::load_shogi_model(std::filesystem::path(file)); !loaded) return Failure(loaded.error());
  } else {
    if (auto loaded = nnue::Network::load(file); !loaded) return Failure(loaded.error());
  }
  return {};
}

// Engines read a network at each start. They read a copy, so that all games are of these bytes, whatever becomes of the
// file. A folder that has games of other bytes is an error.
std::expected<GateNetwork, std::string> copied(const GateNetwork& network, const std::string& name,
                                               const fs::path& folder) {
  GateNetwork copy = network;
  copy.file = (folder / (name + fs::path(network.file).extension().string())).string();
  std::error_code error;
  const bool begun = fs::exists(copy.file, error);
  const auto bytes_of = [&](const fs::path& file) { return fs::exists(file, error) ? read_file(file) : std::string(); };
  for (const std::string_view end : {".ini", ""}) {  // the network itself last: with it the copy is whole
    const fs::path from = network.file + std::string(end), to = copy.file + std::string(end);
    const auto bytes = bytes_of(from), former = bytes_of(to);
    if (!bytes || !former) return Failure(bytes ? former.error() : bytes.error());
    if (*bytes == *former) continue;
    if (begun) return Failure(fmt::format("{}: the games of this folder are not of {}", to.string(), from.string()));
    if (auto written = replace_file(to, *bytes); !written) return Failure(std::move(written.error()));
  }
  return copy;
}

struct Leg {
  std::string name;
  std::int64_t nodes = 0, games = 0;
  std::uint64_t seed = 0;
  std::optional<match::Sprt> sprt{};
};

std::expected<MatchPlan, std::string> plan_of(const GateOptions& options, const Leg& leg) {
  MatchPlan plan;
  plan.engines = {contestant("candidate", options.candidate, options),
                  contestant("champion", options.champion, options)};
  for (Contestant& engine : plan.engines) engine.time.nodes = leg.nodes;
  auto openings = match::read_openings(options.openings, {.seed = leg.seed});
  if (!openings) return Failure(openings.error());
  plan.openings = std::move(openings->openings);
  plan.schedule.games_per_encounter = 2;
  plan.schedule.rounds = (leg.games + 1) / 2;
  plan.runner.concurrency = options.concurrency;
  plan.runner.seed = leg.seed;
  plan.sprt = leg.sprt;
  plan.ledger = (options.folder / (leg.name + ".jsonl")).string();
  return plan;
}

std::expected<Match, std::string> play(const GateOptions& options, const Leg& leg, MatchEnd& end,
                                       const std::stop_token& stop) {
  auto plan = plan_of(options, leg);
  if (!plan) return Failure(plan.error());
  auto match = Match::make(std::move(*plan));
  if (!match) return match;
  if (auto tried = match->try_out(stop); !tried) {
    end = MatchEnd::interrupted;
    if (stop.stop_requested()) return match;
    return Failure(tried.error());
  }
  if (const auto warning = match->warning(); warning && options.say) options.say(leg.name + ": " + *warning);
  if (auto resumed = match->resume(); !resumed) return Failure(resumed.error());
  const auto began = std::chrono::steady_clock::now();
  match::Pace pace;
  const auto tell = [&] {
    if (options.say) options.say(fmt::format("{}: {}", leg.name, match::progress_line(*match, pace)));
  };
  end = match->run(
      [&](const match::PlayedGame&) {
        pace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
        if (++pace.played % kTellEvery == 0) tell();
      },
      stop);
  tell();
  if (end == MatchEnd::faulty || end == MatchEnd::unwritable) return Failure(match->trouble());
  return match;
}

match::Estimate estimate_of(const Match& match) {
  const auto& meetings = match.standings().meetings();
  return meetings.empty() ? match::Estimate{} : match::estimate(meetings.begin()->second.pairs);
}

}  // namespace

std::expected<GateResult, std::string> gate(const GateOptions& asked, const std::stop_token& stop) {
  if (auto made = make_folder(asked.folder); !made) return Failure(made.error());
  GateOptions options = asked;
  for (const auto& [network, name] :
       {std::pair(&options.candidate, "candidate"), std::pair(&options.champion, "champion")}) {
    if (auto loaded = try_to_load(network->file, options.kind); !loaded) return Failure(loaded.error());
    auto copy = copied(*network, name, options.folder);
    if (!copy) return Failure(std::move(copy.error()));
    *network = *std::move(copy);
  }
  GateResult result;
  MatchEnd end = MatchEnd::interrupted;
  const auto test =
      play(options, {"test", options.test_nodes, options.test_games, options.seed, options.test}, end, stop);
  if (!test) return Failure(test.error());
  if (end == MatchEnd::interrupted) return result;
  result.test_games = test->standings().games();
  result.test = estimate_of(*test);
  result.log_likelihood_ratio = test->log_likelihood_ratio().value_or(0);
  result.verdict = match::verdict(options.test, result.log_likelihood_ratio);
  result.complete = !result.accepted() || options.match_games == 0;
  if (result.complete) return result;
  const auto match = play(options, {"match", options.match_nodes, options.match_games, options.seed + 1}, end, stop);
  if (!match) return Failure(match.error());
  if (end == MatchEnd::interrupted) return result;
  result.match_games = match->standings().games();
  result.match = estimate_of(*match);
  result.complete = true;
  return result;
}

}  // namespace fuhyo::learn
