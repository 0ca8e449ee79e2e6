#include "tests/support/postgres_cluster.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace fuhyo::test {
namespace {

namespace fs = std::filesystem;

bool succeeds(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

pid_t spawn(const std::string& command, int input) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  if (input >= 0) posix_spawn_file_actions_adddup2(&files, input, 0);
  std::string text = "exec " + command;
  char shell[] = "/bin/sh", flag[] = "-c";
  std::array<char*, 4> arguments = {shell, flag, text.data(), nullptr};
  pid_t pid = -1;
  if (posix_spawn(&pid, shell, &files, nullptr, arguments.data(), environ) != 0) pid = -1;
  posix_spawn_file_actions_destroy(&files);
  return pid;
}

using Connection = std::unique_ptr<PGconn, decltype(&PQfinish)>;
using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

Connection connect(const std::string& url) { return {PQconnectdb(url.c_str()), PQfinish}; }

}  // namespace

const fs::path& PostgresCluster::programs() {
  static const fs::path found = [] {
    std::vector<fs::path> all;
    std::error_code error;
    for (const auto& version : fs::directory_iterator("/usr/lib/postgresql", error)) {
      if (fs::exists(version.path() / "bin/initdb", error)) all.push_back(version.path() / "bin");
    }
    return all.empty() ? fs::path() : *std::ranges::max_element(all);
  }();
  return found;
}

PostgresCluster::PostgresCluster(std::vector<std::string> settings) : settings_(std::move(settings)) {
  std::string pattern = (fs::temp_directory_path() / "fuhyo-pg-XXXXXX").string();
  if (::mkdtemp(pattern.data()) != nullptr) folder_ = pattern;
  if (::geteuid() != 0) return;
  // PostgreSQL does not run as root.
  for (const char* name : {"postgres", "nobody"}) {
    const passwd* user = ::getpwnam(name);
    if (user == nullptr) continue;
    user_ = name;
    if (::chown(folder_.c_str(), user->pw_uid, user->pw_gid) != 0) user_.clear();
    break;
  }
}

std::unique_ptr<PostgresCluster> PostgresCluster::start(std::vector<std::string> settings) {
  if (programs().empty()) return nullptr;
  std::unique_ptr<PostgresCluster> cluster(new PostgresCluster(std::move(settings)));
  if (cluster->init() && cluster->start()) return cluster;
  std::fprintf(stderr, "PostgreSQL is installed, but a cluster of our own does not start: %s\n",
               (cluster->folder_ / "log").c_str());
  std::abort();
}

PostgresCluster* PostgresCluster::shared() {
  static const std::unique_ptr<PostgresCluster> cluster =
      start({"fsync=off", "full_page_writes=off", "max_connections=100"});
  return cluster.get();
}

std::string PostgresCluster::as_its_user(const std::string& command) const {
  // The signal is for the server: it ends with the thread that started it.
  const std::string base = "setpriv --pdeathsig QUIT ";
  if (user_.empty()) return base + command;
  const passwd* user = ::getpwnam(user_.c_str());
  return fmt::format("{} --reuid {} --regid {} --clear-groups {}", base, user->pw_uid, user->pw_gid, command);
}

bool PostgresCluster::init() {
  return succeeds(
      as_its_user(fmt::format("{} -D {} -U fuhyo --auth=trust --no-sync -E UTF8 --locale=C --no-instructions",
                              (programs() / "initdb").string(), (folder_ / "data").string())));
}

bool PostgresCluster::start() {
  std::string command = fmt::format("{} -D {} -k {} -c listen_addresses=", (programs() / "postgres").string(),
                                    (folder_ / "data").string(), folder_.string());
  for (const std::string& setting : settings_) command += fmt::format(" -c {}", setting);
  command = as_its_user(command) + fmt::format(" >> {} 2>&1", (folder_ / "log").string());
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  // It refuses to start as long as a process of the one that was killed shares its memory.
  while (std::chrono::steady_clock::now() < give_up) {
    server_ = spawn(command, -1);
    watch();
    if (answers(give_up)) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return false;
}

bool PostgresCluster::answers(std::chrono::steady_clock::time_point give_up) const {
  const std::string address = url("postgres");
  while (std::chrono::steady_clock::now() < give_up) {
    if (PQping(address.c_str()) == PQPING_OK) return true;
    if (::waitpid(server_, nullptr, WNOHANG) == server_) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return false;
}

// A shell that waits for the end of this program, and then clears up after it.
void PostgresCluster::watch() {
  std::array<int, 2> pipe{};
  if (watched_ >= 0) {  // the one before leaves the folder alone
    [[maybe_unused]] const ssize_t told = ::write(watched_, "keep\n", 5);
    ::close(std::exchange(watched_, -1));
  }
  if (watcher_ > 0) ::waitpid(watcher_, nullptr, 0);
  if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return;
  watched_ = pipe[1];
  const std::string script = fmt::format(
      "sh -c 'trap \"\" INT TERM HUP; read word; test \"$word\" = keep && exit; kill -QUIT {0} 2>/dev/null; while kill "
      "-0 {0} "
      "2>/dev/null; do sleep 0.1; "
      "done; rm -rf {1}'",
      server_, folder_.string());
  watcher_ = spawn(script, pipe[0]);
  ::close(pipe[0]);
}

void PostgresCluster::kill() {
  // The server's children end when they see that it has.
  ::kill(server_, SIGKILL);
  ::waitpid(server_, nullptr, 0);
  std::error_code ignored;
  fs::remove(folder_ / "data/postmaster.pid", ignored);
}

PostgresCluster::~PostgresCluster() {
  if (server_ > 0) {
    ::kill(server_, SIGQUIT);
    ::waitpid(server_, nullptr, 0);
  }
  if (watched_ >= 0) ::close(watched_);
  if (watcher_ > 0) ::waitpid(watcher_, nullptr, 0);
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::string PostgresCluster::url(const std::string& database, const fs::path& folder) const {
  return fmt::format("postgres://fuhyo@/{}?host={}", database, (folder.empty() ? folder_ : folder).string());
}

std::vector<std::string> PostgresCluster::ask(const std::string& database, const std::string& sql) const {
  const Connection connection = connect(url(database));
  PQsetNoticeProcessor(connection.get(), [](void*, const char*) {}, nullptr);
  const Result result(PQexec(connection.get(), sql.c_str()), PQclear);
  const ExecStatusType status = PQresultStatus(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    std::fprintf(stderr, "%s: %s\n", sql.c_str(), PQresultErrorMessage(result.get()));
    return {};
  }
  std::vector<std::string> rows;
  for (int row = 0; row < PQntuples(result.get()); ++row) {
    std::string& line = rows.emplace_back();
    for (int column = 0; column < PQnfields(result.get()); ++column) {
      if (column > 0) line += '|';
      line += PQgetvalue(result.get(), row, column);
    }
  }
  return rows;
}

std::string PostgresCluster::borrow_database() {
  if (!free_.empty()) {
    std::string name = std::move(free_.back());
    free_.pop_back();
    return name;
  }
  std::string name = fmt::format("test_{}", ++databases_);
  ask("postgres", "CREATE DATABASE " + name);
  return name;
}

void PostgresCluster::give_back(std::string name) {
  ask("postgres",
      fmt::format("SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '{}'", name));
  ask(name, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  free_.push_back(std::move(name));
}

}  // namespace fuhyo::test
