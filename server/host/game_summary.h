// What a Game_Summary of a CSA server says, as values, and the clocks that follow from it, as a client keeps them.
// Pure; any thread. Source: CSA protocol 1.2.1, "Game conditions" and "Time".
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engines/shogi/declaration.h"
#include "engines/shogi/position.h"
#include "engines/shogi/types.h"
#include "engines/usi/values.h"

namespace fuhyo::host {

// The time of one side, in milliseconds.
struct ClockRule {
  std::int64_t total_ms = 0;
  std::int64_t byoyomi_ms = 0;
  std::int64_t increment_ms = 0;
  bool unlimited() const { return total_ms == 0 && byoyomi_ms == 0 && increment_ms == 0; }
  bool operator==(const ClockRule&) const = default;
};

struct PresetMove {  // made before the game begins, as in buoy games and resumed ones
  shogi::Move move;
  std::int64_t spent_ms = 0;
};

struct GameSummary {
  std::string game_id;
  std::array<std::string, 2> names;
  shogi::Color us = shogi::BLACK;
  std::int32_t max_moves = 0;                         // 0: no limit
  std::optional<shogi::DeclarationRule> declaration;  // nothing: it does not say
  std::array<ClockRule, 2> clocks;
  shogi::Position start;
  std::vector<PresetMove> moves;  // legal, in order
};

// The strength that the name of a game asks for: 12 of "fuhyo+level12-600-10F+...". 0, which is full strength for our
// engines: none, or one that there is not (usi::kHighestLevel).
int level_asked(std::string_view game_id);

// The lines from "BEGIN Game_Summary" to "END Game_Summary". Unknown keys are ignored, as the protocol grows by them.
std::expected<GameSummary, std::string> parse_game_summary(std::span<const std::string> lines);

// "12", also the decimals of CSA V3 ("3.5", "1."): seconds whatever Time_Unit is.
std::optional<std::int64_t> parse_spent_ms(std::string_view seconds);

// Both clocks as a client knows them: by the T values that the server sends.
class Clocks {
 public:
  Clocks() = default;
  explicit Clocks(const std::array<ClockRule, 2>& rules);

  // Books a move. The increment comes before the move, so it is part of what the T value was taken from.
  void spend(shogi::Color side, std::int64_t spent_ms);
  bool unlimited(shogi::Color side) const { return rules_[side].unlimited(); }
  std::int64_t remaining_ms(shogi::Color side) const { return remaining_ms_[side]; }
  // All that `side` may use for its next move: the flag falls at this much.
  std::int64_t budget_ms(shogi::Color side) const;
  // The times of a "go" for `us`, whose budget is cut by `reserved_ms` (time already gone, and the network's margin).
  usi::GoLimits limits(shogi::Color us, std::int64_t reserved_ms) const;

 private:
  std::array<ClockRule, 2> rules_{};
  std::array<std::int64_t, 2> remaining_ms_{};
};

}  // namespace fuhyo::host
