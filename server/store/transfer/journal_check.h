// What the journal says, gathered row by row: what is wrong with it by itself, and what the other tables have to hold
// therefore. Memory grows with the games of the journal, some hundred bytes each. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "server/store/batch.h"
#include "server/store/transfer/check_rows.h"
#include "server/store/transfer/replay_check.h"

namespace fuhyo::store {

using FaultHearer = std::function<void(std::string)>;

class JournalCheck {
 public:
  explicit JournalCheck(FaultHearer fault) : fault_(std::move(fault)) {}

  void take(const Row& row);  // of the table `journal`

  std::uint64_t first = 0, last = 0;                     // seq; 0: the journal is empty
  std::uint64_t last_game = 0, last_stamp = 0;           // greatest of the games that it opened
  std::map<std::uint64_t, std::uint64_t> live;           // game -> where it was opened; not ended
  std::unordered_map<std::uint64_t, GameMark> finished;  // games that it tells from begin to end
  std::unordered_set<std::uint64_t> ended;               // all that it tells the end of, also rejected ones
  std::unordered_set<std::uint64_t> rejected;
  std::map<std::string, std::optional<RowMark>> keyed_facts;  // key -> its row; nothing: it was deleted
  std::unordered_map<std::uint64_t, RowMark> audit, rounds;   // by seq

  // The row may be older than everything that the journal still tells.
  bool before_journal(std::uint64_t seq) const { return seq < first; }

 private:
  void take_seq(std::uint64_t seq);
  void take_fact(core::Seq seq, const core::Fact& fact, const Row& row);
  void take_game(core::Seq seq, std::uint64_t game, const core::Fact& fact);
  void keep_keyed(const core::Fact& fact, const Row& row);

  FaultHearer fault_;
  LiveGames growing_;
  std::unordered_map<std::uint64_t, ReplayCheck> replays_;  // of `live`
};

}  // namespace fuhyo::store
