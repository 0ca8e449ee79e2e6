// The inputs of the core. Values only.
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
#include "server/core/floodgate/group.h"
#include "server/core/ids.h"
#include "server/core/logins/web_login.h"
#include "server/core/one_of.h"
#include "server/core/rating/table.h"

namespace fuhyo::core {

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
struct ChatAnswered {  // the commentator speaks in the chat of a room
  std::string room, name, text;
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
                 AccountsRead, PasswordChecked, PasswordChosen, WebLogin, HostCounter, Serves, Awaits, ChatAnswered>;
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

}  // namespace fuhyo::core
