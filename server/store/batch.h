// What one commit writes, worked out before it begins: the same batch can be tried again and again.
// Values only; the writer's thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/core/facts.h"
#include "server/core/games/finished_game.h"
#include "server/core/journal.h"

namespace fuhyo::store {

using core::FinishedGame;

// The time stamp that ends a Game_ID, "...+20260701123456"; 0 if it has none.
std::uint64_t stamp_of(std::string_view csa_id);

// What the end of a game says about a player with a trip.
struct PlayerResult {
  std::string id, name;
  core::Wall first_seen, last_seen;  // the game's begin and end
  bool won = false, lost = false, drawn = false;
};
std::vector<PlayerResult> results_of(const FinishedGame& game);

// Gathers each unfinished game from its facts, so that its end can write the whole game.
class LiveGames {
 public:
  // The finished game if `fact` ended one that had been played.
  std::optional<FinishedGame> take(const core::Fact& fact);
  std::size_t size() const { return games_.size(); }

 private:
  std::unordered_map<core::GameId, core::GameStory> games_;
};

struct Batch {
  struct Row {
    core::Seq seq{};
    core::GameId game{};
    core::EncodedFact fact;
  };
  struct Opening {
    core::GameId game{};
    core::Seq first{};
  };

  // What a fact of the batch does to its key. Of each key only the newest fact, in the order of their rows.
  struct KeyedFact {
    std::string key;
    std::size_t row = 0;  // of `rows`
    bool deleted = false;
    bool prefix = false;  // both as in core::KeyedFact
  };

  // `transactions` not empty.
  Batch(std::vector<core::Transaction> transactions, LiveGames& live);

  core::Seq first() const { return rows.front().seq; }
  core::Seq last() const { return rows.back().seq; }

  std::vector<core::Transaction> transactions;  // as they came, to be handed on once they are durable
  std::vector<Row> rows;
  std::vector<Opening> opened;
  std::vector<core::GameId> closed;  // ended or rejected
  std::vector<FinishedGame> finished;
  std::vector<KeyedFact> keyed_facts;
  std::vector<std::pair<core::Seq, core::AdminActed>> audit;
  std::vector<std::pair<core::Seq, core::RoundHeld>> rounds;
  std::uint64_t last_game = 0;   // greatest id of `opened`; 0: none
  std::uint64_t last_stamp = 0;  // greatest time stamp in a Game_ID of them
  core::Wall newest;             // latest wall time of a fact; 0: none carries one

 private:
  void add(const core::Journaled& row, LiveGames& live);
};

}  // namespace fuhyo::store
