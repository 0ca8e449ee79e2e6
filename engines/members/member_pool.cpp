#include "engines/members/member_pool.h"

#include <algorithm>
#include <chrono>

namespace fuhyo::members {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestLine = std::size_t{64} * 1024;
// Analysis with many lines comes near a tenth of it; more is a flood, and would keep the others from being heard.
constexpr std::size_t kBytesPerSecond = std::size_t{4} * 1024 * 1024;
constexpr auto kQuitTimeout = 2s;  // from "quit" until a member is killed
// How often the clock and the GUI are looked at while nobody says anything.
constexpr auto kPollInterval = 2ms;
constexpr auto kSlowPollInterval = 50ms;  // while members get ready
constexpr int kMostRestarts = 3;

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

MemberPool::~MemberPool() {
  end_wait_for_rest();
  spawner_.wait();
  quit(std::move(slots_));
}

// ---- processes ----

void MemberPool::on_line(Slot& slot, const std::string& line) {
  const std::lock_guard lock(mutex_);
  slot.member.line(line, now_ms());
  send_lines(slot);
  changed_.notify_all();
}

void MemberPool::on_closed(Slot& slot, const std::string& why) {
  const std::lock_guard lock(mutex_);
  slot.ended = true;
  slot.member.closed(why);
  changed_.notify_all();
}

void MemberPool::send_lines(Slot& slot) {
  if (!slot.process) return;  // it is just being started: the lines wait
  for (const std::string& line : slot.member.take_lines()) slot.process->write_line(line);
  for (const SharedLine& line : slot.member.take_sent_tables()) slot.process->write_line(*line);
}

// What ends a process waits for its last word, which needs the mutex.
std::unique_ptr<usi::ChildProcess> MemberPool::take_process(Slot& slot) {
  const std::lock_guard lock(mutex_);
  return std::move(slot.process);
}

void MemberPool::start(Slot& slot) {
  take_process(slot).reset();
  {
    const std::lock_guard lock(mutex_);
    slot.ended = false;
    slot.member.start(now_ms());
  }
  auto spawned = spawn_({.command = slot.config.command,
                         .working_dir = slot.config.folder,
                         .line_limit = kLongestLine,
                         .bytes_per_second = kBytesPerSecond},
                        {.line = [this, &slot](const std::string& line) { on_line(slot, line); },
                         .closed = [this, &slot](const std::string& why) { on_closed(slot, why); }});
  const std::lock_guard lock(mutex_);
  if (spawned) {
    slot.process = std::move(*spawned);
    send_lines(slot);
  } else {
    slot.ended = true;
    slot.member.closed(spawned.error());
  }
  slot.restarting = false;
  changed_.notify_all();
}

void MemberPool::quit(Slots leaving) {
  std::unique_lock lock(mutex_);
  for (const auto& slot : leaving) {
    if (!slot->process) continue;
    slot->member.quit();
    send_lines(*slot);
    slot->process->close_input();
  }
  changed_.wait_for(lock, kQuitTimeout,
                    [&] { return std::ranges::all_of(leaving, [](const auto& c) { return c->ended; }); });
  lock.unlock();
  for (const auto& slot : leaving) take_process(*slot).reset();
}

// Restarts who is gone, while the opponent thinks.
void MemberPool::restart_ended() {
  if (spawner_.busy()) return;
  std::vector<Slot*> broken;
  for (const auto& slot : slots_) {
    if (slot->member.state() != Member::State::off || slot->restarts >= kMostRestarts) continue;
    ++slot->restarts;
    slot->restarting = true;
    broken.push_back(slot.get());
  }
  if (broken.empty()) return;
  spawner_.start([this, broken] {
    for (Slot* const slot : broken) start(*slot);
  });
}

// ---- getting ready ----

// An option that it had and has not any more cannot be taken back.
bool MemberPool::can_stay(const Slot& slot, const MemberConfig& config) {
  const EngineOptions& wanted = config.setup.options;
  const auto kept = [&](const auto& option) {
    return std::ranges::any_of(wanted, [&](const auto& other) { return other.first == option.first; });
  };
  return slot.member.state() == Member::State::ready && slot.config.command == config.command &&
         slot.config.folder == config.folder && std::ranges::all_of(slot.config.setup.options, kept);
}

void MemberPool::set_members(const std::vector<MemberConfig>& configs) {
  Slots before = std::exchange(slots_, {}), leaving;
  std::vector<Slot*> fresh;
  std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (i < before.size() && can_stay(*before[i], configs[i])) {
      slots_.push_back(std::move(before[i]));
      Slot& slot = *slots_.back();
      slot.config = configs[i];
      slot.restarts = 0;
      slot.member.prepare(configs[i].setup, now_ms());
      send_lines(slot);
    } else {
      slots_.push_back(std::make_unique<Slot>(configs[i]));
      fresh.push_back(slots_.back().get());
    }
  }
  for (auto& slot : before) {
    if (slot) leaving.push_back(std::move(slot));
  }
  lock.unlock();
  quit(std::move(leaving));
  spawner_.start([this, fresh] {
    for (Slot* const slot : fresh) start(*slot);
  });
  spawner_.wait();
}

