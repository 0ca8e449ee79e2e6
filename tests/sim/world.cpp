#include "tests/sim/world.h"

#include "tests/sim/clients.h"
#include "tests/sim/operator.h"
#include "tests/sim/rater.h"
#include "tests/sim/shell.h"

namespace fuhyo::sim {
namespace {

// Faults have stopped: what runs now ends within its own time, the longest of the games' (15 min a side) included.
constexpr std::int64_t kQuietTime_us = 3 * 3600 * kSecond;

class World {
 public:
  World(const Scenario& scenario, std::function<void(std::string_view)> trace)
      : stage_(scenario), auditor_(stage_), rng_(stage_.rng.fork()), network_(stage_), store_(stage_) {
    static std::uint64_t entropy = 0;
    if (stage_.planted(Plant::entropy)) rng_ = Rng(++entropy);
    if (trace) {
      stage_.trace = [this, trace = std::move(trace)](std::string_view text) {
        trace(fmt::format("{:>12.6f} {}", static_cast<double>(stage_.time.now_us()) / 1e6, text));
      };
    }
    store_.on_disk = [this](const core::Transaction& transaction) {
      auditor_.on_disk(transaction);
      rater_.on_disk(transaction);
    };
    store_.after_commit = [this](const core::Transaction& newest) { maybe_crash(newest); };
    store_.garbled = [this](const std::string& what) { auditor_.garbled(what); };
    invite();
  }
  Report run() {
    boot();
    for (const auto& client : clients_) client->start();
    if (operator_) operator_->start();
    crash_at_times();
    rate_at_times();
    count_at_times();
    jump_wall_clock();
    while (stage_.time.now_us() < stage_.scenario.span_us && stage_.time.step()) continue;
    quieten();
    const std::int64_t end_us = stage_.time.now_us() + kQuietTime_us;
    while (!settled() && stage_.time.now_us() < end_us && stage_.time.step()) continue;
    const std::int64_t settled_us = stage_.time.now_us();
    // What is still on its way.
    while (stage_.time.now_us() < settled_us + 60 * kSecond && stage_.time.step()) continue;

    const core::Server* server = shell_ == nullptr ? nullptr : &shell_->server();
    auditor_.finish(store_.rows(), sessions(), server == nullptr ? 0 : server->games("main") + server->games("demo"));
    rater_.rate();
    auditor_.check_ratings(*rater_.newest(), Rater::recompute(store_.rows()));
    return Report{.seed = stage_.scenario.seed,
                  .violations = auditor_.violations(),
                  .digest = auditor_.digest() ^ (server == nullptr ? 0 : server->digest()),
                  .games = auditor_.games(),
                  .moves = auditor_.moves(),
                  .events = stage_.time.actions(),
                  .virtual_us = settled_us,
                  .marks = stage_.marks};
  }

