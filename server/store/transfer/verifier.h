// Whether a store, or an export of one, is whole and agrees with itself: every row of the journal can be read, the
// other tables say what it says, and games are what the rules of shogi and of clocks make of their moves. One thread.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "server/store/transfer/dump.h"
#include "server/store/transfer/export_reader.h"
#include "server/store/transfer/journal_check.h"

namespace fuhyo::store {

class Verifier {
 public:
  explicit Verifier(FaultHearer fault);

  // Every row, table by table in the order of tables().
  void take(TableId table, const Row& row);
  void finish();  // after the last one

  struct Found {
    Counts rows{};
    std::uint64_t moves = 0;  // of finished games
    std::uint64_t faults = 0;
  };
  const Found& found() const { return found_; }

 private:
  // What finished games say about a player.
  struct Tally {
    std::int64_t first_seen_us = 0, last_seen_us = 0, games = 0, wins = 0, losses = 0, draws = 0;
    bool operator==(const Tally&) const = default;
  };

  void fault(std::string text);
  void take_live(const Row& row);
  void take_game(const Row& row);
  void tally(const Row& row, std::string_view id, std::string_view won, std::string_view lost);
  void take_standing(const Row& row);
  void take_used(const Row& row);
  void take_mark(const Row& row);
  void take_rating(const Row& row);
  void take_player(const Row& row);
  // A row that is written with a fact: `said` are those that the journal still tells.
  void take_told(TableId table, const Row& row, std::unordered_map<std::uint64_t, RowMark>& said);

  FaultHearer hearer_;
  JournalCheck journal_;
  Found found_;
  std::uint64_t last_game_ = 0;  // greatest of the table game
  std::int64_t mark_us_ = INT64_MIN;
  std::map<std::string, Tally> players_;  // that the table player still lacks
};

// All of a store; the error says why it cannot be read.
std::expected<void, std::string> verify(Dump& dump, Verifier& verifier);
// All of an export. A file that is damaged has that one fault, besides those of the rows before it.
std::expected<void, TransferFault> verify(ExportReader& file, Verifier& verifier);

}  // namespace fuhyo::store
