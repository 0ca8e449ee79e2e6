// Queries of the web about finished games, players, rounds and buoys: the interface between it and the store. Every
// answer is durable. One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "server/core/cross_table.h"
#include "server/core/facts.h"
#include "server/core/games/finished_game.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/core/tally.h"

namespace fuhyo::core {

// What is empty, zero or nothing does not matter.
struct GameQuery {
  // An id ("name+trip"), "name+" for players of that name without a trip, or a name: upper or lower case, * stands for
  // any characters.
  std::string player, opponent;
  std::optional<shogi::Color> side;  // of `player`
  std::optional<bool> won;           // whether `player` did, or his opponent
  std::string game_name;             // likewise with *
  std::string room;                  // empty: all but the demonstration's
  std::optional<Outcome> outcome;
  std::string end_kind;               // as summary_type() says it
  std::string from, to;               // days of the server's zone on which it began, both inclusive: "2026/11/22"
  Wall ended_from{}, ended_before{};  // when it ended: from then on, before then
  std::int32_t min_plies = 0, max_plies = 0;
  std::int32_t min_rate = 0;             // of both players, as they were rated when they were paired
  std::optional<std::int64_t> position;  // position_key() of one that occurred
  std::string opening;                   // one of record::kOpeningNames
  GameId before{};                       // only games that ended before this one
  std::size_t limit = 50;
};

// Who beat whom in the games of `games`, of which `before` and `limit` do not matter.
struct CrossQuery {
  GameQuery games;
  std::size_t players = 40;  // at most: those with most games
};
struct CrossAnswer {
  CrossTable table;
  std::int64_t players = 0, games = 0;  // of all that match; games that have a result
};

struct PlayerQuery {
  enum class Order : std::uint8_t { rate, games, recent, name };
  std::string name;  // a part of it, upper or lower case
  Order order = Order::rate;
  std::size_t limit = 100, offset = 0;
};

struct PlayerRow {
  std::string id, name;
  std::optional<double> rate;  // as of the newest day that has rates
  double error = 0;            // at 95 %; 0: not known
  Tally tally;
  Wall first_seen, last_seen;
};
struct PlayerList {
  std::int64_t total = 0;  // of all that match
  std::vector<PlayerRow> players;
};

struct PlayerDay {
  std::string day;  // "2026-11-21"
  double rate = 0, error = 0;
};
struct PlayerRival {
  std::string id;
  Tally tally;
};
struct PlayerEnds {
  std::string kind;
  Tally tally;
};
struct PlayerPage {
  PlayerRow player;
  std::vector<PlayerDay> days;  // oldest first
  Tally black, white;
  std::vector<PlayerRival> rivals;  // most games first, at most kRivals
  std::vector<PlayerEnds> ends;     // likewise
  static constexpr std::size_t kRivals = 100;
};

struct RoundQuery {
  std::string group;  // empty: of all
  Seq before{};       // only older ones
  std::size_t limit = 20;
};
struct RoundGame {
  std::string black, white;  // ids
  GameId game{};             // 0: none that has ended
  std::optional<Outcome> outcome;
};
struct RoundRow {
  Seq seq{};
  std::string group;
  std::int64_t number = 0;
  Wall at;
  std::vector<RoundGame> games;
  std::vector<std::string> sat_out;
};
struct RoundList {
  struct Group {
    std::string name;
    std::int64_t rounds = 0;
  };
  std::vector<Group> groups;
  std::vector<RoundRow> rounds;  // newest first
};

// What was played from a position: of the newest kMost games in which it occurred.
struct Continuation {
  std::string move;  // USI
  std::int64_t games = 0, black_wins = 0, white_wins = 0, draws = 0;
  GameId last{};
};

struct BuoyQuery {
  std::string after;  // buoys behind this name; empty: from the beginning
  std::size_t limit = 100;
};

class Catalogue {
 public:
  // Why there is no answer, in words.
  struct Fault {
    std::string why;
    bool too_much = false;  // the query takes too long; a narrower one may not
  };
  template <class T>
  using Answer = std::expected<T, Fault>;

  virtual ~Catalogue() = default;

  // From now on every answer is as if games of these names that ended later than that had not ended. Rates are not
  // affected. What one reader asks begins with it: all of that together may take so long and no longer.
  virtual void show_ends(std::vector<EndsSeen> seen) = 0;

  // Newest first, as they ended. End line, final board and notes are left out.
  virtual Answer<std::vector<FinishedGame>> games(const GameQuery& query) = 0;
  virtual Answer<std::optional<FinishedGame>> game(GameId id) = 0;
  virtual Answer<CrossAnswer> cross_table(const CrossQuery& query) = 0;
  virtual Answer<PlayerList> players(const PlayerQuery& query) = 0;
  virtual Answer<std::optional<PlayerPage>> player(const std::string& id) = 0;
  virtual Answer<RoundList> rounds(const RoundQuery& query) = 0;
  // Buoys by name; before those of the beginning all sets of positions, by name.
  virtual Answer<std::vector<Fact>> buoys(const BuoyQuery& query) = 0;
  virtual Answer<std::vector<Continuation>> continuations(std::int64_t position) = 0;
  static constexpr std::int64_t kMostContinued = 2'000;  // newest games that continuations() looks at
};

}  // namespace fuhyo::core
