// `fuhyo match`: USI engines against each other, with the table, the test and the records that engine authors need.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/manual/add_command.h"
#include "engines/match/ladder.h"
#include "engines/match/output/game_file.h"
#include "engines/match/report.h"
#include "engines/usi/process_stop.h"
#include "server/app/commands.h"
#include "server/app/match/options.h"
#include "server/app/match/protocol_log.h"
#include "server/app/match/queue.h"
#include "server/core/counted.h"

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

// The files that games go to beside the ledger, each as it ends.
class Records {
 public:
  std::expected<void, std::string> open(const std::string& path, match::GameFormat format) {
    if (path.empty()) return {};
    auto file = match::GameFile::open(path, {.format = format, .version = record::CsaVersion::v3_0});
    if (!file) return std::unexpected(file.error());
    files_.push_back(std::move(*file));
    return {};
  }
  std::expected<void, std::string> add(const match::PlayedGame& game) {
    for (match::GameFile& file : files_) {
      if (auto added = file.add(game); !added) return added;
    }
    return {};
  }

 private:
  std::vector<match::GameFile> files_;
};

std::expected<Records, std::string> records_of(const MatchOptions& options) {
  Records records;
  if (auto opened = records.open(options.pgn, match::GameFormat::pgn); !opened) return std::unexpected(opened.error());
  if (auto opened = records.open(options.csa, match::GameFormat::csa); !opened) return std::unexpected(opened.error());
  return records;
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

int report(const MatchOptions& options) {
  auto records = records_of(options);
  if (!records) return wrong(records.error(), kExitCannotCreate);
  match::CrossTable table;
  std::string unwritten;
  const auto each = [&](const match::PlayedGame& game) {
    table.add(game);
    if (auto added = records->add(game); !added && unwritten.empty()) unwritten = added.error();
  };
  for (const std::string& path : options.report) {
    if (auto read = match::Ledger::open(path, "", each); !read) return wrong(read.error(), kExitNoInput);
  }
  if (!unwritten.empty()) return wrong(unwritten, kExitIo);
  const auto rated = table.rate();
  if (!rated) return wrong(rated.error(), kExitFailed);
  fmt::print("{}", to_table(*rated));
  if (table.repeats() > 0) {
    fmt::print("{}\n", match::copies_text(core::counted(table.repeats(), "game"), table.repeats()));
  }
  return kExitOk;
}

int play(Match& match, const MatchOptions& options, Records& records, usi::StopBySignal& stop) {
  std::string unwritten;
  if (match.resumed() > 0) fmt::print("going on after {}\n", core::counted(match.resumed(), "game"));
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
    if (auto added = records.add(game); !added && unwritten.empty()) {
      unwritten = added.error();
      stop.request();
    }
    if (pace.played % options.every == 0) fmt::print("{}\n", progress_line(match, pace));
    std::fflush(stdout);
  };
  const MatchEnd end =
      options.queue.empty() ? match.run(told, stop.token()) : play_over_queue(match, options, told, stop.token());
  if (end == MatchEnd::repeating) fmt::print("openings have run out: only copies of earlier games come\n");
  fmt::print("---\n{}", final_report(match, pace));
  return unwritten.empty() ? exit_code(match, end) : wrong(unwritten, kExitIo);
}

bool all_named(const Match& match) {
  return std::ranges::none_of(match.plan().engines, [](const match::Contestant& each) { return each.name.empty(); });
}

// Nobody plays: one engine will do, and none needs a time control.
int check(std::vector<match::Contestant>& engines) {
  if (engines.empty()) return wrong("--check needs an engine (--engine)");
  usi::StopBySignal stop;
  if (auto tried = match::try_out(engines, stop.token()); !tried) return wrong(tried.error(), kExitFailed);
  for (const match::Contestant& engine : engines) fmt::print("{}\n", engine.name);
  return kExitOk;
}

int run(const MatchOptions& options) {
  if (!options.worker.empty()) {
    usi::StopBySignal stop;
    return play_for_queue(options, stop.token());
  }
  if (!options.report.empty()) return report(options);
  auto plan = plan_of(options);
  if (!plan) return wrong(plan.error().text, plan.error().code);
  if (options.check_only) return check(plan->engines);
  std::optional<ProtocolLog> log;
  if (!options.protocol_log.empty()) {
    log.emplace(options.protocol_log);
    if (!log->is_open()) return wrong(options.protocol_log + ": cannot be written", kExitCannotCreate);
    plan->runner.log = log->writer();
  }
  auto match = Match::make(std::move(*plan));
  if (!match) return wrong(match.error());
  usi::StopBySignal stop;
  // Whose games are played elsewhere need not have the engines, as long as it knows their names.
  if (options.queue.empty() || !all_named(*match)) {
    if (auto tried = match->try_out(stop.token()); !tried) return wrong(tried.error(), kExitFailed);
  }
  if (const auto warning = match->warning()) fmt::print(stderr, "fuhyo match: {}\n", *warning);
  // First of all: who else keeps its games there may write the same records, too.
  if (auto resumed = match->resume(); !resumed) return wrong(resumed.error(), kExitNoInput);
  auto records = records_of(options);
  if (!records) return wrong(records.error(), kExitCannotCreate);
  return play(*match, options, *records, stop);
}

}  // namespace

Command add_match(CLI::App& root) {
  CLI::App* command = manual::add_command(root, "match", "Plays USI engines against each other");
  const auto options = std::make_shared<MatchOptions>();
  add_match_flags(*command, *options);
  return [options] { return run(*options); };
}

}  // namespace fuhyo::app
