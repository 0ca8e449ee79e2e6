// `fuhyo jobs`: what lies in a queue of work, how far it is, and an end or another try to it.
#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "engines/jobs/open.h"
#include "engines/manual/add_command.h"
#include "server/app/commands.h"

namespace fuhyo::app {
namespace {

struct JobsOptions {
  std::string queue, batch;
};

using Outcome = jobs::Result<void>;
using Task = std::function<Outcome(jobs::Queue&, const JobsOptions&)>;

std::string_view state_of(const jobs::Progress& progress) {
  if (progress.done == progress.chunks) return "done";
  if (progress.cancelled) return "cancelled";
  if (progress.held > 0) return "under way";
  return progress.waiting > 0 ? "waiting" : "set aside";
}

void print_head(std::size_t widest) {
  fmt::print("{:<{}}  {:<8} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "batch", widest, "kind", "chunks", "done", "held",
             "waiting", "aside", "state");
}

void print_row(const std::string& name, std::size_t widest, const jobs::Progress& progress) {
  fmt::print("{:<{}}  {:<8} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", name, widest, progress.kind, progress.chunks,
             progress.done, progress.held, progress.waiting, progress.set_aside.size(), state_of(progress));
}

Outcome list(jobs::Queue& queue, const JobsOptions&) {
  const auto names = queue.batches();
  if (!names) return std::unexpected(names.error());
  std::size_t widest = 5;
  for (const std::string& name : *names) widest = std::max(widest, name.size());
  print_head(widest);
  for (const std::string& name : *names) {
    const auto progress = queue.progress(name);
    if (!progress) return std::unexpected(progress.error());
    print_row(name, widest, *progress);
  }
  return {};
}

Outcome show(jobs::Queue& queue, const JobsOptions& options) {
  const auto progress = queue.progress(options.batch);
  if (!progress) return std::unexpected(progress.error());
  print_head(options.batch.size());
  print_row(options.batch, options.batch.size(), *progress);
  for (const jobs::SetAside& chunk : progress->set_aside) fmt::print("chunk {}: {}\n", chunk.chunk, chunk.why);
  return {};
}

Outcome cancel(jobs::Queue& queue, const JobsOptions& options) {
  if (auto cancelled = queue.cancel(options.batch); !cancelled) return cancelled;
  return show(queue, options);
}

Outcome retry(jobs::Queue& queue, const JobsOptions& options) {
  const auto progress = queue.progress(options.batch);
  if (!progress) return std::unexpected(progress.error());
  if (progress->cancelled) {
    return std::unexpected(
        fmt::format("batch {} is cancelled: remove it, and put it in again to begin anew", options.batch));
  }
  if (auto again = queue.retry(options.batch); !again) return again;
  fmt::print("{} chunks are to be tried again\n", progress->set_aside.size());
  return {};
}

Outcome remove(jobs::Queue& queue, const JobsOptions& options) {
  const auto progress = queue.progress(options.batch);
  if (!progress) return std::unexpected(progress.error());
  if (!progress->complete()) {
    return std::unexpected(fmt::format("batch {} is {}: cancel it first", options.batch, state_of(*progress)));
  }
  if (auto removed = queue.remove(options.batch); !removed) return removed;
  fmt::print("batch {} is gone, with its results: {}\n", options.batch, progress->done);
  return {};
}

int run(const JobsOptions& options, const Task& task) {
  const auto failed = [](std::string_view why, int code) {
    fmt::print(stderr, "fuhyo jobs: {}\n", why);
    return code;
  };
  const auto queue = jobs::open_queue(options.queue, {.create = false});
  if (!queue) return failed(queue.error(), kExitUnavailable);
  const Outcome outcome = task(**queue, options);
  return outcome ? kExitOk : failed(outcome.error(), kExitFailed);
}

struct Verb {
  const char *name, *help;
  Task task;
  bool of_a_batch;
};

}  // namespace

Command add_jobs(CLI::App& root) {
  const std::vector<Verb> verbs = {
      {"list", "All batches, the oldest first, and how far they are", list, false},
      {"show", "One batch, and why chunks of it were set aside", show, true},
      {"cancel", "Nobody begins a chunk of it any more, and those who work on one are told to leave off", cancel, true},
      {"retry", "Chunks that were set aside are tried again", retry, true},
      {"remove", "Deletes a batch that is over, with its results", remove, true},
  };
  auto options = std::make_shared<JobsOptions>();
  auto task = std::make_shared<Task>();
  CLI::App* command =
      manual::add_command(root, "jobs", "Looks after a queue of work, as `fuhyo match --queue` fills it");
  command->require_subcommand(1);
  for (const Verb& verb : verbs) {
    CLI::App* added = manual::add_command(*command, verb.name, verb.help);
    added->add_option("QUEUE", options->queue, "its folder, or postgres://USER@HOST/DATABASE")->required();
    if (verb.of_a_batch) added->add_option("BATCH", options->batch, "its name")->required();
    added->callback([task, chosen = verb.task] { *task = chosen; });
  }
  return [options, task] { return run(*options, *task); };
}

}  // namespace fuhyo::app
