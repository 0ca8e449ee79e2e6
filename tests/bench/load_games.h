// Scripted games between pairs of clients of a CSA server, each a closed loop: a move is sent when the one before it
// has arrived at the opponent, or a fixed time after that. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tests/bench/load_poller.h"
#include "tests/bench/measure.h"

namespace fuhyo::bench {

enum class Mode : std::uint8_t { csa, x1, raw };  // raw: never logs in; for held connections only

struct GameOptions {
  Mode mode = Mode::csa;
  int pairs = 10;
  int plies = 160;   // of a game; even, at most 180, because the script then repeats a position for the fourth time
  int rounds = 1;    // games that each pair plays, one after the other
  int pace_ms = 0;   // from the arrival of a move to the answer; 0: at once
  int at_once = 32;  // pairs that are between connecting and START at the same time
  std::string game = "load";
  std::string name = "L";
  int total_s = 3600, byoyomi_s = 60;
  int setup_s = 120, limit_s = 300;
};

struct GameFigures {
  int started = 0, finished = 0;  // games
  double setup_s = 0, wall_s = 0;
  // From when the mover was to send to the opponent's receipt, one a move: what this program is late with counts too.
  std::vector<double> echo_ms;
  std::vector<Clock::time_point> sent;  // from when; in the order of the moves where there is one game
  std::map<std::string, int> errors;
};

class GameLoad : public LineHandler {
 public:
  GameLoad(Poller& poller, GameOptions options) : poller_(poller), options_(std::move(options)) {}

  // `measuring` is called when every game of the first round has begun, right before the first move.
  GameFigures run(const std::function<void()>& measuring);

 private:
  enum Seat : std::size_t { kBlack, kWhite };
  struct Game {
    int number = 0, round = 0;
    Connection* seat[2] = {};
    int started = 0, over = 0, ply = 0;
    Clock::time_point sent;
  };
  struct Place {
    Game* game = nullptr;
    Seat seat = kBlack;
  };

  void line(Connection& connection, std::string_view text) override;
  void closed(Connection& connection) override;

  void set_up();
  bool begin(Game& game);
  bool seat_player(Game& game, Seat seat);
  void log_in(Connection& connection, const Place& place);
  void ask_for_game(Connection& connection, const Place& place);
  std::string game_name(const Game& game) const;
  void game_started(Game& game);
  void play(Game& game);
  void move(Game& game, Clock::time_point due);
  void make_due_moves();
  int patience_ms() const;
  void moved(const Place& place, Connection& connection);
  void over(Game& game);
  void next_round(Game& game);
  void error(std::string_view what) { ++figures_.errors[std::string(what.substr(0, 60))]; }

  Poller& poller_;
  const GameOptions options_;
  std::vector<Game> games_;
  std::unordered_map<std::uint64_t, Place> places_;  // by connection
  std::multimap<Clock::time_point, Game*> due_;      // moves that are thought about
  GameFigures figures_;
  bool measuring_ = false;
  int running_ = 0;  // pairs that have games left
  Clock::time_point last_over_;
};

}  // namespace fuhyo::bench
