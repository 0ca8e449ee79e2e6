// A CSA client and a USI engine, joined: a pure state machine that plays games on a CSA server with the moves of an
// engine. Lines of both sides and the time go in; lines for both sides and requests to the owner come out.
// It measures how late the machine is by its own deadlines, the engine's answers to "stop" and the times that the
// server charges; the owner reports its own delays (woke_late). The later the machine, the more time it keeps before
// its flag. It serves `fuhyo join` (a socket) and the built-in players (an in-memory connection) alike.
// One thread at a time. Times are monotonic milliseconds.
//
// Promises: whatever the engine does (crash, hang, illegal or late answers), the server gets well-formed, legal lines
// or nothing; the engine is only asked when the server says that it is its turn; a game is agreed to only once the
// engine is ready for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engines/shogi/position.h"
#include "engines/usi/driver.h"
#include "server/host/game_summary.h"
#include "server/host/lateness.h"

namespace fuhyo::host {

class Bridge {
 public:
  enum class Mode : std::uint8_t {
    csa,  // one login a game: the password names the game, the server closes the line after it
    x1,   // stays logged in and asks for games by %%GAME
  };

  struct Config {
    std::string name;
    std::string password;  // CSA mode: as the server wants it, e.g. "floodgate-300-10F,trip"
    Mode mode = Mode::csa;
    std::string game = "default-1500-0";  // x1: the game to ask for; empty: none
    char turn = '*';                      // x1: '+', '-' or '*'
    int games = 0;                        // leave after so many; 0: never

    usi::Driver::Config engine;
    bool ponder = false;
    bool comments = false;                // floodgate's ",'* score pv" behind each move
    std::int64_t margin_ms = 0;           // kept back from the engine for the way to the server
    std::int64_t keep_alive_ms = 30'000;  // of own silence; 0: never. The protocol forbids less than 30 s
    // What an engine is told where the clock is unlimited.
    usi::GoLimits unlimited{.movetime_ms = 10'000};
    // Moves are not sent earlier, a pace that people can follow: after `min_move_ms` and, by the position, up to
    // `more_move_ms`. Within half of what the clock allows.
    std::int64_t min_move_ms = 0, more_move_ms = 0;
    std::int64_t rest_ms = 0;       // from the end of a game until it waits for another one
    std::int64_t hang_ms = 10'000;  // silence beyond the limit that is taken for a hang where no clock runs
    // Games are agreed to only with CPU threads: SeatWanted asks for them, seat() is the answer. Without them after
    // `seat_ms` the game is rejected.
    bool needs_seat = false;
    std::int64_t seat_ms = 60'000;
    std::string greeting;          // the comment of its first move; empty: none
    bool level_by_game = false;    // the option Level is what the game's name asks for: level_asked()
    int restarts = 3;              // of the engine within one game, before the game is resigned
    std::int64_t patience_ms = 0;  // after so long without a game the log says what pairs players; 0: never
  };

  // ---- what comes out ----
  struct ToServer {
    std::string line;
  };
  struct ToEngine {
    std::string line;
  };
  struct RestartEngine {
    std::string why;
  };  // kill it if it lives, start it again (back-off is the owner's)
  struct Hangup {
    std::string why;
  };  // close the connection; connected() may follow later
  struct Refused {
    std::string why;
  };  // LOGIN or %%GAME was refused
  struct Lobby {  // whether others may ask for it, besides the game that it waits for
    bool open;
  };
  struct SeatWanted {
    std::string game_id;
    std::string opponent;
    bool goes_on;  // the game had begun before we logged in
  };
  // One of our moves, as the server has charged it.
  struct Thought {
    std::int64_t waited_ms;   // from the begin of the turn until the engine was asked
    std::int64_t thought_ms;  // from then until it answered
    std::int64_t charged_ms;  // T; -1: the server told none
  };
  struct Began {
    std::string game_id;
    shogi::Color us;
  };
  struct Ended {
    std::string game_id;
    std::string result;  // "win", "lose", "draw", "censored", "chudan", "rejected", "lost line"
    std::string reason;  // "#RESIGN" and the like; may be empty
  };
  struct Log {
    bool warning;
    std::string text;
  };
  using Output =
      std::variant<ToServer, ToEngine, RestartEngine, Hangup, Refused, Lobby, SeatWanted, Thought, Began, Ended, Log>;

  explicit Bridge(Config config);

  // ---- what happens ----
  void connected(std::int64_t now);
  void server_line(std::string_view line, std::int64_t now);
  void disconnected(std::string_view why, std::int64_t now);
  void engine_started(std::int64_t now);
  void engine_line(std::string_view line, std::int64_t now);
  void engine_closed(std::string_view why, std::int64_t now);
  void tick(std::int64_t now);
  // The newest input, or the next one, has waited so long for the owner's thread.
  void woke_late(std::int64_t late_ms, std::int64_t now);

