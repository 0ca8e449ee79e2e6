// What has happened, as decided: the rows of the journal. Facts are never judged again: recovery, record files, the
// archive and spectators all apply them as they stand. Every kind has a payload version, and a payload once released
// stays readable for ever (tests/golden/facts).
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "engines/shogi/declaration.h"
#include "engines/shogi/types.h"
#include "server/core/games/game_terms.h"
#include "server/core/ids.h"
#include "server/core/monitors/spectator_delay.h"
#include "server/core/one_of.h"
#include "server/core/tournament/decisions.h"

namespace fuhyo::core {

struct Seat {
  std::string name;
  std::string id;  // name+trip for a player with a trip (rated), else empty
  bool builtin = false;
  bool operator==(const Seat&) const = default;
};

// What becomes of a running game when the server has died, or was stopped.
enum class ResumeRule : std::uint8_t {
  position,    // it goes on from its position as soon as both players are there again
  adjudicate,  // it waits for the verdict of an operator
  abort        // it is over, and counts for nobody
};
std::string_view to_string(ResumeRule rule);
std::optional<ResumeRule> resume_rule_of(std::string_view word);  // "position"

// When others than a player read what he says of his moves.
enum class Comments : std::uint8_t { never, after, live };  // after: as soon as the game is over
std::string_view to_string(Comments rule);
std::optional<Comments> comments_of(std::string_view word);  // "after"

// Two players were paired. The game is not yet agreed to.
struct GameOpened {
  GameId game{};
  std::string room;    // "main", "demo", or one that a RoomSet tells of
  std::string csa_id;  // <event>+<game name>+<black>+<white>+<time stamp>
  std::string game_name;
  Seat black, white;
  TimeRule time;                          // of Black; of both where `white_time` says nothing
  std::int32_t max_moves = 0;             // 0: no limit
  std::string start_sfen;                 // the position that the Game_Summary shows
  std::vector<std::string> preset_moves;  // "+7776FU,T1": moves already made in it (buoys)
  Wall at;
  std::string local_time;  // "YYYY/MM/DD hh:mm:ss" in the server's zone
  bool rated = true;
  std::int32_t black_rate = 0, white_rate = 0;  // at pairing; 0: none
  // The T of the preset moves has been deducted from the clocks: the game goes on from a move of another one.
  bool preset_spent = false;
  // ... except for the first so many moves, which were preset in that game too.
  std::int32_t preset_free = 0;
  ResumeRule resume = ResumeRule::abort;
  std::int32_t grace_s = 0;  // how long a disconnected player may stay away; 0: he loses at once
  // The delay that its room asks for; nothing: that of the settings for its game name.
  std::optional<SpectatorDelay> showing;
  std::optional<Comments> comments;  // as its room shows them; nothing: as the server does
  bool stays = false;  // after it players in CSA mode wait for the next one, instead of being disconnected
  std::optional<TimeRule> white_time;  // only where the two colours have different clocks
  shogi::DeclarationRule declaration = shogi::DeclarationRule::POINTS_27;  // what %KACHI is judged by
  Rulebook rulebook = Rulebook::shogi_server;
  const TimeRule& time_of(shogi::Color side) const { return side == shogi::WHITE && white_time ? *white_time : time; }
  bool operator==(const GameOpened&) const = default;
};

struct GameStarted {  // both sides agreed
  GameId game{};
  Wall at;
  bool operator==(const GameStarted&) const = default;
};

struct GameRejected {  // a side refused, left, or did not answer: the game never began
  GameId game{};
  std::string by;  // player name, or "the Server (timed out)"
  Wall at;
  std::string local_time;
  bool operator==(const GameRejected&) const = default;
};

struct MoveMade {
  GameId game{};
  std::int32_t ply = 0;          // 1 for the first move after the start position; preset moves count
  std::string csa;               // "+7776FU"
  std::int32_t spent_s = 0;      // the T value
  std::int32_t remaining_s = 0;  // of the mover, after the move (increment included)
  Wall at;
  std::string comment;  // what followed ",'" on the line, raw bytes; empty if none
  bool operator==(const MoveMade&) const = default;
};

// A line for the record only: a deferred move, a comment with it.
struct RecordNote {
  GameId game{};
  std::string text;  // the record line, without its leading apostrophe
  bool operator==(const RecordNote&) const = default;
};

struct GameEnded {
  GameId game{};
  EndKind kind{};
  Outcome outcome{};
  std::int32_t plies = 0;  // moves in the record, preset ones included
  std::string
      line;  // the line that ended it where one did: "%TORYO", "-0059FU"; "%TSUMI": a mate at the limit; else empty
  std::int32_t spent_s = 0;  // T of that line where it has one (%KACHI)
  std::string reason;        // in words: "two pawns on a file: -0059FU", "late by 0.8 s"
  std::string final_board;   // the position at the end, "P1...\nP2...\n...+\n" (perpetual check: last move taken back)
  Wall at;
  std::string local_time;
  bool operator==(const GameEnded&) const = default;
};

// A buoy: a start position under a game name, good for `count` more games. A later one of the same name replaces it.
struct BuoySet {
  std::string name;   // a game name, "buoy_foo-1500-0"
  std::string owner;  // player name of who set it
  std::int32_t count = 0;
  std::string start_sfen;
  std::vector<std::string> moves;  // "+7776FU,T1"
  std::string set;                 // the set that it belongs to; empty: none
  std::string title, comment;
  Wall at;
  bool operator==(const BuoySet&) const = default;
};

struct BuoyDeleted {  // used up, or taken away
  std::string name;
  std::string by;  // player name; empty: its last game began
  Wall at;
  bool operator==(const BuoyDeleted&) const = default;
};

// The clocks of a running game stand still from now on, and go on from where they stood.
struct GamePaused {
  GameId game{};
  std::int64_t used_us = 0;  // of the turn that is under way
  std::string by, why;
  Wall at;
  bool operator==(const GamePaused&) const = default;
};

struct GameResumed {
  GameId game{};
  std::string by, why;
  Wall at;
  bool operator==(const GameResumed&) const = default;
};

// The server died or was stopped during the game: no clock runs until both players are back.
struct GameSuspended {
  GameId game{};
  std::int64_t used_us = 0;  // of the turn that is under way, as far as it is known
  std::string why;
  Wall at;
  bool operator==(const GameSuspended&) const = default;
};

// Both are back: the turn that was under way goes on.
struct GameContinued {
  GameId game{};
  Wall at;
  bool operator==(const GameContinued&) const = default;
};

// Nobody may log in under the name until it is allowed again.
struct NameForbidden {
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const NameForbidden&) const = default;
};

