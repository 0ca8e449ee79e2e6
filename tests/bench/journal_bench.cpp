// How fast the journal makes moves durable, in SQLite and in PostgreSQL (a private server, fsync on): rows and commits
// a second, and the wait for a commit.
//   bench_journal [--dir FOLDER] [--seconds N] [--groups 1,50,1000]
// A group is that many one-move transactions appended at once; the next group follows when the last transaction is
// durable, so it is a closed loop as with that many games. FULL is confirmed by counting syncs of the log below SQLite,
// and of PostgreSQL's by its own count. The cost of one fdatasync is measured in the same folder before and after each
// line.
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "server/store/postgres/store.h"
#include "server/store/sqlite/store.h"
#include "tests/bench/disk_probe.h"
#include "tests/bench/flags.h"
#include "tests/bench/measure.h"
#include "tests/support/patience.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/store/sqlite/vfs_shim.h"

namespace {

using namespace fuhyo;
using bench::Clock;

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
      const std::lock_guard lock(mutex_);
      durable_ = seq;
      changed_.notify_one();
    };
    events.lost = [](const std::string& why) { bench::fail("the store fails: " + why); };
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

struct Measured {
  store::QueuedJournal::Stats stats;
  std::vector<double> waits_ms;
  double wall_s = 0;
};

Measured run(store::Store& store, double seconds, std::size_t group) {
  Measured measured;
  Gate gate;
  core::Recovery recovery;
  const auto journal = bench::sure(store.open_journal(gate.events(), recovery));
  core::Seq last = recovery.last;
  std::int32_t ply = 0;
  const auto began = Clock::now();
  while (bench::seconds_since(began) < seconds) {
    const auto sent = Clock::now();
    for (std::size_t i = 0; i < group; ++i) {
      last = core::next(last);
      journal->append({{.seq = last, .fact = some_move(++ply)}});
    }
    gate.wait(last);
    measured.waits_ms.push_back(bench::ms_since(sent));
  }
  measured.wall_s = bench::seconds_since(began);
  journal->close();
  measured.stats = journal->stats();
  return measured;
}

void print(std::string_view store, std::size_t group, const Measured& measured, std::uint64_t log_syncs,
           const std::vector<double>& syncs_ms) {
  const bench::Percentiles wait = bench::percentiles(measured.waits_ms);
  const bench::Percentiles disk = bench::percentiles(syncs_ms);
  const store::QueuedJournal::Stats& stats = measured.stats;
  const auto commits = static_cast<double>(stats.commits), rows = static_cast<double>(stats.rows);
  fmt::print(
      "{:10} group {:5}: {:8.0f} rows/s {:7.0f} commits/s ({:.1f} rows each), wait p50 {:.2f} p99 {:.2f} max {:.1f} ms;"
      " {:.2f} log syncs a commit; fdatasync p50 {:.2f} p99 {:.2f} ms\n",
      store, group, rows / measured.wall_s, commits / measured.wall_s, rows / commits, wait.p50_ms, wait.p99_ms,
      wait.max_ms, static_cast<double>(log_syncs) / commits, disk.p50_ms, disk.p99_ms);
  if (log_syncs < stats.commits) bench::fail("there were fewer syncs than commits: what was confirmed was not safe");
}

void measure_sqlite(const Options& options, std::size_t group) {
  const test::TemporaryFolder folder(options.folder);
  std::vector<double> syncs_ms = bench::probe_fdatasync(folder.path().string(), 200);
  Measured measured;
  std::uint64_t log_syncs = 0;
  {
    SyncCounter counter;
    const auto store = store::make_sqlite_store({.file = folder.file("journal.db"), .vfs = counter.name(), .warn = {}});
    const std::uint64_t before = counter.log_syncs();
    measured = run(*store, options.seconds, group);
    log_syncs = counter.log_syncs() - before;
  }
  for (const double more : bench::probe_fdatasync(folder.path().string(), 200)) syncs_ms.push_back(more);
  print("SQLite", group, measured, log_syncs, syncs_ms);
}

// Since the count was set to 0. Sessions tell of their syncs now and then, and when they end: waits until nobody has
// told anything more for a second.
std::uint64_t syncs_of(const test::PostgresCluster& cluster, const std::string& database, std::uint64_t least) {
  std::uint64_t count = 0, before = 0;
  test::eventually([&] {
    before = count;
    std::this_thread::sleep_for(std::chrono::seconds(1));
    cluster.ask(database, "SELECT pg_stat_force_next_flush()");
    count = std::stoull(cluster.ask(database, "SELECT wal_sync FROM pg_stat_wal").at(0));
    return count >= least && count == before;
  });
  return count;
}

void measure_postgres(const Options& options, test::PostgresCluster& cluster, std::size_t group) {
  const std::string database = cluster.borrow_database();
  std::vector<double> syncs_ms = bench::probe_fdatasync(options.folder, 200);
  cluster.ask(database, "SELECT pg_stat_reset_shared('wal')");
  const Measured measured =
      run(*store::make_postgres_store(*store::PostgresAddress::parse(cluster.url(database)), {.warn = {}}),
          options.seconds, group);
  const std::uint64_t syncs = syncs_of(cluster, database, measured.stats.commits);
  for (const double more : bench::probe_fdatasync(options.folder, 200)) syncs_ms.push_back(more);
  cluster.give_back(database);
  print("PostgreSQL", group, measured, syncs, syncs_ms);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  bench::take_flags(
      argc, argv,
      {{"--dir", options.folder}, {"--seconds", options.seconds}, {"--groups", bench::list(options.groups)}});
  for (const std::size_t group : options.groups) measure_sqlite(options, group);
  if (test::PostgresCluster::programs().empty()) {
    fmt::print("PostgreSQL is not installed (Debian: postgresql)\n");
    return 0;
  }
  ::setenv("TMPDIR", options.folder.c_str(), 1);
  const auto cluster = test::PostgresCluster::start({"shared_buffers=256MB", "max_wal_size=4GB"});
  for (const std::size_t group : options.groups) measure_postgres(options, *cluster, group);
}
