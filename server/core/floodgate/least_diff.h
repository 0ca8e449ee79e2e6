// The step LeastDiff of shogi-server: of many orders of the players, the one whose neighbours differ least in rating,
// with penalties for meeting again, for two humans, and for players of one owner. Private to this folder.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/floodgate/draws.h"
#include "server/core/floodgate/history.h"
#include "server/core/floodgate/pairing.h"

namespace fuhyo::core::floodgate {

// What an unrated player is taken for, found when it is first asked for and kept.
class Strengths {
 public:
  // Both are read as long as this lives.
  Strengths(const Round& round, const History& history);
  int of(const Entrant& entrant);
  int estimated(const Entrant& entrant) const;  // 0: rated, or never asked for
  void forget(const Entrant& entrant);          // its estimate of an earlier round

 private:
  struct OnLine {
    int rate = 0;
    int estimated = 0;
  };
  void estimate(const Entrant& entrant);

  const History& history_;
  std::map<std::string, OnLine, std::less<>> on_line_;  // by name, as shogi-server looks players up
};

// What shogi-server adds for players that seem to belong to one owner: ids that are equal in their first 7 or 4
// characters.
int kin_penalty(std::string_view id, std::string_view other);

// Reorders the players; fewer than three stay as they are.
void order_by_least_diff(std::vector<const Entrant*>& players, Strengths& strengths, const History& history,
                         Draws& draws);

}  // namespace fuhyo::core::floodgate
