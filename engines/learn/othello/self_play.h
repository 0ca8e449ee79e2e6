// Games of Othello of a network against itself or against random moves: many at once in one thread, which share
// batches.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/learn/othello/records.h"
#include "engines/learn/othello/search.h"
#include "engines/nn/backend.h"

namespace fuhyo::learn {

struct OthelloPlayOptions {
  OthelloSearchOptions search;
  std::uint64_t seed = 1;
  std::uint32_t at_once = 64;  // games of a thread
};

// Games `first` to `first + count - 1` of the seed, in this order: all moves are drawn in proportion to visits. The
// same call gives the same games on the same kind of machine. Empty: it was stopped. An error is the back end's.
std::expected<std::vector<OthelloRecord>, std::string> play_othello(std::unique_ptr<nn::Backend> backend,
                                                                    const OthelloPlayOptions& options,
                                                                    std::uint64_t first, std::uint64_t count,
                                                                    const std::stop_token& stop);

struct OthelloScore {
  std::uint64_t wins = 0, draws = 0, losses = 0;
  std::uint64_t games() const { return wins + draws + losses; }
  bool operator==(const OthelloScore&) const = default;
};

// A match of the best moves of the network against random moves; colours alternate. No games: it was stopped.
std::expected<OthelloScore, std::string> beat_random(std::unique_ptr<nn::Backend> backend,
                                                     const OthelloPlayOptions& options, std::uint64_t games,
                                                     const std::stop_token& stop);

}  // namespace fuhyo::learn
