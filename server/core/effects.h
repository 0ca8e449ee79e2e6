// The effects of the core. Values only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "server/core/facts.h"
#include "server/core/ids.h"
#include "server/core/inputs.h"
#include "server/core/logins/web_login.h"
#include "server/core/one_of.h"
#include "server/csa/secret.h"

namespace fuhyo::core {

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

struct ChatAsked {  // somebody speaks to the commentator, in the chat of a room: "@..."
  std::string room, name;
  std::string text;  // what follows the @, raw bytes
};

using EffectVariant =
    std::variant<Send, Close, Append, ReadPass, LineLimit, Throttle, WakeAt, Note, Drained, AdminReply, HostRequest,
                 CheckPassword, WebLoginAnswer, AccountChanged, RoundIsOver, ChatAsked>;
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
