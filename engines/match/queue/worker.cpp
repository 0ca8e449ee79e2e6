#include "engines/match/queue/worker.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>

#include "engines/match/queue/job.h"
#include "engines/match/runner.h"
#include "engines/match/slot.h"

namespace fuhyo::match {
namespace {

using Failure = std::unexpected<std::string>;

// The state that all slots share.
class WorkerState {
 public:
  explicit WorkerState(const QueueWorkerOptions& options) : options_(options) {}

  void say(std::string_view line) {
    const std::lock_guard lock(mutex_);
    if (options_.say) options_.say(line);
  }
  // Every engine of the job once. One slot tries while the others wait: they need to know as well.
  std::expected<void, std::string> try_out(const std::string& text, const MatchJob& job, const std::stop_token& stop) {
    const std::lock_guard lock(trying_);
    if (tried_.contains(text)) return {};
    for (const Contestant& engine : job.engines) {
      const auto told = Runner::try_out(engine, stop);
      if (!told) return Failure(fmt::format("engine '{}' does not run here: {}", engine.name, told.error()));
    }
    tried_.insert(text);
    return {};
  }
  void give_up(std::string why, std::stop_source& all) {
    const std::lock_guard lock(mutex_);
    if (trouble_.empty()) trouble_ = std::move(why);
    all.request_stop();
  }
  void add(const jobs::WorkerReport& report) {
    const std::lock_guard lock(mutex_);
    total_.counted += report.counted;
    total_.late += report.late;
    total_.failed += report.failed;
    total_.given_back += report.given_back;
    total_.lost += report.lost;
  }
  QueueWorkerReport report() { return {.chunks = total_, .trouble = trouble_}; }

 private:
  const QueueWorkerOptions& options_;
  std::mutex mutex_, trying_;
  std::set<std::string, std::less<>> tried_;  // texts of jobs whose engines run
  std::string trouble_;
  jobs::WorkerReport total_;
};

std::expected<std::vector<Assignment>, std::string> assignments_of(const MatchJob& job, std::string_view chunk) {
  auto games = parse_games(chunk);
  if (!games) return Failure(games.error());
  std::vector<Assignment> all;
  for (PlayedGame& game : *games) {
    Assignment& next = all.emplace_back();
    for (const std::size_t color : {0UZ, 1UZ}) {
      const auto engine = static_cast<std::size_t>(game.engines[color]);
      if (engine >= job.engines.size()) return Failure(fmt::format("there is no engine {}", game.engines[color]));
      next.players[color] = job.engines[engine];
    }
    next.game = std::move(game);
  }
  return all;
}

// One slot of the worker. Its engines stay from chunk to chunk of the same match.
class WorkerSlot {
 public:
  WorkerSlot(WorkerState& state, int cpu, std::stop_source& all) : state_(state), cpu_(cpu), all_(all) {}

  // The games of a chunk, in their order; stopped in between, they are played again from the first one on.
  jobs::Result<std::string> play(const jobs::Claim& claim, const std::stop_token& stop) {
    if (auto set = set_job(claim.job, stop); !set) return Failure(set.error());
    auto chunk = assignments_of(job_, claim.chunk);
    if (!chunk) return Failure(chunk.error());
    std::vector<PlayedGame> played;
    for (Assignment& next : *chunk) {
      auto game = stop.stop_requested() ? std::nullopt : slot_->play(std::move(next), stop);
      if (!game) return Failure("stopped");
      played.push_back(std::move(*game));
    }
    return games_text(played);
  }
  // Ends the engines, which may use much memory, while the slot is idle.
  void clear() {
    slot_.reset();
    text_.clear();
  }

 private:
  std::expected<void, std::string> set_job(const std::string& text, const std::stop_token& stop) {
    if (slot_ && text == text_) return {};
    clear();
    auto job = parse_match_job(text);
    if (!job) return Failure(job.error());
    if (auto tried = state_.try_out(text, *job, stop); !tried) {
      if (!stop.stop_requested()) state_.give_up(tried.error(), all_);
      return tried;
    }
    job_ = std::move(*job);
    text_ = text;
    slot_ = std::make_unique<Slot>(SlotOptions{.rules = job_.rules, .seed = job_.seed, .cpu = cpu_});
    return {};
  }

  WorkerState& state_;
  const int cpu_;
  std::stop_source& all_;
  std::string text_;  // that the job was made of
  MatchJob job_;
  std::unique_ptr<Slot> slot_;
};

jobs::WorkerReport run_slot(jobs::Queue& queue, const QueueWorkerOptions& options, int number, WorkerState& state,
                            std::stop_source& all) {
  const auto index = static_cast<std::size_t>(number);
  WorkerSlot worker_slot(state, index < options.cores.size() ? options.cores[index] : -1, all);
  jobs::WorkerOptions slot_options;
  slot_options.wanted = {.worker = jobs::as_name(fmt::format("{}.{}", options.name, number + 1)),
                         .kind = std::string(kMatchKind),
                         .batch = options.batch};
  slot_options.drain = options.drain;
  slot_options.idle_longest_ms = options.idle_longest_ms;
  slot_options.say = [&](std::string_view line) { state.say(line); };
  slot_options.idle = [&] { worker_slot.clear(); };
  const jobs::Work work = [&](const jobs::Claim& claim, const std::stop_token& stop) {
    return worker_slot.play(claim, stop);
  };
  return jobs::run_worker(queue, slot_options, work, all.get_token());
}

}  // namespace

QueueWorkerReport play_for_queue(jobs::Queue& queue, const QueueWorkerOptions& options, const std::stop_token& stop) {
  WorkerState state(options);
  std::stop_source all;
  const std::stop_callback forward(stop, [&] { all.request_stop(); });
  {
    std::vector<std::jthread> slots;
    for (int slot = 0; slot < std::max(options.concurrency, 1); ++slot) {
      slots.emplace_back([&, slot] { state.add(run_slot(queue, options, slot, state, all)); });
    }
  }
  return state.report();
}

}  // namespace fuhyo::match
