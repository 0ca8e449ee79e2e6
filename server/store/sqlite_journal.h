// The journal in one SQLite file: what is announced as durable survives a power cut, and nothing is lost or reordered.
//
// A thread of its own owns the writing connection. Everything queued while the last commit ran goes into the next
// commit: no timers, so a lone step waits for nobody and a crowd shares one sync. A step is never split. While commits
// fail, everything stays queued and the same rows are tried again.
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
#include "server/store/file_lock.h"
#include "server/store/journal_reader.h"
#include "server/store/sqlite_checkpointer.h"
#include "server/store/sqlite_options.h"
#include "server/store/sqlite_writer.h"

namespace fuhyo::store {

class SqliteJournal : public core::Journal {
 public:
  struct Stats {
    std::uint64_t commits = 0;
    std::uint64_t rows = 0;
    std::uint64_t failures = 0;  // commits that failed and were tried again
    int wal_pages = 0;
  };

  // Creates the file if there is none and upgrades an older one. Refused, with the file and the reason in words: a file
  // in use by another process, of another program, or written by a newer version; a folder that does not exist.
  static std::expected<std::unique_ptr<SqliteJournal>, std::string> open(const SqliteOptions& options,
                                                                         core::JournalEvents events,
                                                                         core::Recovery& out);
  ~SqliteJournal() override;

  // Seqs go on from Recovery::last without gaps; anything else is a bug of the caller and ends the program.
  void append(core::Step step) override;
  bool close() final;

  // A connection for readers; it may outlive this object.
  std::expected<std::unique_ptr<JournalReader>, std::string> reader() const;
  Stats stats() const;  // any thread

 private:
  SqliteJournal(const SqliteOptions& options, core::JournalEvents events, FileLock lock);

  void run();
  bool wait_for_steps(std::vector<core::Step>& steps);
  bool commit(const Batch& batch);
  void report_lost(const std::string& why);
  bool pause(int ms);
  void announce(Batch batch);
  void prune_when_due();

  const SqliteOptions options_;
  const core::JournalEvents events_;
  const FileLock lock_;
  SqliteCheckpointer checkpointer_;
  SqliteWriter writer_;            // the thread's, once it runs
  LiveGames live_;                 // likewise
  bool lost_ = false;              // likewise
  std::int64_t prune_due_ms_ = 0;  // likewise

  core::Seq appended_{};  // the appending thread's
  bool closed_ = false;   // likewise
  bool whole_ = false;    // set by the thread at its end: everything was committed

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<core::Step> queue_;
  bool closing_ = false;

  std::atomic<std::uint64_t> commits_{0}, rows_{0}, failures_{0};
  std::atomic<int> wal_pages_{0};
  std::thread thread_;
};

}  // namespace fuhyo::store
