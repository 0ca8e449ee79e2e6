// How the games of a policy and value network against itself are played. Values; any thread.
#pragma once

#include <cstdint>
#include <string>

namespace fuhyo::learn {

// How moves are tried at the root that the network does not believe in.
enum class Roots : std::uint8_t {
  gumbel,  // sequential halving among moves drawn by their priors
  noise,   // PUCT, Dirichlet's noise in the priors
};

// Chances are from 0 to 1, for the side to move.
struct PolicyPlayTerms {
  std::string network;  // file; empty: the one that is built in
  Roots roots = Roots::gumbel;
  double full = 0.25;              // this part of the moves is searched with `playouts`, and is to be learnt; ...
  int playouts = 128;              // (visits of the root's moves)
  int fast_playouts = 24;          // ... the others are searched with so many, without noise, and are not
  int considered = 16;             // moves that halving begins with
  double noise = 0.25;             // how much of the priors is noise
  double alpha = 0.15;             // of its distribution: ten, divided by the moves of a usual position, is good
  double softmax = 1;              // what logits are divided by
  double temperature = 1;          // of the move that is played, at the start of a game ...
  double temperature_late = 0.25;  // ... and late in it
  int temperature_plies = 20;      // half of the way from one to the other
  double most_at_start = 0.85;     // a start that gives a side more, by its first search, is drawn anew
  double resign = 0.04;            // a side resigns that has less by every search ...
  int resign_after = 4;            // ... of so many plies
  double to_the_end = 0.1;         // but not in this part of the games, which show how often that would be wrong
  int mate_nodes = 1'000;          // of the solver that looks for a mate before each search; 0: none does
  int draw_at_ply = 320;
  std::uint64_t seed = 1;
  bool operator==(const PolicyPlayTerms&) const = default;

  double temperature_at(std::size_t moves_made) const;
  // `resign` as a score, and the score of a chance, in units of the records (DATA.md: hcpe3).
  int resign_score() const;
  static std::int16_t score_of(double chance);
};

constexpr int kMostPlayouts = 60'000;       // so that visits fit into 16 bits
constexpr std::int16_t kWonScore = 30'000;  // ... and no score is more

}  // namespace fuhyo::learn
