// A catalogue of nine games that remembers what it was asked.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "server/core/catalogue.h"
#include "tests/unit/net/some_facts.h"

namespace fuhyo::net {

inline core::FinishedGame finished(std::uint64_t id) {
  core::FinishedGame game{.opened = opened(id), .ended = ended(id)};
  game.opened.black.id = "alice+1";
  game.opened.local_time = "2026/11/22 18:00:00";
  game.moves = "+7776FU,T2 -3334FU,T3";
  game.notes = "1 * * 30 -3334FU\n";
  game.ended.final_board = "P1-KY-KE-GI-KI-OU-KI-GI-KE-KY\n+\n";
  return game;
}

class FakeCatalogue : public core::Catalogue {
 public:
  void show_ends(std::vector<core::EndsSeen> seen) override { ends = std::move(seen); }
  Answer<std::vector<core::FinishedGame>> games(const core::GameQuery& query) override {
    asked = query;
    if (works) works();
    if (fault) return std::unexpected(*fault);
    std::vector<core::FinishedGame> list;
    for (std::uint64_t id = 9; id > 0 && list.size() < query.limit; --id) list.push_back(finished(id));
    return list;
  }
  Answer<std::optional<core::FinishedGame>> game(core::GameId id) override {
    entered.release();
    const std::lock_guard lock(gate);
    if (core::value(id) > 9) return std::nullopt;
    core::FinishedGame game = finished(core::value(id));
    game.notes += notes;
    return game;
  }
  Answer<core::CrossAnswer> cross_table(const core::CrossQuery& query) override {
    asked_cross = query;
    const std::vector<core::CrossResult> results = {
        {.black = "alice+1", .white = "=bob+", .outcome = core::Outcome::black_wins, .games = 2},
        {.black = "=bob+", .white = "alice+1", .outcome = core::Outcome::draw, .games = 1}};
    return core::CrossAnswer{
        .table = core::CrossTable::of({"alice+1", "=bob+", "\"c\"+3"}, results), .players = 7, .games = 9};
  }
  Answer<core::PlayerList> players(const core::PlayerQuery& query) override {
    asked_players = query;
    return core::PlayerList{.total = 1, .players = {player_row()}};
  }
  Answer<std::optional<core::PlayerPage>> player(const std::string& id) override {
    if (id != "alice+1" && id != "1") return std::nullopt;
    return core::PlayerPage{.player = player_row(), .days = {{"2026-11-21", 1500.5, 0}}};
  }
  Answer<core::RoundList> rounds(const core::RoundQuery& query) override {
    core::RoundList list{.groups = {{"floodgate-1-0", 3}, {"floodgate-9-0", 1}}, .rounds = {}};
    for (std::uint64_t seq = 5; list.rounds.size() < query.limit && seq > 0; --seq) {
      list.rounds.push_back({.seq = core::Seq{seq}, .group = "floodgate-1-0", .number = 3});
    }
    return list;
  }
  Answer<std::vector<core::Fact>> buoys(const core::BuoyQuery& query) override {
    std::vector<core::Fact> facts;
    if (query.after.empty()) {
      facts.emplace_back(core::PositionSetLoaded{.name = "s", .text = "startpos moves 7g7f | one\nstartpos"});
    }
    for (const char* name : {"buoy_x-60-0", "buoy_y-60-0", "buoy_z-60-0"}) {
      if (name <= query.after || facts.size() >= query.limit + (query.after.empty() ? 1 : 0)) continue;
      facts.emplace_back(core::BuoySet{.name = name,
                                       .start_sfen = std::string(shogi::Position::kStartSfen),
                                       .moves = {"+7776FU,T1"},
                                       .title = "<b>"});
    }
    return facts;
  }
  Answer<std::vector<core::Continuation>> continuations(std::int64_t position) override {
    asked_position = position;
    return std::vector<core::Continuation>{{.move = "7g7f", .games = 3, .black_wins = 2, .white_wins = 1}};
  }
  static core::PlayerRow player_row() {
    return {.id = "alice+1", .name = "alice", .rate = 1500, .error = 20, .tally = {.games = 2, .wins = 2}};
  }

  std::vector<core::EndsSeen> ends;
  std::string notes;  // further ones of every game
  core::GameQuery asked;
  core::CrossQuery asked_cross;
  core::PlayerQuery asked_players;
  std::int64_t asked_position = 0;
  std::optional<Fault> fault;
  std::function<void()> works;           // while games() is asked
  std::mutex gate;                       // held by a test: game() waits
  std::counting_semaphore<> entered{0};  // once for each query for a game
};

}  // namespace fuhyo::net
