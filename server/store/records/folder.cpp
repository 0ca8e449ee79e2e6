#include "server/store/records/folder.h"

#include <fmt/format.h>
#include <utility>

namespace fuhyo::store {
namespace {

using core::Seq;

constexpr std::size_t kReadRows = 4096;  // of the journal at a time
constexpr std::chrono::seconds kCursorEvery{1};

}  // namespace

std::expected<std::unique_ptr<RecordsFolder>, std::string> RecordsFolder::open(RecordsOptions options,
                                                                               JournalReader& source) {
  auto projection = RecordsProjection::open(options.folder, options.keep_demo, options.mode);
  if (!projection) return std::unexpected(std::move(projection.error()));
  std::unique_ptr<RecordsFolder> folder(new RecordsFolder(std::move(options), source, std::move(*projection)));
  folder->thread_ = std::thread([self = folder.get()] { self->run(); });
  return folder;
}

RecordsFolder::RecordsFolder(RecordsOptions options, JournalReader& source, RecordsProjection projection)
    : options_(std::move(options)), source_(source), projection_(std::move(projection)) {}

RecordsFolder::~RecordsFolder() { close(); }

void RecordsFolder::follow(std::vector<core::Transaction> transactions) {
  bool first_overflow = false, waited_for = false;
  {
    const std::lock_guard lock(mutex_);
    waited_for = queue_.empty();  // else the thread takes them when it comes, without being woken from its pause
    for (core::Transaction& transaction : transactions) {
      if (queued_facts_ + transaction.size() > options_.queued_facts) {
        missed_ = true;
        first_overflow = !std::exchange(overflow_, true);
        break;
      }
      queued_facts_ += transaction.size();
      queue_.push_back(std::move(transaction));
    }
  }
  if (waited_for) wake_.notify_one();
  if (first_overflow) options_.log("record files are behind; they will be completed from the journal");
}

void RecordsFolder::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

// ---- the thread ----

void RecordsFolder::run() {
  begin();
  while (work()) {
  }
  if (failing_) catch_up();  // what has held it up may be over by now
  if (const auto done = projection_.flush()) {
    save_cursor_if_due(true);
  } else {
    options_.log(fmt::format("record files are incomplete, the next start completes them: {}", done.error()));
  }
}

void RecordsFolder::begin() {
  const Seq cursor = projection_.applied();
  if (cursor != Seq{}) {
    // A journal that has nothing at or after the cursor is not the one that the cursor was written for.
    const auto row = source_.read_after(Seq{core::value(cursor) - 1}, 1);
    if (row && row->empty()) {
      if (auto restarted = projection_.restart(); !restarted) trouble(restarted.error());
    }
  }
  if (catch_up()) projection_.caught_up();
}

bool RecordsFolder::work() {
  std::vector<core::Transaction> transactions;
  bool missed = false;
  bool closing = false;
  {
    std::unique_lock lock(mutex_);
    wake_.wait(lock, [this] { return closing_ || missed_ || !queue_.empty(); });
    transactions.assign(std::make_move_iterator(queue_.begin()), std::make_move_iterator(queue_.end()));
    queue_.clear();
    queued_facts_ = 0;
    missed = std::exchange(missed_, false);
    closing = closing_;
  }
  if (!apply(transactions)) return false;
  if (missed && catch_up()) {
    const std::lock_guard lock(mutex_);
    overflow_ = missed_;
  }
  if (!flush() || closing) return false;
  save_cursor_if_due(false);
  pause(options_.pace);
  return true;
}

bool RecordsFolder::apply(const std::vector<core::Transaction>& transactions) {
  for (const core::Transaction& transaction : transactions) {
    for (const core::Journaled& row : transaction) {
      // What lies between was dropped by a full queue, or by retention, in which case the journal has nothing either.
      if (row.seq > core::next(projection_.applied()) && !catch_up()) return false;
      projection_.apply(row);
    }
  }
  return true;
}

bool RecordsFolder::catch_up() {
  for (;;) {
    auto rows = source_.read_after(projection_.applied(), kReadRows);
    if (!rows) {
      trouble(fmt::format("record files cannot read the journal: {}", rows.error()));
      if (!pause(options_.retry)) return false;
      continue;
    }
    if (rows->empty()) return true;
    for (const core::Journaled& row : *rows) projection_.apply(row);
    if (!flush()) return false;
    save_cursor_if_due(false);
  }
}

bool RecordsFolder::flush() {
  for (;;) {
    const DiskResult done = projection_.flush();
    if (done) {
      recovered();
      return true;
    }
    trouble(fmt::format("record files: {}", done.error()));
    if (!pause(options_.retry)) return false;
  }
}

void RecordsFolder::save_cursor_if_due(bool now) {
  const auto time = std::chrono::steady_clock::now();
  if (!now && time - cursor_saved_ < kCursorEvery) return;
  cursor_saved_ = time;
  if (const auto saved = projection_.save_cursor(); !saved) trouble(fmt::format("record files: {}", saved.error()));
}

bool RecordsFolder::pause(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  wake_.wait_for(lock, time, [this] { return closing_; });
  return !closing_;
}

void RecordsFolder::trouble(std::string_view what) {
  if (!failing_.exchange(true)) options_.log(what);
}

void RecordsFolder::recovered() {
  if (failing_.exchange(false)) options_.log("record files are written again");
}

}  // namespace fuhyo::store
