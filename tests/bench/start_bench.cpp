// How long a server takes to start on a large journal: from exec to listening, all rooms rebuilt, after kill -9.
//   bench_start [--dir FOLDER] [--rows N] [--live N] [--times N] [--store sqlite|postgres|both]
// Each store (PostgreSQL: a private server, fsync on) is filled with games of 98 random moves until the journal has so
// many rows; then `fuhyo serve`, which lies beside this program, is started and killed N times. The first start also
// makes the record files of all games, in the background.
#include <array>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/bench/flags.h"
#include "tests/bench/journal_filler.h"
#include "tests/bench/measure.h"
#include "tests/support/postgres_cluster.h"
#include "tests/support/temporary_folder.h"

namespace {

using namespace fuhyo;
namespace fs = std::filesystem;
using bench::Clock, bench::fail, bench::seconds_since, bench::sure;

constexpr std::uint64_t kRowsPerGame = 101;  // opened, started, 98 moves, ended

struct Options {
  fs::path folder = fs::temp_directory_path();
  std::uint64_t rows = 10'000'000, live = 100, times = 5;
  std::string store = "both";
};

// Seconds until the server listens for players; it is dead afterwards.
double start_and_kill(const fs::path& data, const std::string& store) {
  const std::string program = fs::read_symlink("/proc/self/exe").parent_path() / "fuhyo";
  std::vector<std::string> words = {program,  "serve",       "--csa",   "127.0.0.1:0", "--http",      "off",
                                    "--data", data.string(), "--store", store,         "--log-level", "error"};
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> pipe{};
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) fail("no pipe");
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, pipe[1], 1);
  pid_t pid = -1;
  const auto began = Clock::now();
  if (posix_spawn(&pid, program.c_str(), &files, nullptr, arguments.data(), environ) != 0) fail("no " + program);
  posix_spawn_file_actions_destroy(&files);
  ::close(pipe[1]);
  std::string said;
  std::array<char, 512> part{};
  while (said.find("listening csa=") == std::string::npos) {
    const ssize_t size = ::read(pipe[0], part.data(), part.size());
    if (size <= 0) fail("the server did not start: " + said);
    said.append(part.data(), static_cast<std::size_t>(size));
  }
  const double seconds = seconds_since(began);
  ::close(pipe[0]);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
  return seconds;
}

void measure(const Options& options, std::string_view name, const fs::path& data, const std::string& address,
             const std::function<double()>& megabytes) {
  const auto began = Clock::now();
  {
    const auto store = sure(store::make_store(address));
    const auto rows = sure(bench::fill_journal(*store, {.games = options.rows / kRowsPerGame, .live = options.live}));
    fmt::print("{}: {} rows, {} games running, {:.0f} MB; filled in {:.0f} s\n", name, rows, options.live, megabytes(),
               seconds_since(began));
  }
  for (std::uint64_t time = 1; time <= options.times; ++time) {
    fmt::print("{}: start {}: listening after {:.2f} s\n", name, time, start_and_kill(data, address));
    std::fflush(stdout);
  }
}

void measure_sqlite(const Options& options, const fs::path& folder) {
  const fs::path data = folder / "sqlite";
  fs::create_directories(data);
  const fs::path file = data / "fuhyo.db";
  measure(options, "SQLite", data, "sqlite:" + file.string(),
          [&] { return static_cast<double>(fs::file_size(file)) / 1e6; });
}

void measure_postgres(const Options& options, const fs::path& folder) {
  if (test::PostgresCluster::programs().empty()) {
    fmt::print("PostgreSQL is not installed (Debian: postgresql)\n");
    return;
  }
  ::setenv("TMPDIR", options.folder.c_str(), 1);
  const auto cluster = test::PostgresCluster::start({"shared_buffers=256MB", "max_wal_size=4GB"});
  const std::string database = cluster->borrow_database();
  measure(options, "PostgreSQL", folder / "postgres", cluster->url(database), [&] {
    const auto bytes = cluster->ask(database, "SELECT pg_database_size(current_database())");
    return bytes.empty() ? 0 : std::stod(bytes.front()) / 1e6;
  });
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const auto one_of_stores = [&](std::string_view value) {
    options.store = value;
    return value == "sqlite" || value == "postgres" || value == "both";
  };
  bench::take_flags(argc, argv,
                    {{"--dir", options.folder},
                     {"--rows", options.rows},
                     {"--live", options.live},
                     {"--times", options.times},
                     {"--store", one_of_stores}});
  const test::TemporaryFolder folder(options.folder);
  if (options.store != "postgres") measure_sqlite(options, folder.path());
  if (options.store != "sqlite") measure_postgres(options, folder.path());
}
