// What the program around the core does, under virtual time: reads sockets, frames lines, stamps arrivals, feeds the
// core, carries its effects out. One object is one life of the server's process; stop() is kill -9.
#pragma once

#include "server/csa/line_framer.h"
#include "tests/sim/fault_injector.h"
#include "tests/sim/network.h"
#include "tests/sim/store.h"

namespace fuhyo::sim {

inline core::Rules rules_of(const Scenario& scenario, std::uint64_t boot) {
  core::Rules rules;
  rules.event = "sim";
  rules.max_moves = scenario.max_moves;
  rules.least_time_per_move_s = scenario.least_s;
  rules.seed = scenario.seed * 1000 + boot;
  rules.resume = scenario.resume;
  rules.grace_s = scenario.grace_s;
  rules.resume_window_us = scenario.window_us;
  rules.times_as_played = scenario.times_as_played;
  rules.reconnect_token = [](std::string_view game, std::string_view name) {
    return fmt::format("{:032}", game.size() * 1000 + name.size());
  };
  rules.trip_hash = [](std::string_view trip) {
    std::uint64_t hash = 14695981039346656037u;
    for (const char c : trip) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
    return fmt::format("{:016x}", hash);
  };
  rules.accounts = scenario.accounts;
  if (scenario.closes && boot > 0) {
    const bool planted = scenario.plant == Plant::open_doors;
    rules.accounts = planted ? core::AccountPolicy::open : core::AccountPolicy::closed;
  }
  rules.takeover = scenario.takeover;
  if (scenario.late) {
    const std::int32_t early_s = scenario.plant == Plant::show_early ? 5 : 0;
    rules.delays = {{"*", {.seconds = kLate.seconds - early_s}}};
  }
  rules.secrets.keyed = [trip = rules.trip_hash, all_alike = scenario.plant == Plant::any_secret](
                            std::string_view purpose, std::string_view text) {
    return trip(fmt::format("{}\n{}", purpose, all_alike ? "" : text));
  };
  return rules;
}

inline core::Limits limits_of(const Stage& stage) {
  core::Limits limits = stage.scenario.limits;
  if (stage.planted(Plant::no_limit)) limits.queued_lines = 1'000'000;
  return limits;
}

class Shell final : public ServerPort {
 public:
  Shell(Stage& stage, Network& network, Store& store, Auditor& auditor, std::uint64_t boot)
      : stage_(stage),
        network_(network),
        store_(store),
        auditor_(auditor),
        rng_(stage.rng.fork()),
        fault_injector_(stage),
        server_(limits_of(stage), rules_of(stage.scenario, boot), store.recover()),
        outbox_(store.last()) {}

  // Begins to listen.
  void begin() {
    store_.listen({.durable = [this](core::Seq upto) { hear(core::Durable{upto}); },
                   .lost = [this](std::string why) { hear(core::StoreLost{std::move(why)}); },
                   .back = [this] { hear(core::StoreBack{}); }});
    core::Effects effects;
    auditor_.booted();
    server_.begin(stage_.now(), effects);
    auditor_.decided(effects);
    carry_out(effects);
    network_.serve(this);
    if (!stage_.scenario.rooms.empty()) hear(core::RoomsRead{.files = stage_.scenario.rooms});
    if (stage_.scenario.rounds.empty()) return;
    core::floodgate::ScheduleFile file = core::floodgate::parse_schedule(stage_.scenario.rounds);
    hear(core::GroupChanged{{.game_name = std::string(kRoundGroup),
                             .schedule = std::move(file.schedule),
                             .settings = std::move(file.settings)}});
  }
  // Nothing happens any more.
  void stop() { stopped_ = true; }
  void drain() { hear(core::Drain{}); }
  void end() { hear(core::Stop{}); }
  void rate(std::shared_ptr<const core::PlayerRatings> ratings) { hear(core::RatingsChanged{std::move(ratings)}); }
  void obey(core::AdminLine command) { hear(std::move(command)); }

  bool drained() const { return drained_; }
  const core::Server& server() const { return server_; }

  void accepted(const core::Opened& opened) override {
    Conn& c = conns_.emplace(opened.conn, Conn(stage_.scenario.limits.line_before_login)).first->second;
    c.remote = opened.kind == core::ConnectionKind::csa && rng_.chance(stage_.scenario.network.remote);
    hear(opened);
  }
  void readable(core::ConnId conn) override {
    Conn* c = open_conn(conn);
    if (c == nullptr || c->paused || c->deaf || c->late) return;
    if (stage_.time.now_us() < frozen_until_us_) {
      c->late = true;
      return later(frozen_until_us_ - stage_.time.now_us(), [this, conn] {
        conns_.at(conn).late = false;
        readable(conn);
      });
    }
    if (stage_.quiet || !rng_.chance(stage_.scenario.network.read_late)) return read(conn, *c);
    c->late = true;
    later(rng_.between(10, 5 * kMillisecond), [this, conn] {
      conns_.at(conn).late = false;
      readable(conn);
    });
  }
  void broken(core::ConnId conn, std::string_view why) override { end(conn, why); }

