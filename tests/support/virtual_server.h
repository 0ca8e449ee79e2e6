// The production core and outbox under virtual time, with a store that commits when told to: what golden, matrix and
// timing tests drive. Clients are letters; what they receive is kept as lines.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/outbox.h"
#include "server/core/server.h"

namespace fuhyo::test {

// 2026-11-21T04:14:40Z
constexpr core::Wall kStartWall{1795234480LL * 1'000'000};

core::Rules test_rules();

class VirtualServer {
 public:
  // Begins so many milliseconds after kStartWall.
  explicit VirtualServer(core::Rules rules = test_rules(), core::Limits limits = {}, core::Recovery recovered = {},
                         std::int64_t at_ms = 0);

  // Commits follow their appends at once (default), or only when commit() is called.
  void hold_commits(bool hold) { hold_commits_ = hold; }
  void commit();

  void advance_to(std::int64_t ms);  // wakes the core at every deadline on the way
  void advance(std::int64_t ms) { advance_to(now_us_ / 1000 + ms); }
  std::int64_t now_ms() const { return now_us_ / 1000; }

  void open(const std::string& client, std::string_view room = "main", std::string_view address = "192.0.2.1",
            bool secure = false);
  void hang_up(const std::string& client);
  // One line, its line end stripped by the caller; it arrived `late_ms` before it is processed.
  void say(const std::string& client, std::string_view line, std::int64_t late_ms = 0, bool crlf = false);
  void deliver(const core::Event& event);

  // Lines received since the last call; "[EOF]" where the server closed.
  std::vector<std::string> heard(const std::string& client);
  bool is_open(const std::string& client) const;
  // LOGIN in x1 mode, and forgets the answers.
  void login_x1(const std::string& client);
  // Two x1 clients in a started game; everything said so far is forgotten. Returns the game id.
  std::string start_game(const std::string& black, const std::string& white, std::string_view game = "g-300-10");

  core::Server& server() { return server_; }
  const std::vector<core::Journaled>& journal() const { return journal_; }  // appended
  core::Seq durable() const { return durable_; }
  const std::vector<std::string>& notes() const { return notes_; }
  // Called for a ReadPass before it is answered: what the kernel still held can be delivered here.
  std::function<void(core::ConnId)> on_read_pass;
  bool drained() const { return drained_; }
  // A command by the administration socket; its answer, once it is durable (hold_commits(): nothing yet).
  core::AdminResult admin(const std::string& text, const std::string& who = "root");
  const std::vector<core::AdminReply>& admin_replies() const { return admin_replies_; }
  const std::vector<core::HostDo>& host_requests() const { return host_requests_; }
  const std::vector<core::CheckPassword>& password_checks() const { return password_checks_; }
  const std::vector<core::WebLoginAnswer>& web_answers() const { return web_answers_; }
  const std::vector<std::string>& changed_accounts() const { return changed_accounts_; }
  bool throttled(const std::string& client) const;

 private:
  struct Client {
    core::ConnId conn{};
    std::string unread;
    std::vector<std::string> lines;
    bool open = true;
    bool throttled = false;
  };
  core::Now now() const;
  void carry_out(core::Effects effects);
  void flush();
  Client* of(core::ConnId conn);

  core::Server server_;
  core::Outbox outbox_;
  std::map<std::string, Client> clients_;
  std::vector<core::Journaled> journal_;
  std::vector<std::string> notes_;
  std::vector<core::AdminReply> admin_replies_;
  std::vector<core::HostDo> host_requests_;
  std::vector<core::CheckPassword> password_checks_;
  std::vector<core::WebLoginAnswer> web_answers_;
  std::vector<std::string> changed_accounts_;
  std::deque<core::Event> queue_;
  core::Seq durable_{};
  std::int64_t now_us_ = 0;
  std::int64_t wake_us_ = -1;
  std::uint64_t connections_ = 0;
  bool hold_commits_ = false, busy_ = false, drained_ = false;
};

}  // namespace fuhyo::test
