#include "engines/learn/generate/policy/worker.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <utility>

#include "engines/learn/generate/job_text.h"
#include "engines/learn/generate/policy/job.h"
#include "engines/learn/generate/policy/saved_games.h"

namespace fuhyo::learn {
namespace {

using Clock = std::chrono::steady_clock;
using Games = std::vector<PolicyGame>;

// Due for the first time after the first interval.
class PolicyTimer {
 public:
  explicit PolicyTimer(std::int64_t seconds) : every_(seconds) {}
  bool due() {
    if (Clock::now() - last_ < every_) return false;
    last_ = Clock::now();
    return true;
  }

 private:
  std::chrono::seconds every_;
  Clock::time_point last_ = Clock::now();
};

// A job with its network and starts, loaded once for all of its chunks.
struct PreparedPolicyJob {
  std::string text;  // of the job
  PolicyPlayJob job;
  Starts starts;
  std::unique_ptr<PolicySelfPlay> play{};
  std::function<void()> between_batches{};  // of the chunk that is played
};

class PolicyWorker {
 public:
  explicit PolicyWorker(const PolicyWorkerOptions& options) : options_(options) {}

  jobs::Result<std::string> work(const jobs::Claim& claim, const std::stop_token& stop) {
    const auto range = parse_game_range(claim.chunk);
    if (!range) return std::unexpected(range.error());
    if (!prepared_ || prepared_->text != claim.job) {
      if (auto made = set_up(claim.job); !made) return std::unexpected(made.error());
    }
    return play(*range, file_for(claim, *range), stop);
  }

 private:
  std::expected<void, std::string> set_up(const std::string& text) {
    prepared_.reset();
    auto job = parse_policy_play_job(text);
    if (!job) return std::unexpected(job.error());
    auto starts = starts_here(*job);
    if (!starts) return std::unexpected(starts.error());
    auto prepared =
        std::make_unique<PreparedPolicyJob>(PreparedPolicyJob{.text = text, .job = *job, .starts = *std::move(starts)});
    PolicyThreadOptions thread_options = options_.thread_options;
    thread_options.between_batches = [&prepared = *prepared] { prepared.between_batches(); };
    auto play = PolicySelfPlay::make(job->play, thread_options);
    if (!play) return std::unexpected(play.error());
    prepared->play = std::make_unique<PolicySelfPlay>(*std::move(play));
    say(prepared->play->description());
    prepared_ = std::move(prepared);
    return {};
  }

  std::filesystem::path file_for(const jobs::Claim& claim, const GameRange& range) const {
    if (options_.keep.empty()) return {};
    return options_.keep / fmt::format("{}-{}.kept", claim.lease.batch, range.first);
  }

  jobs::Result<std::string> play(const GameRange& range, const std::filesystem::path& file,
                                 const std::stop_token& stop) {
    Games games(range.count);
    if (!file.empty()) {
      std::error_code ignored;
      std::filesystem::create_directories(options_.keep, ignored);
      if (auto kept = read_saved_games(file, prepared_->text, range.first, games.size())) games = *std::move(kept);
    }
    const auto keep = [&] {
      if (file.empty()) return;
      if (auto done = save_games(file, prepared_->text, range.first, games); !done) say(done.error());
    };
    PolicyTimer keeping(options_.keep_s), telling(options_.every_s);
    auto told_at = Clock::now();
    PolicyCounts told = prepared_->play->counts();
    prepared_->between_batches = [&] {
      if (keeping.due()) keep();
      if (!telling.due()) return;
      const PolicyCounts now = prepared_->play->counts();
      const double seconds = std::chrono::duration<double>(Clock::now() - std::exchange(told_at, Clock::now())).count();
      const auto over = std::ranges::count_if(games, &PolicyGame::over);
      say(fmt::format("{} of {} games of the chunk, {}", over, games.size(), to_text(now - told, seconds)));
      told = now;
    };
    const auto played = prepared_->play->play(range.first, games, prepared_->starts, stop);
    if (!played) return std::unexpected(played.error());
    if (!std::ranges::all_of(games, &PolicyGame::over)) {
      keep();
      return std::unexpected("stopped");
    }
    std::error_code ignored;
    if (!file.empty()) std::filesystem::remove(file, ignored);
    return encode_policy_chunk(games);
  }

  void say(std::string_view line) const {
    if (options_.worker.say) options_.worker.say(line);
  }

  const PolicyWorkerOptions& options_;
  std::unique_ptr<PreparedPolicyJob> prepared_;
};

}  // namespace

jobs::WorkerReport play_policy_for_queue(jobs::Queue& queue, PolicyWorkerOptions options, const std::stop_token& stop) {
  options.worker.wanted.kind = kPolicyPlayKind;
  PolicyWorker worker(options);
  const jobs::Work work = [&](const jobs::Claim& claim, const std::stop_token& end) { return worker.work(claim, end); };
  return jobs::run_worker(queue, options.worker, work, stop);
}

}  // namespace fuhyo::learn
