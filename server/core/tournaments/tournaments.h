// Events on this server: players who wait for one are entered and seated, rounds are paired when it is time, results
// are counted. %%TOURNAMENT.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/admin/caller.h"
#include "server/core/games/game_session.h"
#include "server/core/part.h"
#include "server/core/tournaments/event_view.h"
#include "server/core/tournaments/running_event.h"

namespace fuhyo::core {

class Tournaments : Part {
 public:
  explicit Tournaments(const Parts& parts) : Part(parts), seen_(parts.context.rules.delays) {}

  void keep(const Journaled& row);  // what stood at the start
  void begin(const std::vector<Journaled>& of_running_games);
  void on(const TournamentRead& e);
  void event_timer(std::uint64_t timer);
  void see(const Fact& fact);  // of the journal, as spectators may

  // Something may be due in one of them: run() does it.
  void stir() { stirs_ = true; }
  void run();
  void spare(std::int64_t us);  // nobody could log in meanwhile: those who are missing have so much longer
  void wait_anew();             // ... the whole time

  const std::map<std::string, RunningEvent, std::less<>>& all() const { return events_; }
  RunningEvent* find(std::string_view name);
  RunningEvent* event_of(const csa::GameName& name) { return find(name.identifier); }
  bool is_of_event(const csa::GameName& name) const { return events_.contains(name.identifier); }
  const RunningEvent& as_seen(const RunningEvent& event);  // by spectators
  void event_command(Session& s, const ClientLine& e, const csa::TournamentCommand& c);

  // Of players.
  Session* waits_for(const RunningEvent& event, std::string_view player);
  bool is_held_back(const RunningEvent& event, std::string_view player);
  bool is_here(const RunningEvent& event, std::string_view player);
  RunningEvent* event_ahead(const Session& s);
  void come_to_event(const Session& s);
  void go_from_event(const Session& s);
  std::expected<std::string, std::string> enter_event(RunningEvent& event, tournament::Entrant entrant,
                                                      std::string_view by);
  void tell_player(std::string_view player, std::string_view text);  // where he is in extended mode

  // Of hosts.
  void decide(RunningEvent& event, tournament::Decision decision, std::string_view by, std::string_view why = {},
              Wall starts = {});
  void set_phase(RunningEvent& event, TournamentPhase phase, std::string_view by, std::string_view why);
  void delete_event(const std::string& name, std::string_view by, std::string_view why);  // it has no open game
  bool form(RunningEvent& event, tournament::DivisionKey division, std::string_view by);
  std::expected<std::string, std::string> pair_round(RunningEvent& event, tournament::DivisionKey division,
                                                     std::string_view by, Wall start, tournament::Rematches rematches);
  void begin_round(RunningEvent& event, tournament::RoundPaired round, std::string_view by, std::string_view why,
                   Wall start);
  void count(RunningEvent& event, tournament::GameResult result, std::string_view by, std::string_view why);
  void hold_games(RunningEvent& event);
  void go_on(RunningEvent& event, const AdminCaller& caller, std::string_view why);

  // Of games.
  void begin_event_game(RunningEvent& event, const tournament::GameKey& key, Session& black, Session& white,
                        GameOpened opened);
  void know_again(const GameSession& session);
  void leave_event(const GameSession& session);
  void record_event(const GameSession& session, const GameEnded& ended);
  // A game that goes on from one of its moves: it is not opened anew meanwhile.
  void hold_for_restart(const EventGame& game, GameId former);
  void give_up_restart(const EventGame& game);

 private:
  void settle();
  RunningEvent& event_called(const std::string& name);
  std::expected<std::string, std::string> announce(const std::string& text, std::string_view by);
  bool gives_commands(const Session& s) const;
  void run_event(RunningEvent& event);
  void end_event(RunningEvent& event);
  bool is_early(Instant when);
  bool is_early(Wall when);
  void run_division(RunningEvent& event, tournament::DivisionKey division);
  void run_game(RunningEvent& event, const tournament::DueGame& due);
  void seat(RunningEvent& event, const tournament::DueGame& due, Session& black, Session& white);
  static std::int32_t grace_s(const tournament::DivisionSettings& settings);

  std::map<std::string, RunningEvent, std::less<>> events_;  // by name
  std::uint64_t event_timers_ = 0;                           // the newest id of a timer of one
  EventView seen_;                                           // ... as spectators know them
  std::vector<Journaled> stored_;                            // what stood at the start, until then
  bool stirs_ = false;
  std::optional<Instant> wakes_;  // when the one that is looked at comes next
};

}  // namespace fuhyo::core
