// The journal as every store has it: a queue, and a thread that hands what is queued to the database.
//
// Everything queued while the last commit ran goes into the next commit: no timers, so a lone transaction waits for
// nobody and a crowd shares one sync. A transaction is never split. While commits fail, everything stays queued and the
// same rows are tried again.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <expected>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "server/core/journal.h"
#include "server/store/batch.h"
#include "server/store/journal_writer.h"
#include "server/store/options.h"

namespace fuhyo::store {

class QueuedJournal final : public core::Journal {
 public:
  // `name`: of the store, for messages. Refused with the reason in words, which begin with the name.
  static std::expected<std::unique_ptr<QueuedJournal>, std::string> open(std::string name, const JournalLimits& limits,
                                                                         std::unique_ptr<JournalWriter> writer,
                                                                         core::JournalEvents events,
                                                                         core::Recovery& out);
  ~QueuedJournal() override;

  // Seqs go on from Recovery::last without gaps; anything else is a bug of the caller and ends the program.
  void append(core::Transaction transaction) override;
  // Nobody else can write before this object is gone.
  bool close() override;

  struct Stats {
    std::uint64_t commits = 0;
    std::uint64_t rows = 0;
    std::uint64_t failures = 0;  // commits that failed and were tried again
    std::uint64_t prunings = 0;  // times that retention has looked for work
  };
  Stats stats() const;                    // any thread
  std::vector<Counter> counters() const;  // any thread: these, and the database's own

 private:
  QueuedJournal(std::string name, const JournalLimits& limits, std::unique_ptr<JournalWriter> writer,
                core::JournalEvents events);

  void run();
  bool wait_for_transactions(std::vector<core::Transaction>& transactions);
  bool commit(const Batch& batch);
  bool look_when_due();
  bool take(const std::expected<void, std::string>& answer);
  void report_lost(const std::string& why);
  bool pause(int ms);
  void announce(Batch batch);
  void prune_when_due();

  const std::string name_;
  const JournalLimits limits_;
  const core::JournalEvents events_;
  const std::unique_ptr<JournalWriter> writer_;  // the thread's, once it runs
  LiveGames live_;                               // likewise
  bool lost_ = false;                            // likewise
  std::int64_t prune_due_ms_ = 0;                // likewise
  std::int64_t look_due_ms_ = 0;                 // likewise

  core::Seq appended_{};  // the appending thread's
  bool closed_ = false;   // likewise
  bool whole_ = false;    // set by the thread at its end: everything was committed

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<core::Transaction> queue_;
  bool closing_ = false;

  std::atomic<std::uint64_t> commits_{0}, rows_{0}, failures_{0}, prunings_{0};
  std::thread thread_;
};

}  // namespace fuhyo::store
