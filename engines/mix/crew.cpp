#include "engines/mix/crew.h"

#include <algorithm>
#include <chrono>

namespace fuhyo::mix {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kLongestLine = std::size_t{64} * 1024;
// Analysis with many lines comes near a tenth of it; more is a flood, and would keep the others from being heard.
constexpr std::size_t kBytesPerSecond = std::size_t{4} * 1024 * 1024;
constexpr auto kGoodbye = 2s;  // from "quit" until a member is killed
// How often the clock and the GUI are looked at while nobody says anything.
constexpr auto kPulse = 2ms;
constexpr auto kSlowPulse = 50ms;  // while members get ready
constexpr int kMostRestarts = 3;

std::int64_t now_ms() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::milliseconds>(now).count();
}

}  // namespace

Crew::~Crew() {
  spawner_.wait();
  dismiss(std::move(chairs_));
}

// ---- processes ----

void Crew::on_line(Chair& chair, const std::string& line) {
  const std::lock_guard lock(mutex_);
  chair.member.line(line, now_ms());
  send_lines(chair);
  changed_.notify_all();
}

void Crew::on_closed(Chair& chair, const std::string& why) {
  const std::lock_guard lock(mutex_);
  chair.ended = true;
  chair.member.closed(why);
  changed_.notify_all();
}

void Crew::send_lines(Chair& chair) {
  if (!chair.process) return;  // it is just being started: the lines wait
  for (const std::string& line : chair.member.take_lines()) chair.process->write_line(line);
}

// What ends a process waits for its last word, which needs the mutex.
std::unique_ptr<usi::ChildProcess> Crew::take_process(Chair& chair) {
  const std::lock_guard lock(mutex_);
  return std::move(chair.process);
}

void Crew::start(Chair& chair) {
  take_process(chair).reset();
  {
    const std::lock_guard lock(mutex_);
    chair.ended = false;
    chair.member.start(now_ms());
  }
  auto spawned =
      usi::ChildProcess::spawn({.command = chair.post.command,
                                .working_dir = chair.post.folder,
                                .line_limit = kLongestLine,
                                .bytes_per_second = kBytesPerSecond},
                               {.line = [this, &chair](const std::string& line) { on_line(chair, line); },
                                .closed = [this, &chair](const std::string& why) { on_closed(chair, why); }});
  const std::lock_guard lock(mutex_);
  if (spawned) {
    chair.process = std::move(*spawned);
    send_lines(chair);
  } else {
    chair.ended = true;
    chair.member.closed(spawned.error());
  }
  chair.mending = false;
  changed_.notify_all();
}

void Crew::dismiss(Chairs leaving) {
  std::unique_lock lock(mutex_);
  for (const auto& chair : leaving) {
    if (!chair->process) continue;
    chair->member.quit();
    send_lines(*chair);
    chair->process->close_input();
  }
  changed_.wait_for(lock, kGoodbye,
                    [&] { return std::ranges::all_of(leaving, [](const auto& c) { return c->ended; }); });
  lock.unlock();
  for (const auto& chair : leaving) take_process(*chair).reset();
}

// Restarts who is gone, while the opponent thinks.
void Crew::mend() {
  if (spawner_.busy()) return;
  std::vector<Chair*> broken;
  for (const auto& chair : chairs_) {
    if (chair->member.state() != Member::State::off || chair->restarts >= kMostRestarts) continue;
    ++chair->restarts;
    chair->mending = true;
    broken.push_back(chair.get());
  }
  if (broken.empty()) return;
  spawner_.start([this, broken] {
    for (Chair* const chair : broken) start(*chair);
  });
}

// ---- getting ready ----

// An option that it had and has not any more cannot be taken back.
bool Crew::can_stay(const Chair& chair, const Post& post) {
  const EngineOptions& wanted = post.setup.options;
  const auto kept = [&](const auto& option) {
    return std::ranges::any_of(wanted, [&](const auto& other) { return other.first == option.first; });
  };
  return chair.member.state() == Member::State::ready && chair.post.command == post.command &&
         chair.post.folder == post.folder && std::ranges::all_of(chair.post.setup.options, kept);
}

void Crew::seat(const std::vector<Post>& posts) {
  Chairs before = std::exchange(chairs_, {}), leaving;
  std::vector<Chair*> fresh;
  std::unique_lock lock(mutex_);
  for (std::size_t i = 0; i < posts.size(); ++i) {
    if (i < before.size() && can_stay(*before[i], posts[i])) {
      chairs_.push_back(std::move(before[i]));
      Chair& chair = *chairs_.back();
      chair.post = posts[i];
      chair.restarts = 0;
      chair.member.prepare(posts[i].setup, now_ms());
      send_lines(chair);
    } else {
      chairs_.push_back(std::make_unique<Chair>(posts[i]));
      fresh.push_back(chairs_.back().get());
    }
  }
  for (auto& chair : before) {
    if (chair) leaving.push_back(std::move(chair));
  }
  lock.unlock();
  dismiss(std::move(leaving));
  spawner_.start([this, fresh] {
    for (Chair* const chair : fresh) start(*chair);
  });
  spawner_.wait();
}

