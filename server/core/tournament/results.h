// Results that were written down somewhere else, as decisions of an event: for tables without a server. Pure.
#pragma once

#include <expected>
#include <span>
#include <string>
#include <vector>

#include "server/core/tournament/decisions.h"
#include "server/core/tournament/settings.h"

namespace fuhyo::core::tournament {

// One row of a file of results. Empty fields say nothing.
struct ResultRow {
  int line = 0;
  std::string stage, division;  // names; may be left out where there is one
  int round = 0;
  std::string black, white;
  // "black", "white", "draw", "none"; "pending" (or nothing): the game is not over. Of `black` alone: "bye", "rest",
  // "walkover" (`white`: who was to be the opponent), "away" (in this round), "left" (from this round on).
  std::string result;
  std::string how;     // parse_how(); nothing: play
  std::string end;     // shogi-server's summary type, "toryo", "time up"
  std::string record;  // csa_id of the game
  int plies = 0;
  int lot = 0, rate = 0;  // of a member
  bool operator==(const ResultRow&) const = default;
};

// All decisions, in the order of the event: who is named in rows and not in the event enters it, if it is open. Rows of
// one round are one pairing after another; several rows of the same two are their games and attempts in turn. Members
// who are in no row of a round were away. Divisions of later stages are formed by rank. Whatever check() refuses is a
// problem.
std::expected<std::vector<Decision>, std::vector<Problem>> decisions_of(const Event& event,
                                                                        std::span<const ResultRow> rows);
// The rows that lead to the same tables.
std::vector<ResultRow> rows_of(const Event& event, std::span<const Decision> decisions);

}  // namespace fuhyo::core::tournament
