// Time and rules of one game, computed a second time: clocks from PROTOCOL.md, moves by tests/oracle.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "server/core/facts.h"
#include "tests/oracle/oracle.h"

namespace fuhyo::sim {

// "T = whole seconds from the release of the former move to the arrival of the line, rounded down, at least
// Least_Time_Per_Move. A move is late if remaining + byoyomi + increment - T <= 0 (stop-watch: remaining - T <= 0).
// Afterwards remaining = max(0, remaining + increment - T)." Each side by its own time.
class Timekeeper {
 public:
  Timekeeper() = default;
  explicit Timekeeper(const core::GameOpened& game)
      : rules_{game.time, game.white_time.value_or(game.time)}, remaining_s_{rules_[0].total_s, rules_[1].total_s} {}

  std::int32_t charge_s(bool black, std::int64_t elapsed_us) const;
  // Elapsed microseconds at which the mover's flag falls; INT64_MAX: never.
  std::int64_t flag_us(bool black) const;
  void book(bool black, std::int32_t charged_s);
  std::int32_t remaining_s(bool black) const { return remaining_s_[black ? 0 : 1]; }

 private:
  std::int32_t allowance_s(bool black) const;
  const core::TimeRule& rule(bool black) const { return rules_[black ? 0 : 1]; }
  std::array<core::TimeRule, 2> rules_;
  std::array<std::int32_t, 2> remaining_s_{};
};

// Whether the move of "+5251OU" takes a king to its goal (TRY).
bool is_try(std::string_view csa);

// Replays a game by the oracle.
class Referee {
 public:
  explicit Referee(const std::string& start_sfen, core::Rulebook rulebook = core::Rulebook::shogi_server)
      : board_(start_sfen), official_(board_), rulebook_(rulebook) {}

  bool black_to_move() const { return board_.turn() == oracle::Side::black; }
  // Whether the text is a legal move here ("+7776FU").
  bool allows(std::string_view csa) const;
  std::vector<std::string> legal_moves() const;
  // Makes a legal move and says what repetition makes of it.
  oracle::Ending make(std::string_view csa);
  // What %KACHI does by the rule of an even game; nothing: it loses.
  enum class Declared : std::uint8_t { nothing, draw, win };
  Declared declared(shogi::DeclarationRule rule) const;
  // The position as records write it: nine ranks, hands, side to move.
  std::string csa_board() const;

 private:
  oracle::Board board_;
  oracle::ServerRepetition repetition_;
  oracle::RealRepetition official_;
  core::Rulebook rulebook_;
};

}  // namespace fuhyo::sim
