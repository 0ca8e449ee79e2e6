// The pairings of a match: for each game by its number, who plays whom, with which colour and from which opening. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fuhyo::match {

enum class Tournament : std::uint8_t {
  round_robin,  // everybody against everybody
  gauntlet,     // the first ones (seeds) against all others, but not among themselves
  chain,        // each against the next: levels, versions
};

std::string_view to_string(Tournament tournament);  // "round robin", "gauntlet", "chain"

struct ScheduleOptions {
  int engines = 2;
  Tournament tournament = Tournament::round_robin;
  int seeds = 1;                // of a gauntlet
  std::int64_t rounds = 1;      // in each, every two that meet play one encounter
  int games_per_encounter = 2;  // 2: both colours from the same opening. 1: colours change from round to round
  std::int64_t openings = 1;    // round r uses opening r modulo openings
};

struct Pairing {
  std::int64_t number = 0;  // of the game
  std::int64_t round = 0;
  std::int64_t encounter = 0;    // unique in the match: its games are a pair
  std::array<int, 2> engines{};  // by colour
  std::int64_t opening = 0;
  bool operator==(const Pairing&) const = default;
};

class Schedule {
 public:
  // Errors: fewer than two engines, a gauntlet whose seeds have no opponents, no game to play.
  static std::expected<Schedule, std::string> make(const ScheduleOptions& options);

  std::int64_t games() const;
  Pairing at(std::int64_t number) const;  // 0 <= number < games()
  const std::vector<std::pair<int, int>>& meetings() const { return meetings_; }
  const ScheduleOptions& options() const { return options_; }

 private:
  explicit Schedule(const ScheduleOptions& options) : options_(options) {}

  ScheduleOptions options_;
  std::vector<std::pair<int, int>> meetings_;  // of one round; the lower number first
};

}  // namespace fuhyo::match
