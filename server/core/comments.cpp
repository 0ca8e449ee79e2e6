#include "server/core/comments.h"

#include <variant>

#include "server/core/record_text.h"

namespace fuhyo::core {

bool comments_shown(Comments of_server, const GameOpened& opened, bool over) {
  const Comments rule = opened.comments.value_or(of_server);
  return rule == Comments::live || (rule == Comments::after && over);
}

void RunningRecord::add(const Fact& fact) {
  const std::string lines = record_lines(fact);
  whole_ += lines;
  if (const auto* made = std::get_if<MoveMade>(&fact)) {
    plain_ += record_move({.game = made->game, .csa = made->csa, .spent_s = made->spent_s, .comment = {}});
  } else if (!is_deferred(fact)) {
    plain_ += lines;
  }
}

bool is_deferred(const Fact& fact) {
  const auto* note = std::get_if<RecordNote>(&fact);
  return note != nullptr && note->text.starts_with(kDeferred);
}

}  // namespace fuhyo::core
