#include "engines/match/usi_player.h"

#include <algorithm>
#include <fmt/format.h>
#include <variant>

#include "engines/shogi/usi_move.h"
#include "engines/usi/text.h"

namespace fuhyo::match {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kLongestLine = std::size_t{64} * 1024;
constexpr std::size_t kBytesPerSecond = std::size_t{16} * 1024 * 1024;
constexpr milliseconds kGoodbye{2'000};

std::int64_t ms_of(std::chrono::steady_clock::time_point time) {
  return std::chrono::duration_cast<milliseconds>(time.time_since_epoch()).count();
}

std::chrono::steady_clock::time_point time_of(std::int64_t ms) {
  using Point = std::chrono::steady_clock::time_point;
  return ms == usi::kForever ? Point::max() : Point(milliseconds(ms));
}

}  // namespace

UsiPlayer::UsiPlayer(EngineCommand command, std::string shown, int cpu, Log log)
    : command_(std::move(command)), shown_(std::move(shown)), cpu_(cpu), log_(std::move(log)) {}

UsiPlayer::~UsiPlayer() { end_process(true); }

std::string UsiPlayer::name() const {
  if (!shown_.empty()) return shown_;
  return driver_ && !driver_->engine_name().empty() ? driver_->engine_name() : command_.command;
}

std::vector<std::string> UsiPlayer::refused_options() const {
  return driver_ ? driver_->declared().refusals(command_.options) : std::vector<std::string>();
}

void UsiPlayer::set_command(EngineCommand command) {
  EngineCommand same = command;
  same.options = command_.options;
  if (same != command_) {
    end_process(true);
  } else if (process_) {
    for (const auto& option : command.options) {
      if (std::ranges::find(command_.options, option) == command_.options.end()) {
        driver_->set_option(option.first, option.second);
      }
    }
  }
  command_ = std::move(command);
}

// ---- the process ----

std::expected<void, Fault> UsiPlayer::start() {
  const auto words = usi::split_command(command_.command);
  if (!words) return std::unexpected(Fault{Ending::crashed, words.error()});
  arrivals_.clear();
  closed_ = false;
  usi::ChildProcess::Events events{.line =
                                       [this](std::string line) {
                                         const auto now = Steady::now();
                                         const std::lock_guard lock(mutex_);
                                         arrivals_.push_back({now, std::move(line)});
                                         changed_.notify_one();
                                       },
                                   .closed =
                                       [this](std::string why) {
                                         const std::lock_guard lock(mutex_);
                                         closed_ = true;
                                         why_closed_ = std::move(why);
                                         changed_.notify_one();
                                       }};
  auto spawned = usi::ChildProcess::spawn({.command = *words,
                                           .working_dir = command_.folder,
                                           .cores = cpu_ < 0 ? std::vector<int>{} : std::vector{cpu_},
                                           .show_stderr = command_.show_stderr,
                                           .line_limit = kLongestLine,
                                           .bytes_per_second = kBytesPerSecond},
                                          std::move(events));
  if (!spawned) return std::unexpected(Fault{Ending::crashed, spawned.error()});
  process_ = std::move(*spawned);
  driver_ = std::make_unique<usi::Driver>(usi::Driver::Config{.options = command_.options,
                                                              .ponder = command_.ponder,
                                                              .any_positions = command_.any_positions,
                                                              .usiok_ms = command_.start_ms,
                                                              .readyok_ms = command_.ready_ms});
  driver_->start(ms_of(Steady::now()));
  return {};
}

void UsiPlayer::end_process(bool politely) {
  if (!process_) return;
  if (politely) {
    send("quit");
    process_->close_input();
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, kGoodbye, [this] { return closed_; });
  }
  process_.reset();
  driver_.reset();
  expected_line_.clear();
}

Fault UsiPlayer::crashed(std::string why) {
  end_process(false);
  return {Ending::crashed, std::move(why)};
}

void UsiPlayer::send(const std::string& line) {
  if (log_) log_(name(), '<', line);
  process_->write_line(line);  // an engine that is gone is noticed by its last word
}

void UsiPlayer::send_lines() {
  for (const std::string& line : driver_->take_lines()) send(line);
}

bool UsiPlayer::next(Arrival& arrival, Steady::time_point deadline, const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  const auto ready = [this] { return closed_ || !arrivals_.empty(); };
  if (deadline == Steady::time_point::max()) {
    changed_.wait(lock, stop, ready);
  } else {
    changed_.wait_until(lock, stop, deadline, ready);
  }
  if (arrivals_.empty()) return false;
  arrival = std::move(arrivals_.front());
  arrivals_.pop_front();
  return true;
}

std::optional<std::string> UsiPlayer::end_of_process() {
  const std::lock_guard lock(mutex_);
  return closed_ ? std::optional(why_closed_) : std::nullopt;
}

