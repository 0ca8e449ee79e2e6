#include "server/core/comments.h"

#include "server/core/record_text.h"

namespace fuhyo::core {

bool comments_shown(Comments of_server, const GameOpened& opened, bool over) {
  const Comments rule = opened.comments.value_or(of_server);
  return rule == Comments::live || (rule == Comments::after && over);
}

void RunningRecord::add(const MoveMade& made) {
  whole_ += record_move(made);
  plain_ += record_move({.game = made.game, .csa = made.csa, .spent_s = made.spent_s, .comment = {}});
}

void RunningRecord::add(const RecordNote& note) {
  whole_ += record_note(note);
  if (!is_deferred(note)) plain_ += record_note(note);
}

void RunningRecord::add_said_by_server(std::string_view lines) {
  whole_ += lines;
  plain_ += lines;
}

bool is_deferred(const RecordNote& note) { return note.text.starts_with(kDeferred); }

}  // namespace fuhyo::core
