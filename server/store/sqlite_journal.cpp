#include "server/store/sqlite_journal.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <utility>

#include "server/store/sqlite_reader.h"

namespace fuhyo::store {
namespace {

// Retention looks for work this often, takes a range at a time while there is some, and lets commits go first.
constexpr std::int64_t kPruneIdle_ms = 60'000;
constexpr std::int64_t kPruneNext_ms = 50;
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

std::expected<std::unique_ptr<SqliteJournal>, std::string> SqliteJournal::open(const SqliteOptions& options,
                                                                               core::JournalEvents events,
                                                                               core::Recovery& out) {
  const auto refuse = [&](const std::string& why) { return std::unexpected(fmt::format("{}: {}", options.file, why)); };
  auto lock = FileLock::take(options.file + "-lock");
  if (!lock) return refuse(lock.error());
  std::unique_ptr<SqliteJournal> journal(new SqliteJournal(options, std::move(events), std::move(*lock)));
  if (auto started = journal->writer_.start(out, journal->live_); !started) return refuse(started.error());
  journal->appended_ = out.last;
  journal->thread_ = std::thread([self = journal.get()] { self->run(); });
  return journal;
}

SqliteJournal::SqliteJournal(const SqliteOptions& options, core::JournalEvents events, FileLock lock)
    : options_(options),
      events_(std::move(events)),
      lock_(std::move(lock)),
      checkpointer_(options),
      writer_(options, [this](int pages) {
        wal_pages_ = pages;
        checkpointer_.log_has(pages);
      }) {}

SqliteJournal::~SqliteJournal() { close(); }

void SqliteJournal::append(core::Step step) {
  if (step.empty()) return;
  if (closed_) die("a step was appended after close()");
  for (const core::Journaled& row : step) {
    if (row.seq != core::next(appended_)) {
      die(fmt::format("seq {} was appended after {}", core::value(row.seq), core::value(appended_)));
    }
    appended_ = row.seq;
  }
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(step));
  }
  wake_.notify_one();
}

bool SqliteJournal::close() {
  if (!closed_ && thread_.joinable()) {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }
  closed_ = true;
  return whole_;
}

void SqliteJournal::run() {
  for (std::vector<core::Step> steps; wait_for_steps(steps); prune_when_due()) {
    if (steps.empty()) continue;
    Batch batch(std::exchange(steps, {}), live_);
    if (!commit(batch)) return;
    announce(std::move(batch));
  }
  whole_ = true;
}

// False: nothing is left and nothing will come. No steps: retention may look for work.
bool SqliteJournal::wait_for_steps(std::vector<core::Step>& steps) {
  std::unique_lock lock(mutex_);
  const auto idle = std::chrono::milliseconds(std::clamp<std::int64_t>(prune_due_ms_ - steady_ms(), 0, kPruneIdle_ms));
  wake_.wait_for(lock, idle, [this] { return closing_ || !queue_.empty(); });
  steps.swap(queue_);
  return !steps.empty() || !closing_;
}

// Tries until it is done. Gives up only when the journal is being closed or belongs to somebody else.
bool SqliteJournal::commit(const Batch& batch) {
  for (int wait_ms = options_.retry_first_ms;; wait_ms = std::min(2 * wait_ms, options_.retry_longest_ms)) {
    const bool last_try = pause(0);
    const auto done = [&] {
      const SqliteCheckpointer::WriterTurn turn(checkpointer_);
      return writer_.commit(batch);
    }();
    if (done) break;
    ++failures_;
    report_lost(done.error());
    if (last_try || writer_.fenced()) return false;
    pause(wait_ms);
  }
  if (std::exchange(lost_, false) && events_.back) events_.back();
  return true;
}

void SqliteJournal::report_lost(const std::string& why) {
  if (!std::exchange(lost_, true) && events_.lost) events_.lost(fmt::format("{}: {}", options_.file, why));
}

// Waits, but not while the journal is being closed; true if it is.
bool SqliteJournal::pause(int ms) {
  std::unique_lock lock(mutex_);
  return wake_.wait_for(lock, std::chrono::milliseconds(ms), [this] { return closing_; });
}

void SqliteJournal::announce(Batch batch) {
  ++commits_;
  rows_ += batch.rows.size();
  if (events_.durable) events_.durable(batch.last());
  if (events_.committed) events_.committed(std::move(batch.steps));
}

void SqliteJournal::prune_when_due() {
  const std::int64_t late_ms = steady_ms() - prune_due_ms_;
  if (late_ms < 0) return;
  {
    const std::lock_guard lock(mutex_);
    if (closing_ || (!queue_.empty() && late_ms < kPruneWhenBusy_ms)) return;
  }
  const SqliteCheckpointer::WriterTurn turn(checkpointer_);
  prune_due_ms_ = steady_ms() + (writer_.prune() ? kPruneNext_ms : kPruneIdle_ms);
}

std::expected<std::unique_ptr<JournalReader>, std::string> SqliteJournal::reader() const {
  return SqliteReader::open(options_);
}

SqliteJournal::Stats SqliteJournal::stats() const {
  return {.commits = commits_, .rows = rows_, .failures = failures_, .wal_pages = wal_pages_};
}

}  // namespace fuhyo::store
