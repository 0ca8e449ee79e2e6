// A short game as facts, for the tests of what spectators see.
#pragma once

#include <string>

#include <boost/json.hpp>

#include "engines/shogi/position.h"
#include "server/core/journal.h"
#include "server/net/feed.h"

namespace fuhyo::net {

constexpr core::Now kNow{core::Instant{5 * core::kSecond}, core::Wall{4 * core::kSecond}};

inline core::GameOpened opened(std::uint64_t id) {
  core::GameOpened fact;
  fact.game = core::GameId{id};
  fact.room = "main";
  fact.csa_id = "ev+g-300-10+alice+bob+" + std::to_string(id);
  fact.game_name = "g-300-10";
  fact.black = {.name = "alice", .id = "alice+1"};
  fact.white = {.name = "bob", .builtin = true};
  fact.time = {.total_s = 300, .byoyomi_s = 10};
  fact.max_moves = 256;
  fact.start_sfen = shogi::Position::kStartSfen;
  fact.at = core::Wall{1'000'000};
  return fact;
}

inline core::MoveMade moved(std::uint64_t id, int ply, std::string csa, std::string comment = {}) {
  core::MoveMade fact;
  fact.game = core::GameId{id};
  fact.ply = ply;
  fact.csa = std::move(csa);
  fact.comment = std::move(comment);
  fact.spent_s = 2;
  fact.remaining_s = 298;
  fact.at = core::Wall{2'000'000 + ply};
  return fact;
}

inline core::GameEnded ended(std::uint64_t id) {
  core::GameEnded fact;
  fact.game = core::GameId{id};
  fact.kind = core::EndKind::toryo;
  fact.outcome = core::Outcome::white_wins;
  fact.plies = 2;
  fact.line = "%TORYO";
  fact.reason = "resigned";
  fact.at = core::Wall{3'000'000};
  return fact;
}

// What an event of the feed says.
inline boost::json::value data_of(const Text& event) {
  const std::size_t at = event->plain().find("\ndata: ") + 7;
  return boost::json::parse(event->plain().substr(at, event->plain().find('\n', at) - at));
}

// Numbers facts as the journal does.
class Numbering {
 public:
  explicit Numbering(std::uint64_t last = 0) : last_(last) {}
  core::Transaction operator()(core::Fact fact) { return {core::Journaled{core::Seq{++last_}, std::move(fact)}}; }

 private:
  std::uint64_t last_;
};

}  // namespace fuhyo::net
