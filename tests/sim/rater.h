// Ratings beside the simulated server: computed now and then from the games that have become durable, as the production
// service does, and handed to the core. At the end they must be what a computation from nothing says.
#pragma once

#include <map>
#include <memory>

#include "server/core/facts.h"
#include "server/core/journal.h"
#include "server/core/rating/games.h"
#include "server/core/rating/shogi_server.h"
#include "server/core/rating/table.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

class Rater {
 public:
  void on_disk(const core::Transaction& transaction) {
    for (const core::Journaled& row : transaction) {
      if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) open_[opened->game] = *opened;
      const auto* ended = std::get_if<core::GameEnded>(&row.fact);
      if (ended == nullptr) continue;
      const auto opened = open_.extract(ended->game);
      if (opened.empty()) continue;
      add(games_, opened.mapped(), *ended);
      changed_ = true;
    }
  }
  // The ratings of what is durable, beginning at the former ones; null: nothing has changed, or no finite ones fit.
  std::shared_ptr<const core::PlayerRatings> rate() {
    if (!std::exchange(changed_, false)) return nullptr;
    auto rated = core::rating::rate_as_shogi_server(games_, rules(), newest_.get());
    if (!rated) return nullptr;
    return newest_ = std::make_shared<core::PlayerRatings>(std::move(rated->table));
  }
  std::shared_ptr<const core::PlayerRatings> newest() const { return newest_; }

  // The same of a whole journal, from nothing; empty where no finite ratings fit.
  static core::PlayerRatings recompute(const std::vector<core::Journaled>& disk) {
    std::map<core::GameId, core::GameOpened> open;
    core::rating::Games games;
    for (const core::Journaled& row : disk) {
      if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) open[opened->game] = *opened;
      if (const auto* ended = std::get_if<core::GameEnded>(&row.fact)) add(games, open.at(ended->game), *ended);
    }
    auto rated = core::rating::rate_as_shogi_server(games, rules());
    return rated ? std::move(rated->table) : core::PlayerRatings{};
  }

 private:
  // The same base for all, so that ages do not differ between two computations.
  static core::rating::ShogiServerRules rules() {
    core::rating::ShogiServerRules rules;
    rules.base = core::Wall{kStartWall_us + 86'400 * kSecond};
    return rules;
  }

  static void add(core::rating::Games& games, const core::GameOpened& opened, const core::GameEnded& ended) {
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

  std::map<core::GameId, core::GameOpened> open_;
  core::rating::Games games_;
  std::shared_ptr<const core::PlayerRatings> newest_ = std::make_shared<core::PlayerRatings>();
  bool changed_ = false;
};

}  // namespace fuhyo::sim
