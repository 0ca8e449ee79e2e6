// The production core and outbox under virtual time, with a store that commits when told to: what golden, matrix and
// timing tests drive. Clients are letters; what they receive is kept as lines.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/outbox.h"
#include "server/core/server.h"

namespace fuhyo::test {

// 2026-11-21T04:14:40Z
constexpr core::Wall kStartWall{1795234480LL * 1'000'000};

using Lines = std::vector<std::string>;

core::Rules test_rules();

// Those of one kind, in the order of the journal.
template <class F>
std::vector<F> facts_of(const std::vector<core::Journaled>& journal) {
  std::vector<F> found;
  for (const core::Journaled& row : journal) {
    if (const auto* fact = std::get_if<F>(&row.fact)) found.push_back(*fact);
  }
  return found;
}

// What a store gives back of what is durable.
core::Recovery recovery_of(const std::vector<core::Journaled>& journal, core::Seq durable);

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
            bool secure = false, core::ConnectionKind kind = core::ConnectionKind::csa);
  void hang_up(const std::string& client) {
    clients_.at(client).open = false;
    deliver(core::Closed{clients_.at(client).conn, "connection reset"});
  }
  // The process dies: another core goes on, by the same rules or by others, with what was durable. All lines are gone.
  void kill();
  void kill(core::Rules next) {
    rules_ = std::move(next);
    kill();
  }
  // One line, its line end stripped by the caller; it arrived `late_ms` before it is processed.
  void say(const std::string& client, std::string_view line, std::int64_t late_ms = 0, bool crlf = false);
  void deliver(const core::Input& input);
  void agree(const std::string& a, const std::string& b) {
    for (const std::string& client : {a, b}) say(client, "AGREE");
  }
  // On a new connection: "LOGIN " and the rest.
  void log_in(const std::string& client, std::string_view rest, std::string_view address = "192.0.2.1") {
    open(client, "main", address);
    say(client, "LOGIN " + std::string(rest));
  }

  // Lines received since the last call; "[EOF]" where the server closed.
  Lines heard(const std::string& client) { return std::exchange(clients_.at(client).lines, {}); }
  // Says a line; everything heard up to then, or only what came of it.
  Lines reply(const std::string& client, std::string_view line) {
    say(client, line);
    return heard(client);
  }
  Lines ask(const std::string& client, std::string_view line) {
    if (clients_.contains(client)) heard(client);
    return reply(client, line);
  }
  void forget_heard() {
    for (auto& [name, client] : clients_) client.lines.clear();
  }
  bool is_open(const std::string& client) const { return clients_.at(client).open; }
  // LOGIN in x1 mode, and forgets the answers.
  void login_x1(const std::string& client) {
    say(client, "LOGIN " + client + " pw" + client + " x1");
    heard(client);
  }
  void login_x1(std::initializer_list<const char*> clients) {
    for (const char* client : clients) login_x1(std::string(client));
  }
  // Two x1 clients in a started game; everything said so far is forgotten. Returns the game id.
  std::string start_game(const std::string& black, const std::string& white, std::string_view game = "g-300-10");
  // In CSA mode: black A with the secret "a" against white B with the secret "b".
  void start_csa_game(std::string_view game = "g-300-10");

  core::Server& server() { return *server_; }
  const std::vector<core::Journaled>& journal() const { return journal_; }  // appended since the start or the last kill
  std::vector<core::Journaled> history() const;                             // also what was durable before it
  template <class F>
  std::vector<F> facts() const {
    return facts_of<F>(journal_);
  }
  core::Seq durable() const { return durable_; }
  const std::vector<std::string>& notes() const { return notes_; }
  // Called for a ReadPass before it is answered: what the kernel still held can be delivered here.
  std::function<void(core::ConnId)> on_read_pass;
  bool drained() const { return drained_; }
  // A command by the administration socket; its answer, once it is durable (hold_commits(): nothing yet).
  core::AdminResult admin(const std::string& text, const std::string& who = "root");
  const std::vector<core::AdminReply>& admin_replies() const { return admin_replies_; }
  const std::vector<core::HostRequest>& host_requests() const { return host_requests_; }
  const std::vector<core::CheckPassword>& password_checks() const { return password_checks_; }
  const std::vector<core::WebLoginAnswer>& web_answers() const { return web_answers_; }
  const std::vector<std::string>& changed_accounts() const { return changed_accounts_; }
  const std::vector<core::ChatAsked>& asked_in_chat() const { return asked_in_chat_; }
  bool throttled(const std::string& client) const { return clients_.at(client).throttled; }

 private:
  struct Client {
    core::ConnId conn{};
    std::string unread;
    std::vector<std::string> lines;
    bool open = true;
    bool throttled = false;
  };
  core::Now now() const { return {core::Instant{now_us_}, core::Wall{kStartWall.us + now_us_}}; }
  void begin(core::Recovery recovered);
  void carry_out(core::Effects effects);
  void flush();
  Client* of(core::ConnId conn);

  core::Rules rules_;
  core::Limits limits_;
  std::unique_ptr<core::Server> server_;
  core::Outbox outbox_;
  std::map<std::string, Client> clients_;
  std::vector<core::Journaled> past_, journal_;
  std::vector<std::string> notes_;
  std::vector<core::AdminReply> admin_replies_;
  std::vector<core::HostRequest> host_requests_;
  std::vector<core::CheckPassword> password_checks_;
  std::vector<core::WebLoginAnswer> web_answers_;
  std::vector<std::string> changed_accounts_;
  std::vector<core::ChatAsked> asked_in_chat_;
  std::deque<core::Input> queue_;
  core::Seq durable_{};
  std::int64_t now_us_ = 0;
  std::int64_t wake_us_ = -1;
  std::uint64_t connections_ = 0;
  bool hold_commits_ = false, busy_ = false, drained_ = false;
};

}  // namespace fuhyo::test
