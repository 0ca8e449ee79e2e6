#include "server/store/batch.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "engines/shogi/number.h"

namespace fuhyo::store {
namespace {

using core::Fact;
using core::GameId;

core::Wall wall_of(const Fact& fact) {
  return std::visit(
      [](const auto& f) {
        if constexpr (requires { f.at; }) return f.at;
        return core::Wall{};
      },
      fact);
}

}  // namespace

std::uint64_t stamp_of(std::string_view csa_id) {
  return shogi::number_of<std::uint64_t>(csa_id.substr(csa_id.rfind('+') + 1)).value_or(0);
}

std::vector<PlayerResult> results_of(const FinishedGame& game) {
  std::vector<PlayerResult> results;
  const core::Outcome outcome = game.ended.outcome;
  const auto add = [&](const core::Seat& seat, core::Outcome won, core::Outcome lost) {
    if (seat.id.empty()) return;
    results.push_back({.id = seat.id,
                       .name = seat.name,
                       .first_seen = game.opened.at,
                       .last_seen = game.ended.at,
                       .won = outcome == won,
                       .lost = outcome == lost,
                       .drawn = outcome == core::Outcome::draw});
  };
  add(game.opened.black, core::Outcome::black_wins, core::Outcome::white_wins);
  add(game.opened.white, core::Outcome::white_wins, core::Outcome::black_wins);
  return results;
}

std::optional<FinishedGame> LiveGames::take(const Fact& fact) {
  if (const auto* opened = std::get_if<core::GameOpened>(&fact)) {
    games_.insert_or_assign(opened->game, core::GameStory{*opened});
    return {};
  }
  const auto found = games_.find(core::game_of(fact));
  if (found == games_.end()) return {};
  found->second.apply(fact);
  const bool is_rejected = std::holds_alternative<core::GameRejected>(fact);  // it was never played
  if (!is_rejected && !found->second.ended) return {};
  core::GameStory story = std::move(found->second);
  games_.erase(found);
  if (is_rejected) return {};
  return core::finished_game(std::move(story));
}

Batch::Batch(std::vector<core::Transaction> transactions_in, LiveGames& live)
    : transactions(std::move(transactions_in)) {
  std::size_t count = 0;
  for (const core::Transaction& transaction : transactions) count += transaction.size();
  rows.reserve(count);
  for (const core::Transaction& transaction : transactions) {
    for (const core::Journaled& row : transaction) add(row, live);
  }
}

void Batch::add(const core::Journaled& row, LiveGames& live) {
  const GameId game = core::game_of(row.fact);
  rows.push_back({.seq = row.seq, .game = game, .fact = core::encode(row.fact)});
  newest = std::max(newest, wall_of(row.fact));
  if (auto keyed = core::keyed_fact_of(row.fact)) {
    std::erase_if(keyed_facts, [&](const KeyedFact& former) {
      return keyed->prefix ? former.key.starts_with(keyed->key) : former.key == keyed->key;
    });
    keyed_facts.push_back(
        {.key = std::move(keyed->key), .row = rows.size() - 1, .deleted = keyed->deleted, .prefix = keyed->prefix});
  }
  if (const auto* acted = std::get_if<core::AdminActed>(&row.fact)) audit.emplace_back(row.seq, *acted);
  if (const auto* held = std::get_if<core::RoundHeld>(&row.fact)) rounds.emplace_back(row.seq, *held);
  if (auto game_over = live.take(row.fact)) finished.push_back(std::move(*game_over));
  if (const auto* fact = std::get_if<core::GameOpened>(&row.fact)) {
    opened.push_back({.game = game, .first = row.seq});
    last_game = std::max(last_game, core::value(game));
    last_stamp = std::max(last_stamp, stamp_of(fact->csa_id));
  } else if (std::holds_alternative<core::GameEnded>(row.fact) ||
             std::holds_alternative<core::GameRejected>(row.fact)) {
    closed.push_back(game);
  }
}

}  // namespace fuhyo::store
