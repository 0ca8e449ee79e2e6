#include "server/net/csa_crossing.h"

#include <cstdint>
#include <fmt/format.h>
#include <limits>
#include <type_traits>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

#include "server/net/crossing.h"

namespace fuhyo::net {
namespace {

namespace asio = boost::asio;

// Lines on their way to the core: if it stands still, the peers wait in the kernel.
constexpr std::size_t kInTransit = 64 * 1024, kInTransitOfAll = 32 * 1024 * 1024;
// Bytes on their way to the sockets, in Limits::output_bytes: that limit itself is held where they are written.
constexpr std::size_t kOrdersPerLimit = 4;
constexpr std::size_t kItem = 64;  // what a line, or any other input, takes beside its text

// What the core wants done with a connection.
struct Write {
  std::string bytes;
};
struct Tell {
  std::function<void()> written;
};
struct Finish {};
struct Pass {
  std::uint64_t token = 0;
};
struct Throttle {
  bool paused = false;
};
struct GiveUp {
  std::string why;
};
struct Order {
  core::ConnId conn{};  // as the other thread numbers it
  std::variant<Write, Tell, Finish, Pass, Throttle, GiveUp> what;
};

}  // namespace

// ---- the thread of the sockets ----

// Takes the place of the core there: what the connections report crosses to the core's thread.
class CsaCrossing::Far final : public core::InputSink {
 public:
  Far(boost::asio::io_context& carrier, const core::InputSink& clock, const core::Limits& limits, std::string room,
      Warn warn, const CsaDeadlines& deadlines)
      : io(carrier),
        orders(kOrdersPerLimit * limits.output_bytes, std::numeric_limits<std::size_t>::max()),
        clock_(clock),
        line_(limits.line),
        listener(io, *this, limits, std::move(room), std::move(warn), deadlines) {}

  // Before anything is reported: what tells the core's thread that something has arrived.
  void tell_by(std::function<void()> tell) { tell_ = std::move(tell); }

  core::ConnId open(core::Transport&, core::ConnectionKind kind, std::string, std::string peer, bool secure) override {
    const core::ConnId conn{++last_};
    report(conn, core::Opened{.conn = conn, .kind = kind, .peer = std::move(peer), .secure = secure}, 0);
    return conn;
  }
  void deliver(core::Input input) override {
    std::visit([this](auto& e) { pass_on(e); }, input);
  }
  core::Instant now() const override { return clock_.now(); }

  void carry_out() {
    for (Order& order : orders.take().items) {
      std::visit([&](auto& what) { on(order.conn, what); }, order.what);
    }
  }
  // They may go on: what they had sent has arrived.
  void release(const std::vector<core::ConnId>& conns) {
    for (const core::ConnId conn : conns) {
      if (held_.erase(conn) != 0 && !throttled_.contains(conn)) listener.throttle(conn, false);
    }
  }

  asio::io_context& io;
  Crossing<core::Input> arrivals{kInTransit, kInTransitOfAll};
  Crossing<Order> orders;

 private:
  template <class E>
  void pass_on(E& e) {
    if constexpr (std::is_same_v<E, core::ClientLine>) {
      const core::ConnId conn = e.conn;
      const std::size_t size = e.text.size();
      // Its sender may be known after it. The core has not said so yet, and looks at the length itself.
      listener.limit_lines(conn, line_);
      report(conn, std::move(e), size);
    } else if constexpr (requires { e.conn; }) {
      if constexpr (std::is_same_v<E, core::Closed>) {
        held_.erase(e.conn);
        throttled_.erase(e.conn);
      }
      report(e.conn, std::move(e), 0);
    }
  }
  void report(core::ConnId conn, core::Input input, std::size_t size) {
    const auto put = arrivals.put(conn, std::move(input), kItem + size);
    if (put.too_much && held_.insert(conn).second) listener.throttle(conn, true);
    if (put.wake) tell_();
  }

  void on(core::ConnId conn, Write& o) { listener.write(conn, std::move(o.bytes)); }
  void on(core::ConnId, Tell& o) { o.written(); }
  void on(core::ConnId conn, Finish&) { listener.close(conn, {}); }
  void on(core::ConnId conn, Pass& o) { listener.read_pass(conn, o.token); }
  void on(core::ConnId conn, GiveUp& o) { listener.give_up(conn, o.why); }
  void on(core::ConnId conn, Throttle& o) {
    o.paused ? static_cast<void>(throttled_.insert(conn)) : static_cast<void>(throttled_.erase(conn));
    listener.throttle(conn, o.paused || held_.contains(conn));
  }

  const core::InputSink& clock_;
  const std::size_t line_;
  std::function<void()> tell_;
  std::uint64_t last_ = 0;
  std::unordered_set<core::ConnId> held_, throttled_;

 public:
  CsaListener listener;  // after all that it calls
};

// ---- the core's thread ----

struct CsaCrossing::Near {
  struct Peer {
    core::ConnId far{};
    std::size_t line = 0;  // longest that it may send
    bool deaf = false;     // it has sent a longer one
    bool given_up = false;
  };

  void take_arrivals();
  void on(core::Opened& e);
  void on(core::ClientLine& e);
  void on(core::BadInput& e);
  void on(core::ReadPassed& e);
  void on(core::Closed& e);
  template <class Other>
  void on(Other&) {}  // no connection says such a thing
  void order(core::ConnId conn, decltype(Order::what) what, std::size_t size);
  bool send(core::ConnId far_conn, decltype(Order::what) what, std::size_t size);
  Peer* rename(core::ConnId& conn);  // from the other thread's numbers to the core's; null: it is closed

