// Record files as shogi-server keeps them (YYYY/MM/DD/<game id>.csa, 00LIST), written behind the journal on a thread of
// its own: the store, the core and the players never wait for it.
//
// follow() takes what was committed. What does not fit in its bounded queue, and what a former run left undone, is read
// from the journal later. While the disk is full or away it keeps trying and says so once.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "server/core/journal.h"
#include "server/store/journal_reader.h"
#include "server/store/records/projection.h"

namespace fuhyo::store {

struct RecordsOptions {
  std::filesystem::path folder;
  FileMode mode;                      // of records and lists, and of their folders
  std::size_t keep_demo = 20;         // finished games of the room "demo" that are kept
  std::size_t queued_facts = 65'536;  // about 10 MB; three seconds of the heaviest load
  // Moves of one game that come faster than this share a write.
  std::chrono::milliseconds pace{250};
  std::chrono::milliseconds retry{1000};                                // after a failure of the disk or the journal
  std::function<void(std::string_view)> log = [](std::string_view) {};  // called from the folder's thread and follow()
};

class RecordsFolder {
 public:
  // Fails if the folder cannot be written. `source` must outlive the object. The thread begins by completing what the
  // journal has and the folder lacks.
  static std::expected<std::unique_ptr<RecordsFolder>, std::string> open(RecordsOptions options, JournalReader& source);
  ~RecordsFolder();
  RecordsFolder(const RecordsFolder&) = delete;
  RecordsFolder& operator=(const RecordsFolder&) = delete;

  // Transactions in the order of their commit. Returns at once; any one thread at a time.
  void follow(std::vector<core::Transaction> transactions);
  // Writes what was followed so far and stops; gives up on a disk that fails. What is missing then is completed by the
  // next open().
  void close();
  // Whether it tries in vain to write, or to read the journal. Any thread.
  bool is_failing() const { return failing_.load(std::memory_order_relaxed); }

 private:
  RecordsFolder(RecordsOptions options, JournalReader& source, RecordsProjection projection);
  void run();
  void begin();
  bool work();                                                     // one batch; false: closed
  bool apply(const std::vector<core::Transaction>& transactions);  // false: gave up because of close()
  bool catch_up();                                                 // likewise
  bool flush();                                                    // likewise
  void save_cursor_if_due(bool now);
  bool pause(std::chrono::milliseconds time);  // false: close() was called
  void trouble(std::string_view what);         // logged once per episode
  void recovered();

  const RecordsOptions options_;
  JournalReader& source_;
  RecordsProjection projection_;  // of the thread
  std::chrono::steady_clock::time_point cursor_saved_{};
  std::atomic<bool> failing_{false};

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<core::Transaction> queue_;  // guarded by mutex_, like all below
  std::size_t queued_facts_ = 0;
  bool missed_ = false;    // something did not fit and was dropped
  bool overflow_ = false;  // this episode was logged
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace fuhyo::store
