#include "server/store/queued_journal.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace fuhyo::store {
namespace {

// Retention lets commits go first, but no longer than this.
constexpr std::int64_t kPruneWhenBusy_ms = 1'000;

std::int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

[[noreturn]] void die(const std::string& why) {
  fmt::print(stderr, "journal: {}\n", why);
  std::abort();
}

}  // namespace

std::expected<std::unique_ptr<QueuedJournal>, std::string> QueuedJournal::open(std::string name,
                                                                               const JournalLimits& limits,
                                                                               std::unique_ptr<JournalWriter> writer,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out) {
  std::unique_ptr<QueuedJournal> journal(
      new QueuedJournal(std::move(name), limits, std::move(writer), std::move(events)));
  if (auto started = journal->writer_->start(out, journal->live_); !started) {
    return std::unexpected(fmt::format("{}: {}", journal->name_, started.error()));
  }
  journal->appended_ = out.last;
  journal->thread_ = std::thread([self = journal.get()] { self->run(); });
  return journal;
}

QueuedJournal::QueuedJournal(std::string name, const JournalLimits& limits, std::unique_ptr<JournalWriter> writer,
                             core::JournalEvents events)
    : name_(std::move(name)), limits_(limits), events_(std::move(events)), writer_(std::move(writer)) {}

QueuedJournal::~QueuedJournal() { close(); }

void QueuedJournal::append(core::Transaction transaction) {
  if (transaction.empty()) return;
  if (closed_) die("a transaction was appended after close()");
  for (const core::Journaled& row : transaction) {
    if (row.seq != core::next(appended_)) {
      die(fmt::format("seq {} was appended after {}", core::value(row.seq), core::value(appended_)));
    }
    appended_ = row.seq;
  }
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(transaction));
  }
  wake_.notify_one();
}

bool QueuedJournal::close() {
  if (!closed_ && thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    writer_->hurry();
    wake_.notify_one();
    thread_.join();
  }
  closed_ = true;
  return whole_;
}

void QueuedJournal::run() {
  for (std::vector<core::Transaction> transactions; wait_for_transactions(transactions); prune_when_due()) {
    if (transactions.empty()) {
      if (!look_when_due()) return;
      continue;
    }
    Batch batch(std::exchange(transactions, {}), live_);
    if (!commit(batch)) return;
    announce(std::move(batch));
  }
  whole_ = true;
}

// False: nothing is left and nothing will come. No transactions: retention may look for work, or the writer at its
// database.
bool QueuedJournal::wait_for_transactions(std::vector<core::Transaction>& transactions) {
  const int look_every_ms = writer_->look_every_ms();
  look_due_ms_ = steady_ms() + look_every_ms;
  const std::int64_t due_ms = look_every_ms == 0 ? prune_due_ms_ : std::min(prune_due_ms_, look_due_ms_);
  std::unique_lock lock(mutex_);
  const auto idle = std::chrono::milliseconds(std::max<std::int64_t>(due_ms - steady_ms(), 0));
  wake_.wait_for(lock, idle, [this] { return closing_ || !queue_.empty(); });
  transactions.swap(queue_);
  return !transactions.empty() || !closing_;
}

// Tries until it is done. Gives up only when the journal is being closed or belongs to somebody else.
bool QueuedJournal::commit(const Batch& batch) {
  for (int wait_ms = limits_.retry_first_ms;; wait_ms = std::min(2 * wait_ms, limits_.retry_longest_ms)) {
    const bool last_try = pause(0);
    const auto done = writer_->commit(batch);
    if (!done) ++failures_;
    if (!take(done)) return false;
    if (done) return true;
    if (last_try) return false;
    pause(wait_ms);
  }
}

// A server with nothing to write would not notice that another one has taken its place. False: one has.
bool QueuedJournal::look_when_due() {
  if (writer_->look_every_ms() == 0 || steady_ms() < look_due_ms_) return true;
  return take(writer_->look());
}

// Tells what an answer of the database means. False: the journal belongs to somebody else.
bool QueuedJournal::take(const std::expected<void, std::string>& answer) {
  if (answer) {
    if (std::exchange(lost_, false) && events_.back) events_.back();
    return true;
  }
  report_lost(answer.error());
  if (!writer_->fenced()) return true;
  if (events_.replaced) events_.replaced(fmt::format("{}: {}", name_, answer.error()));
  return false;
}

void QueuedJournal::report_lost(const std::string& why) {
  if (!std::exchange(lost_, true) && events_.lost) events_.lost(fmt::format("{}: {}", name_, why));
}

// Waits, but not while the journal is being closed; true if it is.
bool QueuedJournal::pause(int ms) {
  std::unique_lock lock(mutex_);
  return wake_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return closing_; });
}

void QueuedJournal::announce(Batch batch) {
  ++commits_;
  rows_ += batch.rows.size();
  const core::Seq last = batch.last();
  if (events_.committed) events_.committed(std::move(batch.transactions));
  if (events_.durable) events_.durable(last);
}

void QueuedJournal::prune_when_due() {
  const std::int64_t late_ms = steady_ms() - prune_due_ms_;
  if (late_ms < 0) return;
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || (!queue_.empty() && late_ms < kPruneWhenBusy_ms)) return;
  }
  const bool more = writer_->prune();
  prune_due_ms_ = steady_ms() + (more ? limits_.prune_next_ms : limits_.prune_idle_ms);
  ++prunings_;
}

QueuedJournal::Stats QueuedJournal::stats() const {
  return {.commits = commits_, .rows = rows_, .failures = failures_, .prunings = prunings_};
}

std::vector<Counter> QueuedJournal::counters() const {
  std::vector<Counter> all = {{"store", name_},
                              {"commits", fmt::format("{}", commits_.load())},
                              {"rows", fmt::format("{}", rows_.load())},
                              {"failed commits", fmt::format("{}", failures_.load())}};
  std::ranges::move(writer_->counters(), std::back_inserter(all));
  return all;
}

}  // namespace fuhyo::store
