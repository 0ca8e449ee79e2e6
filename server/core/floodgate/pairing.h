// Who plays whom in a floodgate round. Values in, values out: the players that wait, the history of the group, the
// settings of the round and a source of draws give the games with their colours, and who sits out and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/core/floodgate/draws.h"
#include "server/core/floodgate/history.h"

namespace fuhyo::core::floodgate {

// The names are those of `set pairing_factory`. The first five are shogi-server's, decided exactly as it does; the last
// two are our own.
enum class Method : std::uint8_t {
  least_diff_pairing,  // also called default_factory
  floodgate_zyunisen,  // least_diff_pairing among the rated
  swiss_pairing,
  random_pairing,
  sort_by_rate_with_randomness,
  matching,  // the best set of pairs there is: near in rating, not the same again, colours even
  swiss,     // a real Swiss: score groups, no rematch in the event, colours alternate, one bye each
};
// The last two: those that honour Round::apart.
bool is_ours(Method method);
std::optional<Method> parse_method(std::string_view name);
std::string_view to_string(Method method);

// shogi-server's sacrifice where none is set.
inline constexpr std::string_view kDefaultSacrifice = "gps500+e293220e3f8a3e59f79f6b0efffaa931";

// Somebody who waits for the round (a player with a trip), or a built-in player that may fill up.
struct Entrant {
  std::string id;          // "name+trip hash"; no two entrants of a round share one
  std::string name;        // as logged in
  int rate = 0;            // 0: not rated
  int estimated_rate = 0;  // what shogi-server's methods took it for in an earlier round (Pairings); 0: nothing
};
// A name that ends in "_human", or has "_human@" in it: shogi-server's mark of a human player.
bool is_human(std::string_view name);

// A player that is logged in but does not take part (it plays, say). shogi-server's methods take the strength of an
// unrated player from its last opponent, if that one is on line.
struct Online {
  std::string name;
  int rate = 0;
  int estimated_rate = 0;  // what an earlier round took it for; 0: nothing
};

struct RoundSettings {
  Method method = Method::least_diff_pairing;
  std::string sacrifice{kDefaultSacrifice};  // an id: sits out when the number is odd. Empty: nobody
  bool both_colours = false;                 // every pair plays two games back to back, the second with colours changed
};

struct Round {
  std::uint64_t number = 0;       // of this round in its group, counted from 1: newer than every round of the history
  std::vector<Entrant> entrants;  // in the order in which they logged in
  std::vector<Online> others;     // on line, not taking part
  RoundSettings settings;
  std::optional<Entrant> filler;  // plays with the one who would sit out because the number is odd
  // Ids that our own methods pair only if nothing else is left, either way round.
  std::set<std::pair<std::string, std::string>> apart;
};

struct PairedGame {
  std::string black, white;  // ids
  int leg = 1;               // 2: the return game, to be started when leg 1 of the same two has ended
  bool filler = false;       // one of the two is the filler
  friend bool operator==(const PairedGame&, const PairedGame&) = default;
};

enum class SitOutReason : std::uint8_t {
  unrated,    // floodgate_zyunisen is for the rated
  sacrifice,  // the number was odd, and this is the one set to give way
  odd,        // the number was odd: drawn by lot, or the one whose turn it was
  alone,      // there was nobody else
};
std::string_view to_string(SitOutReason reason);

struct SitOut {
  std::string id;
  SitOutReason reason = SitOutReason::odd;
  friend bool operator==(const SitOut&, const SitOut&) = default;
};

struct Pairings {
  std::vector<PairedGame> games;  // in the order in which they are to be started
  std::vector<SitOut> sit_outs;   // shogi-server's methods: in the order in which they fell out
  // What shogi-server's methods take each of the entrants for, in their order (0: rated, or not asked for): their
  // estimated_rate in rounds to come, until they log out. Empty after our own methods, which do without.
  std::vector<int> estimated_rates;
};

// Never fails: of nobody it makes nothing, of one player a sit-out. Every entrant is in exactly one game (two with
// both_colours) or one sit-out. shogi-server's methods draw exactly what its Ruby would draw, in its order; `matching`
// and `swiss` draw only for colours that nothing else decides.
//
// matching: no two meet who met in the round before if the round can be paired without that; then nobody sits out who
// did recently, if another did not; then nobody comes to three games more with one colour than with the other; and
// among all such sets of pairs the one with the least sum of rating differences and penalties (matching.cpp). swiss: no
// two meet again in the event (the history), nobody has two byes, no colour three times running, pairs within score
// groups, in this order of importance. Both take any number; above kMostTogether players are paired in blocks by
// strength.
Pairings pair(const Round& round, const History& history, Draws& draws);

// Players that `matching` and `swiss` pair as one set. The time grows with the cube: 60 take 5 ms, 200 take 35 ms.
inline constexpr std::size_t kMostTogether = 200;

}  // namespace fuhyo::core::floodgate
