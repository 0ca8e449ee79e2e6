// Stands between a client and a PostgreSQL server on Unix sockets, passes messages of the protocol on one by one, and
// fails as networks do: it breaks off at the n-th message of either direction, goes away, or falls silent. Threads of
// its own; its functions may be called from any.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace fuhyo::test {

class PostgresProxy {
 public:
  // Listens in `folder` as a server of its own would, for the server whose socket is in `server_folder`.
  PostgresProxy(std::filesystem::path folder, std::filesystem::path server_folder);
  ~PostgresProxy();
  PostgresProxy(const PostgresProxy&) = delete;
  PostgresProxy& operator=(const PostgresProxy&) = delete;

  enum class Way : std::uint8_t { to_server, to_client };
  struct Message {
    Way way{};
    char type = 0;          // 0: the first one of a connection
    std::string_view body;  // without type and length
  };
  // Asked before each message is passed on, under a lock. False: the connection is broken off instead.
  using Judge = std::function<bool(const Message& message)>;
  void set_judge(Judge judge);
  // Breaks off at the n-th message from now that makes a difference, once; 0: never.
  void cut_at(std::uint64_t n);
  std::uint64_t messages() const;  // since then

  // From its return on nothing passes: away, everything is broken off and nobody let in; silent, what comes is kept and
  // passed on afterwards.
  void go_away(bool away);
  void fall_silent(bool silent);

 private:
  struct Link;
  void accept_all();
  void pump(const std::shared_ptr<Link>& link, Way way);
  bool pass(const Link& link, const Message& message, bool counts);
  void break_all();  // under the lock

  const std::filesystem::path folder_, server_folder_;
  int listener_ = -1;
  mutable std::mutex mutex_;  // of all below
  std::condition_variable changed_;
  bool away_ = false, silent_ = false;
  Judge judge_;
  std::uint64_t messages_ = 0, cut_at_ = 0;
  std::vector<std::shared_ptr<Link>> links_;
  std::vector<std::thread> pumps_;
  std::thread acceptor_;
};

}  // namespace fuhyo::test
