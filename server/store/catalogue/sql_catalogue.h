// The catalogue of either database, by SQL queries. One thread at a time.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/core/catalogue.h"
#include "server/store/catalogue/game_queries.h"
#include "server/store/catalogue/sql_query.h"

namespace fuhyo::store {

class SqlCatalogue final : public core::Catalogue {
 public:
  explicit SqlCatalogue(std::unique_ptr<QueryConnection> connection) : connection_(std::move(connection)) {}

  void show_ends(std::vector<core::EndsSeen> seen) override {
    seen_ = std::move(seen);
    until_ = Clock::now() + kLongest;
  }
  Answer<std::vector<core::FinishedGame>> games(const core::GameQuery& query) override;
  Answer<std::optional<core::FinishedGame>> game(core::GameId id) override;
  Answer<core::CrossAnswer> cross_table(const core::CrossQuery& query) override;
  Answer<core::PlayerList> players(const core::PlayerQuery& query) override;
  Answer<std::optional<core::PlayerPage>> player(const std::string& id) override;
  Answer<core::RoundList> rounds(const core::RoundQuery& query) override;
  Answer<std::vector<core::Fact>> buoys(const core::BuoyQuery& query) override;
  Answer<std::vector<core::Continuation>> continuations(std::int64_t position) override;

 private:
  using Rows = std::vector<SqlRow>;
  using Clock = std::chrono::steady_clock;
  // One call may run many queries: after so long no further one is begun.
  static constexpr std::chrono::seconds kLongest{5};

  SqlQuery sql() const { return SqlQuery(connection_->dialect()); }
  Answer<Rows> ask(const SqlQuery& query) {
    return Clock::now() < until_ ? connection_->run(query) : Answer<Rows>(too_long());
  }
  Answer<std::optional<PlayerMatch>> players_named(const std::string& who);
  Answer<ResolvedQuery> resolve(const core::GameQuery& query);
  Answer<std::int64_t> ended_us(core::GameId game);
  Answer<std::optional<std::vector<std::string>>> names_like(const std::string& pattern);
  Answer<std::int64_t> over_by_us(std::int64_t began_us);
  Answer<std::optional<Criterion>> rarest(const ResolvedQuery& resolved);
  Answer<bool> add_games_of(core::PlayerPage& page);
  Answer<bool> add_games_of(const std::vector<core::RoundRow*>& rounds);

  const std::unique_ptr<QueryConnection> connection_;
  Seen seen_;
  Clock::time_point until_ = Clock::time_point::max();
};

}  // namespace fuhyo::store
