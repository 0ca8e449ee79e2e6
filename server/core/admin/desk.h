// Carries out one command of whoever runs the server. Private to the core: a function of the state and the words.
// Each function answers with what is told, whether it went well or not; acts that went well are written to the audit
// log by the caller.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/core/state.h"

namespace fuhyo::core {

// The words of a command, taken from the front.
class AdminWords {
 public:
  explicit AdminWords(std::string_view text) : rest_(text) { skip(); }
  std::string_view next() {  // empty: there is none
    const std::size_t end = rest_.find(' ');
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(word.size());
    skip();
    return word;
  }
  std::string_view rest() const { return rest_; }
  bool empty() const { return rest_.empty(); }

 private:
  void skip() {
    while (rest_.starts_with(' ')) rest_.remove_prefix(1);
  }
  std::string_view rest_;
};

AdminResult admin_done(std::string text);
AdminResult admin_refusal(std::string text);
// Lists that strangers can lengthen answer with so many rows, and say so.
constexpr std::size_t kMostListed = 1'000;
std::string admin_listed(std::string text, std::size_t found);
bool admin_finds(std::string_view pattern, std::string_view name);  // in capitals or not; an empty one finds all
std::optional<std::int64_t> admin_number(std::string_view word);
std::optional<Outcome> admin_verdict(std::string_view word);  // "black", "white", "draw", "void"

struct Server::State::Desk {
  State& core;
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