  // ---- what is wanted ----
  // Whether it may wait for games; a game that it has been offered is not affected. With seats, call it before every
  // game; without, it may from the start.
  void set_open(bool open, std::int64_t now);
  // The CPU threads that SeatWanted asked for are free.
  void seat(std::int64_t now);
  // Whether it may think on the opponent's time, if it is to at all. It may, until told otherwise.
  void set_may_ponder(bool may, std::int64_t now);
  // Leaves after the game that runs, or at once if there is none.
  void finish(std::int64_t now);

  std::vector<Output> take() { return std::exchange(outputs_, {}); }
  std::int64_t deadline() const;  // when tick() is due; usi::kForever if never
  bool in_game() const { return phase_ == Phase::playing; }
  bool logged_in() const { return phase_ >= Phase::waiting && phase_ != Phase::leaving; }
  bool done() const { return done_; }  // has played its games, or was told to finish: do not connect again
  int games_played() const { return games_played_; }

 private:
  enum class Phase : std::uint8_t {
    offline,
    greeting,  // connected; LOGIN is sent once the engine is ready
    login,     // LOGIN sent
    waiting,   // for a Game_Summary
    summary,   // inside one
    readying,  // the engine gets ready for the game
    agreed,    // AGREE sent
    playing,
    leaving,  // LOGOUT sent, or hung up
  };
  struct HeldMove {  // an answer that waits for the pace
    usi::BestMove best;
    std::int64_t at = 0;
  };

  void send(std::string line, std::int64_t now);
  void log(std::string text) { outputs_.push_back(Log{false, std::move(text)}); }
  void warn(std::string text) { outputs_.push_back(Log{true, std::move(text)}); }

  void log_in(std::int64_t now);
  void logged_in(std::int64_t now);
  void leave(std::int64_t now);
  void enter_lobby(std::int64_t now);
  void agree_if_ready(std::int64_t now);
  void give_up_seat(std::int64_t now);
  void lose_patience();
  void summary_complete(std::int64_t now);
  void ready_engine(std::int64_t now);
  void begin(std::int64_t now);
  void server_move(std::string_view line, std::int64_t now);
  void server_end(std::string_view line, std::int64_t now);
  void end_game(std::string result, std::int64_t now);

  void drain_engine(std::int64_t now);
  void engine_ready(std::int64_t now);
  void engine_failed(std::string why, std::int64_t now);
  void answer(const usi::BestMove& best, std::int64_t now);
  void play(const usi::BestMove& best, std::int64_t now);
  void play_move(shogi::Move move, std::int64_t now);
  void play_fallback(std::int64_t now);

  bool our_turn() const { return position_.side_to_move() == summary_.us; }
  void take_turn(std::int64_t now);
  void think_if_wanted(std::int64_t now);
  void think(std::int64_t now);
  void start_ponder(std::int64_t now);
  usi::GoLimits limits(std::int64_t now) const;
  void set_hurry(std::int64_t now);
  std::int64_t reserve_ms(std::int64_t now) const;
  std::int64_t pace_ms() const;
  std::string comment(shogi::Move played) const;
  std::string position_line() const;

  Config config_;
  usi::Driver driver_;
  Phase phase_ = Phase::offline;
  bool engine_ready_ = false;
  bool may_ponder_ = true;
  bool open_;
  bool waits_in_lobby_ = false;
  bool seated_ = false;  // for the game at hand
  std::int64_t patience_until_ = usi::kForever;
  bool just_logged_in_ = false;  // a game that is offered now may be one that goes on
  bool greeted_ = false;         // in this game
  std::int64_t seat_until_ = usi::kForever;
  std::int64_t rests_until_ = usi::kForever;  // kForever: it does not rest
  bool finishing_ = false;
  bool done_ = false;
  int games_played_ = 0;

  std::vector<std::string> summary_lines_;
  GameSummary summary_;
  Clocks clocks_;
  shogi::Position position_;
  std::vector<shogi::Move> moves_;  // from summary_.start
  std::string end_reason_;
  bool lost_track_ = false;  // the server sent a move that this position does not know

  std::int64_t turn_begun_ = 0;
  std::int64_t asked_at_ = 0;
  std::optional<Thought> thought_;  // of the move that is on its way to the server
  bool answered_ = false;           // our move of this turn is sent: the echo is awaited
  bool think_wanted_ = false;       // it is our turn, but the engine was not asked yet
  std::int64_t hurry_at_ = usi::kForever;
  std::int64_t fallback_at_ = usi::kForever;
  std::optional<std::int64_t> hurried_at_;  // "stop" was said, and is not answered
  std::int64_t moved_at_ = 0;               // our newest move was sent
  Lateness lateness_;
  std::optional<HeldMove> held_;
  usi::Info info_;        // newest with a score, of the search that runs
  shogi::Move offered_;   // what the engine expects the opponent to play
  shogi::Move expected_;  // what it ponders on
  int restarts_ = 0;

  std::int64_t last_sent_ = 0;
  std::vector<Output> outputs_;
};

}  // namespace fuhyo::host
