// Carries out one command of whoever runs the server. Private to the core: a function of the state and the words.
// Each function answers with what is told, whether it went well or not; acts that went well are written to the audit
// log by the caller.
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

struct Desk {
  const Parts& core;
  const AdminAsker& asker;
  AdminWords words;
  std::string why;  // for the audit log, where a command has a reason

  // What the core itself does. Nothing: it is the shell's.
  using Handler = AdminResult (Desk::*)();
  static Handler handler(std::string_view verb);

  AdminResult help();
  AdminResult sessions();
  AdminResult games();
  AdminResult conduct();
  AdminResult forbidden();
  AdminResult counters();
  AdminResult limits();
  AdminResult operators();

  AdminResult kick();
  AdminResult forbid();
  AdminResult allow();
  AdminResult tell();
  AdminResult start();

  AdminResult pause();
  AdminResult resume();
  AdminResult adjudicate();
  AdminResult restart();

  AdminResult account_list();
  AdminResult account();
  AdminResult account_add();
  AdminResult account_role();
  AdminResult account_delete();
  AdminResult token();
  AdminResult password();
  AdminResult revoke();
  AdminResult second_factor();

  AdminResult rooms();
  AdminResult room();
  AdminResult set_room();
  AdminResult close_room();

  AdminResult tournaments();
  AdminResult tournament();
  AdminResult tournament_table();
  AdminResult tournament_pairings();
  AdminResult tournament_start();
  AdminResult tournament_pause();
  AdminResult tournament_resume();
  AdminResult tournament_end();
  AdminResult tournament_delete();
  AdminResult tournament_pair();
  AdminResult tournament_unpair();
  AdminResult tournament_result();
  AdminResult tournament_adjudicate();
  AdminResult tournament_forfeit();
  AdminResult tournament_replay();
  AdminResult tournament_enter();
  AdminResult tournament_withdraw();
  AdminResult tournament_return();
  AdminResult tournament_message();
  AdminResult tournament_export();

  AdminResult rounds();
  AdminResult round();
  AdminResult positions();
  AdminResult drop_positions();
  AdminResult buoy_list();
  AdminResult drop_buoys();

 private:
  // The event that the next word names; null, and why.
  RunningEvent* event(AdminResult& refusal);
  // ... and one of its games, by the word after it.
  RunningEvent* event(AdminResult& refusal, tournament::GameKey& game);
  // ... as far as whoever asks may know it.
  const RunningEvent* seen_event(AdminResult& refusal);
  // The name of a game of an event that runs; empty: it does not, as far as he may know.
  std::string running_game(const RunningEvent& event, const tournament::GameKey& game);
  AdminResult pair_by_hand(RunningEvent& event, tournament::DivisionKey division);
  Table* game(std::string_view word);
  Table* running(std::string_view word, AdminResult& refusal);
  std::optional<RecentGame> played(std::string_view word);
  std::optional<AdminResult> cannot_play(const Session& s) const;
  const AccountSet* the_account(AdminResult& refusal);
  bool may_tell_secrets(AdminResult& refusal) const;
  AdminResult issue(CredentialKind kind);
  void change(AccountSet account);
};

}  // namespace fuhyo::core
