// A player's program: logs in, waits, agrees, plays legal moves, and starts again when its connection is gone. How much
// it does wrong is its temper: an honest player does nothing wrong, a clumsy one everything at times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/position.h"
#include "tests/sim/auditor.h"
#include "tests/sim/ear.h"
#include "tests/sim/network.h"
#include "tests/sim/stage.h"

namespace fuhyo::sim {

// Chances at each opportunity.
struct Temper {
  double illegal = 0;   // a move that the rules forbid, or no move at all
  double twice = 0;     // the same move again
  double ahead = 0;     // a move before the opponent's
  double late = 0;      // thinks past its flag, or never answers
  double nonsense = 0;  // a line that does not fit the state
  double leave = 0;     // LOGOUT or a reset in the middle of something
  double refuse = 0;    // REJECT, or no answer to a Game_Summary
  double resign = 0.003;
  static Temper honest() { return {.ahead = 0.2}; }
  static Temper absent_minded() { return {.late = 0.02, .leave = 0.01, .refuse = 0.1}; }
  static Temper clumsy(Rng& rng);
};

struct Identity {
  std::string name, trip;
  bool x1 = false;
  bool honest = false;
  Temper temper;
  Network::Caller caller;
};

class Player final : public Client {
 public:
  Player(Stage& stage, Network& network, Auditor& auditor, Identity identity)
      : stage_(stage), network_(network), auditor_(auditor), rng_(stage.rng.fork()), me_(std::move(identity)) {}

  void start() override;
  void connected(core::ConnId conn) override;
  void heard(core::ConnId conn, std::string_view bytes) override;
  void lost(core::ConnId conn) override;
  void wind_down() override;

 private:
  void dial();
  void say(std::string_view line);
  void hang_up();
  void on_line(std::string_view line);
  void ask_for_game();
  void wait_for_rival();
  void on_summary();
  void follow(std::string_view told);
  void on_over();
  void maybe_think();
  std::int64_t thinking_us();
  std::int64_t allowance_us() const;
  void act();
  std::optional<std::string> choose();
  std::string random_move();
  std::string illegal_move();
  void send_move(const std::string& move);
  void send_ahead();
  void fidget();
  void say_nonsense();
  bool my_turn() const;
  bool rival_follows() const;
  bool playing() { return conn_ && ear_.game() != nullptr && ear_.game()->started && !ear_.game()->over(); }
  // Runs it later, unless the connection or the game has changed by then.
  template <class Action>
  void later(std::int64_t delay_us, Action action);

  Stage& stage_;
  Network& network_;
  Auditor& auditor_;
  Rng rng_;
  Identity me_;
  std::optional<core::ConnId> conn_;
  std::string unread_;
  Ear ear_;
  std::string game_name_;
  std::vector<std::string> line_;  // that this game follows
  shogi::Position position_;
  std::size_t ply_ = 0;       // moves that were told
  std::size_t sent_ply_ = 0;  // moves of the game up to here are sent (ours) or not our business
  std::int64_t remaining_s_ = 0;
  std::uint64_t era_ = 0;  // of connection and game
  int games_ = 0, dials_ = 0;
  bool leaving_ = false, asleep_ = false;
};

}  // namespace fuhyo::sim