std::expected<void, std::string> Crew::get_ready(const std::vector<Post>& posts) {
  spawner_.wait();
  seat(posts);
  std::unique_lock lock(mutex_);
  const auto starting = [&] {
    return std::ranges::any_of(chairs_, [](const auto& c) { return c->member.state() == Member::State::starting; });
  };
  while (starting()) {
    changed_.wait_for(lock, kSlowPulse);
    attend(now_ms());
  }
  for (std::size_t i = 0; i < chairs_.size(); ++i) {
    const Member& member = chairs_[i]->member;
    const std::string who = posts[i].command.front() + ": ";
    if (member.state() == Member::State::off) return std::unexpected(who + member.why_off());
    const auto unknown = member.unknown_options();
    if (!unknown.empty()) return std::unexpected(who + "it has no option '" + unknown.front() + "'");
  }
  return {};
}

std::vector<std::string> Crew::take_notes() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> notes;
  for (const auto& chair : chairs_) std::ranges::move(chair->member.take_notes(), std::back_inserter(notes));
  return notes;
}

// ---- one question ----

std::vector<Member*> Crew::members() const {
  std::vector<Member*> members;
  for (const auto& chair : chairs_) members.push_back(&chair->member);
  return members;
}

// Times that are over, members that are beyond help, lines that are to be sent.
void Crew::attend(std::int64_t now) {
  for (const auto& chair : chairs_) {
    if (chair->mending) continue;
    chair->member.tick(now);
    if (chair->member.state() == Member::State::off && !chair->ended && chair->process) chair->process->kill();
    send_lines(*chair);
  }
}

std::vector<usi::Info> Crew::said(std::vector<usi::Info> picture) {
  std::vector<usi::Info> told;
  bool anything = false;
  for (const auto& chair : chairs_) {
    for (std::string& note : chair->member.take_notes()) told.push_back({.text = std::move(note)});
    if (std::string line = chair->member.take_said(); !line.empty()) {
      told.push_back({.text = std::move(line)});
      anything = true;
    }
  }
  if (anything) std::ranges::move(picture, std::back_inserter(told));
  return told;
}

template <class Talk, class Step, class Picture>
void Crew::run(Talk& talk, const usi::SearchControl& control, std::int64_t interval_ms, const Report& report, Step step,
               Picture picture) {
  std::unique_lock lock(mutex_);
  std::int64_t told = now_ms();
  step(told);
  while (true) {
    std::int64_t now = now_ms();
    attend(now);
    step(now);
    if (control.stopped()) talk.stop(now);
    talk.look(now);
    attend(now);
    if (talk.outcome()) break;
    if (now - told < interval_ms) {
      changed_.wait_for(lock, kPulse);
      continue;
    }
    told = now;
    const std::vector<usi::Info> lines = said(picture(now));
    lock.unlock();
    for (const usi::Info& info : lines) report(info);
    lock.lock();
  }
  mend();
  const std::vector<usi::Info> last = said({});
  lock.unlock();
  for (const usi::Info& info : last) report(info);
}

Outcome Crew::consult(Terms terms, const usi::SearchControl& control, std::int64_t interval_ms, const Report& report) {
  bool pondering = terms.pondering, begun = false;
  std::unique_lock lock(mutex_);
  Consultation talk(std::move(terms), members());
  lock.unlock();
  const auto step = [&](std::int64_t now) {
    if (!begun) talk.begin(now, pondering ? now : now - control.clock_ms());
    begun = true;
    if (pondering && !control.pondering()) {
      pondering = false;
      talk.hit(now - control.clock_ms());
    }
  };
  run(talk, control, interval_ms, report, step, [&](std::int64_t now) { return talk.picture(now); });
  return *talk.outcome();
}

usi::Checkmate Crew::hunt_mate(const usi::Game& game, std::int64_t limit_ms, const usi::SearchControl& control,
                               std::int64_t interval_ms, const Report& report) {
  std::unique_lock lock(mutex_);
  MateHunt hunt(game, members());
  lock.unlock();
  bool begun = false;
  const auto step = [&](std::int64_t now) {
    if (!std::exchange(begun, true)) hunt.begin(limit_ms, now);
  };
  run(hunt, control, interval_ms, report, step, [](std::int64_t) { return std::vector<usi::Info>(); });
  for (std::string& note : hunt.take_notes()) report({.text = std::move(note)});
  return *hunt.outcome();
}

}  // namespace fuhyo::mix
