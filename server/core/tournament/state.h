// An event as it stands: its decisions (decisions.h), sorted by what they are about. A value; holds nothing that is
// computed.
#pragma once

#include <expected>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "server/core/tournament/decisions.h"
#include "server/core/tournament/event.h"

namespace fuhyo::core::tournament {

struct DivisionState {
  std::vector<Member> members;  // as it was formed
  std::vector<Joined> joined;   // late entries, in the order in which they came
  std::map<int, RoundPaired> rounds;
  std::map<GameKey, GameResult> results;
  bool operator==(const DivisionState&) const = default;
};

class EventState {
 public:
  EventState() = default;
  // With the entrants of the file.
  explicit EventState(const Event& event);

  // Never fails: what is stored has been decided. check() says before whether it can be.
  void apply(const Decision& decision);

  // In the order in which they entered.
  const std::vector<Entrant>& entrants() const { return entrants_; }
  const Entrant* entrant(std::string_view player) const;  // null: not in the event
  // Of a division that is not formed: empty.
  const DivisionState& division(DivisionKey key) const;
  bool is_formed(DivisionKey key) const { return !division(key).members.empty(); }
  // Whether it may be paired in this round of this stage, as far as it has not left.
  bool is_away(std::string_view player, int stage, int round) const;
  // The stage and round from which on it is away for good; nothing: it is not.
  struct Left {
    int stage = 0, round = 1;
    auto operator<=>(const Left&) const = default;
  };
  std::optional<Left> left(std::string_view player) const;

  bool operator==(const EventState&) const = default;

 private:
  struct Away {
    int from = 1, until = 0;
    bool operator==(const Away&) const = default;
  };
  void on(const Entered& e);
  void on(const Withdrawn& e);
  void on(const Returned& e);
  void on(const DivisionFormed& e);
  void on(const Joined& e);
  void on(const RoundPaired& e);
  void on(const GameResult& e);

  std::vector<Entrant> entrants_;
  std::map<PlayerId, std::map<int, Away>, std::less<>> away_;  // by stage
  std::map<DivisionKey, DivisionState> divisions_;
};

}  // namespace fuhyo::core::tournament
