#include "tests/support/postgres_cluster.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <libpq-fe.h>
#include <optional>
#include <pwd.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "tests/support/patience.h"

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

// Of a process that is still at work.
std::optional<pid_t> parent_of(const fs::path& process) {
  std::ifstream file(process / "stat");
  std::string stat;
  std::getline(file, stat);
  char state = 0;
  pid_t parent = 0;
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string::npos || std::sscanf(&stat[name_end], ") %c %d", &state, &parent) != 2) return {};
  if (state == 'Z' || state == 'X') return {};
  return parent;
}

std::vector<pid_t> children_of(pid_t parent) {
  std::vector<pid_t> children;
  std::error_code error;
  for (const auto& process : fs::directory_iterator("/proc", error)) {
    if (parent_of(process) == parent) children.push_back(std::atoi(process.path().filename().c_str()));
  }
  return children;
}

using Result = std::unique_ptr<PGresult, decltype(&PQclear)>;

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
      start({"fsync=off", "full_page_writes=off", "max_connections=100", "autovacuum=off"});
  return cluster.get();
}

std::string PostgresCluster::as_its_user(const std::string& command) const {
  // The signal is for the server: it ends with the thread that started it.
  const std::string base = "setpriv --pdeathsig QUIT ";
  if (user_.empty()) return base + command;
  const passwd* user = ::getpwnam(user_.c_str());
  return fmt::format("{} --reuid {} --regid {} --clear-groups {}", base, user->pw_uid, user->pw_gid, command);
}

// A copy of the first one that was made for this build: it takes a tenth of the time.
bool PostgresCluster::init() {
  const fs::path data = folder_ / "data", made = FUHYO_POSTGRES_TEMPLATE + programs().parent_path().filename().string();
  const auto copy = [](const fs::path& from, const fs::path& to) {
    return succeeds(fmt::format("cp -a {} {}", from.string(), to.string()));
  };
  if (fs::exists(made)) return copy(made, data);
  if (!succeeds(as_its_user(fmt::format("{} -D {} -U fuhyo --auth=trust --no-sync -E UTF8 --locale=C --no-instructions",
                                        (programs() / "initdb").string(), data.string())))) {
    return false;
  }
  // Another process may do the same: it is there whole, or not at all, and the second one has no effect.
  const fs::path own = fmt::format("{}.{}", made.string(), ::getpid());
  std::error_code there;
  if (copy(data, own)) fs::rename(own, made, there);
  fs::remove_all(own, there);
  return true;
}

bool PostgresCluster::start() {
  std::string command = fmt::format("{} -D {} -k {} -c listen_addresses=", (programs() / "postgres").string(),
                                    (folder_ / "data").string(), folder_.string());
  for (const std::string& setting : settings_) command += fmt::format(" -c {}", setting);
  command = as_its_user(command) + fmt::format(" >> {} 2>&1", (folder_ / "log").string());
  server_ = spawn(command, -1);
  watch();
  return answers();
}

// It writes down there how far it is.
bool PostgresCluster::answers() const {
  bool ready = false;
  const bool told = eventually([&] {
    std::ifstream file(folder_ / "data/postmaster.pid");
    for (std::string line; !ready && std::getline(file, line);) ready = line.starts_with("ready");
    return ready || ::waitpid(server_, nullptr, WNOHANG) == server_;
  });
  return told && ready;
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
  ::kill(server_, SIGSTOP);  // so that it starts no more of them
  ::waitpid(server_, nullptr, WUNTRACED);
  const std::vector<pid_t> children = children_of(server_);
  for (const pid_t child : children) ::kill(child, SIGKILL);
  ::kill(server_, SIGKILL);
  ::waitpid(server_, nullptr, 0);
  for (const pid_t child : children) {
    eventually([&] { return !parent_of(fmt::format("/proc/{}", child)); });
  }
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
  std::shared_ptr<void>& session = sessions_[database];
  if (!session || PQstatus(static_cast<PGconn*>(session.get())) != CONNECTION_OK) {
    session = {PQconnectdb(url(database).c_str()), [](void* made) { PQfinish(static_cast<PGconn*>(made)); }};
  }
  auto* connection = static_cast<PGconn*>(session.get());
  PQsetNoticeProcessor(connection, [](void*, const char*) {}, nullptr);
  const Result result(PQexec(connection, sql.c_str()), PQclear);
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
  ask(name,
      "SELECT pg_terminate_backend(pid, 300000) FROM pg_stat_activity"
      " WHERE datname = current_database() AND pid <> pg_backend_pid()");
  ask(name, "DROP SCHEMA public CASCADE; CREATE SCHEMA public");
  free_.push_back(std::move(name));
}

}  // namespace fuhyo::test
