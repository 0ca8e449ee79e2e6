#include "server/store/postgres/notifier.h"

#include <utility>

#include "server/store/postgres/session.h"

namespace fuhyo::store {
namespace {

constexpr PgStatement kNotify{"notify", "NOTIFY fuhyo"};
// After a connection has failed. Listeners look each second by themselves.
constexpr std::chrono::milliseconds kRest(1'000);

}  // namespace

PostgresNotifier::PostgresNotifier(const PostgresAddress& address, const PostgresOptions& options)
    : address_(address), options_(options), thread_([this] { run(); }) {}

PostgresNotifier::~PostgresNotifier() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  patience_.end_in(0);
  wake_.notify_one();
  thread_.join();
}

void PostgresNotifier::committed() {
  {
    const std::lock_guard lock(mutex_);
    news_ = true;
  }
  wake_.notify_one();
}

void PostgresNotifier::run() {
  while (wait_for_news()) {
    const bool done = notify();
    if (!rest(done ? std::chrono::milliseconds(options_.notify_every_ms) : kRest)) return;
  }
}

bool PostgresNotifier::wait_for_news() {
  std::unique_lock lock(mutex_);
  wake_.wait(lock, [this] { return news_ || stop_; });
  return !stop_;
}

bool PostgresNotifier::rest(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return !wake_.wait_for(lock, time, [this] { return stop_; });
}

bool PostgresNotifier::notify() {
  if (!connection_) {
    auto connection = open_session(address_, options_, "fuhyo notify", PgUse::commits, patience_);
    if (!connection) return false;
    connection_ = std::move(*connection);
  }
  {
    const std::lock_guard lock(mutex_);
    news_ = false;  // what is committed from here on needs another one
  }
  if (connection_->run(kNotify)) return true;
  connection_.reset();
  committed();
  return false;
}

}  // namespace fuhyo::store
