#include "server/app/join/engine_trial.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

#include "engines/usi/driver.h"
#include "engines/usi/process.h"

namespace fuhyo::app {
namespace {

constexpr std::int64_t kThink_ms = 1'000, kPatience_ms = 2'000;  // then it is told to stop
constexpr std::size_t kLinesKept = 100'000;  // of an engine that is being listened to: more is a flood

std::int64_t steady_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(steady_clock::now().time_since_epoch()).count();
}

// Lines on their way from the engine's thread.
class LinesOfEngine {
 public:
  void put(std::optional<std::string> line) {  // nothing: it has ended
    {
      const std::lock_guard lock(mutex_);
      if (line && lines_.size() >= kLinesKept) return;
      lines_.push_back(std::move(line));
    }
    wake_.notify_one();
  }
  // Nothing: it is later than `until_ms`.
  std::optional<std::optional<std::string>> next(std::int64_t until_ms) {
    const auto until = std::chrono::steady_clock::time_point(
        std::chrono::milliseconds(std::min(until_ms, steady_ms() + std::int64_t{60'000})));
    std::unique_lock lock(mutex_);
    if (!wake_.wait_until(lock, until, [this] { return !lines_.empty(); })) return std::nullopt;
    auto line = std::move(lines_.front());
    lines_.pop_front();
    return line;
  }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::optional<std::string>> lines_;
};

// What a driver says, on the way to its answer.
struct SpeedTrial {
  bool greeted = false, answered = false;
  std::int64_t stop_at = usi::kForever;
  std::int64_t nps = 0;
  std::string fault;

  void take(usi::Driver& driver, const usi::Driver::Event& event) {
    if (std::holds_alternative<usi::Driver::Ready>(event)) {
      if (!std::exchange(greeted, true)) return driver.new_game(0, steady_ms());
      driver.think("position startpos", usi::GoLimits{.movetime_ms = kThink_ms}, steady_ms());
      stop_at = steady_ms() + kThink_ms + kPatience_ms;
    } else if (const auto* said = std::get_if<usi::Driver::Said>(&event)) {
      nps = std::max<std::int64_t>(0, said->info.nps.value_or(nps));
    } else if (std::holds_alternative<usi::Driver::Answer>(event)) {
      answered = true;
    } else if (const auto* failed = std::get_if<usi::Driver::Failed>(&event)) {
      fault = failed->why;
    }
  }
};

}  // namespace

std::expected<EngineTrial, std::string> try_engine(const host::BuiltinPlayer& player) {
  LinesOfEngine lines;
  auto process = usi::ChildProcess::spawn({.command = player.command,
                                           .working_dir = player.working_dir,
                                           .nice = player.nice,
                                           .sandbox = player.sandboxed ? std::optional(player.sandbox) : std::nullopt},
                                          {.line = [&](std::string line) { lines.put(std::move(line)); },
                                           .closed = [&](const std::string&) { lines.put({}); }});
  if (!process) return std::unexpected(process.error());
  SpeedTrial trial;
  usi::Driver driver({.options = player.options, .usiok_ms = player.usiok_ms, .readyok_ms = player.readyok_ms});
  driver.start(steady_ms());
  while (!trial.answered && trial.fault.empty()) {
    for (const usi::Driver::Event& event : driver.take_events()) trial.take(driver, event);
    for (const std::string& line : driver.take_lines()) (*process)->write_line(line);
    if (trial.answered || !trial.fault.empty()) break;
    if (steady_ms() >= trial.stop_at) {
      trial.stop_at = usi::kForever;
      driver.hurry(steady_ms());
      continue;
    }
    const auto heard = lines.next(std::min(driver.deadline(), trial.stop_at));
    if (heard && !*heard) return std::unexpected(driver.with_complaint("the engine ended"));
    heard ? driver.line(**heard, steady_ms()) : driver.tick(steady_ms());
  }
  if (!trial.fault.empty()) return std::unexpected(trial.fault);
  return EngineTrial{.nps = trial.nps, .refused = driver.declared().refusals(player.options)};
}

}  // namespace fuhyo::app
