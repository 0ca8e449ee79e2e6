#include "engines/mix/cross_examination.h"

#include "engines/members/own_checks.h"

namespace fuhyo::mix {
namespace {

// Shorter questions are not worth asking.
constexpr std::int64_t kLeastSliceMs = 10;

}  // namespace

void CrossExamination::begin(Member& member, const Options& options, std::vector<shogi::Move> moves, std::int64_t now) {
  member_ = &member;
  options_ = options;
  left_ = std::move(moves);
  ask(now);
}

void CrossExamination::ask(std::int64_t now) {
  going_on_ = false;
  const shogi::Position position = options_.game->current();
  while (!left_.empty() && members::ends_the_game(position, left_.front())) {
    take(Value{.kind = Value::Kind::win, .chance = 1, .plies = 1});  // there is nobody left to be asked
  }
  if (left_.empty()) return;
  usi::GoLimits limits = options_.limits;
  until_ = usi::kForever;
  if (options_.end != usi::kForever) {
    const std::int64_t slice = (options_.end - now) / static_cast<std::int64_t>(left_.size());
    if (slice < kLeastSliceMs) return;
    limits.movetime_ms = slice;
    until_ = now + slice;
  }
  going_on_ = true;
  member_->examine(*options_.game, left_.front(), limits, now);
}

void CrossExamination::look(std::int64_t now) {
  if (!going_on_) return;
  const bool silent = options_.silence != usi::kForever && now - member_->heard_ms() >= options_.silence;
  if (!member_->asked() || silent) {
    finish();
  } else if (member_->answered()) {
    // One that answered another move is asked once more, in the other way.
    if (!member_->answered_other_move()) take(member_->examined());
    ask(now);
  } else if (now >= until_) {
    member_->hurry(now);
  }
}

void CrossExamination::finish() {
  if (going_on_) take(member_->examined());
  going_on_ = false;
}

void CrossExamination::take(const std::optional<Value>& value) {
  if (value) values_.push_back({left_.front(), *value});
  left_.erase(left_.begin());
}

}  // namespace fuhyo::mix
