// Carries out one admin command. Private to the core. Each function returns the reply; Admin writes acts that succeeded
// to the audit log.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/core/admin/admin.h"
#include "server/core/admin/restarts.h"
#include "server/core/admin/words.h"
#include "server/core/buoys/buoys.h"
#include "server/core/games/games.h"
#include "server/core/lobby/lobby.h"
#include "server/core/logins/logins.h"
#include "server/core/logins/password_checks.h"
#include "server/core/monitors/monitors.h"
#include "server/core/rooms/room_keeping.h"
#include "server/core/rounds/rounds.h"
#include "server/core/sessions/sessions.h"
#include "server/core/tournaments/tournaments.h"

namespace fuhyo::core {

struct AdminCommands {
  const Parts& core;
  const AdminCaller& caller;
  AdminWords words;
  std::string why;  // for the audit log, where a command has a reason

  // One for each command of the table that the core carries out.
#include <made/admin_functions.inc>

 private:
  // The event that the next word names; null, and why.
  RunningEvent* event(AdminResult& refusal);
  // ... and one of its games, by the word after it.
  RunningEvent* event(AdminResult& refusal, tournament::GameKey& game);
  // ... as far as the caller may see it.
  const RunningEvent* seen_event(AdminResult& refusal);
  GameSession* open_game(const RunningEvent& event, const tournament::GameKey& game);  // null: it is not open
  // The name of a running game of an event; empty: it does not run, or the caller may not see it.
  std::string running_game(const RunningEvent& event, const tournament::GameKey& game);
  AdminResult pair_by_hand(RunningEvent& event, tournament::DivisionKey division);
  GameSession* game(std::string_view word);
  GameSession* running(std::string_view word, AdminResult& refusal);
  std::optional<RecentGame> played(std::string_view word);
  std::optional<AdminResult> cannot_play(const Session& s) const;
  const AccountSet* the_account(AdminResult& refusal);
  bool may_tell_secrets(AdminResult& refusal) const;
  AdminResult issue(CredentialKind kind);
  void change(AccountSet account);
};

}  // namespace fuhyo::core