struct NameAllowed {
  std::string name;
  std::string by;
  Wall at;
  bool operator==(const NameAllowed&) const = default;
};

// An act of an operator: the audit log.
struct AdminActed {
  std::string who;  // name of the operator, or the user of this machine
  std::string via;  // the address it came from, or "socket"
  std::string act;  // the command as given
  std::string why;  // empty where no reason was given
  std::string outcome;
  Wall at;
  std::string local_time;
  bool operator==(const AdminActed&) const = default;
};

// A set of start positions was loaded (or, with an empty text, taken away): rounds draw from it in turn.
struct PositionSetLoaded {
  std::string name;
  std::string by;
  std::string text;  // what read_position_set() reads
  Wall at;
  bool operator==(const PositionSetLoaded&) const = default;
};

// A floodgate round was paired.
struct RoundHeld {
  std::string group;  // game name
  std::int64_t number = 0;
  std::vector<std::string> games;  // "<black id> <white id>"
  std::vector<std::string> sat_out;
  Wall at;
  bool operator==(const RoundHeld&) const = default;
};

// The second game of two who play both colours, which is still to come.
struct OwedGame {
  std::string black, white;  // ids
  std::int64_t round = 0;    // that it is of
  bool operator==(const OwedGame&) const = default;
};

// The games and players that the rounds of a group still owe; stored whenever that changes.
struct RoundOwes {
  std::string group;  // game name
  std::vector<OwedGame> games;
  std::vector<std::string> players;  // ids of those whom the newest round has given no game
  Wall at;
  bool operator==(const RoundOwes&) const = default;
};

