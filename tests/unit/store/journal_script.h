// Facts to write into a journal under test, and an ear for what it reports.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "server/core/journal.h"
#include "tests/support/patience.h"

namespace fuhyo::test {

core::GameOpened opened(std::uint64_t game);
core::GameStarted started(std::uint64_t game);
core::GameRejected rejected(std::uint64_t game);
core::MoveMade move(std::uint64_t game, std::int32_t ply);
core::GameEnded ended(std::uint64_t game, std::int32_t plies);

// Steps with ascending seqs.
class Script {
 public:
  explicit Script(core::Seq last = {}) : last_(last) {}
  core::Transaction transaction(std::vector<core::Fact> facts);
  core::Seq last() const { return last_; }

 private:
  core::Seq last_;
};

// A workload with everything in it: several games at once, one after the other, rejected ones, transactions of one to
// three facts. The first transactions of a longer one are the same.
std::vector<core::Transaction> workload(std::size_t transactions, core::Seq after = {});
std::vector<core::Journaled> rows_of(const std::vector<core::Transaction>& transactions);
// Of `rows`, those of games that are not over at their end.
std::vector<core::Journaled> live_rows(const std::vector<core::Journaled>& rows);

// What the journal reported. Every wait has its limit: what does not come in time is false.
class Listener {
 public:
  core::JournalEvents events();
  bool wait_durable(core::Seq seq) {
    return wait([&] { return durable_ >= seq; });
  }
  // Appends the transaction; whether it becomes durable.
  bool keeps(core::Journal& journal, const core::Transaction& transaction) {
    journal.append(transaction);
    return wait_durable(transaction.back().seq);
  }
  bool wait_durable_or_lost(core::Seq seq) {
    return wait([&] { return durable_ >= seq || lost_ > back_; });
  }
  bool wait_lost() {
    return wait([&] { return lost_ > back_; });
  }
  bool wait_back() {  // after it was lost
    return wait([&] { return lost_ > 0 && back_ == lost_; });
  }
  bool wait_replaced() {
    return wait([&] { return !replaced_.empty(); });
  }

  core::Seq durable() const { return copied(durable_); }
  std::vector<core::Transaction> committed() const { return copied(committed_); }
  int lost() const { return copied(lost_); }
  int back() const { return copied(back_); }
  std::string why() const { return copied(why_); }                     // of the newest loss
  std::string replaced() const { return copied(replaced_); }           // what was said of the writer that took over
  std::vector<std::size_t> groups() const { return copied(groups_); }  // transactions in each commit
  bool orderly() const { return copied(orderly_); }                    // durable rose, for what was handed on before

 private:
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, condition);
  }
  template <class Value>
  Value copied(const Value& value) const {
    const std::lock_guard lock(mutex_);
    return value;
  }

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  core::Seq durable_{};
  std::vector<core::Transaction> committed_;
  std::vector<std::size_t> groups_;
  int lost_ = 0, back_ = 0;
  std::string why_, replaced_;
  bool orderly_ = true;
};

}  // namespace fuhyo::test
