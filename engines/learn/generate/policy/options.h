// The options of self-play of a policy and value network. Values; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engines/learn/setting.h"

namespace fuhyo::learn {

// How the root explores moves of low priors.
enum class Roots : std::uint8_t {
  gumbel,  // sequential halving among moves drawn by their priors
  noise,   // PUCT, Dirichlet's noise in the priors
};
constexpr std::array<std::string_view, 2> names_of(Roots /*any*/) { return {"gumbel", "noise"}; }

constexpr int kMostPlayouts = 60'000;       // so that visits fit into 16 bits
constexpr std::int16_t kWonScore = 30'000;  // ... and no score is more

// Chances are from 0 to 1, for the side to move.
struct PolicyPlayOptions {
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
  bool operator==(const PolicyPlayOptions&) const = default;

  double temperature_at(std::size_t moves_made) const;
  // `resign` as a score, and the score of a chance, in units of the records (DATA.md: hcpe3).
  int resign_score() const;
  static std::int16_t score_of(double chance);
};
// Without network and seed, which a job has beside them.
template <class A>
void fields(A& a, PolicyPlayOptions& play) {
  a(play.roots,
    {"roots", "How moves are tried at the root: gumbel (sequential halving) or noise (Dirichlet's) (gumbel)"});
  a(play.full, {"full", "Part of the moves that is searched in full (0.25)", 0, 1});
  a(play.playouts, {"playouts", "Of a full search, whose position is to be learnt (128)", 1, kMostPlayouts});
  a(play.fast_playouts, {"fast_playouts", "Of the other searches (24)", 1, kMostPlayouts});
  a(play.considered, {"considered", "Moves that gumbel's halving begins with (16)", 1, 593});
  a(play.noise, {"noise", "Part of the priors that noise is (0.25)", 0, 1, {}, {}, false});
  a(play.alpha, {"alpha", "... of its distribution (0.15)", 1e-3, 1e3, {}, {}, false});
  a(play.softmax, {"softmax", "What logits are divided by (1)", 0.01, 100, {}, {}, false});
  a(play.temperature, {"temperature", "Of the moves that are played, at the start of a game (1)", 0, 100});
  a(play.temperature_late, {"late_temperature", "... and late in it (0.25)", 0, 100, {}, "temperatureLate"});
  a(play.temperature_plies, {"temperature_plies", "... half of the way after so many moves (20)", 1, 10'000});
  a(play.most_at_start, {"most_at_start", "Starts that give a side more are not played (0.85)", 0.5, 1});
  a(play.resign, {"resign", "A side that has less for 4 plies loses (0.04); 0: nobody resigns", 0, 0.5});
  a(play.resign_after, {"resign_after", {}, 1, 1'000, {}, {}, false});
  a(play.to_the_end, {"to_the_end", "... but not in this part of the games (0.1)", 0, 1});
  a(play.mate_nodes, {"mate_nodes", "Nodes to look for a mate with before each search (1000)", 0, 1e9});
  a(play.draw_at_ply, {"draw_at_ply", "A draw at this ply (320)", 1, 10'000, "--draw-at"});
}

}  // namespace fuhyo::learn