enum class CredentialKind : std::uint8_t {
  token,     // random words that the server made: for programs
  password,  // of a person: for the web, and for the CSA port over TLS
  trip,      // the secret by which a name was claimed on the CSA port
  legacy     // what shogi-server's players.yaml has: MD5 of the trip; becomes a trip when it is used
};

std::string_view to_string(CredentialKind kind);

// A credential of an account: a hash, never the secret itself.
struct Credential {
  std::string id;  // "t4": names it when it is revoked
  CredentialKind kind{};
  std::string hash;   // keyed hash; of a password, Argon2id in its encoded form; legacy: 32 hexadecimal digits
  std::string label;  // of its owner's choice: "engine at home"
  Wall made;
  bool operator==(const Credential&) const = default;
};

// An account as it is from now on.
struct AccountSet {
  std::string name;
  std::string id;               // its games are archived under it: "name+0123456789"; stays when secrets change
  std::string role = "player";  // "host", "admin"
  std::vector<Credential> credentials;
  std::int64_t issued = 0;         // credentials that it has ever had
  std::int64_t second_factor = 0;  // number of its secret of one-time codes; 0: none
  std::string by, why;             // who changed it last
  Wall made, at;
  bool operator==(const AccountSet&) const = default;
};

struct AccountDeleted {
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const AccountDeleted&) const = default;
};

// The fingerprint of the key by which the secrets in this store are hashed.
struct KeyKept {
  std::string fingerprint;  // a keyed hash of a fixed text, never the key
  Wall at;
  bool operator==(const KeyKept&) const = default;
};

// A room as it is from now on, for games to come.
struct RoomSet {
  std::string name;
  std::vector<std::string> settings;  // "games=club-*": what read_room() reads
  bool of_file = false;               // a file of the host sets it, and commands cannot change it
  std::string by, why;
  Wall at;
  bool operator==(const RoomSet&) const = default;
};

struct RoomClosed {  // its games go on
  std::string name;
  std::string by, why;
  Wall at;
  bool operator==(const RoomClosed&) const = default;
};

// The settings of an event. The first TournamentSet announces the event; a later one holds for games that are not yet
// decided.
struct TournamentSet {
  std::string name;  // "denryu-2026": the identifier of its game names
  std::string text;  // what tournament::parse_settings() reads
  std::string by, why;
  Wall at;
  bool operator==(const TournamentSet&) const = default;
};

enum class TournamentPhase : std::uint8_t {
  announced,  // players enter
  running,    // rounds are paired and their games begin when it is time
  paused,     // nothing begins, and no clock runs
  over
};
std::string_view to_string(TournamentPhase phase);

struct TournamentPhaseSet {
  std::string event;
  TournamentPhase phase{};
  std::string by, why;
  Wall at;
  bool operator==(const TournamentPhaseSet&) const = default;
};

// Something was decided in an event. Two about the same have the same key (keyed_fact_of()); the later one counts.
struct TournamentDecided {
  std::string event;
  tournament::Decision decision;
  std::int64_t number = 0;  // of an entry: its place among all entries; a changed entry keeps it
  Wall starts;              // of a round: when its games begin
  bool taken_back = false;  // of a round: it is not paired any more
  std::string by, why;      // "server": by the event's own rules
  Wall at;
  bool operator==(const TournamentDecided&) const = default;
};

// The event is deleted with all its decisions, and its name is free. Its games stay.
struct TournamentDeleted {
  std::string event;
  std::string by, why;
  Wall at;
  bool operator==(const TournamentDeleted&) const = default;
};

// The game is one of an event. Comes right after its GameOpened.
struct TournamentGame {
  GameId game{};
  std::string event;
  tournament::GameKey key;
  bool operator==(const TournamentGame&) const = default;
};

using FactVariant =
    std::variant<GameOpened, GameStarted, GameRejected, MoveMade, RecordNote, GameEnded, BuoySet, BuoyDeleted,
                 GamePaused, GameResumed, NameForbidden, NameAllowed, AdminActed, PositionSetLoaded, RoundHeld,
                 GameSuspended, GameContinued, AccountSet, AccountDeleted, KeyKept, RoomSet, RoomClosed, TournamentSet,
                 TournamentPhaseSet, TournamentDecided, TournamentGame, TournamentDeleted, RoundOwes>;

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
