// Games from their opening to their end: agreeing, lines in and out of turn, the journal's answer, flags, pauses,
// players who are away and come back, games that the end of the server cut off.
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

#include "server/core/admin/asker.h"
#include "server/core/figures.h"
#include "server/core/games/conduct.h"
#include "server/core/games/table.h"
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
  void durable();  // more is: context.durable
  void on(const ReadPassed& e);
  void on(const Drain& e);
  void on(const Stop& e);
  void on(const Stalled& e);
  void agree_due(GameId id);
  void look_at_flag(GameId id);
  void absence_due(std::uint64_t seat);
  void window_due(GameId id);

  Table* find(GameId id);
  Table* find(std::string_view csa_id);
  const std::map<GameId, Table>& all() const { return tables_; }
  std::uint64_t last_game() const { return last_game_; }
  Conduct& conduct() { return conduct_; }
  const std::array<std::uint64_t, kPairedBy>& pairings_by() const { return pairings_by_; }
  const Histogram& waits_of_paired() const { return waits_of_paired_; }

  // opening.cpp
  GameOpened open_game(const Session& black, const Session& white, GamePlan plan);
  // The players have their summaries and must agree; neither of them may be waiting any more.
  Table& begin_game(Session& black, Session& white, GameOpened opened, PairedBy by);
  csa::Summary summary_of(const Game& game) const;

  // play.cpp
  void agree(Session& s, const csa::Agree& agree);
  void reject(Session& s, const csa::Reject& reject);
  void close_unstarted(Table& table, std::string_view by);
  void release(Session& s, std::string_view why, bool stays = false);
  void line_in_game(Session& s, Waiting line);
  // The player's line is gone.
  void leave(Table& table, const Session& s, std::string_view why);
  // `table` is gone then.
  void finish(Table& table, GameEnded ended);

  // absence.cpp
  bool may_come_back(const Table& table) const;
  // Whether a game waits for who logs in under that name.
  bool is_awaited(const Session& s, std::string_view name, std::string_view id, bool has_trip) const;
  bool come_back(Session& s);  // true: it is seated in the game that waits for it
  bool is_token_of(std::string_view reconnect, std::string_view name);
  void let_go_on(Table& table);

  // pause.cpp
  void pause(Table& table, const AdminAsker& asker, std::string_view why);
  void go_on(Table& table, const AdminAsker& asker, std::string_view why);

 private:
  // opening.cpp
  std::string game_stamp();
  void notice_neighbours(const Session& black, const Session& white, const GameOpened& opened);
  void send_summaries(const Table& table);

  // play.cpp
  void start(Table& table);
  void blame(const Seat& seat);  // that a game counts for nobody
  bool keeps(const Table& table, const Session& s) const;
  void stand_up(Session& s);  // it is in no game any more
  void work_off(GameId id);
  // A fact of a game but a move: it changes the table, is told to those who follow the record, and kept.
  Seq happen(Table& table, Fact fact);
  void take(Table& table, const Waiting& waiting);
  void play_logout(Table& table, const Waiting& line);
  template <class Line>
  void play_line(Table& table, const Waiting& waiting, const Line& line);
  void play_line_in_pause(Table& table, const Waiting& waiting, const std::string& line);
  void defer(Table& table, const Waiting& waiting, const std::string& line);
  // May end the game: `table` is gone then. `arrived`: as of a MoveStamp, of a move.
  void rule(Table& table, Ruling ruling, ConnId sender, std::optional<Instant> arrived = {});
  void echo(const Table& table, shogi::Color side, const Ruling& ruling, std::optional<Instant> arrived);
  void tell_end(Session& s, const Table& table, const GameEnded& ended, shogi::Color side);
  void wait_for_journal(Table& table, Seq seq);
  void resume(Table& table);

  // absence.cpp
  bool is_away(const Table& table, shogi::Color side) const;
  // Not `told`: somebody takes his seat at once.
  void step_away(Table& table, shogi::Color side, bool told = true);
  void tell_of(Table& table, std::string text, std::string_view to_players);
  void forget_absences(const Table& table);
  std::optional<std::pair<GameId, shogi::Color>> seat_for(const Session& s);
  void sit_down(Table& table, shogi::Color side, Session& s);
  void returned(Table& table, shogi::Color side);
  void rejoin(Table& table, shogi::Color side);
  void begin_again(Table& table, shogi::Color side, const Session& s);
  std::string standing_summary(Table& table, shogi::Color side);
  std::string token_for(const Table& table, shogi::Color side) const;  // empty: none is told
  void give_up_on(Table& table, shogi::Color side, const std::string& why);
  void suspend(Table& table, std::string why);
  void continue_game(Table& table);
  void await_players(Table& table);
  void revive(Table& table);

  // recovery.cpp
  void end_interrupted(const Table& table);

  // pause.cpp
  void notice(const Table& table, std::string_view text);  // to players in extended mode

  std::map<GameId, Table> tables_;
  std::deque<std::pair<Seq, GameId>> pending_;  // games whose move is not durable, oldest first
  std::unordered_map<std::string, std::pair<GameId, shogi::Color>> absent_;  // seats by who is missing in them
  Conduct conduct_;
  std::uint64_t last_game_, last_stamp_, passes_ = 0;
  std::array<std::uint64_t, kPairedBy> pairings_by_{};
  Histogram waits_of_paired_{Histogram::waits_us()};
};

}  // namespace fuhyo::core
