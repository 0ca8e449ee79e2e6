#include "tests/unit/store/journal_script.h"

#include <fmt/format.h>
#include <set>
#include <utility>

namespace fuhyo::test {

using namespace core;

namespace {

Wall at(std::uint64_t game, std::int64_t second) {
  return Wall{1'750'000'000'000'000 + static_cast<std::int64_t>(game) * 1000 + second * kSecond};
}

}  // namespace

GameOpened opened(std::uint64_t game) {
  GameOpened fact;
  fact.game = GameId{game};
  fact.room = "main";
  fact.csa_id = fmt::format("test+g-900-0+b{0}+w{0}+{1}", game, 20260701000000 + game);
  fact.game_name = "g-900-0";
  fact.black = {.name = fmt::format("b{}", game), .id = fmt::format("b{}+trip", game), .builtin = false};
  fact.white = {.name = fmt::format("w{}", game), .id = "", .builtin = true};
  fact.time = {.total_s = 900, .byoyomi_s = 0, .increment_s = 5, .least_s = 0, .stopwatch_s = 0};
  fact.max_moves = 256;
  fact.start_sfen = "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1";
  fact.preset_moves = {"+7776FU,T1"};
  fact.at = at(game, 0);
  fact.local_time = "2026/07/01 00:00:00";
  return fact;
}

GameStarted started(std::uint64_t game) { return {.game = GameId{game}, .at = at(game, 1)}; }

GameRejected rejected(std::uint64_t game) {
  return {.game = GameId{game}, .by = "w", .at = at(game, 1), .local_time = "2026/07/01 00:00:01"};
}

MoveMade move(std::uint64_t game, std::int32_t ply) {
  return {.game = GameId{game},
          .ply = ply,
          .csa = ply % 2 == 0 ? "-3334FU" : "+2726FU",
          .spent_s = ply % 7,
          .remaining_s = 900 - ply,
          .at = at(game, ply + 1),
          .comment = ply % 3 == 0 ? std::string("* 12 -3334FU \xff\0\t", 16) : ""};
}

GameEnded ended(std::uint64_t game, std::int32_t plies) {
  return {.game = GameId{game},
          .kind = EndKind::toryo,
          .outcome = Outcome::black_wins,
          .plies = plies,
          .line = "%TORYO",
          .spent_s = 0,
          .reason = "resigned",
          .final_board = "P1-KY-KE\n+\n",
          .at = at(game, plies + 2),
          .local_time = "2026/07/01 00:01:00"};
}

Transaction Script::transaction(std::vector<Fact> facts) {
  Transaction transaction;
  for (Fact& fact : facts) transaction.push_back({.seq = last_ = next(last_), .fact = std::move(fact)});
  return transaction;
}

std::vector<Transaction> workload(std::size_t transactions, Seq after) {
  constexpr std::uint64_t kAtOnce = 3;  // games
  constexpr std::int32_t kPlies = 6;
  Script script(after);
  std::vector<Transaction> all;
  std::vector<std::pair<std::uint64_t, std::int32_t>> games;  // id, plies made
  std::uint64_t newest = 0;
  for (std::size_t i = 0; all.size() < transactions; ++i) {
    if (games.size() < kAtOnce) {
      games.emplace_back(++newest, 1);
      all.push_back(script.transaction({opened(newest)}));
      all.push_back(script.transaction({newest % 4 == 0 ? Fact{rejected(newest)} : Fact{started(newest)}}));
      if (newest % 4 == 0) games.pop_back();
      continue;
    }
    auto& [game, ply] = games[i % games.size()];
    if (ply < kPlies) {
      std::vector<Fact> facts = {move(game, ++ply)};
      if (ply == 3) facts.insert(facts.begin(), RecordNote{.game = GameId{game}, .text = "Deferred +2726FU"});
      all.push_back(script.transaction(std::move(facts)));
    } else {
      all.push_back(script.transaction({move(game, ply + 1), ended(game, ply + 1)}));
      games.erase(games.begin() + static_cast<std::ptrdiff_t>(i % games.size()));
    }
  }
  all.resize(transactions);
  return all;
}

std::vector<Journaled> rows_of(const std::vector<Transaction>& transactions) {
  std::vector<Journaled> rows;
  for (const Transaction& transaction : transactions) rows.insert(rows.end(), transaction.begin(), transaction.end());
  return rows;
}

std::vector<Journaled> live_rows(const std::vector<Journaled>& rows) {
  std::set<GameId> over;
  for (const Journaled& row : rows) {
    if (std::holds_alternative<GameEnded>(row.fact) || std::holds_alternative<GameRejected>(row.fact)) {
      over.insert(game_of(row.fact));
    }
  }
  std::vector<Journaled> live;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(live),
               [&](const Journaled& row) { return !over.contains(game_of(row.fact)); });
  return live;
}

JournalEvents Listener::events() {
  const auto locked = [this](auto change) {
    return [this, change](auto... args) {
      {
        const std::lock_guard lock(mutex_);
        change(std::move(args)...);
      }
      changed_.notify_all();
    };
  };
  JournalEvents events;
  events.durable = locked([this](Seq seq) {
    orderly_ = orderly_ && seq > durable_ && !committed_.empty() && committed_.back().back().seq == seq;
    durable_ = seq;
  });
  events.committed = locked([this](std::vector<Transaction> transactions) {
    orderly_ = orderly_ && !transactions.empty() && transactions.front().front().seq > durable_;
    groups_.push_back(transactions.size());
    for (Transaction& transaction : transactions) committed_.push_back(std::move(transaction));
  });
  events.lost = locked([this](std::string why) {
    ++lost_;
    why_ = std::move(why);
  });
  events.back = locked([this] { ++back_; });
  events.replaced = locked([this](std::string why) { replaced_ = std::move(why); });
  return events;
}

}  // namespace fuhyo::test