  core::InputSink& sink;
  CsaCrossing& owner;
  Far& far;
  const core::Limits limits;
  const std::string room;
  std::unordered_map<core::ConnId, Peer> peers;
  std::unordered_map<core::ConnId, core::ConnId> names;  // the core's, by the other thread's
};

void CsaCrossing::Near::take_arrivals() {
  auto taken = far.arrivals.take();
  for (core::Input& input : taken.items) {
    std::visit([this](auto& e) { on(e); }, input);
  }
  if (taken.too_much.empty()) return;
  asio::post(far.io, [other = &far, conns = std::move(taken.too_much)] { other->release(conns); });
}

CsaCrossing::Near::Peer* CsaCrossing::Near::rename(core::ConnId& conn) {
  const auto name = names.find(conn);
  if (name == names.end()) return nullptr;
  conn = name->second;
  return &peers.find(conn)->second;
}

void CsaCrossing::Near::on(core::Opened& e) {
  const core::ConnId conn = sink.open(owner, e.kind, room, std::move(e.peer), e.secure);
  peers.emplace(conn, Peer{.far = e.conn, .line = limits.line_before_login});
  names.emplace(e.conn, conn);
}

void CsaCrossing::Near::on(core::ClientLine& e) {
  Peer* peer = rename(e.conn);
  if (peer == nullptr || peer->deaf) return;
  if (e.text.size() <= peer->line) return sink.deliver(std::move(e));
  peer->deaf = true;
  sink.deliver(core::BadInput{e.conn, "a line is too long"});
}

void CsaCrossing::Near::on(core::BadInput& e) {
  Peer* peer = rename(e.conn);
  if (peer != nullptr && !std::exchange(peer->deaf, true)) sink.deliver(std::move(e));
}

void CsaCrossing::Near::on(core::ReadPassed& e) {
  if (rename(e.conn) != nullptr) sink.deliver(std::move(e));
}

void CsaCrossing::Near::on(core::Closed& e) {
  const core::ConnId other = e.conn;
  if (rename(e.conn) == nullptr) return;
  names.erase(other);
  peers.erase(e.conn);
  sink.deliver(std::move(e));
}

// Judged by what waits, not by what is added: one long answer is no reason to give anybody up.
// The other thread waits for nobody, so this is reached only while it does not run.
void CsaCrossing::Near::order(core::ConnId conn, decltype(Order::what) what, std::size_t size) {
  const auto it = peers.find(conn);
  if (it == peers.end() || it->second.given_up) return;
  Peer& peer = it->second;
  if (!send(peer.far, std::move(what), size) || size > kOrdersPerLimit * limits.output_bytes) return;
  peer.given_up = true;
  send(peer.far, GiveUp{"does not read: too much waits for it"}, 0);
}

// Whether too much waits for the connection. The other thread may have taken all orders since the last one.
bool CsaCrossing::Near::send(core::ConnId far_conn, decltype(Order::what) what, std::size_t size) {
  const auto put = far.orders.put(far_conn, Order{far_conn, std::move(what)}, size);
  if (put.wake) asio::post(far.io, [other = &far] { other->carry_out(); });
  return put.too_much;
}

// ---- both ----

CsaCrossing::CsaCrossing(asio::io_context& io, core::InputSink& sink, const core::Limits& limits, std::string room,
                         Hooks hooks, const CsaDeadlines& deadlines)
    : far_(std::make_unique<Far>(io, sink, limits, room, std::move(hooks.warn), deadlines)) {
  near_ = std::shared_ptr<Near>(new Near{
      .sink = sink, .owner = *this, .far = *far_, .limits = limits, .room = std::move(room), .peers = {}, .names = {}});
  far_->tell_by([post = std::move(hooks.post_to_core), near = std::weak_ptr(near_)] {
    post([near] {
      if (const auto here = near.lock()) here->take_arrivals();
    });
  });
}

CsaCrossing::~CsaCrossing() = default;

CsaListener& CsaCrossing::listener() { return far_->listener; }

void CsaCrossing::close_all(std::string_view why) {
  asio::post(far_->io, [far = far_.get(), reason = std::string(why)] { far->listener.close_all(reason); });
}
std::size_t CsaCrossing::connections() const { return far_->listener.connections(); }

void CsaCrossing::write(core::ConnId conn, std::string bytes) {
  const std::size_t size = bytes.size();
  near_->order(conn, Write{std::move(bytes)}, size);
}
void CsaCrossing::when_written(core::ConnId conn, std::function<void()> done) {
  near_->order(conn, Tell{std::move(done)}, 0);
}
void CsaCrossing::close(core::ConnId conn, std::string_view) { near_->order(conn, Finish{}, 0); }
void CsaCrossing::read_pass(core::ConnId conn, std::uint64_t token) { near_->order(conn, Pass{token}, 0); }
void CsaCrossing::throttle(core::ConnId conn, bool paused) { near_->order(conn, Throttle{paused}, 0); }
void CsaCrossing::limit_lines(core::ConnId conn, std::size_t bytes) {
  const auto it = near_->peers.find(conn);
  if (it != near_->peers.end()) it->second.line = bytes;
}

}  // namespace fuhyo::net
