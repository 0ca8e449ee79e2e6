#include "server/app/commentator/builtin.h"

#include <utility>

namespace fuhyo::app {

BuiltinCommentator::BuiltinCommentator(std::string name, bool english) : name_(std::move(name)), english_(english) {}

void BuiltinCommentator::hear(const core::Turn& turn, bool /*watched*/) {
  const std::lock_guard lock(mutex_);
  newest_.insert_or_assign(turn.room, turn);
}

void BuiltinCommentator::ask(core::Question question, Answer answer_to) {
  if (const auto turn = newest(question.room)) answer(*turn, answer_to);  // else there has been no game to speak of
}

std::optional<core::Turn> BuiltinCommentator::newest(std::string_view room) const {
  const std::lock_guard lock(mutex_);
  const auto found = newest_.find(room);
  return found == newest_.end() ? std::nullopt : std::optional(found->second);
}

void BuiltinCommentator::answer(const core::Turn& turn, const Answer& answer) const {
  const core::Words words = core::words_of(turn);
  answer(name_, english_ ? words.en : words.ja);
}

}  // namespace fuhyo::app
