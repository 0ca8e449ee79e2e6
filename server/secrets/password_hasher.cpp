#include "server/secrets/password_hasher.h"

#include <chrono>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>
#include <utility>

#include "server/secrets/password.h"

namespace fuhyo::secrets {
namespace {

using std::chrono::nanoseconds;

// Below whatever plays, and yet a tenth of a core beside a neighbour that never rests: whoever logs in waits for it.
constexpr int kNiceness = 10;

using Result = PasswordHasher::Result;

Result do_job(const PasswordHasher::Check& check) {
  const bool somebodys = !check.encoded.empty();
  const bool right = check_password(somebodys ? check.encoded : nobodys_password(), check.text.reveal());
  Result result{.ok = somebodys && right};
  if (result.ok && needs_rehash(check.encoded)) result.encoded = hash_password(check.text.reveal()).value_or("");
  return result;
}

Result do_job(const PasswordHasher::Make& make) {
  auto encoded = hash_password(make.text.reveal());
  return {.ok = encoded.has_value(), .encoded = std::move(encoded).value_or("")};
}

nanoseconds cpu_time() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds(time.tv_sec) + nanoseconds(time.tv_nsec);
}

}  // namespace

PasswordHasher::PasswordHasher(const Options& options) : options_(options), thread_([this] { run(); }) {}

bool PasswordHasher::submit(Job job, Callback callback) {
  {
    const std::lock_guard lock(mutex_);
    if (stopped_ || (std::holds_alternative<Make>(job) && queue_.size() >= options_.queue)) return false;
    queue_.push_back({std::move(job), std::move(callback)});
  }
  wake_.notify_one();
  return true;
}

std::size_t PasswordHasher::waiting() const {
  const std::lock_guard lock(mutex_);
  return queue_.size();
}

void PasswordHasher::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    queue_.clear();
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void PasswordHasher::run() {
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), kNiceness);
  for (;;) {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return stopped_ || !queue_.empty(); });
    if (stopped_) return;
    const nanoseconds before = cpu_time();
    {
      const Entry entry = std::exchange(queue_.front(), {});
      queue_.pop_front();
      lock.unlock();
      entry.callback(std::visit([](const auto& job) { return do_job(job); }, entry.job));
    }
    const auto worked = static_cast<double>((cpu_time() - before).count());
    const nanoseconds rest(static_cast<std::int64_t>(worked * (1 / options_.share_of_core - 1)));
    lock.lock();
    if (wake_.wait_for(lock, rest, [this] { return stopped_; })) return;
  }
}

}  // namespace fuhyo::secrets
