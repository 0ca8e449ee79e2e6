// Wakes listeners for new rows of the journal, now and then. NOTIFY takes a lock of the whole database server until its
// transaction has committed, so it goes over a connection of its own, outside of the transactions that write, and
// seldom. A notification that does not arrive costs listeners time and nothing else. A thread of its own.
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

#include "server/store/postgres/address.h"
#include "server/store/postgres/connection.h"
#include "server/store/postgres/options.h"

namespace fuhyo::store {

constexpr const char* kNotifyChannel = "fuhyo";

class PostgresNotifier {
 public:
  PostgresNotifier(const PostgresAddress& address, const PostgresOptions& options);  // both outlive it
  ~PostgresNotifier();
  PostgresNotifier(const PostgresNotifier&) = delete;
  PostgresNotifier& operator=(const PostgresNotifier&) = delete;

  // Rows have been committed. Any thread; returns at once.
  void committed();

 private:
  void run();
  bool wait_for_news();
  bool rest(std::chrono::milliseconds time);
  bool notify();

  const PostgresAddress& address_;
  const PostgresOptions& options_;
  Patience patience_;
  std::unique_ptr<PgConnection> connection_;  // the thread's

  std::mutex mutex_;
  std::condition_variable wake_;
  bool news_ = false, stop_ = false;
  std::thread thread_;
};

}  // namespace fuhyo::store
