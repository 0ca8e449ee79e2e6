#include "server/app/relay/relayed_game.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

#include "server/core/limits.h"

namespace fuhyo::app {
namespace {

core::GameOpened without_clocks(core::GameOpened opened) {
  opened.time = {};
  opened.white_time.reset();
  return opened;
}

csa::MoveLine move_line(std::string_view csa) {
  return {.move = std::string(csa), .comment = {}, .line = std::string(csa)};
}

bool has(const std::string& lines, std::string_view line) {
  return fmt::format("\n{}\n", lines).contains(fmt::format("\n{}\n", line));
}

}  // namespace

RelayedGame::RelayedGame(const core::GameStory& story)
    : story_(story),
      judge_(without_clocks(story.opened), core::Limits{}.plies),
      clock_(core::first_clock(story.opened)) {
  for (auto i = static_cast<std::size_t>(preset()); i < story_.moves.size(); ++i) {
    const core::MoveMade made = core::move_made(story_.opened.game, story_.moves[i]);
    clock_.spend(judge_.to_move(), made.spent_s);
    due_ = judge_.judge(move_line(made.csa), 0).end;
  }
}

void RelayedGame::happen(core::Fact fact, Facts& facts) {
  story_.apply(fact);
  facts.push_back(std::move(fact));
}

void RelayedGame::start(core::Wall at, Facts& facts) {
  if (!story_.phase.has_started()) happen(core::GameStarted{.game = story_.opened.game, .at = at}, facts);
}

std::optional<std::string> RelayedGame::take(const WatchedLines& lines, std::int32_t ply, core::Wall at, Facts& facts) {
  if (lines.spent_s) declared_s_ = *lines.spent_s;
  for (const std::string& comment : lines.comments) say(ply, comment, at, facts);
  for (const WatchedMove& move : lines.moves) {
    if (++ply <= plies()) {
      const std::string text = fmt::format("{},T{}", move.csa, move.spent_s);
      const std::string& known = story_.moves[static_cast<std::size_t>(ply) - 1];
      if (text != known) return fmt::format("move {} was {}, and is told as {} now", ply, known, text);
    } else if (auto why = make(move, at, facts)) {
      return why;
    }
    for (const std::string& comment : move.comments) say(ply, comment, at, facts);
  }
  return std::nullopt;
}

std::optional<std::string> RelayedGame::make(const WatchedMove& move, core::Wall at, Facts& facts) {
  const shogi::Color mover = judge_.to_move();
  core::Ruling ruling = judge_.judge(move_line(move.csa), 0);
  if (!ruling.move) return fmt::format("move {}: {}", plies() + 1, ruling.end ? ruling.end->reason : move.csa);
  due_ = std::move(ruling.end);
  clock_.spend(mover, move.spent_s);
  start(at, facts);
  happen(core::MoveMade{.game = story_.opened.game,
                        .ply = plies() + 1,
                        .csa = move.csa,
                        .spent_s = move.spent_s,
                        .remaining_s = clock_.remaining_s(mover),
                        .at = at,
                        .comment = move.comments.empty() ? "" : move.comments.front()},
         facts);
  return std::nullopt;
}

// A record that is told again says again what was said.
void RelayedGame::say(std::int32_t ply, const std::string& comment, core::Wall at, Facts& facts) {
  if (ply <= preset() || comment.empty() || has(story_.comments_on(ply), comment)) return;
  happen(core::CommentAdded{.game = story_.opened.game, .ply = ply, .comment = comment, .at = at}, facts);
}

// ---- ends ----

core::GameEnded RelayedGame::lost_by_mover(core::EndKind kind, std::string line) const {
  core::GameEnded ended = judge_.resigned_by(judge_.to_move()).end.value();
  ended.kind = kind;
  ended.line = std::move(line);
  ended.reason.clear();
  return ended;
}

// The rules say more than the line: who gave perpetual check, what the board is in the end.
core::GameEnded RelayedGame::by_rules(core::EndKind kind) const {
  if (due_ && due_->kind == kind) return *due_;
  core::GameEnded ended = judge_.interrupted("");
  ended.kind = kind;
  ended.line.clear();
  ended.outcome = kind == core::EndKind::oute_sennichite ? core::Outcome::none : core::Outcome::draw;
  return ended;
}

core::GameEnded RelayedGame::ended_by(std::string_view line) {
  using core::EndKind;
  if (line == "%TORYO") {
    if (due_ && due_->kind == EndKind::toryo) return *due_;  // mated by the last move that there was
    return judge_.resigned_by(judge_.to_move()).end.value();
  }
  if (line == "%KACHI") {
    core::GameEnded ended = judge_.judge(csa::Special{.line = "%KACHI"}, declared_s_ * core::kSecond).end.value();
    return ended;
  }
  if (line == "#TIME_UP") return lost_by_mover(EndKind::time_up, "%TIME_UP");
  if (line == "#ILLEGAL_MOVE") return lost_by_mover(EndKind::illegal_move, "");  // which, watchers are not told
  if (line == "#SENNICHITE") return by_rules(EndKind::sennichite);
  if (line == "#OUTE_SENNICHITE") return by_rules(EndKind::oute_sennichite);
  if (line == "#MAX_MOVES") return by_rules(EndKind::max_moves);
  if (line == "#JISHOGI") return by_rules(EndKind::kachi);
  return judge_.interrupted(line == "#CHUDAN" ? "" : fmt::format("ended by {}", line));
}

void RelayedGame::end(std::string_view line, core::Wall at, std::string local_time, Facts& facts) {
  if (story_.ended) return;
  start(at, facts);
  core::GameEnded ended = ended_by(line);
  ended.game = story_.opened.game;
  ended.at = at;
  ended.local_time = std::move(local_time);
  happen(std::move(ended), facts);
}

void RelayedGame::lose_sight(core::Wall at, std::string local_time, Facts& facts) {
  if (story_.ended) return;
  const core::GameId game = story_.opened.game;
  if (!story_.phase.has_started()) {
    happen(core::GameRejected{.game = game, .by = "the Server", .at = at, .local_time = std::move(local_time)}, facts);
    return;
  }
  core::GameEnded ended = judge_.interrupted("its end was not told");
  ended.game = game;
  ended.at = at;
  ended.local_time = std::move(local_time);
  happen(std::move(ended), facts);
}

}  // namespace fuhyo::app
