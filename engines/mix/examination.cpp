#include "engines/mix/examination.h"

#include "engines/mix/own_checks.h"

namespace fuhyo::mix {
namespace {

// Shorter questions are not worth asking.
constexpr std::int64_t kLeastSliceMs = 10;

}  // namespace

void Examination::begin(Member& member, const Terms& terms, std::vector<shogi::Move> moves, std::int64_t now) {
  member_ = &member;
  terms_ = terms;
  left_ = std::move(moves);
  ask(now);
}

void Examination::ask(std::int64_t now) {
  going_on_ = false;
  const shogi::Position position = terms_.game->current();
  while (!left_.empty() && ends_the_game(position, left_.front())) {
    take(Value{.kind = Value::Kind::win, .chance = 1, .plies = 1});  // there is nobody left to be asked
  }
  if (left_.empty()) return;
  usi::GoLimits limits = terms_.limits;
  until_ = usi::kForever;
  if (terms_.end != usi::kForever) {
    const std::int64_t slice = (terms_.end - now) / static_cast<std::int64_t>(left_.size());
    if (slice < kLeastSliceMs) return;
    limits.movetime_ms = slice;
    until_ = now + slice;
  }
  going_on_ = true;
  member_->examine(*terms_.game, left_.front(), limits, now);
}

void Examination::look(std::int64_t now) {
  if (!going_on_) return;
  const bool silent = terms_.silence != usi::kForever && now - member_->heard_ms() >= terms_.silence;
  if (!member_->asked() || silent) {
    finish();
  } else if (member_->answered()) {
    // One that answered another move is asked once more, in the other way.
    if (!member_->wandered()) take(member_->examined());
    ask(now);
  } else if (now >= until_) {
    member_->hurry(now);
  }
}

void Examination::finish() {
  if (going_on_) take(member_->examined());
  going_on_ = false;
}

void Examination::take(const std::optional<Value>& value) {
  if (value) values_.push_back({left_.front(), *value});
  left_.erase(left_.begin());
}

}  // namespace fuhyo::mix
