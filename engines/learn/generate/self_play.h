// Self-play of an NNUE engine for training. A game depends on its number and the options alone. One thread at a time;
// the search has no other one.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>

#include "engines/learn/generate/starts.h"
#include "engines/nnue/engine.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn {

// Values are the engine's: a pawn is 90.
struct SelfPlayOptions {
  std::string network;  // file; empty: the one that is built in
  int fv_scale = 16;
  std::int64_t nodes = 1'000;  // a move
  int hash_mb = 16;
  int most_at_start = 600;     // a start that its first search values beyond that is drawn anew
  int adjudicated_at = 3'000;  // a side that is so far ahead by every search ...
  int adjudicated_after = 4;   // ... of so many plies wins
  double to_the_end = 0.2;     // ... but not in this part of the games
  int draw_at_ply = 320;
  std::uint64_t seed = 1;
  bool operator==(const SelfPlayOptions&) const = default;
};
// Without network, FV_SCALE and seed, which a job has beside them.
template <class A>
void fields(A& a, SelfPlayOptions& play) {
  a(play.nodes, {"nodes", "Nodes a move (1000)", 1, 1e9});
  a(play.hash_mb, {"hash_mb", "Megabytes of its table (16)", 1, 65'536, "--hash"});
  a(play.most_at_start, {"most_at_start", "Starts that are worth more to a side are not played (600)", 1, 32'000});
  a(play.adjudicated_at,
    {"adjudicated_at", "A side that is so far ahead for 4 plies wins (3000)", 1, 32'000, "--adjudicate"});
  a(play.adjudicated_after, {"adjudicated_after", {}, 1, 1'000});
  a(play.to_the_end, {"to_the_end", "... but not in this part of the games (0.2)", 0, 1});
  a(play.draw_at_ply, {"draw_at_ply", "A draw at this ply (320)", 1, 10'000, "--draw-at"});
}

class SelfPlay {
 public:
  // Fails if the network cannot be loaded.
  static std::expected<SelfPlay, std::string> make(const SelfPlayOptions& options);

  // An error if no start is balanced enough.
  std::expected<record::ScoredGame, std::string> play(std::uint64_t number, const Starts& starts);

  // Whether a game from this very position ends by repetition within so many plies, with so many nodes a move.
  bool repeats(const shogi::Position& start, int plies, std::int64_t nodes);

 private:
  explicit SelfPlay(const SelfPlayOptions& options) : options_(options), engine_(std::make_unique<nnue::Engine>()) {}

  std::expected<void, std::string> set_up();
  // By the options, which need not be those of make(). Nothing: the start was not balanced.
  std::optional<record::ScoredGame> play_from(const SelfPlayOptions& options, const shogi::Position& start,
                                              bool adjudicate);

  SelfPlayOptions options_;
  std::unique_ptr<nnue::Engine> engine_;
};

}  // namespace fuhyo::learn
