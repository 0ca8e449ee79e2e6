#include "engines/record/game_builder.h"

#include <utility>

namespace fuhyo::record {
using Defect = GameBuilder::Defect;

void GameBuilder::start(const Setup& setup) {
  game_.start = board_ = setup;
  started_ = true;
}

std::int32_t GameBuilder::tried() const { return game_.plies() + (game_.impossible ? 1 : 0); }

Defect GameBuilder::move(const CsaMove& csa, std::int32_t line) {
  if (impossible_) return impossible_;
  const std::string number = "move " + std::to_string(tried() + 1);
  if (over()) return Diagnostic{line, number + " comes after the end of the game"};
  last_to_ = csa.to;
  if (const auto resolved = board_.resolve(csa)) {
    game_.moves.push_back({*resolved, std::nullopt});
    board_.apply(*resolved);
    return std::nullopt;
  }
  impossible_ =
      Diagnostic{line, number + ", " + in_quotes(to_csa(csa)) + ", is impossible: " + board_.why_unresolved(csa)};
  game_.impossible = ImpossibleMove{csa, std::nullopt};
  return std::nullopt;
}

Defect GameBuilder::end(End end, std::int32_t line) {
  if (over()) return Diagnostic{line, "a second end of the game"};
  game_.end = std::move(end);
  return std::nullopt;
}

void GameBuilder::spent(std::int64_t ms) {
  if (over()) {
    game_.end.spent_ms = ms;
  } else if (game_.impossible) {
    game_.impossible->spent_ms = ms;
  } else if (!game_.moves.empty()) {
    game_.moves.back().spent_ms = ms;
  }
}

void GameBuilder::comment(Comment::Kind kind, std::string_view text) {
  game_.comments.push_back({.ply = game_.plies(), .kind = kind, .after_end = over(), .text = std::string(text)});
}

Defect GameBuilder::finish() const { return is_foul(game_.end.kind) ? std::nullopt : impossible_; }

}  // namespace fuhyo::record
