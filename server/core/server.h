// The game server as a pure state machine. apply(input, now, out) changes the state and appends the effects; it never
// blocks, throws, reads a clock, draws a random number or touches a file. The same inputs give the same state and the
// same effects (digest()).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/admin/verbs.h"
#include "server/core/civil_time.h"
#include "server/core/effects.h"
#include "server/core/figures.h"
#include "server/core/journal.h"
#include "server/core/limits.h"
#include "server/core/lobby/waiter.h"
#include "server/core/logins/accounts.h"
#include "server/core/monitors/spectator_delay.h"

namespace fuhyo::core {

// Functions on secrets that the core calls. They depend on their arguments and on a key that only this server has, and
// give the same after a restart. Empty: there are no accounts.
struct SecretRules {
  // A keyed hash of 32 characters, of a secret that a client shows (`purpose` "secret") or for a token that is made
  // ("token").
  std::function<std::string(std::string_view purpose, std::string_view text)> keyed;
  std::function<std::string(std::string_view text)> legacy;  // MD5, as shogi-server's players.yaml has it
  // The otpauth:// address of the generation-th second factor of an account.
  std::function<std::string(std::string_view name, std::int64_t generation)> code_address;
  // The time step (of 30 s) of a one-time code; nothing: the code is wrong now.
  std::function<std::optional<std::int64_t>(std::string_view name, std::int64_t generation, std::string_view code,
                                            Wall now)>
      code_step;
};

struct Rules {
  std::string event = "fuhyo";   // first part of every Game_ID
  std::int32_t max_moves = 256;  // 0: no limit
  std::int32_t least_time_per_move_s = 0;
  std::size_t max_identifier = 32;  // longest player name and game-name identifier
  TimeZone zone;
  std::uint64_t seed = 0;  // of the colours drawn
  // Addresses ("192.0.2.7", "::1") that the per-address limits spare. Empty: none, not even loopback.
  std::function<bool(std::string_view address)> exempt;
  // The id shown for a trip: shogi-server's is 32 hex digits of MD5. Must be a pure function.
  std::function<std::string(std::string_view trip)> trip_hash;
  // Who may give %%ADMIN commands, besides the administration socket: these names, each with a secret of its own
  // (nobody else gets in under them), and only from an address that fits. Both must be pure functions.
  std::map<std::string, Role, std::less<>> operators;
  std::function<bool(std::string_view name, std::string_view secret)> operator_secret;
  std::function<bool(std::string_view address)> admin_address;
  // For games that are paired in the lobby; floodgate groups have their own rule.
  ResumeRule resume = ResumeRule::abort;
  std::int32_t grace_s = 0;
  std::int64_t resume_window_us = 120 * kSecond;  // how long a suspended game waits for its players
  // The times in the Game_Summary of a player who comes back. False: Total_Time is what he has left, and past moves
  // have T0. True: past moves have their T as played, and Total_Time is that of the beginning.
  bool times_as_played = false;
  // The secret by which a player's program may come back to its game, told in its Game_Summary. Empty: none is told.
  // A pure function, the same after a restart.
  std::function<std::string(std::string_view game_id, std::string_view name)> reconnect_token;
  // Names and their owners (PROTOCOL.md, "Accounts").
  AccountPolicy accounts = AccountPolicy::open;
  std::vector<EntryRule> entry;
  std::set<std::string> reserved;  // keys of names that nobody may claim, or play under without an account
  DelayRules delays;               // of games that are shown to watchers later than to their players
  Comments comments = Comments::after;
  bool takeover = false;  // a login with the right secret takes over the session of the name, also in a game
  SecretRules secrets;
  // The fingerprint of the key behind these functions; the store keeps it from begin() on. Empty: there is no key.
  std::string key_fingerprint;
};

class Server {
 public:
  Server(const Limits& limits, Rules rules, const Recovery& recovered);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  // Sets up the games that the crash interrupted, or ends them, by the rule of each (PROTOCOL.md, "After a crash").
  // Call once, before any input.
  void begin(Now now, Effects& out);
  void apply(const Input& input, Now now, Effects& out);
  // Other rules from now on, for logins and games to come; between inputs. The seed, the zone and the delays stay.
  void change_rules(Rules rules);

  // Agreed to and running, in the room or in one that is seen from there.
  std::size_t games(std::string_view room) const;
  // Who waits for a game where everybody may see it. The number changes whenever the answer does.
  std::vector<Waiter> lobby() const;
  std::uint64_t lobby_changes() const;
  const std::string& store_fault() const;  // empty: the store works
  std::size_t sessions() const;            // connections, logged in or not
  Figures figures() const;                 // O(connections and games)
  std::uint64_t digest() const;            // of everything applied and decided so far

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fuhyo::core