std::vector<std::string> MemberPool::get_ready(const std::vector<MemberConfig>& configs) {
  end_wait_for_rest();
  spawner_.wait();
  set_members(configs);
  std::unique_lock lock(mutex_);
  const auto starting = [&] {
    return std::ranges::any_of(slots_, [](const auto& c) { return c->member.state() == Member::State::starting; });
  };
  while (starting()) {
    changed_.wait_for(lock, kSlowPollInterval);
    tick(now_ms());
  }
  std::vector<std::string> errors;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const Member& member = slots_[i]->member;
    const std::string& name = configs[i].setup.name;
    const std::string who = (name.empty() ? configs[i].command.front() : name) + ": ";
    const auto refused = member.refused_options();
    std::string& error = errors.emplace_back();
    if (member.state() == Member::State::off) {
      error = who + member.why_off();
    } else if (!refused.empty()) {
      error = who + refused.front();
    }
  }
  return errors;
}

std::vector<std::string> MemberPool::take_notes() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> notes;
  for (const auto& slot : slots_) std::ranges::move(slot->member.take_notes(), std::back_inserter(notes));
  return notes;
}

// ---- one question ----

std::vector<Member*> MemberPool::members() const {
  std::vector<Member*> members;
  for (const auto& slot : slots_) members.push_back(&slot->member);
  return members;
}

// Times that are over, members that are beyond help, lines that are to be sent.
void MemberPool::tick(std::int64_t now) {
  for (const auto& slot : slots_) {
    if (slot->restarting) continue;
    slot->member.tick(now);
    if (slot->member.state() == Member::State::off && !slot->ended && slot->process) slot->process->kill();
    send_lines(*slot);
  }
}

std::vector<usi::Info> MemberPool::take_infos(std::vector<usi::Info> lines) {
  std::vector<usi::Info> told;
  bool anything = false;
  for (const auto& slot : slots_) {
    for (std::string& note : slot->member.take_notes()) told.push_back({.text = std::move(note)});
    if (std::string line = slot->member.take_said(); !line.empty()) {
      told.push_back({.text = std::move(line)});
      anything = true;
    }
  }
  if (anything) std::ranges::move(lines, std::back_inserter(told));
  return told;
}

void MemberPool::run(const Question& question, std::int64_t interval_ms, const Report& report) {
  end_wait_for_rest();
  std::unique_lock lock(mutex_);
  std::int64_t told = now_ms();
  while (true) {
    const std::int64_t now = now_ms();
    tick(now);
    const bool over = question.look(now);
    tick(now);
    if (over) break;
    if (now - told < interval_ms) {
      changed_.wait_for(lock, kPollInterval);
      continue;
    }
    told = now;
    const std::vector<usi::Info> infos = take_infos(question.lines(now));
    lock.unlock();
    for (const usi::Info& info : infos) report(info);
    lock.lock();
  }
  restart_ended();
  const std::vector<usi::Info> last = take_infos({});
  lock.unlock();
  for (const usi::Info& info : last) report(info);
}

void MemberPool::rest_after(std::chrono::milliseconds time, std::function<void(std::int64_t now)> rest) {
  end_wait_for_rest();
  waits_for_rest_ = true;  // nobody else looks at it now
  rester_.start([this, time, rest = std::move(rest)] {
    std::unique_lock lock(mutex_);
    const auto deadline = std::chrono::steady_clock::now() + time;
    if (changed_.wait_until(lock, deadline, [&] { return !waits_for_rest_; })) return;
    const std::int64_t now = now_ms();
    rest(now);
    tick(now);
  });
}

void MemberPool::end_wait_for_rest() {
  {
    const std::lock_guard lock(mutex_);
    waits_for_rest_ = false;
  }
  changed_.notify_all();
  rester_.wait();
}

usi::Checkmate MemberPool::search_mate(const usi::Game& game, std::int64_t limit_ms, const usi::SearchControl& control,
                                       std::int64_t interval_ms, const Report& report) {
  MateSearch search(game, members());
  bool begun = false;
  const auto look = [&](std::int64_t now) {
    if (!std::exchange(begun, true)) search.begin(limit_ms, now);
    if (control.stopped()) search.stop(now);
    search.look(now);
    return search.result().has_value();
  };
  run({.look = look, .lines = [](std::int64_t) { return std::vector<usi::Info>(); }}, interval_ms, report);
  for (std::string& note : search.take_notes()) report({.text = std::move(note)});
  return *search.result();
}

}  // namespace fuhyo::members