template <class Done>
std::expected<void, Fault> UsiPlayer::pump(Steady::time_point deadline, const std::stop_token& stop, Done done) {
  auto arrived = Steady::now();
  while (true) {
    send_lines();
    bool enough = false;
    for (const usi::Driver::Event& event : driver_->take_events()) {
      if (const auto* failed = std::get_if<usi::Driver::Failed>(&event)) {
        end_process(false);
        return std::unexpected(Fault{failed->wrong_answer ? Ending::illegal_move : Ending::hung, failed->why});
      }
      enough = done(event, arrived) || enough;
    }
    if (enough) return {};
    Arrival arrival;
    const bool spoke = next(arrival, std::min(deadline, time_of(driver_->deadline())), stop);
    if (spoke && arrival.at <= deadline) {
      if (log_) log_(name(), '>', arrival.line);
      arrived = arrival.at;
      driver_->line(arrival.line, ms_of(arrived));
      continue;
    }
    if (stop.stop_requested()) return std::unexpected(crashed("interrupted"));
    if (auto why = end_of_process(); why && !spoke) {
      return std::unexpected(crashed(driver_->with_complaint("the engine has ended: " + *why)));
    }
    if (Steady::now() >= deadline) {  // also of one that talks for ever
      const std::string repeated = driver_->repeated_answer();
      end_process(false);
      if (repeated.empty()) return std::unexpected(Fault{Ending::hung, "no answer"});
      return std::unexpected(Fault{Ending::illegal_move, "its former answer again: " + repeated});
    }
    driver_->tick(ms_of(Steady::now()));
  }
}

// ---- the game ----

std::expected<void, Fault> UsiPlayer::new_game(const GameOptions& options) {
  const auto ready = [](const usi::Driver::Event& event, Steady::time_point) {
    return std::holds_alternative<usi::Driver::Ready>(event);
  };
  expected_line_.clear();
  if (auto why = end_of_process(); process_ && why) {
    return std::unexpected(crashed(driver_->with_complaint("the engine has ended between two games: " + *why)));
  }
  if (!process_) {
    if (auto started = start(); !started) return started;
    if (auto greeted = pump(Steady::time_point::max(), options.stop, ready); !greeted) return greeted;
  }
  // An option of that name that the user has set is what the engine is to believe.
  std::int64_t limit = options.move_limit;
  for (const auto& [option, value] : command_.options) {
    if (option == "MaxMovesToDraw") limit = usi::to_integer(value).value_or(limit);
  }
  driver_->new_game(limit, ms_of(Steady::now()));
  return pump(Steady::time_point::max(), options.stop, ready);
}

std::expected<SearchReply, Fault> UsiPlayer::think(const SearchRequest& request) {
  const auto asked = Steady::now();
  const bool hit = !expected_line_.empty() && expected_line_ == request.line;
  expected_line_.clear();
  if (hit) {
    driver_->ponderhit();
  } else {
    move_data_ = {};
    driver_->think(request.line, request.limits, ms_of(asked));
  }
  SearchReply reply;
  const auto done = [&](const usi::Driver::Event& event, Steady::time_point at) {
    if (const auto* said = std::get_if<usi::Driver::Said>(&event)) note(said->info);
    const auto* best = std::get_if<usi::Driver::Answer>(&event);
    if (best == nullptr) return false;
    reply.best = best->best;
    reply.data = move_data_;
    reply.data.move = best->best.move;
    reply.data.spent_us =
        std::max<std::int64_t>(std::chrono::duration_cast<std::chrono::microseconds>(at - asked).count(), 0);
    return true;
  };
  if (auto told = pump(asked + std::chrono::microseconds(request.patience_us), request.stop, done); !told) {
    return std::unexpected(told.error());
  }
  return reply;
}

void UsiPlayer::note(const usi::Info& info) {
  if (info.multipv.value_or(1) != 1) return;
  if (info.score) move_data_.score = info.score;
  if (info.depth) move_data_.depth = info.depth;
  if (info.seldepth) move_data_.seldepth = info.seldepth;
  if (info.nodes) move_data_.nodes = info.nodes;
  if (!info.pv.empty()) move_data_.pv = info.pv;
}

void UsiPlayer::ponder(const std::string& line, const SearchReply& own, const usi::GoLimits& limits) {
  if (!command_.ponder || !own.best.ponder || !driver_) return;
  expected_line_ = line + (line.find(" moves") == std::string::npos ? " moves " : " ");
  expected_line_ += shogi::to_usi(own.best.move) + " " + shogi::to_usi(own.best.ponder);
  move_data_ = {};
  driver_->ponder(expected_line_, limits);
  if (!driver_->pondering()) expected_line_.clear();
  send_lines();
}

void UsiPlayer::game_over(std::string_view result) {
  expected_line_.clear();
  if (!driver_) return;
  driver_->game_over(result, ms_of(Steady::now()));
  send_lines();
}

}  // namespace fuhyo::match
