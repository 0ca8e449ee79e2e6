#include "server/app/match/queue.h"

#include <cstdio>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <utility>

#include "engines/jobs/open.h"
#include "engines/match/queue/coordinator.h"
#include "engines/match/queue/worker.h"
#include "engines/usi/process_self.h"
#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

void print_line(std::string_view line) { fmt::print(stderr, "fuhyo match: {}\n", line); }

jobs::Result<std::unique_ptr<jobs::Queue>> open(const std::string& address, const MatchOptions& options) {
  return jobs::open_queue(address, {.lease_ms = options.lease_s * 1000});
}

}  // namespace

match::MatchEnd play_over_queue(match::Match& match, const MatchOptions& options, const match::Match::Told& told,
                                const std::stop_token& stop) {
  const auto queue = open(options.queue, options);
  if (!queue) {
    match.give_up(match::MatchEnd::faulty, queue.error());
    return match::MatchEnd::faulty;
  }
  match::QueueMatchOptions terms;
  terms.batch = options.batch;
  terms.encounters = options.chunk;
  terms.say = print_line;
  return match::run_over_queue(match, **queue, terms, told, stop);
}

int play_for_queue(const MatchOptions& options, const std::stop_token& stop) {
  const bool is_database = options.worker.contains("://");
  std::error_code ignored;
  const bool is_new = !is_database && !std::filesystem::exists(options.worker, ignored);
  const auto queue = open(options.worker, options);
  if (!queue) {
    print_line(queue.error());
    return kExitUnavailable;
  }
  match::QueueWorkerOptions terms{.name = options.worker_name.empty() ? usi::process_name() : options.worker_name,
                                  .batch = options.batch,
                                  .concurrency = options.concurrency,
                                  .cores = cores_of(options),
                                  .drain = options.drain,
                                  .say = print_line};
  // The address of a database may hold a password.
  print_line(fmt::format("{} plays for {}{}", terms.name, is_database ? "a database" : options.worker,
                         is_new ? ", a new folder without matches" : ""));
  const auto report = match::play_for_queue(**queue, terms, stop);
  const jobs::WorkerReport& chunks = report.chunks;
  print_line(fmt::format("{}: {} chunks counted, {} late, {} failed, {} given back, {} lost", terms.name,
                         chunks.counted, chunks.late, chunks.failed, chunks.given_back, chunks.lost));
  if (report.trouble.empty()) return kExitOk;
  print_line(report.trouble);
  return kExitFailed;
}

}  // namespace fuhyo::app
