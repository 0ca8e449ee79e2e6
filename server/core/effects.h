// The inputs and the effects of the core. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/admin/verbs.h"
#include "server/core/facts.h"
#include "server/core/floodgate/group.h"
#include "server/core/ids.h"
#include "server/core/logins/web_login.h"
#include "server/core/one_of.h"
#include "server/core/rating/table.h"
#include "server/csa/secret.h"

namespace fuhyo::core {

// ---- inputs ----

enum class ConnectionKind : std::uint8_t {
  csa,
  web,
  builtin
};  // a socket; a WebSocket; a built-in player of this process

struct Opened {  // a connection exists; nothing was received yet
  ConnId conn{};
  ConnectionKind kind = ConnectionKind::csa;
  std::string room = "main";
  std::string peer;     // "127.0.0.1:50312", or the built-in player's name
  bool secure = false;  // nobody between here and the peer can read along: TLS, or no network at all
};
// The games that a built-in player also plays on request: game names, or patterns as in entry rules ("club-*"). In a
// floodgate group it fills up an odd number of players. Replaces the former Serves of the connection.
struct Serves {
  ConnId conn{};
  std::vector<std::string> games;
};
// The game that a built-in player waits for, sent before it logs in. While its host has no free CPU threads for it, it
// counts as present and loses no game by forfeit. Empty: it waits for none.
struct Awaits {
  ConnId conn{};
  std::string game;  // a game name
};
struct ClientLine {  // one line of a client, without its line end
  ConnId conn{};
  std::string text;
  Instant arrived;    // taken by the reader right after the read; never later than now
  bool crlf = false;  // the line ended in CR LF
};
struct BadInput {  // the framer gave up on the connection: a line over the limit
  ConnId conn{};
  std::string why;
};
struct Closed {  // the peer is gone, or the connection failed
  ConnId conn{};
  std::string why;
};
struct ReadPassed {  // answer to ReadPass: everything that the kernel held was delivered before this
  ConnId conn{};
  std::uint64_t token = 0;
};
struct Woke {};  // the deadline asked for by WakeAt (early and superfluous ones are harmless)
struct Durable {
  Seq upto{};
};
struct StoreLost {
  std::string why;
};
struct StoreBack {};
// The reply to an admin command: `text` says how it went or what is wrong. There may be a table.
struct AdminResult {
  bool ok = true;
  std::string text;
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  bool operator==(const AdminResult&) const = default;
};
struct AdminLine {             // a command that came by the administration socket, or by the web
  std::uint64_t token = 0;     // comes back with the AdminReply; the web's have the highest bit
  std::string who;             // user name on this machine, or of the account
  std::string text;            // "pause 12 power cut"
  Role role = Role::admin;     // of the caller
  std::string via = "socket";  // for the audit log; "web 192.0.2.7"
  bool confirmed = true;       // he has just given his password again: dangerous commands are allowed
};
struct HostDone {  // the answer to a HostRequest
  std::uint64_t token = 0;
  AdminResult result;
};
struct StopFile {  // whether the file STOP is in the data folder: no new games while it is
  bool present = false;
};
struct RatingsChanged {                          // computed, or read from a file
  std::shared_ptr<const PlayerRatings> ratings;  // not null
};
struct GroupChanged {  // a floodgate group is new, or its schedule and settings are
  floodgate::Group group;
};
// The files of rooms as they are now. A room with a file is set by it, and closed when the file is gone. Rooms that
// commands have made stay as they are.
struct RoomsRead {
  struct File {
    std::string name;
    std::vector<std::string> settings;
  };
  std::vector<File> files;
  std::vector<std::string> unreadable;  // rooms whose files cannot be read now: they stay as they were
};
struct SetRead {  // the answer to the HostRequest of load-positions where the file could be read
  std::uint64_t token = 0;
  std::string name, text;
};
struct TournamentRead {  // the answer to the HostRequest of tournament-new where the file could be read
  std::uint64_t token = 0;
  std::string text;  // as tournament::settings_text() writes it
};
struct AccountsRead {  // the answer to the HostRequest of load-accounts where the file could be read
  std::uint64_t token = 0;
  std::vector<std::string> ids;  // "name+<32 hexadecimal digits>", as shogi-server's players.yaml has them
};
struct PasswordChecked {  // the answer to a CheckPassword
  std::uint64_t token = 0;
  bool right = false;
  std::string renewed = {};  // its hash with today's parameters, where the one that was asked about had others
};
// The owner of an account, whose password was just checked, has chosen a new one on the web. Answered by an AdminReply
// with the token.
struct PasswordChosen {
  std::uint64_t token = 0;
  std::string name;
  std::string hash;  // Argon2id in its encoded form
};
struct HostCounter {  // a counter of the shell, for `counters`; replaces the former value of the name
  std::string name, value;
};
struct Drain {};  // SIGTERM: no new logins and games; ends when the last game does
struct Stop {};   // the server ends now: what still runs is suspended, or ended where its rule is to abort it
// The process stood still (it was stopped, or its machine was): no clock of anybody ran meanwhile.
struct Stalled {
  Instant from, to;
};

using InputVariant =
    std::variant<Opened, ClientLine, BadInput, Closed, ReadPassed, Woke, Durable, StoreLost, StoreBack, RatingsChanged,
                 Drain, Stop, Stalled, AdminLine, HostDone, StopFile, GroupChanged, RoomsRead, SetRead, TournamentRead,
                 AccountsRead, PasswordChecked, PasswordChosen, WebLogin, HostCounter, Serves, Awaits>;
struct Input : InputVariant {
  Input();
  Input(const Input&);
  Input(Input&&) noexcept;
  Input& operator=(const Input&);
  Input& operator=(Input&&) noexcept;
  ~Input();
  template <AlternativeOf<InputVariant> T>
  Input(T&& one) : InputVariant(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(one)) {}
};

// ---- effects ----

// Every outward effect carries `after`: it may leave only when that seq is durable.
struct MoveStamp {  // when the move that a Send tells of arrived
  GameId game{};
  Instant arrived;  // of its line; of one that was sent ahead, when its turn came
};
struct Send {
  ConnId conn{};
  std::string bytes;  // whole lines with their line ends; one Send is one write
  Seq after{};
  std::optional<MoveStamp> move = {};  // that they tell the opponent of
};
struct Close {
  ConnId conn{};
  std::string why;  // for the log
  Seq after{};
};
struct Append {
  Journaled row;
};  // all Appends of one apply() are one Transaction
struct ReadPass {  // read what the socket holds now, deliver it, then answer with ReadPassed
  ConnId conn{};
  std::uint64_t token = 0;
};
struct LineLimit {  // longest line taken from this connection from now on (it starts at Limits::line_before_login)
  ConnId conn{};
  std::size_t bytes = 0;
};
struct Throttle {  // stop / resume reading: back-pressure on a flooding client, never on one whose clock runs
  ConnId conn{};
  bool paused = false;
};
struct WakeAt {
  Instant when;
};  // one timer: the newest WakeAt replaces the former
struct Note {  // for the log
  enum class Level : std::uint8_t { info, warning } level = Level::info;
  std::string text;
};
struct Drained {};   // answer to Drain: no game is left that runs, and all is durable
struct AdminReply {  // answer to an AdminLine or a PasswordChosen
  std::uint64_t token = 0;
  AdminResult result;
  Seq after{};
};
// An admin command that only the shell can carry out; answered by exactly one HostDone with the same token.
struct HostRequest {
  std::uint64_t token = 0;
  std::string verb;  // of admin_verbs()
  std::string rest;  // what follows it
  Seq after{};
};

// A password to be checked against its slow hash, on another thread. Answered by exactly one PasswordChecked with the
// same token; the next request comes only after it.
struct CheckPassword {
  std::uint64_t token = 0;
  std::string hash;  // in its encoded form; empty: no such account. The answer is no, and takes as long as any other
  csa::Secret secret;
};

// The account has changed or is deleted: its sessions on the web end.
struct AccountChanged {
  std::string name;
};

struct RoundIsOver {  // a floodgate round was held or left out: its file and the ratings may have changed
  std::string game_name;
};

using EffectVariant = std::variant<Send, Close, Append, ReadPass, LineLimit, Throttle, WakeAt, Note, Drained,
                                   AdminReply, HostRequest, CheckPassword, WebLoginAnswer, AccountChanged, RoundIsOver>;
struct Effect : EffectVariant {
  Effect();
  Effect(const Effect&);
  Effect(Effect&&) noexcept;
  Effect& operator=(const Effect&);
  Effect& operator=(Effect&&) noexcept;
  ~Effect();
  template <AlternativeOf<EffectVariant> T>
  Effect(T&& one) : EffectVariant(std::in_place_type<std::remove_cvref_t<T>>, std::forward<T>(one)) {}
};
using Effects = std::vector<Effect>;

}  // namespace fuhyo::core
