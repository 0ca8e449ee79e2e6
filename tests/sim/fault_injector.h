// Plants the faults that a wrong core would have, by editing what the core decided before it is carried out.
#pragma once

#include "tests/sim/auditor.h"

namespace fuhyo::sim {

inline std::string echo_of(const core::MoveMade& move) { return fmt::format("{},T{}\n", move.csa, move.spent_s); }

inline void replace_in_sends(core::Effects& effects, const std::string& from, const std::string& to) {
  for (core::Effect& effect : effects) {
    auto* send = std::get_if<core::Send>(&effect);
    if (send != nullptr && send->bytes == from) send->bytes = to;
  }
}

inline bool is_echo(const core::Effect& effect) {
  const auto* send = std::get_if<core::Send>(&effect);
  return send != nullptr && send->bytes.size() > 8 && (send->bytes[0] == '+' || send->bytes[0] == '-');
}

inline void drop_closes(core::Effects& effects, std::string_view why) {
  std::erase_if(effects, [why](const core::Effect& effect) {
    const auto* close = std::get_if<core::Close>(&effect);
    return close != nullptr && close->why == why;
  });
}

class FaultInjector {
 public:
  explicit FaultInjector(Stage& stage) : stage_(stage) {}
  void edit(core::Effects& effects) {
    if (stage_.planted(Plant::none)) return;
    if (stage_.planted(Plant::keep_old_session)) drop_closes(effects, "logged in again");
    if (stage_.planted(Plant::rest_wrong)) tell_more(effects);
    if (stage_.planted(Plant::swallow_start)) swallow_start(effects);
    if (stage_.planted(Plant::forget_logout)) drop_closes(effects, "logged out");
    if (stage_.planted(Plant::forget_drained)) {
      std::erase_if(effects, [](const core::Effect& effect) { return std::holds_alternative<core::Drained>(effect); });
    }
    if (stage_.planted(Plant::swallow_line)) {
      std::erase_if(effects, [this](const core::Effect& effect) {
        return is_echo(effect) && stage_.strikes(Plant::swallow_line);
      });
    }
    for (core::Effect& effect : effects) {
      auto* note = std::get_if<core::Note>(&effect);
      if (note != nullptr && note->text.find("logged in") != std::string::npos && stage_.strikes(Plant::tell_secret)) {
        note->text += fmt::format(" with {}", kSecretMark);
      }
      auto* append = std::get_if<core::Append>(&effect);
      auto* opened = append == nullptr ? nullptr : std::get_if<core::GameOpened>(&append->row.fact);
      if (opened != nullptr && stage_.strikes(Plant::stale_rate)) ++opened->black_rate;
    }
    for (std::size_t i = 0; i < effects.size(); ++i) {  // by index: an edit replaces elements
      if (auto* append = std::get_if<core::Append>(&effects[i])) edit_move(effects, append->row.fact);
    }
  }

 private:
  // In a summary of a game that goes on.
  void tell_more(core::Effects& effects) {
    constexpr std::string_view kKey = "\nTotal_Time:";
    for (core::Effect& effect : effects) {
      auto* send = std::get_if<core::Send>(&effect);
      if (send == nullptr || send->bytes.find(",T0\n") == std::string::npos) continue;
      const std::size_t at = send->bytes.find(kKey);
      if (at != std::string::npos) send->bytes.insert(at + kKey.size(), "1");
    }
  }
  // Of a game that goes on.
  void swallow_start(core::Effects& effects) {
    const bool goes_on = std::ranges::any_of(effects, [](const core::Effect& effect) {
      const auto* append = std::get_if<core::Append>(&effect);
      return append != nullptr && std::holds_alternative<core::GameContinued>(append->row.fact);
    });
    const auto start = std::ranges::find_if(effects, [](const core::Effect& effect) {
      const auto* send = std::get_if<core::Send>(&effect);
      return send != nullptr && send->bytes.starts_with("START:");
    });
    if (goes_on && start != effects.end()) effects.erase(start);
  }
  void edit_move(core::Effects& effects, core::Fact& fact) {
    if (const auto* started = std::get_if<core::GameStarted>(&fact))
      commit_began_us_[started->game] = stage_.time.now_us();
    if (const auto* paused = std::get_if<core::GamePaused>(&fact)) {
      pause_began_us_.emplace(paused->game, stage_.time.now_us());
    }
    auto* move = std::get_if<core::MoveMade>(&fact);
    if (move == nullptr) return;
    if (stage_.planted(Plant::charge_commit)) charge_commit(effects, *move);
    if (stage_.planted(Plant::clock_in_pause)) charge_pause(effects, *move);
    const std::string echo = echo_of(*move);
    if (stage_.strikes(Plant::remaining_wrong)) --move->remaining_s;
    if (stage_.strikes(Plant::echo_wrong_time)) {
      core::MoveMade other = *move;
      ++other.spent_s;
      replace_in_sends(effects, echo, echo_of(other));
    }
    if (stage_.strikes(Plant::accept_illegal)) {
      move->csa = std::string(1, move->csa.front()) + "5955OU";
      replace_in_sends(effects, echo, echo_of(*move));
    }
    if (stage_.strikes(Plant::wrong_verdict)) {
      const bool black = move->csa.front() == '+';
      fact = core::GameEnded{.game = move->game,
                             .kind = core::EndKind::illegal_move,
                             .outcome = black ? core::Outcome::white_wins : core::Outcome::black_wins,
                             .plies = move->ply - 1,
                             .line = move->csa,
                             .spent_s = 0,
                             .reason = "planted",
                             .at = move->at};
    }
  }
  // As if the former move's commit had run on the mover's clock.
  void charge_commit(core::Effects& effects, core::MoveMade& move) {
    const std::int64_t now_us = stage_.time.now_us();
    const std::int64_t began_us = std::exchange(commit_began_us_[move.game], now_us);
    charge(effects, move, (now_us - began_us) / kSecond - move.spent_s);
  }
  // As if the clock of the turn had not been stopped.
  void charge_pause(core::Effects& effects, core::MoveMade& move) {
    const auto pause = pause_began_us_.extract(move.game);
    if (!pause.empty()) charge(effects, move, (stage_.time.now_us() - pause.mapped()) / kSecond);
  }
  void charge(core::Effects& effects, core::MoveMade& move, std::int64_t more_s) {
    if (more_s <= 0) return;
    const std::string echo = echo_of(move);
    move.remaining_s -= static_cast<std::int32_t>(more_s);
    move.spent_s += static_cast<std::int32_t>(more_s);
    replace_in_sends(effects, echo, echo_of(move));
  }

  Stage& stage_;
  std::map<core::GameId, std::int64_t> commit_began_us_, pause_began_us_;
};

}  // namespace fuhyo::sim
