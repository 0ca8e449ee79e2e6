// `fuhyo match`: USI engines against each other, with the table, the test and the records that engine authors need.
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <memory>

#include <CLI/CLI.hpp>

#include "engines/match/report.h"
#include "server/app/commands.h"
#include "server/app/match/options.h"
#include "server/app/match/protocol_log.h"
#include "server/app/stop_by_signal.h"

namespace fuhyo::app {
namespace {

using match::Match;
using match::MatchEnd;

// Where scripts learn what came of an SPRT; 0 is H1, or a match without a test.
constexpr int kExitRefuted = 3;
constexpr int kExitUndecided = 4;
constexpr int kExitInterrupted = 130;

int wrong(const std::string& text, int code = kExitUsage) {
  fmt::print(stderr, "fuhyo match: {}\n", text);
  return code;
}

int exit_code(const Match& match, MatchEnd end) {
  if (end == MatchEnd::interrupted) return kExitInterrupted;
  if (end == MatchEnd::faulty) return wrong(match.trouble(), kExitFailed);
  if (end == MatchEnd::unwritable) return wrong(match.trouble(), kExitIo);
  const auto ratio = match.log_likelihood_ratio();
  if (!ratio) return kExitOk;
  switch (verdict(*match.plan().sprt, *ratio)) {
    case match::Verdict::h1:
      return kExitOk;
    case match::Verdict::h0:
      return kExitRefuted;
    case match::Verdict::undecided:
      break;
  }
  return kExitUndecided;
}

int play(Match& match, const MatchOptions& options, std::stop_token stop) {
  if (match.resumed() > 0) fmt::print("going on after {} games\n", match.resumed());
  std::fflush(stdout);
  const auto began = std::chrono::steady_clock::now();
  match::Pace pace;
  const auto told = [&](const match::PlayedGame& game) {
    ++pace.played;
    pace.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (is_fault(game.ending)) {
      fmt::print("game {}, {} against {}: {} {}\n", game.number + 1, game.names[0], game.names[1],
                 to_string(game.ending), game.detail);
    }
    if (pace.played % options.every == 0) fmt::print("{}\n", progress_line(match, pace));
    std::fflush(stdout);
  };
  const MatchEnd end = match.run(told, stop);
  fmt::print("---\n{}", final_report(match, pace));
  return exit_code(match, end);
}

int run(const MatchOptions& options) {
  auto plan = plan_of(options);
  if (!plan) return wrong(plan.error());
  std::optional<ProtocolLog> log;
  if (!options.protocol_log.empty()) {
    log.emplace(options.protocol_log);
    if (!log->is_open()) return wrong(options.protocol_log + ": cannot be written", kExitCannotCreate);
    plan->runner.log = log->writer();
  }
  auto match = Match::make(std::move(*plan));
  if (!match) return wrong(match.error());
  StopBySignal stop;
  if (auto tried = match->try_out(stop.token()); !tried) return wrong(tried.error(), kExitFailed);
  if (options.check_only) {
    for (const match::Contestant& engine : match->plan().engines) fmt::print("{}\n", engine.name);
    return kExitOk;
  }
  if (auto resumed = match->resume(); !resumed) return wrong(resumed.error(), kExitNoInput);
  return play(*match, options, stop.token());
}

}  // namespace

Command add_match(CLI::App& root) {
  CLI::App* command = root.add_subcommand("match", "Play USI engines against each other");
  const auto options = std::make_shared<MatchOptions>();
  add_match_flags(*command, *options);
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
