// Games from their opening to their end: AGREE and REJECT, lines in and out of turn, durability of moves, flags,
// pauses, players who are away and come back, games that the end of the server interrupted.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "server/core/admin/caller.h"
#include "server/core/figures.h"
#include "server/core/games/conduct.h"
#include "server/core/games/game_session.h"
#include "server/core/lobby/game_plan.h"
#include "server/core/part.h"
#include "server/csa/format.h"

namespace fuhyo::core {

class Games : Part {
 public:
  Games(const Parts& parts, const Recovery& recovered)
      : Part(parts),
        conduct_(parts.context.limits.conduct),
        last_game_(value(recovered.last_game)),
        last_stamp_(recovered.last_stamp) {}

  void rebuild_games(const std::vector<Journaled>& interrupted);
  void durable();  // the durable seq has grown: context.durable
  void on(const ReadPassed& e);
  void on(const Drain& e);
  void on(const Stop& e);
  void on(const Stalled& e);
  void agree_due(GameId id);
  void look_at_flag(GameId id);
  void absence_due(std::uint64_t seat);
  void window_due(GameId id);

  GameSession* find(GameId id);
  GameSession* find(std::string_view csa_id);
  const std::map<GameId, GameSession>& all() const { return games_; }
  std::uint64_t last_game() const { return last_game_; }
  Conduct& conduct() { return conduct_; }
  const std::array<std::uint64_t, kPairedBy>& pairings_by() const { return pairings_by_; }
  const Histogram& waits_of_paired() const { return waits_of_paired_; }

  // opening.cpp
  GameOpened open_game(const Session& black, const Session& white, GamePlan plan);
  // The players have their summaries and must agree; neither of them may be waiting any more.
  GameSession& begin_game(Session& black, Session& white, GameOpened opened, PairedBy by);
  csa::Summary summary_of(const Game& game) const;

  // play.cpp
  void agree(Session& player, const csa::Agree& agree);
  void reject(Session& player, const csa::Reject& reject);
  void close_unstarted(GameSession& session, std::string_view by);
  void release(Session& player, std::string_view why, bool stays = false);
  void line_in_game(Session& player, GameInput line);
  // The player's connection is gone.
  void leave(GameSession& session, const Session& player, std::string_view why);
  // `session` is gone then.
  void finish(GameSession& session, GameEnded ended);

  // absence.cpp
  bool may_come_back(const GameSession& session) const;
  // Whether a game waits for who logs in under that name.
  bool is_awaited(const Session& player, std::string_view name, std::string_view id, bool has_trip) const;
  bool come_back(Session& player);  // true: it is seated in the game that waits for it
  bool is_token_of(std::string_view reconnect, std::string_view name);
  void let_go_on(GameSession& session);

  // pause.cpp
  void pause(GameSession& session, const AdminCaller& caller, std::string_view why);
  void go_on(GameSession& session, const AdminCaller& caller, std::string_view why);

 private:
  // opening.cpp
  std::string game_stamp();
  void notice_neighbours(const Session& black, const Session& white, const GameOpened& opened);
  void send_summaries(const GameSession& session);

  // play.cpp
  void start(GameSession& session);
  void blame(const Seat& seat);  // for a game that counts for nobody
  bool keeps(const GameSession& session, const Session& player) const;
  void stand_up(Session& player);  // it is in no game any more
  void work_off(GameId id);
  // A fact of a game but a move: the session applies it, those who follow the record are told, and it is appended.
  Seq happen(GameSession& session, Fact fact);
  void take(GameSession& session, const GameInput& input);
  void play_logout(GameSession& session, const GameInput& line);
  template <class PlayerLine>
  void play_line(GameSession& session, const GameInput& input, const PlayerLine& line);
  void play_line_in_pause(GameSession& session, const GameInput& input, const std::string& line);
  void defer(GameSession& session, const GameInput& input, const std::string& line);
  // May end the game: `session` is gone then. `arrived`: as of a MoveStamp, of a move.
  void rule(GameSession& session, Ruling ruling, ConnId sender, std::optional<Instant> arrived = {});
  void echo(const GameSession& session, shogi::Color side, const Ruling& ruling, std::optional<Instant> arrived);
  void tell_end(Session& player, const GameSession& session, const GameEnded& ended, shogi::Color side);
  void wait_for_journal(GameSession& session, Seq seq);
  void resume(GameSession& session);

  // absence.cpp
  bool is_away(const GameSession& session, shogi::Color side) const;
  // Not `told`: another connection takes his place at once.
  void step_away(GameSession& session, shogi::Color side, bool told = true);
  void tell_of(GameSession& session, std::string text, std::string_view to_players);
  void forget_absences(const GameSession& session);
  std::optional<std::pair<GameId, shogi::Color>> seat_for(const Session& player);
  void sit_down(GameSession& session, shogi::Color side, Session& player);
  void returned(GameSession& session, shogi::Color side);
  void rejoin(GameSession& session, shogi::Color side);
  void begin_again(GameSession& session, shogi::Color side, const Session& player);
  std::string standing_summary(GameSession& session, shogi::Color side);
  std::string token_for(const GameSession& session, shogi::Color side) const;  // empty: none is told
  void give_up_on(GameSession& session, shogi::Color side, const std::string& why);
  void suspend(GameSession& session, std::string why);
  void continue_game(GameSession& session);
  void await_players(GameSession& session);
  void revive(GameSession& session);

  // recovery.cpp
  void end_interrupted(const GameSession& session);

  // pause.cpp
  void notice(const GameSession& session, std::string_view text);  // to players in extended mode

  std::map<GameId, GameSession> games_;
  std::deque<std::pair<Seq, GameId>> pending_;  // games whose move is not durable, oldest first
  std::unordered_map<std::string, std::pair<GameId, shogi::Color>> absent_;  // sides by who is away
  Conduct conduct_;
  std::uint64_t last_game_, last_stamp_, passes_ = 0;
  std::array<std::uint64_t, kPairedBy> pairings_by_{};
  Histogram waits_of_paired_{Histogram::waits_us()};
};

}  // namespace fuhyo::core
