#include "tests/sim/rater.h"

#include <utility>

#include "server/core/rating/shogi_server.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {
namespace {

// The same base for all, so that ages do not differ between two computations.
core::rating::ShogiServerRules rules() {
  core::rating::ShogiServerRules rules;
  rules.base = core::Wall{kStartWall_us + 86'400 * kSecond};
  return rules;
}

}  // namespace

void Rater::add(core::rating::Games& games, const core::GameOpened& opened, const core::GameEnded& ended) {
  if (!opened.rated || opened.black.id.empty() || opened.white.id.empty()) return;
  if (ended.outcome == core::Outcome::none) return;
  using core::rating::Score;
  const Score score = ended.outcome == core::Outcome::draw         ? Score::draw
                      : ended.outcome == core::Outcome::black_wins ? Score::black_wins
                                                                   : Score::white_wins;
  const auto black = games.player(opened.black.id), white = games.player(opened.white.id);
  games.add({.black = black,
             .white = white,
             .score = score,
             .abnormal = ended.kind == core::EndKind::abnormal,
             .plies = ended.plies,
             .ended = ended.at});
}

void Rater::on_disk(const core::Step& step) {
  for (const core::Journaled& row : step) {
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) open_[opened->game] = *opened;
    const auto* ended = std::get_if<core::GameEnded>(&row.fact);
    if (ended == nullptr) continue;
    const auto opened = open_.extract(ended->game);
    if (opened.empty()) continue;
    add(games_, opened.mapped(), *ended);
    changed_ = true;
  }
}

std::shared_ptr<const core::PlayerRatings> Rater::rate() {
  if (!std::exchange(changed_, false)) return nullptr;
  auto rated = core::rating::rate_as_shogi_server(games_, rules(), newest_.get());
  if (!rated) return nullptr;
  return newest_ = std::make_shared<core::PlayerRatings>(std::move(rated->table));
}

core::PlayerRatings Rater::recompute(const std::vector<core::Journaled>& disk) {
  std::map<core::GameId, core::GameOpened> open;
  core::rating::Games games;
  for (const core::Journaled& row : disk) {
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) open[opened->game] = *opened;
    if (const auto* ended = std::get_if<core::GameEnded>(&row.fact)) add(games, open.at(ended->game), *ended);
  }
  auto rated = core::rating::rate_as_shogi_server(games, rules());
  return rated ? std::move(rated->table) : core::PlayerRatings{};
}

}  // namespace fuhyo::sim
