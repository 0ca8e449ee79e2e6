// What has happened, as decided: the rows of the journal. Facts are never judged again: recovery, record files, the
// archive and spectators all apply them as they stand. Every kind has a payload version, and a payload once released
// stays readable for ever (tests/golden/facts).
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "server/core/account_facts.h"
#include "server/core/game_facts.h"
#include "server/core/ids.h"
#include "server/core/one_of.h"
#include "server/core/room_facts.h"
#include "server/core/tournament/decisions.h"
#include "server/core/tournament_facts.h"

namespace fuhyo::core {

using FactVariant =
    std::variant<GameOpened, GameStarted, GameRejected, MoveMade, RecordNote, GameEnded, BuoySet, BuoyDeleted,
                 GamePaused, GameResumed, NameForbidden, NameAllowed, AdminActed, PositionSetLoaded, RoundHeld,
                 GameSuspended, GameContinued, AccountSet, AccountDeleted, KeyKept, RoomSet, RoomClosed, TournamentSet,
                 TournamentPhaseSet, TournamentDecided, TournamentGame, TournamentDeleted, RoundOwes, CommentAdded>;

struct Fact : FactVariant {
  Fact();
  Fact(const Fact&);
  Fact(Fact&&) noexcept;
  Fact& operator=(const Fact&);
  Fact& operator=(Fact&&) noexcept;
  ~Fact();
  template <AlternativeOf<FactVariant> T>
  Fact(T&& one) : FactVariant(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(one)) {}
  bool operator==(const Fact&) const;
};

struct Journaled {
  Seq seq{};
  Fact fact;
  bool operator==(const Journaled&) const = default;
};

GameId game_of(const Fact& fact);  // GameId{0}: the fact is of no game

// A fact outside of games holds until the next fact of the same key. The store keeps the newest fact of each key beside
// the journal, and recovery reads these.
struct KeyedFact {
  std::string key;       // "buoy/buoy_foo-1500-0"
  bool deleted = false;  // from now on no fact holds under the key
  bool prefix = false;   // ... nor under any key that begins with it
  bool operator==(const KeyedFact&) const = default;
};
std::optional<KeyedFact> keyed_fact_of(const Fact& fact);  // nothing: a fact of a game, or of the audit log
// What a decision is about, within its event: "result/0/0/3/1/1/1".
std::string key_of(const tournament::Decision& decision);

// A fact as the journal keeps it.
struct EncodedFact {
  std::uint16_t kind = 0;     // stable number of the alternative, see facts.cpp
  std::uint16_t version = 0;  // of the payload
  std::string payload;        // bytes; readable text, fields separated by TAB, escaped
};
EncodedFact encode(const Fact& fact);
// Fails on an unknown kind, a version newer than this program, or a malformed payload, and says which.
std::expected<Fact, std::string> decode(std::uint16_t kind, std::uint16_t version, std::string_view payload);

}  // namespace fuhyo::core
