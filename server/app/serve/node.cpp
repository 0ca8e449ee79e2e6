#include "server/app/serve/node.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <utility>
#include <variant>

#include <boost/asio/post.hpp>

#include "server/app/serve/host_facts.h"
#include "server/app/serve/move_delays.h"

namespace fuhyo::app {
namespace {

using std::chrono::duration_cast;
using std::chrono::microseconds;

}  // namespace

Node::Node(boost::asio::io_context& io, const core::Limits& limits, Hooks hooks)
    : io_(io), timer_(io), limits_(limits), hooks_(std::move(hooks)) {}

core::Instant Node::clock() {
  return {duration_cast<microseconds>(std::chrono::steady_clock::now().time_since_epoch()).count()};
}

core::JournalEvents Node::journal_events() {
  core::JournalEvents events;
  events.durable = [this](core::Seq seq) { boost::asio::post(io_, [this, seq] { became_durable(seq); }); };
  events.lost = [this](const std::string& why) {
    boost::asio::post(io_, [this, why] {
      if (hooks_.store_away) hooks_.store_away(true);
      deliver(core::StoreLost{why});
      flush_soon();
    });
  };
  events.replaced = [this](const std::string& why) {
    boost::asio::post(io_, [this, why] {
      if (hooks_.replaced) hooks_.replaced(why);
    });
  };
  events.back = [this] {
    boost::asio::post(io_, [this] {
      if (hooks_.store_away) hooks_.store_away(false);
      deliver(core::StoreBack{});
    });
  };
  return events;
}

void Node::start(core::Journal& journal, core::Rules rules, const core::Recovery& recovered) {
  journal_ = &journal;
  outbox_ = core::Outbox(recovered.last);
  appended_ = durable_ = recovered.last;
  server_.emplace(limits_, std::move(rules), recovered);
  applying_ = true;
  alive_ = now();
  server_->begin({now(), wall_now()}, effects_);
  carry_out();
  applying_ = false;
}

// ---- events ----

core::ConnId Node::open(core::Transport& transport, core::ConnectionKind kind, std::string room, std::string peer,
                        bool secure) {
  const core::ConnId conn{++last_conn_};
  transports_.emplace(conn, &transport);
  if (kind == core::ConnectionKind::builtin) builtin_.insert(conn);
  for (const auto& log : wire_logs_) log->opened(conn, peer);
  deliver(core::Opened{.conn = conn, .kind = kind, .room = std::move(room), .peer = std::move(peer), .secure = secure});
  return conn;
}

// Effects may cause inputs at once (a read pass does): they wait until the current input is done with.
void Node::deliver(core::Input input) {
  if (applying_) {
    waiting_.push_back(std::move(input));
    return;
  }
  applying_ = true;
  notice_stall();
  apply(input);
  while (!waiting_.empty()) {
    const core::Input next = std::move(waiting_.front());
    waiting_.pop_front();
    apply(next);
  }
  applying_ = false;
  alive_ = now();
}

void Node::post(core::Input input) {
  boost::asio::post(io_, [this, input = std::move(input)]() mutable { deliver(std::move(input)); });
}

void Node::breathe() {
  if (applying_) return;
  applying_ = true;
  notice_stall();
  applying_ = false;
  alive_ = now();
}

void Node::notice_stall() {
  const core::Instant at = now();
  if (at - alive_ > kStall_us) apply(core::Stalled{.from = alive_, .to = at});
}

void Node::apply(const core::Input& input) {
  const auto* closed = std::get_if<core::Closed>(&input);
  if (retired_) {
    if (closed != nullptr) forget(closed->conn);
    return;
  }
  const auto* line = std::get_if<core::ClientLine>(&input);
  if (line != nullptr) {
    for (const auto& log : wire_logs_) log->received(line->conn, line->text, wall_now());
  }
  server_->apply(input, {now(), wall_now()}, effects_);
  if (closed != nullptr) forget(closed->conn);
  carry_out();
}

void Node::hang_up(core::Transport& transport, const std::string& why) {
  std::vector<core::ConnId> guests;
  for (const auto& [conn, through] : transports_) {
    if (through == &transport) guests.push_back(conn);
  }
  for (const core::ConnId conn : guests) deliver(core::Closed{conn, why});
}

void Node::forget(core::ConnId conn) {
  transports_.erase(conn);
  builtin_.erase(conn);
  outbox_.forget(conn);
  for (const auto& log : wire_logs_) log->closed(conn);
}

void Node::became_durable(core::Seq seq) {
  durable_ = seq;
  for (; !handed_over_.empty() && handed_over_.front().first <= seq; handed_over_.pop_front()) {
    seen_.journal.add(now() - handed_over_.front().second);
  }
  if (!released_) released_ = now();  // the clocks of those who are told begin to run
  outbox_.durable(seq);
  flush_soon();
  deliver(core::Durable{seq});
  release_gated();
}

// ---- effects ----

void Node::carry_out() {
  for (core::Effect& effect : effects_) {
    std::visit([this](auto& e) { on(e); }, effect);
  }
  effects_.clear();
  if (transaction_.empty()) return;
  transactions_.push_back(std::exchange(transaction_, {}));
  flush_soon();
}

void Node::on(core::Send& send) {
  if (outbox_.held(send.conn) > limits_.output_bytes) return overflow(send.conn);
  if (send.move && hooks_.delays) hooks_.delays->decided(*send.move);
  outbox_.push(std::move(send));
  flush_soon();
}
void Node::on(core::Close& close) {
  outbox_.push(std::move(close));
  flush_soon();
}
void Node::on(core::Append& append) {
  appended_ = append.row.seq;
  const auto* ended = std::get_if<core::GameEnded>(&append.row.fact);
  if (hooks_.delays && ended != nullptr) note_lost_time(*ended);
  if (ended != nullptr) ++seen_.ended[static_cast<std::size_t>(ended->kind)];
  if (std::holds_alternative<core::RoundHeld>(append.row.fact)) ++seen_.rounds;
  transaction_.push_back(std::move(append.row));
}
// A player who loses on time wants to know whose time it was.
void Node::note_lost_time(const core::GameEnded& ended) {
  const bool time_up = ended.kind == core::EndKind::time_up;
  const auto share_us = hooks_.delays->ended(ended.game, time_up);
  if (!time_up || !hooks_.note) return;
  const std::string share =
      share_us ? fmt::format("the server had kept the move before for {} us", *share_us) : "there was no move before";
  hooks_.note({.text = fmt::format("game #{} is lost on time: {}", core::value(ended.game), share)});
}
void Node::on(core::ReadPass& pass) {
  core::Transport* transport = transport_of(pass.conn);
  if (transport == nullptr) return deliver(core::ReadPassed{pass.conn, pass.token});
  transport->read_pass(pass.conn, pass.token);
}
void Node::on(core::LineLimit& limit) {
  if (core::Transport* transport = transport_of(limit.conn)) transport->limit_lines(limit.conn, limit.bytes);
}
void Node::on(core::Throttle& throttle) {
  if (core::Transport* transport = transport_of(throttle.conn)) transport->throttle(throttle.conn, throttle.paused);
}
void Node::on(core::WakeAt& wake) {
  timer_.expires_at(std::chrono::steady_clock::time_point(microseconds(wake.when.us)));
  timer_.async_wait([this](boost::system::error_code cancelled) {
    if (!cancelled) deliver(core::Woke{});
  });
}
void Node::on(core::Note& note) {
  if (hooks_.note) hooks_.note(note);
}
void Node::on(core::Drained&) {
  if (hooks_.drained) hooks_.drained();
}

void Node::on(core::AdminReply& reply) {
  if (hooks_.admin_reply) gate(reply.after, std::move(reply));
}
void Node::on(core::HostRequest& request) {
  if (hooks_.host_request) gate(request.after, std::move(request));
}
void Node::gate(core::Seq after, std::variant<core::AdminReply, core::HostRequest> what) {
  const auto place = std::ranges::upper_bound(gated_, after, {}, &Gated::after);
  gated_.insert(place, {.after = after, .what = std::move(what)});
  flush_soon();
}

void Node::on(core::CheckPassword& check) {
  if (!hooks_.check_password) return deliver(core::PasswordChecked{.token = check.token, .right = false});
  hooks_.check_password(std::move(check));
}
void Node::on(core::WebLoginAnswer& answer) {
  if (hooks_.web_login_answer) hooks_.web_login_answer(answer);
}
void Node::on(core::AccountChanged& changed) {
  if (hooks_.account_changed) hooks_.account_changed(changed.name);
}

void Node::on(core::RoundIsOver& round) {
  if (hooks_.round_is_over) hooks_.round_is_over(round.game_name);
}

void Node::on(core::ChatAsked& asked) {
  if (hooks_.chat_asked) hooks_.chat_asked(std::move(asked));
}

void Node::release_gated() {
  while (!gated_.empty() && gated_.front().after <= durable_) {
    const auto what = std::move(gated_.front().what);
    gated_.pop_front();
    if (const auto* reply = std::get_if<core::AdminReply>(&what)) hooks_.admin_reply(*reply);
    if (const auto* request = std::get_if<core::HostRequest>(&what)) hooks_.host_request(*request);
  }
  if (!server_->store_fault().empty()) tell_that_store_is_away();
}

// A request stays, and its answer is dropped later: the core knows nobody any more who asked.
void Node::tell_that_store_is_away() {
  const core::AdminResult refusal{
      .ok = false,
      .text = fmt::format("the store is away ({}): it takes effect when that is back", server_->store_fault()),
      .columns = {},
      .rows = {}};
  for (Gated& each : std::exchange(gated_, {})) {
    const bool told = std::exchange(each.told, true);
    if (const auto* reply = std::get_if<core::AdminReply>(&each.what)) {
      hooks_.admin_reply({.token = reply->token, .result = refusal, .after = {}});
    } else {
      if (!told) post(core::HostDone{std::get<core::HostRequest>(each.what).token, refusal});
      gated_.push_back(std::move(each));
    }
  }
}

// So much waits for the journal that the client must have gone mad; what it would have read is lost with it.
void Node::overflow(core::ConnId conn) {
  ++seen_.slow_readers;
  outbox_.forget(conn);
  if (core::Transport* transport = transport_of(conn)) transport->close(conn, "too much output waits");
}

core::Transport* Node::transport_of(core::ConnId conn) const {
  const auto it = transports_.find(conn);
  return it == transports_.end() ? nullptr : it->second;
}

// ---- output ----

// Runs after everything that this turn of the event loop has to handle: one write a connection, however many effects,
// and all transactions of the turn in one commit (the first of them alone would make the others wait for the next one).
void Node::flush_soon() {
  if (std::exchange(flush_posted_, true)) return;
  boost::asio::post(io_, [this] { flush(); });
}

void Node::tell_of_delay(core::Transport& transport, core::ConnId conn, const core::MoveStamp& move,
                         core::Instant released) {
  const auto way = builtin_.contains(conn) ? MoveDelays::Way::builtin : MoveDelays::Way::socket;
  transport.when_written(conn,
                         [delays = hooks_.delays, move, way, released] { delays->handed_over(move, way, released); });
}

void Node::hand_over_steps() {
  if (!transactions_.empty()) handed_over_.emplace_back(appended_, now());
  for (core::Transaction& transaction : std::exchange(transactions_, {})) journal_->append(std::move(transaction));
}

NodeFigures Node::figures() const {
  NodeFigures figures = seen_;
  figures.waiting_rows = core::value(appended_) - core::value(durable_);
  return figures;
}

void Node::flush() {
  flush_posted_ = false;
  hand_over_steps();
  const core::Instant released = std::exchange(released_, {}).value_or(now());
  for (core::Outbox::Ready& ready : outbox_.take()) {
    core::Transport* transport = transport_of(ready.conn);
    if (transport == nullptr) continue;
    for (const auto& log : wire_logs_) log->sent(ready.conn, ready.bytes, wall_now());
    if (!ready.bytes.empty()) transport->write(ready.conn, std::move(ready.bytes));
    if (ready.move && hooks_.delays) tell_of_delay(*transport, ready.conn, *ready.move, released);
    if (ready.close) transport->close(ready.conn, ready.why);
  }
  release_gated();
}

}  // namespace fuhyo::app
