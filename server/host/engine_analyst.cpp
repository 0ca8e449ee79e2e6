#include "server/host/engine_analyst.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <thread>
#include <variant>

#include "engines/usi/driver.h"
#include "engines/usi/text.h"

namespace fuhyo::host {
namespace {

constexpr int kLowest = 19;  // where the system does not know SCHED_IDLE
constexpr std::int64_t kLook_ms = 1'000, kLongestSleep_ms = 60'000;
constexpr std::size_t kLongestOption = 1'024, kLongestName = 100;

std::int64_t now_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::expected<std::pair<std::string, std::string>, std::string> parse_analysis_option(std::string_view text) {
  const auto quoted = [&] { return "'" + std::string(text.substr(0, 80)) + "'"; };
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0) {
    return std::unexpected(quoted() + " is no NAME=VALUE of a USI option");
  }
  const bool plain = std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; });
  if (!plain || text.size() > kLongestOption) return std::unexpected(quoted() + " is too long, or no line of text");
  const std::string_view name = text.substr(0, equals);
  for (const std::string_view own : {"MultiPV", "USI_Ponder"}) {
    if (usi::same_name(name, own)) return std::unexpected(std::string(own) + " is set by the server");
  }
  return std::pair(std::string(name), std::string(text.substr(equals + 1)));
}

