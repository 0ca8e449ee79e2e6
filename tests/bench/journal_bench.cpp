// How fast the SQLite journal makes moves durable: rows and commits a second, and the wait for a commit.
//   bench_journal [--dir FOLDER] [--seconds N] [--groups 1,50,1000]
// A group is that many one-move steps appended at once; the next group follows when the last step is durable, so it is
// a closed loop as with that many games. FULL is confirmed by counting syncs of the log below SQLite. The cost of one
// fdatasync is measured in the same folder before and after each line.
#include <atomic>
#include <charconv>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "server/store/sqlite/journal.h"
#include "tests/bench/disk_probe.h"
#include "tests/unit/store/sqlite/vfs_shim.h"

namespace {

using namespace fuhyo;
using Clock = std::chrono::steady_clock;

// Counts the syncs of write-ahead logs, and passes everything on.
class SyncCounter : public test::VfsShim {
 public:
  SyncCounter() : VfsShim("sync-counter") {}
  std::uint64_t log_syncs() const { return log_syncs_; }

 protected:
  int sync(File& file, int flags) override {
    if ((file.flags & SQLITE_OPEN_WAL) != 0) ++log_syncs_;
    return VfsShim::sync(file, flags);
  }

 private:
  std::atomic<std::uint64_t> log_syncs_{0};
};

struct Options {
  std::string folder = std::filesystem::temp_directory_path().string();
  double seconds = 5;
  std::vector<std::size_t> groups = {1, 50, 1000};
};

// The thread that appends waits here for the thread that commits.
class Gate {
 public:
  core::JournalEvents events() {
    core::JournalEvents events;
    events.durable = [this](core::Seq seq) {
      {
        const std::lock_guard lock(mutex_);
        durable_ = seq;
      }
      changed_.notify_one();
    };
    events.lost = [](std::string why) {
      fmt::print(stderr, "the store fails: {}\n", why);
      std::exit(1);
    };
    return events;
  }
  void wait(core::Seq seq) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return durable_ >= seq; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  core::Seq durable_{};
};

core::Fact some_move(std::int32_t ply) {
  return core::MoveMade{.game = core::GameId{1},
                        .ply = ply,
                        .csa = "+2726FU",
                        .spent_s = 3,
                        .remaining_s = 597,
                        .at = core::Wall{1'780'000'000'000'000 + ply},
                        .comment = "* 123 -3334FU +2625FU"};
}

void measure(const Options& options, std::size_t group) {
  const std::string folder = options.folder + fmt::format("/journal-bench-{}", getpid());
  std::filesystem::create_directories(folder);
  std::vector<double> syncs_ms = bench::probe_fdatasync(folder, 200);
  std::vector<double> waits_ms;
  store::QueuedJournal::Stats stats;
  std::uint64_t log_syncs = 0;
  double wall_s = 0;
  {
    SyncCounter counter;
    Gate gate;
    store::SqliteOptions store;
    store.file = folder + "/journal.db";
    store.vfs = counter.name();
    core::Recovery recovery;
    auto journal = store::open_sqlite_journal(store, gate.events(), recovery);
    if (!journal) {
      fmt::print(stderr, "{}\n", journal.error());
      std::exit(1);
    }
    core::Seq last{};
    std::int32_t ply = 0;
    const std::uint64_t syncs_before = counter.log_syncs();
    const auto began = Clock::now();
    while (std::chrono::duration<double>(Clock::now() - began).count() < options.seconds) {
      const auto sent = Clock::now();
      for (std::size_t i = 0; i < group; ++i) {
        last = core::next(last);
        (*journal)->append({{.seq = last, .fact = some_move(++ply)}});
      }
      gate.wait(last);
      waits_ms.push_back(std::chrono::duration<double, std::milli>(Clock::now() - sent).count());
    }
    wall_s = std::chrono::duration<double>(Clock::now() - began).count();
    (*journal)->close();
    stats = (*journal)->stats();
    log_syncs = counter.log_syncs() - syncs_before;
  }
  for (const double more : bench::probe_fdatasync(folder, 200)) syncs_ms.push_back(more);
  std::filesystem::remove_all(folder);
  const bench::Percentiles wait = bench::percentiles(waits_ms);
  const bench::Percentiles disk = bench::percentiles(syncs_ms);
  fmt::print(
      "group {:5}: {:8.0f} rows/s {:7.0f} commits/s ({:.1f} rows each), wait p50 {:.2f} p99 {:.2f} max {:.1f} ms;"
      " {:.2f} log syncs a commit; fdatasync p50 {:.2f} p99 {:.2f} ms\n",
      group, static_cast<double>(stats.rows) / wall_s, static_cast<double>(stats.commits) / wall_s,
      static_cast<double>(stats.rows) / static_cast<double>(stats.commits), wait.p50_ms, wait.p99_ms, wait.max_ms,
      static_cast<double>(log_syncs) / static_cast<double>(stats.commits), disk.p50_ms, disk.p99_ms);
  if (log_syncs < stats.commits) {
    fmt::print(stderr, "there were fewer syncs than commits: synchronous is not FULL\n");
    std::exit(1);
  }
}

[[noreturn]] void usage() {
  fmt::print(stderr, "usage: bench_journal [--dir FOLDER] [--seconds N] [--groups 1,50,1000]\n");
  std::exit(2);
}

std::vector<std::size_t> parse_groups(std::string_view text) {
  std::vector<std::size_t> groups;
  for (;;) {
    std::size_t group = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), group);
    if (fault != std::errc{} || group == 0) usage();
    groups.push_back(group);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty()) return groups;
    if (text.front() != ',') usage();
    text.remove_prefix(1);
  }
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string_view name = argv[i];
    if (i + 1 == argc) usage();
    if (name == "--dir")
      options.folder = argv[i + 1];
    else if (name == "--seconds")
      options.seconds = std::atof(argv[i + 1]);
    else if (name == "--groups")
      options.groups = parse_groups(argv[i + 1]);
    else
      usage();
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = parse(argc, argv);
  for (const std::size_t group : options.groups) measure(options, group);
}
