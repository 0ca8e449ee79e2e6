// How far a game has come. What belongs to one phase stands in it, so that no other combination exists. Pure values.
#pragma once

#include <variant>

namespace fuhyo::core {

class GamePhase {
 public:
  bool has_started() const { return !std::holds_alternative<Agreeing>(phase_); }
  // Whether its clocks may run: they wait while a move is on its way to the disk.
  bool runs() const { return std::holds_alternative<Running>(phase_); }
  bool is_paused() const { return std::holds_alternative<Paused>(phase_) || (suspended() && suspended()->paused); }
  bool is_suspended() const { return suspended() != nullptr; }
  bool awaits_verdict() const { return suspended() && suspended()->awaits_verdict; }

  void start() { phase_ = Running{}; }
  void pause() { set_paused(true); }
  void resume() { set_paused(false); }
  void suspend() {
    if (has_started() && !suspended()) phase_ = Suspended{.paused = is_paused()};
  }
  void go_on() {
    if (const Suspended* was = suspended()) run_or_pause(was->paused);
  }
  // Of a suspended game: whether its players may come back only after an operator has said so.
  void await_verdict(bool awaits) {
    if (suspended()) suspended()->awaits_verdict = awaits;
  }

 private:
  struct Agreeing {};  // its players have the summary, and have not both agreed
  struct Running {};
  struct Paused {};       // by an operator: no clock runs
  struct Suspended {      // the server had ended: no clock runs until both players are back
    bool paused = false;  // ... nor then
    bool awaits_verdict = false;
  };

  Suspended* suspended() { return std::get_if<Suspended>(&phase_); }
  const Suspended* suspended() const { return std::get_if<Suspended>(&phase_); }
  void set_paused(bool paused) {
    if (Suspended* stays = suspended()) {
      stays->paused = paused;
    } else {
      run_or_pause(paused);
    }
  }
  void run_or_pause(bool paused) {
    if (paused) {
      phase_ = Paused{};
    } else {
      phase_ = Running{};
    }
  }

  std::variant<Agreeing, Running, Paused, Suspended> phase_;
};

}  // namespace fuhyo::core