 private:
  struct Conn {
    explicit Conn(std::size_t limit) : framer(limit) {}
    csa::LineFramer framer;
    bool open = true, paused = false, deaf = false, late = false;  // deaf: nothing more is read from it
    bool remote = false;              // its reader is another thread (TLS): lines come through a queue
    std::int64_t handed_over_us = 0;  // when the last line of a remote reader reaches the core
  };

  // Queues it for the core.
  void hear(core::Input input) {
    queue_.push_back(std::move(input));
    if (std::exchange(turn_due_, true)) return;
    std::int64_t lag_us = 1;
    if (!stage_.quiet && rng_.chance(stage_.scenario.stall)) {
      stage_.marks.hit("loop_stall");
      lag_us = rng_.between(1, stage_.scenario.stall_us);
    }
    if (!stage_.quiet && rng_.chance(stage_.scenario.freeze)) {
      stage_.marks.hit("frozen");
      lag_us = rng_.between(kSecond, 5 * kSecond);
      frozen_from_us_ = stage_.time.now_us();
      frozen_until_us_ = frozen_from_us_ + lag_us;
    }
    later(lag_us, [this] { turn(); });
  }
  // From the connection's reader.
  void hand_over(Conn& c, core::Input input) {
    if (!c.remote) return hear(std::move(input));
    const std::int64_t lag_us = stage_.quiet ? 20 : rng_.between(0, 20 * kMillisecond);
    c.handed_over_us = std::max({c.handed_over_us, stage_.time.now_us() + lag_us, frozen_until_us_});
    stage_.time.at(c.handed_over_us, [this, input = std::move(input)] {
      if (!stopped_) hear(input);
    });
  }
  void turn() {
    turn_due_ = false;
    if (frozen_until_us_ == stage_.time.now_us()) handle(core::Stalled{{frozen_from_us_}, {frozen_until_us_}});
    if (!stage_.quiet && rng_.chance(0.001)) {
      stage_.marks.hit("early_wake");
      queue_.emplace_back(core::Woke{});
    }
    while (!queue_.empty()) {
      const core::Input input = std::move(queue_.front());
      queue_.pop_front();
      handle(input);
    }
    flush();
  }
  void handle(const core::Input& input) {
    if (std::holds_alternative<core::Closed>(input) && stage_.strikes(Plant::leak_session)) return;
    auditor_.heard_by_core(input);
    if (const auto* rated = std::get_if<core::RatingsChanged>(&input)) auditor_.rated(rated->ratings);
    if (const auto* durable = std::get_if<core::Durable>(&input)) outbox_.durable(durable->upto);
    if (std::holds_alternative<core::Stalled>(input) && stage_.planted(Plant::charge_stall)) return;
    core::Effects effects;
    server_.apply(input, stage_.now(), effects);
    fault_injector_.edit(effects);
    auditor_.decided(effects);
    carry_out(effects);
  }
  void carry_out(const core::Effects& effects) {
    core::Transaction transaction;
    for (const core::Effect& effect : effects) carry_out(effect, transaction);
    if (transaction.empty()) return;
    if (stage_.planted(Plant::gate_open)) outbox_.durable(transaction.back().seq);
    store_.append(std::move(transaction));
  }
  void carry_out(const core::Effect& effect, core::Transaction& transaction) {
    if (const auto* send = std::get_if<core::Send>(&effect)) {
      push(*send);
    } else if (const auto* close = std::get_if<core::Close>(&effect)) {
      outbox_.push(*close);
    } else if (const auto* append = std::get_if<core::Append>(&effect)) {
      transaction.push_back(append->row);
    } else if (const auto* wake = std::get_if<core::WakeAt>(&effect)) {
      set_timer(wake->when);
    } else if (const auto* pass = std::get_if<core::ReadPass>(&effect)) {
      read_pass(*pass);
    } else if (const auto* limit = std::get_if<core::LineLimit>(&effect)) {
      if (Conn* c = open_conn(limit->conn)) c->framer.set_limit(limit->bytes);
    } else if (const auto* throttle = std::get_if<core::Throttle>(&effect)) {
      Conn* c = open_conn(throttle->conn);
      if (c == nullptr) return;
      c->paused = throttle->paused;
      if (c->paused) stage_.marks.hit("throttled");
      readable(throttle->conn);
    } else if (std::holds_alternative<core::Drained>(effect)) {
      drained_ = true;
      stage_.marks.hit("drained");
    }
  }
  void flush() {
    for (core::Outbox::Ready& ready : outbox_.take()) {
      if (open_conn(ready.conn) == nullptr) continue;  // decided before the core heard that it is gone
      auditor_.leaving(ready);
      if (auto kept = overtaken_.extract(ready.conn)) {
        ready.bytes += kept.mapped();
      } else if (!ready.close && stage_.strikes(Plant::overtake)) {
        overtaken_[ready.conn] = std::move(ready.bytes);
        continue;
      }
      write(ready);
    }
  }
  // As the program around the core does: too much that waits for the journal ends the connection.
  void push(const core::Send& send) {
    if (outbox_.held(send.conn) > stage_.scenario.limits.output_bytes) {
      stage_.marks.hit("outbox_cut");
      outbox_.forget(send.conn);
      auditor_.forgotten(send.conn);
      network_.close(send.conn);
      return end(send.conn, "too much output waits");
    }
    outbox_.push(send);
    auditor_.holds(send.conn, outbox_.held(send.conn));
  }
  void write(const core::Outbox::Ready& ready) {
    network_.write(ready.conn, ready.bytes);
    const bool stuck = network_.unsent(ready.conn) > stage_.scenario.limits.output_bytes && open_conn(ready.conn);
    if (!ready.close && !stuck) return;
    if (stuck) stage_.marks.hit("slow_reader_cut");
    network_.close(ready.conn);
    end(ready.conn, stuck ? "does not read" : "closed by the server");
  }
  void read(core::ConnId conn, Conn& c) {
    const std::size_t most = rng_.chance(0.02) ? 1 + rng_.below(8) : 4096;
    for (std::string bytes; !c.deaf && !(bytes = network_.take(conn, most)).empty();) {
      c.framer.feed(bytes, [&](std::string_view line, bool crlf) {
        if (crlf) stage_.marks.hit("crlf");
        core::ClientLine input{.conn = conn, .text = std::string(line), .arrived = stage_.mono(), .crlf = crlf};
        auditor_.read(input);
        hand_over(c, std::move(input));
      });
      if (!c.framer.overlong()) continue;
      c.deaf = true;
      stage_.marks.hit("line_overlong");
      hand_over(c, core::BadInput{conn, "line too long"});
    }
    if (!c.deaf && network_.ended(conn)) {
      network_.close(conn);
      end(conn, "end of stream");
    }
  }
  // Lines that the reader took before, and those that it takes now, reach the core before the answer does.
  void read_pass(const core::ReadPass& pass) {
    stage_.marks.hit("read_pass");
    const core::ReadPassed passed{pass.conn, pass.token};
    if (stage_.planted(Plant::flag_early)) return hear(passed);
    if (Conn* c = open_conn(pass.conn)) read(pass.conn, *c);
    Conn& c = conns_.at(pass.conn);
    if (c.handed_over_us > stage_.time.now_us()) stage_.marks.hit("read_pass_found_a_line");
    hand_over(c, passed);
  }
  void set_timer(core::Instant when) {
    if (stage_.strikes(Plant::forget_timer)) return;
    stage_.time.at(when.us, [this, timer = ++timer_] {
      if (!stopped_ && timer == timer_) hear(core::Woke{});
    });
  }
  Conn* open_conn(core::ConnId conn) {
    const auto it = conns_.find(conn);
    return it == conns_.end() || !it->second.open ? nullptr : &it->second;
  }
  void end(core::ConnId conn, std::string_view why) {
    Conn* c = open_conn(conn);
    if (c == nullptr) return;
    c->open = false;
    outbox_.forget(conn);
    auditor_.forgotten(conn);
    hand_over(*c, core::Closed{conn, std::string(why)});
  }
  // Runs it later, unless this life of the server is over by then.
  template <class Action>
  void later(std::int64_t delay_us, Action action) {
    stage_.time.after(delay_us, [this, action] {
      if (!stopped_) action();
    });
  }

  Stage& stage_;
  Network& network_;
  Store& store_;
  Auditor& auditor_;
  Rng rng_;
  FaultInjector fault_injector_;
  core::Server server_;
  core::Outbox outbox_;
  std::map<core::ConnId, Conn> conns_;
  std::deque<core::Input> queue_;
  std::map<core::ConnId, std::string> overtaken_;          // for the plant that lets lines overtake
  std::uint64_t timer_ = 0;                                // of the newest WakeAt
  std::int64_t frozen_from_us_ = 0, frozen_until_us_ = 0;  // the process stands still
  bool turn_due_ = false, stopped_ = false, drained_ = false;
};

}  // namespace fuhyo::sim
