// The trials of a tuner as single games, several of which may be under way, and their results as those of trials. What
// was played of a trial that is not finished is not kept: after an interruption it is played anew. One thread at a
// time.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

#include "engines/match/tune/tuner.h"

namespace fuhyo::match::tune {

struct TrialGame {
  std::int64_t number = 0;   // of all games, from 0
  std::int64_t opening = 0;  // counted on from 0; two games with colours swapped share it
  bool plus_is_black = true;
  Values plus{}, minus{};
};

class TrialGames {
 public:
  // `games_per_trial`, at least 1, best even: one game of each colour. No trial begins when `wanted` games are reported
  // or under way.
  TrialGames(Tuner& tuner, std::int64_t games_per_trial, std::int64_t wanted)
      : tuner_(tuner), games_per_trial_(games_per_trial), wanted_(wanted) {}

  // Nothing: all that is wanted is under way.
  std::optional<TrialGame> next();
  // What became of a game: 2, 1 or 0 half points for `plus`. True if that finished its trial, which is reported then.
  std::expected<bool, std::string> played(std::int64_t number, int half_points);
  // Games that have been played since the start, and of which trials that are not finished hold some.
  std::int64_t unfinished() const;

 private:
  struct Running {
    Trial trial;
    std::int64_t handed_out = 0;
    TrialResult result;
  };

  Tuner& tuner_;
  std::int64_t games_per_trial_, wanted_;
  std::int64_t next_number_ = 0;
  std::map<std::uint64_t, Running> running_;                  // by trial
  std::unordered_map<std::int64_t, std::uint64_t> trial_of_;  // of games that are under way
};

}  // namespace fuhyo::match::tune
