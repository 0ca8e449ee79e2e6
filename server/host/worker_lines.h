// Lines between a server and a worker that a lost connection must not lose: numbered from 1 in each direction of a
// seat, and kept by their sender until they are acknowledged (WORKERS.md). One object an end of a seat. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <utility>

namespace fuhyo::host {

class WorkerLines {
 public:
  enum class Heard : std::uint8_t { news, again, gap };  // again: had been heard before; gap: one before it is missing
  struct Line {
    std::uint64_t number = 0;
    std::string text;
  };

  // Keeps the line; it is sent with this number.
  const Line& put(std::string text) {
    bytes_ += text.size();
    kept_.push_back({++last_put_, std::move(text)});
    return kept_.back();
  }
  // The other end has all up to `number`. False: that one was never sent.
  bool acknowledge(std::uint64_t number) {
    if (number > last_put_) return false;
    while (!kept_.empty() && kept_.front().number <= number) {
      bytes_ -= kept_.front().text.size();
      kept_.pop_front();
    }
    acknowledged_ = acknowledged_ || number > 0;
    return true;
  }
  // A line of the other end: news counts as heard from here on.
  Heard hear(std::uint64_t number) {
    if (number <= last_heard_) return Heard::again;
    if (number > last_heard_ + 1) return Heard::gap;
    last_heard_ = number;
    return Heard::news;
  }

  std::uint64_t last_heard() const { return last_heard_; }
  bool acknowledged() const { return acknowledged_; }        // any line, ever
  const std::deque<Line>& waiting() const { return kept_; }  // to be sent again over a new connection
  std::size_t bytes() const { return bytes_; }               // of their texts

 private:
  std::deque<Line> kept_;
  std::uint64_t last_put_ = 0, last_heard_ = 0;
  std::size_t bytes_ = 0;
  bool acknowledged_ = false;
};

}  // namespace fuhyo::host
