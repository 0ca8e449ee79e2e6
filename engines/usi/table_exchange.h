// The exchange of table entries between engines that search one game together (the lines of table_lines.h): what the
// options say of it, which search a line belongs to, and what is printed of a search. Independent of the engine.
//
// What arrives is data of a stranger. A batch of another search is dropped before it is read, and so is what exceeds
// kMostHeardBytes a second; the loop tells once a search how much was left out.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "engines/usi/engine.h"
#include "engines/usi/table_lines.h"

namespace fuhyo::usi {

// Of what is heard, for each second: some 300,000 entries. To read them takes a small part of one core.
constexpr std::size_t kMostHeardBytes = 16 * 1024 * 1024;
// Batches that wait to be printed. More means that nobody reads, or that the rate is low: the oldest give way.
constexpr std::size_t kMostWaitingBatches = 256;

// Of a search in lockstep: nothing in it depends on time, and all entries are printed at once.
struct Lockstep {
  std::int64_t slice = 0;                              // nodes; 0: it is none
  const std::atomic<std::int64_t>* allowed = nullptr;  // slices
};

// Prints the entries of one search, on a thread of its own: whoever sends them never waits for the output.
class TableSender {
 public:
  using Print = std::function<void(std::string_view)>;  // thread-safe
  // So much of a second's bytes may go at once, so that a search need not wait for its last lines.
  static constexpr std::chrono::milliseconds kBurst{10};

  // `bytes_per_second`: at most, over any time and kBurst; 0: no limit.
  TableSender(std::int64_t search, std::int64_t bytes_per_second, Print print, Lockstep lockstep = {});
  // Prints what still waits, but for what the rate forbids.
  ~TableSender();
  TableSender(const TableSender&) = delete;
  TableSender& operator=(const TableSender&) = delete;

  // 1 to kMostTableEntries. Any thread.
  void send(std::vector<TableEntry> entries);
  // In lockstep: waits at the end of a slice for the next one, or until `stopped`. Returns how many of so many nodes
  // are left until it is to be called again: 0 at most where the search was stopped, kForever without lockstep. By the
  // thread that searches.
  std::int64_t keep_step(std::int64_t nodes, const std::function<bool()>& stopped) const;

 private:
  using Clock = std::chrono::steady_clock;
  void run();

  const std::int64_t search_, bytes_per_second_;
  const Print print_;
  const Lockstep lockstep_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::vector<TableEntry>> waiting_;
  bool closing_ = false;
  std::jthread thread_;  // last: it uses the members above
};

class TableExchange {
 public:
  using Print = TableSender::Print;
  // Takes what it can use of entries of the present search, and returns how many it refuses. Called by hear().
  using Take = std::function<std::size_t(std::span<const TableEntry>)>;

  // TableExchange, TableExchangeDepth, TableExchangeRate.
  static void add_options(OptionTable& table);
  // `options` must outlive it. `now`: for the limit of what is heard.
  TableExchange(const OptionTable& options, Take take, SearchControl::Now now = &SearchControl::Clock::now);

  // What is said by "tt keys".
  void set_keys(std::uint64_t digest) { keys_ = digest; }

  // ---- the reader's thread ----

  // Where all lines go; nothing is said without. Only while no search runs.
  void print_to(Print print) { print_ = std::move(print); }
  // What follows "tt". Also while a search runs.
  void hear(std::string_view text);
  // A "go": it is the search of the last "tt search N", or one that exchanges nothing. Only while no search runs.
  void begin_search();
  void say_keys() const;

  // ---- the thread of the search, or the reader's while none runs ----

  bool on() const { return options_.text("TableExchange") != "off"; }
  // The least depth of entries that are sent as they are saved; none: lines are sent.
  std::optional<int> least_depth() const;
  // For one search; null if it sends nothing.
  std::unique_ptr<TableSender> sender() const;
  // Tells what was left out since it was told last.
  void tell();

 private:
  struct LeftOut {
    std::size_t stale = 0, floods = 0;       // batches
    std::size_t malformed = 0, refused = 0;  // entries; a line that cannot be read counts as one that is malformed
    bool operator==(const LeftOut&) const = default;
  };
  void take(const TableBatch& batch);
  void leave_out(const LeftOut& more);
  bool is_flood(std::size_t bytes);

  const OptionTable& options_;
  const Take take_;
  const SearchControl::Now now_;
  Print print_;
  std::uint64_t keys_ = 0;

  std::int64_t announced_ = 0;                    // by "tt search", for the next "go"
  std::int64_t present_ = 0;                      // the search whose entries are taken; 0: none
  std::int64_t sending_ = 0;                      // the search that runs; 0: it sends nothing
  std::int64_t announced_slice_ = 0, slice_ = 0;  // nodes of a slice, of these two; 0: no lockstep
  std::atomic<std::int64_t> slices_ = 1;          // that the search may have searched
  bool told_off_ = false;                         // since the last "go"
  SearchControl::Clock::time_point second_{};
  std::size_t heard_bytes_ = 0;  // since then

  std::mutex mutex_;
  LeftOut left_out_;
};

}  // namespace fuhyo::usi
