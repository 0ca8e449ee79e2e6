// Cross-examination: asks one member for its value of each candidate move, within its share of the time. Pure; one
// thread at a time. Times are monotonic milliseconds.
#pragma once

#include <vector>

#include "engines/members/member.h"
#include "engines/mix/decision.h"

namespace fuhyo::mix {

using members::Member;

class CrossExamination {
 public:
  struct Options {
    const usi::Game* game = nullptr;
    usi::GoLimits limits{};                // of each question, but for its time
    std::int64_t end = usi::kForever;      // of all questions; the remaining moves share the remaining time
    std::int64_t silence = usi::kForever;  // the member is given up after so much without a line
  };

  // `moves`: legal, in the order in which it is asked.
  void begin(Member& member, const Options& options, std::vector<shogi::Move> moves, std::int64_t now);
  void look(std::int64_t now);
  // No more questions: what it has said so far of the move at hand counts.
  void finish();

  bool going_on() const { return going_on_; }
  const std::vector<MoveValue>& values() const { return values_; }

 private:
  void ask(std::int64_t now);
  void take(const std::optional<Value>& value);  // of the move at hand, which is done with

  Member* member_ = nullptr;
  Options options_;
  std::vector<shogi::Move> left_;  // the one at hand first
  std::vector<MoveValue> values_;
  std::int64_t until_ = usi::kForever;  // the question at hand
  bool going_on_ = false;
};

}  // namespace fuhyo::mix