 private:
  void invite() {
    for (std::size_t i = 0; i < stage_.scenario.honest; ++i) invite_player(i, true);
    for (std::size_t i = 0; i < stage_.scenario.clumsy; ++i) invite_player(i, false);
    for (std::size_t i = 0; i < stage_.scenario.builtin; ++i) invite_builtin(i);
    for (std::size_t i = 0; i < stage_.scenario.hostile; ++i) {
      clients_.push_back(make_attacker(scene_, fmt::format("203.0.113.{}", i + 1), names_));
    }
    if (stage_.scenario.operators) {
      operator_.emplace(stage_, auditor_, [this](core::AdminLine command) {
        if (shell_ != nullptr) shell_->obey(std::move(command));
      });
    }
    if (stage_.scenario.late) clients_.push_back(make_watcher(scene_));
  }
  void invite_player(std::size_t number, bool honest) {
    Identity me;
    me.name = fmt::format("{}{}", honest ? "honest" : "clumsy", number);
    // Some share a name, with the trip or without: two programs of one owner, or a thief. Under an honest name they do
    // not break the line of play that honest players count on.
    if (!honest && rng_.chance(0.3)) me.name = rng_.pick(names_);
    me.trip = rng_.chance(0.8) ? fmt::format("{}{}", kSecretMark, me.name) : std::string(kSecretMark);
    me.x1 = rng_.chance(0.4);
    me.honest = honest;
    const bool thief = !honest && me.name.starts_with("honest");
    me.temper = honest ? Temper::honest() : thief ? Temper::absent_minded() : Temper::clumsy(rng_);
    me.caller = {.address = fmt::format("198.51.100.{}", clients_.size() + 1), .honest = honest};
    names_.push_back(me.name);
    clients_.push_back(make_player(scene_, std::move(me)));
  }
  void invite_builtin(std::size_t number) {
    Identity me;
    me.name = fmt::format("engine{}", number);
    me.trip = fmt::format("{}builtin", kSecretMark);
    me.x1 = true;
    me.honest = true;
    me.temper = Temper::honest();
    me.caller = {
        .kind = core::ConnectionKind::builtin, .room = "demo", .address = me.name, .faultless = true, .honest = true};
    clients_.push_back(make_player(scene_, std::move(me)));
  }
  void boot() {
    lives_.push_back(std::make_unique<Shell>(stage_, network_, store_, auditor_, lives_.size()));
    shell_ = lives_.back().get();
    shell_->begin();
  }
  void crash() {
    if (shell_ == nullptr) return;
    if (stage_.trace) stage_.trace("CRASH");
    stage_.marks.hit("crash");
    std::exchange(shell_, nullptr)->stop();
    network_.crash();
    store_.crash();
    auditor_.crashed(store_.rows());
    stage_.time.after(rng_.between(1, 5000) * kMillisecond, [this] { boot(); });
  }
  void maybe_crash(const core::Transaction& newest) {
    if (stage_.quiet) return;
    const bool tear = stage_.planted(Plant::tear_step) && newest.size() > 1;
    if (!tear && !rng_.chance(stage_.scenario.crash)) return;
    stage_.marks.hit("crash_before_ack");
    crash();
  }
  void crash_at_times() {
    if (stage_.scenario.crash_every_us == 0) return;
    stage_.time.after(rng_.exponential(stage_.scenario.crash_every_us), [this] {
      if (stage_.quiet) return;
      if (sessions() > 0) (stage_.scenario.orderly && rng_.chance(0.5)) ? end_orderly() : crash();
      crash_at_times();
    });
  }
  // SIGTERM twice: what stands is made durable, if the store allows, before the process ends.
  void end_orderly() {
    stage_.marks.hit("ended_orderly");
    shell_->end();
    stage_.time.after(rng_.between(1, 5000) * kMillisecond, [this, life = shell_] {
      if (shell_ == life) crash();
    });
  }
  // Every few minutes; a server that has just started knows no ratings until then.
  void rate_at_times() {
    stage_.time.after(rng_.exponential(180 * kSecond), [this] {
      if (stage_.quiet) return;
      rater_.rate();
      if (shell_ != nullptr) shell_->rate(rater_.newest());
      rate_at_times();
    });
  }
  void count_at_times() {
    stage_.time.after(10 * kSecond, [this] {
      if (stage_.quiet) return;
      if (shell_ != nullptr) shell_->obey({.token = 0, .who = "auditor", .text = "counters"});
      count_at_times();
    });
  }
  void jump_wall_clock() {
    if (!stage_.scenario.wall_jumps) return;
    stage_.time.after(rng_.exponential(100 * kSecond), [this] {
      if (stage_.quiet) return;
      stage_.marks.hit("wall_jump");
      stage_.wall_jump_us = rng_.between(-3600, 3600) * kSecond;
      jump_wall_clock();
    });
  }
  void quieten() {
    if (stage_.trace) stage_.trace("QUIET");
    stage_.quiet = true;
    if (stage_.scenario.drain && shell_ != nullptr) shell_->drain();
    for (const auto& client : clients_) client->wind_down();
    if (operator_) operator_->wind_down();
  }
  // The end of the last game is not reported before the store has it.
  bool settled() const {
    return shell_ != nullptr && sessions() == 0 && auditor_.unfinished() == 0 && !store_.is_away();
  }
  std::size_t sessions() const { return shell_ == nullptr ? 0 : shell_->server().sessions(); }

  Stage stage_;
  Auditor auditor_;
  Rng rng_;
  Network network_;
  const Scene scene_{stage_, network_, auditor_};
  Store store_;
  std::vector<std::unique_ptr<Shell>> lives_;  // of the server, the dead ones included: actions may still point to them
  Shell* shell_ = nullptr;                     // the one that lives
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::string> names_;
  std::optional<Operator> operator_;
  Rater rater_;
};

}  // namespace

bool Report::violates(Check check) const {
  return std::ranges::any_of(violations, [check](const Violation& v) { return v.check == check; });
}

Report run(const Scenario& scenario, std::function<void(std::string_view)> trace) {
  return World(scenario, std::move(trace)).run();
}

}  // namespace fuhyo::sim
