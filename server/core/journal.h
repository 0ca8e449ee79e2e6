// The interface of the journal, which SQLite and PostgreSQL implement.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "server/core/facts.h"
#include "server/core/ids.h"

namespace fuhyo::core {

// All facts of one apply(): one transaction, never split, in ascending seq without gaps.
using Transaction = std::vector<Journaled>;

// The result of a finished game, as pairing needs it.
struct PastGame {
  std::string csa_id, game_name;
  std::string black_id, white_id;  // name+trip
  Outcome outcome{};
  bool operator==(const PastGame&) const = default;
};
constexpr std::size_t kPastGames = 100;  // as many as shogi-server keeps of each group

// What a store tells at start-up.
struct Recovery {
  Seq last{};                          // newest durable seq (Seq{0} in an empty store)
  GameId last_game{};                  // newest game id ever used
  std::uint64_t last_stamp = 0;        // newest 14-digit time stamp used in a Game_ID
  std::vector<Journaled> live;         // every fact of every unfinished game, ascending
  std::vector<Journaled> keyed_facts;  // the newest fact of each key of keyed_fact_of(), ascending
  std::vector<PastGame> past;          // of each floodgate group the last kPastGames games between players with a trip,
                                       // oldest first
};

// Where a store reports. Called from the store's own thread.
struct JournalEvents {
  // The committed transactions, in order: projections and spectators follow these.
  std::function<void(std::vector<Transaction> transactions)> committed;
  // Everything up to `seq` survives a crash. Monotone. After committed(): who hears of something finds it on the pages.
  std::function<void(Seq seq)> durable;
  // Commits fail (disk full, database away) / work again. Transactions stay queued meanwhile; nothing is dropped.
  std::function<void(std::string why)> lost;
  std::function<void()> back;
  // Another writer has taken the store over: nothing will ever be durable any more. The last call.
  std::function<void(std::string why)> replaced;
};

class Journal {
 public:
  virtual ~Journal() = default;
  // Queues a transaction; returns at once. Called from one thread.
  virtual void append(Transaction transaction) = 0;
  // Makes everything queued durable, then stops the writer. Returns false if the store is away and it could not.
  virtual bool close() = 0;
};

}  // namespace fuhyo::core
