// Floodgate rounds: who waits for one is paired at the time of the group's schedule, not before.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/floodgate/history.h"
#include "server/core/floodgate/pairing.h"
#include "server/core/games/game_session.h"
#include "server/core/part.h"

namespace fuhyo::core {

// A floodgate group and how far it has come.
struct RoundGroup {
  floodgate::Group told;
  floodgate::History history;
  std::uint64_t round = 0;     // number of the newest
  std::uint64_t timer = 0;     // id of its timer
  std::optional<Wall> due;     // of the next round
  std::set<std::string> owed;  // ids of players whom the newest round has given no game
  // Second games of pairs, to be played when both wait again, or one whom a built-in player comes back to.
  std::vector<OwedGame> returns;
};

class Rounds : Part {
 public:
  Rounds(const Parts& parts, std::vector<PastGame> past) : Part(parts), past_(std::move(past)) {}

  void keep(const Fact& fact);  // what stands from now on
  void on(const GroupChanged& e);
  void round_timer(std::uint64_t timer);

  const std::map<std::string, RoundGroup, std::less<>>& all() const { return groups_; }
  // The number of games; the error says why there is no round.
  std::expected<std::size_t, std::string> hold_round(const std::string& game_name);
  std::vector<Session*> round_players(const std::string& game_name);
  // Why a session that waits like this one is never paired; empty: it may be.
  std::string never_paired(const Session& s);
  void tell_never_paired(const Session& s);
  // Who waits for its rounds and is never paired.
  std::size_t tripless(std::string_view game_name);

  void seat_late(const Session& s);  // it has begun to wait
  bool seat_return();                // of any group: a built-in player is free
  bool is_owed(const Session& s);
  void owe(const std::string& game_name, const std::string& id);  // his connection was lost before his game began
  void owe_unstarted(const GameOpened& opened);                   // ... or the server stopped
  void unseated(const GameSession& session, std::string_view by, const std::array<bool, 2>& agreed);
  std::uint64_t round_of(const GameOpened& opened) const;
  void record_round(const GameSession& session, const GameEnded& ended);

 private:
  RoundGroup* group_of(std::string_view game_name);
  void look_back(RoundGroup& group, const std::string& game_name);
  void arm(RoundGroup& group);
  // Who is there for a round and in none: why its players are too few, in words.
  std::string left_out(const std::string& game_name);
  floodgate::Entrant entrant(const Session& s) const;
  std::vector<floodgate::Online> bystanders(const std::vector<Session*>& players) const;
  std::size_t seat_round(const std::string& game_name, RoundGroup& group, const floodgate::Pairings& pairings);
  void seat_pair(const std::string& game_name, const floodgate::PairedGame& game, std::uint64_t round);
  bool seat_return(const std::string& game_name, RoundGroup& group);
  bool is_played(const OwedGame& owed) const;
  void keep_owed(const std::string& game_name, const RoundGroup& group);

  std::map<std::string, RoundGroup, std::less<>> groups_;      // by game name
  std::map<std::string, RoundHeld, std::less<>> last_rounds_;  // by group: what stood at the start
  std::map<std::string, RoundOwes, std::less<>> last_owed_;    // by group: the newest
  std::vector<PastGame> past_;                                 // what stood at the start
};

}  // namespace fuhyo::core
