// One game node: the pure core with everything around it that touches the world. Runs on the core's thread alone, which
// is whoever runs `io`; journal_events() gives the callbacks that other threads may use. Never blocks.
//
//   transports --inputs--> core --effects--> journal (one Transaction an input), outbox, timer, transports
//   journal  --durable--> outbox (what may leave now) and core
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

#include "server/app/serve/wire_log.h"
#include "server/core/journal.h"
#include "server/core/outbox.h"
#include "server/core/server.h"
#include "server/core/transport.h"

namespace fuhyo::app {

class MoveDelays;

// What a node has seen since its start.
struct NodeFigures {
  // From the moment at which rows went to the journal to that at which the core heard that they are durable.
  core::Histogram journal{core::Histogram::delays_us()};
  std::uint64_t waiting_rows = 0;  // now: given to the journal, or about to be, and not durable
  std::array<std::uint64_t, static_cast<std::size_t>(core::EndKind::adjudicated) + 1> ended{};  // games, by their end
  std::uint64_t rounds = 0;        // of floodgate groups, held
  std::uint64_t slow_readers = 0;  // connections given up because too much waited for them
};

class Node final : public core::InputSink {
 public:
  struct Hooks {
    std::function<void(const core::Note&)> note;
    std::function<void()> drained;                         // answer to drain() and stop()
    std::function<void(bool away)> store_away;             // the store failed / works again
    std::function<void(const std::string& why)> replaced;  // another server has taken the store over
    // Answers to AdminLine events, and what operators ask of the shell (each wants one HostDone). Called once what they
    // rest on is durable. While the store is away, who waits for it is told so instead.
    std::function<void(const core::AdminReply&)> admin_reply;
    std::function<void(const core::HostRequest&)> host_request;
    std::function<void(const std::string& game_name)> round_is_over;
    // Wants one PasswordChecked. Without it no password is right.
    std::function<void(core::CheckPassword)> check_password;
    std::function<void(const core::WebLoginAnswer&)> web_login_answer;
    std::function<void(const std::string& name)> account_changed;
    std::function<void(core::ChatAsked)> chat_asked = {};  // wants at most one ChatAnswered
    std::shared_ptr<MoveDelays> delays = {};               // null: nobody wants to know
  };

  Node(boost::asio::io_context& io, const core::Limits& limits, Hooks hooks);
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;

  // Before start(): what players send and are sent goes there, too. None: what is queued is written, and that is all.
  void keep_wire_logs(std::vector<std::unique_ptr<WireLog>> logs) { wire_logs_ = std::move(logs); }
  // What the store is to call, from any thread. They only post; `io` must outlive the journal.
  core::JournalEvents journal_events();
  // Begins, and settles what a crash interrupted. Once, before any connection; the journal must outlive the node.
  void start(core::Journal& journal, core::Rules rules, const core::Recovery& recovered);
  void drain() { deliver(core::Drain{}); }
  // The server ends now; drained() answers when what stands is durable.
  void stop() { deliver(core::Stop{}); }
  // Called now and then while nothing happens: what stood still for longer than kStall was the process, not its
  // players.
  void breathe();
  static constexpr std::int64_t kStall_us = core::kSecond;
  // The transport goes: its connections are closed.
  void hang_up(core::Transport& transport, const std::string& why);
  // Other rules for logins and games to come.
  void change_rules(core::Rules rules) { server_->change_rules(std::move(rules)); }
  // The end of the process: from now on nothing that happens changes a game. What was said still leaves.
  void retire() { retired_ = true; }
  // Gives the journal what is still to be given; only for the end, else every turn does it.
  void hand_over_steps();
  // Whether everything decided is durable.
  bool settled() const { return durable_ == appended_; }

  std::size_t games(std::string_view room) const { return server_->games(room); }
  std::size_t sessions() const { return server_->sessions(); }
  core::Figures core_figures() const { return server_->figures(); }
  NodeFigures figures() const;
  std::vector<core::Waiter> lobby() const { return server_->lobby(); }
  std::uint64_t lobby_changes() const { return server_->lobby_changes(); }

  core::ConnId open(core::Transport& transport, core::ConnectionKind kind, std::string room, std::string peer,
                    bool secure) override;
  void deliver(core::Input input) override;
  void post(core::Input input);  // any thread: delivers it in a turn of the event loop
  core::Instant now() const override { return clock(); }
  static core::Instant clock();  // any thread

 private:
  struct Gated {  // what is no line of a connection
    core::Seq after{};
    std::variant<core::AdminReply, core::HostRequest> what;
    bool told = false;  // who asked, that it waits
  };

  void apply(const core::Input& input);
  void notice_stall();
  void carry_out();
  void on(core::Send& send);
  void on(core::Close& close);
  void on(core::Append& append);
  void note_lost_time(const core::GameEnded& ended);
  void on(core::ReadPass& pass);
  void on(core::LineLimit& limit);
  void on(core::Throttle& throttle);
  void on(core::WakeAt& wake);
  void on(core::Note& note);
  void on(core::Drained&);
  void on(core::AdminReply& reply);
  void on(core::HostRequest& request);
  void on(core::CheckPassword& check);
  void on(core::WebLoginAnswer& answer);
  void on(core::AccountChanged& changed);
  void on(core::RoundIsOver& round);
  void on(core::ChatAsked& asked);
  void release_gated();
  void tell_that_store_is_away();
  void gate(core::Seq after, std::variant<core::AdminReply, core::HostRequest> what);
  void overflow(core::ConnId conn);
  void became_durable(core::Seq seq);
  void flush_soon();
  void flush();
  void forget(core::ConnId conn);
  core::Transport* transport_of(core::ConnId conn) const;
  void tell_of_delay(core::Transport& transport, core::ConnId conn, const core::MoveStamp& move,
                     core::Instant released);

  boost::asio::io_context& io_;
  boost::asio::steady_timer timer_;
  const core::Limits limits_;
  std::optional<core::Server> server_;  // from start() on
  core::Outbox outbox_;
  Hooks hooks_;
  std::vector<std::unique_ptr<WireLog>> wire_logs_;
  core::Journal* journal_ = nullptr;
  std::unordered_map<core::ConnId, core::Transport*> transports_;
  std::deque<core::Input> waiting_;                              // inputs that effects of the current one caused
  core::Effects effects_;                                        // of the current input; kept for its memory
  core::Transaction transaction_;                                // likewise
  std::vector<core::Transaction> transactions_;                  // of this turn of the event loop
  std::deque<Gated> gated_;                                      // ascending
  std::deque<std::pair<core::Seq, core::Instant>> handed_over_;  // to the journal, and when; ascending, not durable
  NodeFigures seen_;
  std::uint64_t last_conn_ = 0;
  core::Seq appended_{}, durable_{};
  core::Instant alive_{};                     // when the loop was last seen at work
  std::optional<core::Instant> released_;     // since the last flush, when first something became durable
  std::unordered_set<core::ConnId> builtin_;  // connections of built-in players
  bool applying_ = false, flush_posted_ = false, retired_ = false;
};

}  // namespace fuhyo::app
