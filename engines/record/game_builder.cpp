#include "engines/record/game_builder.h"

#include <algorithm>
#include <utility>

namespace fuhyo::record {
using Defect = GameBuilder::Defect;

namespace {

// Whether the line, which begins so, has a move or an end behind so many moves.
template <class Line>
bool goes_on(const Line& line, std::int32_t begin, std::int32_t ply) {
  const std::int32_t length = begin + static_cast<std::int32_t>(line.moves.size());
  const bool more = line.impossible || line.end.kind != EndKind::none;
  return begin <= ply && (length > ply || (more && length == ply));
}

// The latest such line: 0 is the main line, 1 the first branch. The main line can be gone on with where it just stops;
// one without a move or an end is none to branch from.
std::optional<std::size_t> line_with(const Game& game, std::int32_t ply) {
  for (std::size_t i = game.branches.size(); i > 0; --i) {
    if (goes_on(game.branches[i - 1], game.branches[i - 1].ply, ply)) return i;
  }
  const bool stops = ply > 0 && ply == game.plies();
  return stops || goes_on(game, 0, ply) ? std::optional<std::size_t>(0) : std::nullopt;
}

std::size_t depth(const Game& game, std::size_t line) {
  std::size_t depth = 0;
  for (; line > 0; ++depth) {
    const auto parent = parent_of(game, line - 1);
    line = parent ? *parent + 1 : 0;
  }
  return depth;
}

}  // namespace

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

bool GameBuilder::branch(std::int32_t ply) {
  close_line();
  Game& all = *main_;
  const auto line = line_with(all, ply);
  if (!line || all.branches.size() == kMostBranches || depth(all, *line) == kDeepest) return false;
  place_ = *line;
  while (place_ < all.branches.size() && all.branches[place_].ply >= ply) ++place_;
  begin_ = ply;
  if (*line > 0) {
    game_ = line_of(all, *line - 1);
  } else {
    game_.start = all.start;
    game_.moves = all.moves;
  }
  game_.moves.erase(game_.moves.begin() + ply, game_.moves.end());
  game_.impossible.reset();
  game_.end = {};
  game_.comments.clear();
  board_ = final_setup(game_);
  last_to_ = ply == 0 ? shogi::SQ_NONE : game_.moves.back().move.to();
  return true;
}

// Takes the line to the others. One that says nothing is none.
void GameBuilder::close_line() {
  impossible_.reset();
  Game line = std::exchange(game_, {});
  if (!main_) {
    main_ = std::move(line);
    return;
  }
  line.moves.erase(line.moves.begin(), line.moves.begin() + std::min(begin_, line.plies()));
  if (line.moves.empty() && !line.impossible && line.end.kind == EndKind::none && line.comments.empty()) return;
  main_->branches.insert(
      main_->branches.begin() + static_cast<std::ptrdiff_t>(place_),
      Branch{begin_, std::move(line.moves), std::move(line.impossible), std::move(line.end), std::move(line.comments)});
}

Game GameBuilder::take() {
  close_line();
  Game game = std::move(*main_);
  main_.reset();
  return game;
}

Defect GameBuilder::finish() const { return is_foul(game_.end.kind) ? std::nullopt : impossible_; }

}  // namespace fuhyo::record
