// Ratings beside the simulated server: computed now and then from the games that have become durable, as the production
// service does, and handed to the core. At the end they must be what a computation from nothing says.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "server/core/facts.h"
#include "server/core/journal.h"
#include "server/core/rating/games.h"
#include "server/core/rating/table.h"

namespace fuhyo::sim {

class Rater {
 public:
  void on_disk(const core::Step& step);
  // The ratings of what is durable, beginning at the former ones; null: nothing has changed, or no finite ones fit.
  std::shared_ptr<const core::PlayerRatings> rate();

  // The same of a whole journal, from nothing; empty where no finite ratings fit.
  static core::PlayerRatings recompute(const std::vector<core::Journaled>& disk);
  std::shared_ptr<const core::PlayerRatings> newest() const { return newest_; }

 private:
  static void add(core::rating::Games& games, const core::GameOpened& opened, const core::GameEnded& ended);

  std::map<core::GameId, core::GameOpened> open_;
  core::rating::Games games_;
  std::shared_ptr<const core::PlayerRatings> newest_ = std::make_shared<core::PlayerRatings>();
  bool changed_ = false;
};

}  // namespace fuhyo::sim
