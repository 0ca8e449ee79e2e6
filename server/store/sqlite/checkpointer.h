// Moves the write-ahead log into the database while commits go on: a thread and a connection of its own.
//
// A passive checkpoint never hinders the writer, but while the writer is busy it never reaches the end of the log
// either, and the log only begins anew once all of it was moved. So beyond a limit the writer is held back once, right
// after a passive checkpoint has left little to move: that costs it about one sync.
//
// SQLite takes what a failed sync was to write for still to be written. Linux forgets it, and pages that an earlier,
// partial checkpoint moved are not moved again. So once a sync has failed here, the log is kept whole until the next
// start, where SQLite moves all of it again.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include "server/store/sqlite/database.h"
#include "server/store/sqlite/options.h"

namespace fuhyo::store {

class SqliteCheckpointer {
 public:
  explicit SqliteCheckpointer(const SqliteOptions& options);
  ~SqliteCheckpointer();
  SqliteCheckpointer(const SqliteCheckpointer&) = delete;
  SqliteCheckpointer& operator=(const SqliteCheckpointer&) = delete;

  // The log has this many pages now. Called after each commit, from the thread that commits.
  void log_has(int pages);

  // Around every transaction of the writer. A lock of SQLite's would be waited for by polling, which a busy writer
  // never gives a chance.
  class WriterTurn {
   public:
    explicit WriterTurn(SqliteCheckpointer& checkpointer);
    ~WriterTurn();
    WriterTurn(const WriterTurn&) = delete;
    WriterTurn& operator=(const WriterTurn&) = delete;

   private:
    SqliteCheckpointer& checkpointer_;
  };

 private:
  void run();
  bool wait_for_work();
  bool connect();
  void checkpoint();
  bool move(int mode, int* pages);
  void begin_anew();
  void keep_log();

  const SqliteOptions options_;
  std::optional<Database> db_;  // the thread's own
  bool log_kept_ = false;       // likewise: nothing is moved any more
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable turn_;
  bool writing_ = false;     // the writer is in a transaction
  bool restarting_ = false;  // the log is about to begin anew: no new transaction now
  int pages_ = 0;            // in the log
  int behind_ = 0;           // pages_ at the last checkpoint
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace fuhyo::store
