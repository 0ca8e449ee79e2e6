// An event on a server under virtual time: announced, its players logged in, its games played out, the server killed.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <utility>

#include "server/core/tournament/settings.h"
#include "server/core/tournament/state.h"
#include "tests/support/virtual_server.h"

namespace fuhyo::test {

class EventHost {
 public:
  explicit EventHost(core::Rules rules = test_rules()) : server_(std::make_unique<VirtualServer>(std::move(rules))) {}

  VirtualServer& server() { return *server_; }
  // Of all servers so far.
  std::vector<core::Journaled> journal() const { return server_->history(); }
  template <class F>
  std::vector<F> facts() const {
    return facts_of<F>(journal());
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
    server_->log_in(name, fmt::format("{} {},trip{}", name, game, name));
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
  void agree(const core::GameOpened& game) { server_->agree(game.black.name, game.white.name); }
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
  void kill() { server_->kill(); }

 private:
  std::unique_ptr<VirtualServer> server_;
};

}  // namespace fuhyo::test
