// A private PostgreSQL server for tests: a new cluster in a temporary folder, listening on a Unix socket there only. It
// ends with the program that made it, however that ends, and its folder goes with it. Where PostgreSQL is not installed
// there is none. The thread that makes one must live as long as it.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace fuhyo::test {

class PostgresCluster {
 public:
  // The programs of PostgreSQL; empty: they are not installed.
  static const std::filesystem::path& programs();

  // `settings`: "fsync=off". Null, with a failed expectation, if it cannot be started.
  static std::unique_ptr<PostgresCluster> start(std::vector<std::string> settings);
  // One without fsync for all tests of the program; null: not installed.
  static PostgresCluster* shared();
  ~PostgresCluster();
  PostgresCluster(const PostgresCluster&) = delete;
  PostgresCluster& operator=(const PostgresCluster&) = delete;

  // An empty database, and back: making one takes a quarter of a second, clearing one up no time. Nobody may connect to
  // one that is on its way back. One thread at a time, as for ask().
  std::string borrow_database();
  void give_back(std::string name);
  // `folder`: of the socket; empty: the server's own.
  std::string url(const std::string& database, const std::filesystem::path& folder = {}) const;
  const std::filesystem::path& socket_folder() const { return folder_; }
  // As its administrator, in the database; each row's cells joined by |.
  std::vector<std::string> ask(const std::string& database, const std::string& sql) const;

  void kill();   // every process of it; they have gone when this returns
  bool start();  // again

 private:
  explicit PostgresCluster(std::vector<std::string> settings);
  bool init();
  bool answers() const;  // false: it has ended, or says nothing
  void watch();
  std::string as_its_user(const std::string& command) const;

  const std::vector<std::string> settings_;
  std::filesystem::path folder_;
  std::string user_;  // that the server runs as; empty: ours
  pid_t server_ = -1, watcher_ = -1;
  int watched_ = -1;  // a pipe that the watcher reads: it ends with this program
  int databases_ = 0;
  std::vector<std::string> free_;
  mutable std::map<std::string, std::shared_ptr<void>> sessions_;  // of ask(), by database
};

}  // namespace fuhyo::test