class EngineAnalyst::Worker {
 public:
  Worker(Config config, Log log)
      : config_(std::move(config)),
        log_(std::move(log)),
        queue_(config_.limits, config_.nodes, config_.game_nodes),
        driver_({.if_declared = {{"Threads", "1"}, {"USI_Hash", "64"}, {"USI_OwnBook", "false"}},
                 .options = config_.options,
                 .any_positions = true,
                 .stop_ms = config_.stop_ms}),
        thread_([this] { run(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

  // Any thread.
  template <class Request>
  auto ask(Request request) {
    const std::lock_guard lock(mutex_);
    wake_.notify_one();
    return request(queue_, now_ms());
  }

 private:
  enum class State : std::uint8_t { off, starting, free, thinking };

  // On the service's thread, without the lock.
  void run();
  bool wait();  // false: it ends
  void run_tasks();
  void tick();
  std::int64_t deadline() const;
  bool may_begin() const;
  void started();
  void broke(const std::string& why);
  void not_started(const std::string& why);
  void flush();
  void on(const usi::Driver::Ready& ready);
  void on(const usi::Driver::Said& said);
  void on(const usi::Driver::Answer& answer);
  void on(const usi::Driver::Failed& failed) { broke(failed.why); }
  void on(const usi::Driver::Noted& noted) {
    if (!introduced_) log_(true, "analysis engine: " + noted.text);
  }
  void on(const usi::Driver::Solved&) {}  // nobody asks for a mate
  void begin();
  void rest();
  void warn_once(const std::string& why);

  const Config config_;
  const Log log_;

  std::mutex mutex_;
  std::condition_variable wake_;
  AnalysisQueue queue_;                      // guarded by mutex_
  std::deque<std::function<void()>> tasks_;  // likewise
  bool closing_ = false;                     // likewise

  // The thread's.
  usi::Driver driver_;
  std::unique_ptr<EngineRunner> runner_;
  State state_ = State::off;
  std::int64_t hurry_at_ = usi::kForever, idle_since_ = 0;
  int deaths_ = 0;  // since it last answered
  std::string warned_;
  bool introduced_ = false;

  std::thread thread_;  // last: it uses the members above
};

// The engine dies with this thread, and is started here.
void EngineAnalyst::Worker::run() {
  const auto post = [this](std::function<void()> task) {
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
  };
  EngineRunner::Events events;
  events.started = [this] { started(); };
  events.line = [this](const std::string& line) {
    driver_.line(line, now_ms());
    flush();
  };
  events.closed = [this](const std::string& why) { broke(driver_.with_complaint(why)); };
  events.not_started = [this](const std::string& why) { not_started(why); };
  runner_ = std::make_unique<EngineRunner>(EngineRunner::child({.command = config_.command,
                                                                .nice = config_.leisurely ? kLowest : 0,
                                                                .leisurely = config_.leisurely,
                                                                .sandbox = config_.sandbox}),
                                           post, std::move(events), config_.restart_ms);
  runner_->start(now_ms());
  while (wait()) {
    run_tasks();
    tick();
  }
  runner_.reset();
}

bool EngineAnalyst::Worker::wait() {
  const auto until = std::chrono::steady_clock::time_point(
      std::chrono::milliseconds(std::min(deadline(), now_ms() + kLongestSleep_ms)));
  std::unique_lock lock(mutex_);
  const bool open = may_begin();
  wake_.wait_until(lock, until, [&] { return closing_ || !tasks_.empty() || (open && !queue_.idle()); });
  return !closing_;
}

void EngineAnalyst::Worker::run_tasks() {
  std::deque<std::function<void()>> tasks;
  {
    const std::lock_guard lock(mutex_);
    tasks.swap(tasks_);
  }
  for (const auto& task : tasks) task();
}

std::int64_t EngineAnalyst::Worker::deadline() const {
  const std::int64_t rest_at = state_ == State::free ? idle_since_ + config_.idle_ms : usi::kForever;
  return std::min({runner_->deadline(), driver_.deadline(), hurry_at_, rest_at});
}

// An engine that has died waits for its time.
bool EngineAnalyst::Worker::may_begin() const {
  return state_ == State::free || (state_ == State::off && runner_->deadline() == usi::kForever);
}

void EngineAnalyst::Worker::tick() {
  const std::int64_t now = now_ms();
  runner_->tick(now);
  driver_.tick(now);
  flush();
  if (now >= hurry_at_) {
    hurry_at_ = driver_.thinking() ? usi::kForever : now + kLook_ms;
    driver_.hurry(now);
    flush();
  }
  if (state_ == State::free) begin();
  if (state_ == State::free && now - idle_since_ >= config_.idle_ms) rest();
  if (state_ != State::off || !may_begin()) return;
  bool wanted = false;
  {
    const std::lock_guard lock(mutex_);
    wanted = !queue_.idle();
  }
  if (wanted) runner_->start(now);
}

// ---- the process ----

void EngineAnalyst::Worker::started() {
  state_ = State::starting;
  driver_.start(now_ms());
  flush();
}

void EngineAnalyst::Worker::not_started(const std::string& why) {
  {
    const std::lock_guard lock(mutex_);
    queue_.set_away(true);
  }
  warn_once(why);
}

void EngineAnalyst::Worker::broke(const std::string& why) {
  const std::int64_t now = now_ms();
  state_ = State::off;
  hurry_at_ = usi::kForever;
  driver_.closed();
  {
    const std::lock_guard lock(mutex_);
    queue_.failed(now);
    if (++deaths_ >= config_.deaths) queue_.set_away(true);
  }
  warn_once(why);
  runner_->restart(now);
}

void EngineAnalyst::Worker::rest() {
  driver_.quit();
  flush();
  runner_->stop();
  state_ = State::off;
}

void EngineAnalyst::Worker::warn_once(const std::string& why) {
  if (std::exchange(warned_, why) != why) log_(true, "analysis engine: " + why);
}

// ---- what it says ----

void EngineAnalyst::Worker::flush() {
  for (;;) {
    for (const std::string& line : driver_.take_lines()) runner_->write(line);
    const auto events = driver_.take_events();
    if (events.empty()) return;
    for (const usi::Driver::Event& event : events) {
      std::visit([this](const auto& each) { on(each); }, event);
    }
  }
}

void EngineAnalyst::Worker::on(const usi::Driver::Ready&) {
  if (state_ != State::starting) return;
  state_ = State::free;
  idle_since_ = now_ms();
  std::string name = driver_.engine_name().empty() ? config_.command.front() : driver_.engine_name();
  name.resize(std::min(name.size(), kLongestName));
  if (!std::exchange(introduced_, true)) log_(false, "analysis engine: " + name);
  const std::lock_guard lock(mutex_);
  queue_.set_engine(std::move(name));
  queue_.set_away(false);
}

void EngineAnalyst::Worker::on(const usi::Driver::Said& said) {
  const std::lock_guard lock(mutex_);
  queue_.said(said.info);
}

void EngineAnalyst::Worker::on(const usi::Driver::Answer& answer) {
  bool right = false;
  {
    const std::lock_guard lock(mutex_);
    right = queue_.answered(answer.best, now_ms());
  }
  if (!right) return broke("wrong answer: " + usi::to_text(answer.best));
  state_ = State::free;
  hurry_at_ = usi::kForever;
  idle_since_ = now_ms();
  deaths_ = 0;
  warned_.clear();
}

void EngineAnalyst::Worker::begin() {
  std::optional<AnalysisQueue::Task> task;
  const std::int64_t now = now_ms();
  {
    const std::lock_guard lock(mutex_);
    task = queue_.next(now);
  }
  if (!task) return;
  state_ = State::thinking;
  hurry_at_ = now + config_.think_ms;
  if (task->another) {
    driver_.set_option("MultiPV", std::to_string(task->lines));
    driver_.new_game(task->max_moves, now, task->declaration);
  }
  driver_.think(std::move(task->position), task->limits, now);
  flush();
}

// ---- from outside ----

EngineAnalyst::EngineAnalyst(Config config, Log log)
    : worker_(std::make_unique<Worker>(std::move(config), std::move(log))) {}

EngineAnalyst::~EngineAnalyst() = default;

core::PositionReport EngineAnalyst::position(const core::PlayedGame& game, std::size_t ply, int lines,
                                             const std::string& caller) {
  return worker_->ask(
      [&](AnalysisQueue& queue, std::int64_t now) { return queue.position(game, ply, lines, caller, now); });
}

core::GameReport EngineAnalyst::game(const core::PlayedGame& game, const std::string& caller) {
  return worker_->ask([&](AnalysisQueue& queue, std::int64_t now) { return queue.game(game, caller, now); });
}

}  // namespace fuhyo::host
