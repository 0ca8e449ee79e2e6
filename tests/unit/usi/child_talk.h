// Child processes as tests talk with them: what they say is gathered by their threads and waited for.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <gtest/gtest.h>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engines/usi/process.h"
#include "tests/support/expected.h"
#include "tests/support/patience.h"

namespace fuhyo::test {

// Gathers what a process says. It must outlive the process.
class Ear {
 public:
  usi::ChildProcess::Events events() {
    return {.line = [this](const std::string& line) { add_line(line); },
            .closed = [this](const std::string& why) { add_end(why); }};
  }

  // Whether a line with this content comes.
  bool heard(std::string_view wanted) {
    return wait([&] { return std::ranges::find(lines_, wanted) != lines_.end(); });
  }
  // The first line that begins so; if the process ends without one, "closed: " and why; empty if neither comes.
  std::string first(std::string_view beginning) {
    std::string found;
    wait([&] {
      const auto it =
          std::ranges::find_if(lines_, [&](const std::string& each) { return each.starts_with(beginning); });
      if (it != lines_.end()) found = *it;
      if (it == lines_.end() && closes_ > 0) found = "closed: " + closed_;
      return it != lines_.end() || closes_ > 0;
    });
    return found;
  }
  // The line behind the one that it gave before; else as first() does.
  std::string next() {
    std::string found;
    wait([&] {
      if (told_ < lines_.size()) return found = lines_[told_++], true;
      if (closes_ > 0) found = "closed: " + closed_;
      return closes_ > 0;
    });
    return found;
  }
  // Why it ended; empty if it does not.
  std::string closed() {
    wait([this] { return closes_ > 0; });
    const std::lock_guard lock(mutex_);
    return closed_;
  }
  // So far.
  std::vector<std::string> lines() {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  int closes() {
    const std::lock_guard lock(mutex_);
    return closes_;
  }

 private:
  static constexpr std::size_t kLines = 1000;  // of a flood, enough

  template <class There>
  bool wait(There there) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, there);
  }
  void add_line(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (lines_.size() < kLines) lines_.push_back(line);
    changed_.notify_all();
  }
  void add_end(const std::string& why) {
    const std::lock_guard lock(mutex_);
    closed_ = why;
    ++closes_;
    changed_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> lines_;
  std::size_t told_ = 0;
  std::string closed_;
  int closes_ = 0;
};

// Nothing, and a failure of the test, if it cannot be started.
inline std::unique_ptr<usi::ChildProcess> start(Ear& ear, std::vector<std::string> command,
                                                usi::ChildProcess::Options options = {}) {
  options.command = std::move(command);
  return value_of(usi::ChildProcess::spawn(options, ear.events()));
}

// A process, and what it says.
class Talk {
 public:
  explicit Talk(std::vector<std::string> command, usi::ChildProcess::Options options = {})
      : process_(start(ear_, std::move(command), std::move(options))) {}

  void say(const std::string& line) { process_->write_line(line); }
  std::string first(std::string_view beginning) { return ear_.first(beginning); }
  std::string next() { return ear_.next(); }
  usi::ChildProcess& process() { return *process_; }

 private:
  Ear ear_;
  std::unique_ptr<usi::ChildProcess> process_;  // last: its thread uses the one above
};

}  // namespace fuhyo::test
