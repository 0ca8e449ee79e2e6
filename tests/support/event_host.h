// An event on a server under virtual time: announced, its players logged in, its games played out, the server killed.
#pragma once

#include <algorithm>
#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "server/core/tournament/settings.h"
#include "server/core/tournament/state.h"
#include "tests/support/virtual_server.h"

namespace fuhyo::test {

// What a store gives back of what is durable.
inline core::Recovery recovery_of(const std::vector<core::Journaled>& journal, core::Seq durable) {
  core::Recovery recovery{.last = durable};
  std::set<core::GameId> over;
  std::map<std::string, core::Journaled> standing;
  for (const core::Journaled& row : journal) {
    if (row.seq > durable) break;
    if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) recovery.last_game = opened->game;
    if (std::holds_alternative<core::GameEnded>(row.fact) || std::holds_alternative<core::GameRejected>(row.fact)) {
      over.insert(core::game_of(row.fact));
    }
    if (const auto key = core::standing_of(row.fact)) {
      std::erase_if(standing, [&](const auto& entry) {
        return key->below ? entry.first.starts_with(key->key) : entry.first == key->key;
      });
      if (!key->over) standing.emplace(key->key, row);
    }
  }
  for (const core::Journaled& row : journal) {
    const core::GameId game = core::game_of(row.fact);
    if (row.seq <= durable && game != core::GameId{} && !over.contains(game)) recovery.live.push_back(row);
  }
  for (auto& [key, row] : standing) recovery.standing.push_back(row);
  std::ranges::sort(recovery.standing, {}, &core::Journaled::seq);
  recovery.last_stamp = 20261121041441 + journal.size();
  return recovery;
}

class EventHost {
 public:
  explicit EventHost(core::Rules rules = test_rules()) : rules_(std::move(rules)) {
    server_ = std::make_unique<VirtualServer>(rules_);
  }

  VirtualServer& server() { return *server_; }
  // Of all servers so far.
  std::vector<core::Journaled> journal() const {
    std::vector<core::Journaled> all = past_;
    for (const core::Journaled& row : server_->journal()) all.push_back(row);
    return all;
  }
  template <class F>
  std::vector<F> facts() const {
    std::vector<F> found;
    for (const core::Journaled& row : journal()) {
      if (const auto* fact = std::get_if<F>(&row.fact)) found.push_back(*fact);
    }
    return found;
  }
  template <class D>
  std::vector<D> decided() const {
    std::vector<D> found;
    for (const core::TournamentDecided& fact : facts<core::TournamentDecided>()) {
      if (const auto* one = std::get_if<D>(&fact.decision)) found.push_back(*one);
    }
    return found;
  }
  std::vector<core::tournament::GameResult> results() const { return decided<core::tournament::GameResult>(); }

  core::AdminResult announce(const std::string& settings) {
    server_->admin("tournament-new cup.toml");
    server_->deliver(core::TournamentRead{.token = server_->host_requests().back().token, .text = settings});
    return server_->admin_replies().back().result;
  }
  // As the server shows it.
  std::string table(const std::string& what) {
    std::string text;
    for (const auto& row : server_->admin("tournament-table " + what).rows) text += row.front() + "\n";
    return text;
  }
  core::AdminResult host(const std::string& line) { return server_->admin("tournament-" + line); }

  void come_csa(const std::string& name, std::string_view game = "cup-1-1") {
    server_->open(name);
    server_->say(name, fmt::format("LOGIN {} {},trip{}", name, game, name));
  }
  void come_x1(const std::string& name, std::string_view game = "cup-1-1") {
    server_->open(name);
    server_->login_x1(name);
    server_->say(name, fmt::format("%%GAME {} *", game));
  }

  // Opened, and neither rejected nor over.
  std::vector<core::GameOpened> open_games() const {
    std::map<core::GameId, core::GameOpened> open;
    for (const core::Journaled& row : journal()) {
      if (const auto* opened = std::get_if<core::GameOpened>(&row.fact)) open.emplace(opened->game, *opened);
      if (std::holds_alternative<core::GameEnded>(row.fact) || std::holds_alternative<core::GameRejected>(row.fact)) {
        open.erase(core::game_of(row.fact));
      }
    }
    std::vector<core::GameOpened> games;
    for (auto& [id, opened] : open) games.push_back(std::move(opened));
    return games;
  }
  void agree(const core::GameOpened& game) {
    server_->say(game.black.name, "AGREE");
    server_->say(game.white.name, "AGREE");
  }
  void play(const core::GameOpened& game, bool black_wins) {
    agree(game);
    finish(game, black_wins);
  }
  // Of a game without moves.
  void finish(const core::GameOpened& game, bool black_wins) {
    if (!black_wins) return server_->say(game.black.name, "%TORYO");
    server_->say(game.black.name, "+7776FU");
    server_->say(game.white.name, "%TORYO");
  }
  using Judge = std::function<bool(const core::GameOpened&)>;  // whether Black wins
  void play_all(const Judge& black_wins = [](const core::GameOpened& game) {
    return game.black.name < game.white.name;
  }) {
    for (const core::GameOpened& game : open_games()) play(game, black_wins(game));
  }

  // Another server goes on with what was durable, at the same time of day; all lines are gone.
  void kill() {
    const std::int64_t at = server_->now_ms();
    const core::Seq durable = server_->durable();
    for (const core::Journaled& row : server_->journal()) {
      if (row.seq <= durable) past_.push_back(row);
    }
    server_ = std::make_unique<VirtualServer>(rules_, core::Limits{}, recovery_of(past_, durable), at);
  }

 private:
  core::Rules rules_;
  std::unique_ptr<VirtualServer> server_;
  std::vector<core::Journaled> past_;
};

}  // namespace fuhyo::test
