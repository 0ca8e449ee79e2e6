#include "engines/jobs/worker.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <fmt/format.h>
#include <mutex>
#include <thread>
#include <utility>

namespace fuhyo::jobs {
namespace {

// A lease is renewed so often within its time: a renewal may fail twice in a row.
constexpr std::int64_t kRenewals = 4;
// So often is a result handed in after the worker was told to stop, before it is given up.
constexpr int kLastTries = 3;

class Idleness {
 public:
  explicit Idleness(const WorkerOptions& options) : options_(options) {}
  void wait(const std::stop_token& stop) {
    wait_ms_ = std::min(wait_ms_ == 0 ? options_.idle_first_ms : wait_ms_ * 2, options_.idle_longest_ms);
    options_.pause(wait_ms_, stop);
  }
  void over() { wait_ms_ = 0; }

 private:
  const WorkerOptions& options_;
  std::int64_t wait_ms_ = 0;
};

class Worker {
 public:
  Worker(Queue& queue, const WorkerOptions& options, const Work& work, const std::stop_token& stop)
      : queue_(queue), options_(options), work_(work), stop_(stop), idleness_(options) {}

  WorkerReport run() {
    while (!stop_.stop_requested()) {
      const auto claim = queue_.claim(options_.wanted);
      if (!claim) {
        complain(claim.error());
      } else if (*claim) {
        recovered();
        work_on(**claim);
        continue;
      } else {
        recovered();
        if (options_.idle) options_.idle();
        if (options_.drain && nothing_left()) break;
      }
      idleness_.wait(stop_);
    }
    return report_;
  }

 private:
  void say(std::string_view line) const {
    if (options_.say) options_.say(line);
  }
  // A queue that is away says so once.
  void complain(const std::string& why) {
    if (why != complained_) say(why);
    complained_ = why;
  }
  void recovered() {
    if (!complained_.empty()) say("the queue is back");
    complained_.clear();
  }

  bool nothing_left() {
    const auto names = queue_.batches();
    if (!names) return false;
    for (const std::string& name : *names) {
      if (!options_.wanted.batch.empty() && name != options_.wanted.batch) continue;
      const auto progress = queue_.progress(name);
      if (!progress) return false;
      const bool ours = options_.wanted.kind.empty() || options_.wanted.kind == progress->kind;
      if (ours && !progress->complete()) return false;
    }
    return true;
  }

  void work_on(const Claim& claim) {
    idleness_.over();
    const std::string what = fmt::format("{}: chunk {}", claim.lease.batch, claim.lease.chunk);
    std::stop_source ended;  // of this chunk
    const std::stop_callback forward(stop_, [&] { ended.request_stop(); });
    std::atomic<bool> lost{false};
    const std::jthread renewals([&](const std::stop_token& done) { renew(claim, done, ended, lost); });
    auto result = work_(claim, ended.get_token());
    if (result) {
      hand_in(claim, *result, what);
    } else if (lost) {
      ++report_.lost;
    } else if (stop_.stop_requested()) {
      ++report_.given_back;
      const auto released = queue_.release(claim.lease);
      if (!released) say(fmt::format("{} could not be given back: {}", what, released.error()));
    } else {
      ++report_.failed;
      say(fmt::format("{} failed: {}", what, result.error()));
      const auto failed = queue_.fail(claim.lease, result.error());
      if (!failed) say(fmt::format("{}: {}", what, failed.error()));
      idleness_.wait(stop_);  // what fails at once would fail as often as it may within a moment
    }
  }

  // On the thread of renewals. An error changes nothing: the next renewal may go well, and if it does not, another
  // worker takes over, and the first result counts.
  void renew(const Claim& claim, const std::stop_token& done, std::stop_source& ended, std::atomic<bool>& lost) const {
    for (;;) {
      options_.pause(std::max<std::int64_t>(claim.lease_ms / kRenewals, 1), done);
      if (done.stop_requested()) return;
      const auto held = queue_.renew(claim.lease);
      if (!held) say(fmt::format("a lease was not renewed: {}", held.error()));
      if (!held || *held == Held::yes) continue;
      say(fmt::format("{}: chunk {} {}", claim.lease.batch, claim.lease.chunk,
                      *held == Held::over ? "is not wanted any more" : "has been given to another worker"));
      lost = true;
      ended.request_stop();
      return;
    }
  }

  // Work that is done is not thrown away because a disk is full or a database is away.
  void hand_in(const Claim& claim, const std::string& result, const std::string& what) {
    for (int last_tries = 0; last_tries < kLastTries;) {
      const auto finished = queue_.finish(claim.lease, result);
      if (finished) {
        recovered();
        ++(*finished == Finish::counted ? report_.counted : report_.late);
        return;
      }
      complain(finished.error());
      if (stop_.stop_requested()) ++last_tries;
      idleness_.wait(stop_);
    }
    ++report_.lost;
    say(fmt::format("{} is done, but its result could not be handed in and is lost", what));
  }

  Queue& queue_;
  const WorkerOptions& options_;
  const Work& work_;
  const std::stop_token stop_;
  Idleness idleness_;
  std::string complained_;
  WorkerReport report_;
};

}  // namespace

void pause_for(std::int64_t ms, const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any changed;
  std::unique_lock lock(mutex);
  changed.wait_for(lock, stop, std::chrono::milliseconds(ms), [] { return false; });
}

WorkerReport run_worker(Queue& queue, const WorkerOptions& options, const Work& work, const std::stop_token& stop) {
  return Worker(queue, options, work, stop).run();
}

}  // namespace fuhyo::jobs
