// Positions to learn from, out of games: those where a search has found a quiet best move, at most so many a game,
// drawn anew in each pass over the games, in an order that a pool of bounded size has shuffled. Some games are held
// back, chosen by a hash of their content, so that a game and its copies are on one side. Everything is a function of
// the seed, the pass, and the games. One thread at a time; reads what the sets open.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engines/learn/setting.h"
#include "engines/learn/train/sample.h"
#include "engines/match/tune/random.h"
#include "engines/record/scored_game.h"

namespace fuhyo::learn {

// The next game; nothing after the last one; an error ends the training.
using GameStream = std::function<std::expected<std::optional<record::ScoredGame>, std::string>()>;

struct DataSet {
  std::string name;
  // Begins with the first game; the same games in the same order each time.
  std::function<std::expected<GameStream, std::string>()> open;
  double weight = 1;  // what each game gives is so much of SamplerOptions::per_game; 0 to 1
};

struct SamplerOptions {
  std::uint64_t seed = 1;
  int per_game = 16;             // positions of a game in a pass, at most
  int score_limit = 2'000;       // only scores between -limit and limit, both excluded
  std::uint32_t held_back = 64;  // one game of so many is kept from learning; 0: none
  std::size_t pool = 2'000'000;  // positions, of 82 bytes
  bool operator==(const SamplerOptions&) const = default;
};
template <class A>
void fields(A& a, SamplerOptions& sampler) {
  a(sampler.seed, {"seed", "Of everything that is drawn by lot (1)", 0, 0, {}, {}, false});
  a(sampler.per_game, {"per_game", "Positions of a game in a pass, at most (16)", 1, 10'000});
  a(sampler.score_limit, {"score_limit", "Scores beyond are left out (2000)", 1, 32'767});
  a(sampler.held_back, {"held_back", "One game of so many is for validation (64); 0: none", 0, 0, {}, {}, false});
  a(sampler.pool,
    {"pool", "Positions that are shuffled with each other, 82 bytes each (2000000)", 1, std::size_t{1} << 32U});
}

// Whether a position is one to learn from: scored within the limit, not in check, and the move neither captures nor
// promotes. `move` must be legal.
bool is_quiet(const shogi::Position& position, const record::ScoredMove& move, int score_limit);
// The result of a game for a side: 1, 0, -1.
int result_for(const record::ScoredGame& game, shogi::Color side);
// A hash of the start and the moves of a game.
std::uint64_t fingerprint(const record::ScoredGame& game);
bool is_held_back(std::uint64_t fingerprint, std::uint32_t one_of);

// Up to `most` quiet positions of the game, each choice with the same chance.
std::vector<Sample> draw_samples(const record::ScoredGame& game, int most, int score_limit,
                                 match::tune::Random& random);

// A held-back position whose best move is to be found.
struct ScoredPosition {
  shogi::Position position;
  shogi::Move best;
};

// The result of reading all games once.
struct Survey {
  std::vector<std::uint64_t> games;  // of each set
  std::uint64_t held_back = 0;       // games
  std::uint64_t samples = 0;         // of the first pass
  std::vector<Sample> validation;
  std::vector<ScoredPosition> positions;
};

class Sampler {
 public:
  Sampler(std::vector<DataSet> sets, const SamplerOptions& options);

  // Reads everything once; must be done before the first pass. At most `most_validation` samples and `most_positions`
  // positions of games that are held back, the first ones.
  std::expected<Survey, std::string> survey(std::size_t most_validation, std::size_t most_positions,
                                            const std::stop_token& stop = {});

  // Begins with sample number `from` of a pass; those before it are drawn and left out.
  std::expected<void, std::string> begin(std::uint64_t pass, std::uint64_t from = 0);
  // The next one; nothing at the end of the pass.
  std::expected<std::optional<Sample>, std::string> next();
  std::uint64_t pass() const { return pass_; }
  std::uint64_t given() const { return given_; }  // samples of this pass

 private:
  struct Stream {
    GameStream next;
    std::uint64_t read = 0;
    bool ended = false;
  };
  struct FromSet {
    record::ScoredGame game;
    std::size_t set;
  };

  std::expected<std::vector<Stream>, std::string> open_all() const;
  // The next game of the set that is behind the others; nothing when all have ended.
  std::expected<std::optional<FromSet>, std::string> next_game(std::vector<Stream>& streams) const;
  std::vector<Sample> samples_of(const FromSet& from, std::uint64_t print, std::uint64_t pass) const;
  std::expected<void, std::string> fill();

  std::vector<DataSet> sets_;
  SamplerOptions options_;
  std::vector<std::uint64_t> games_;  // of each set, once surveyed
  std::uint64_t pass_ = 0, given_ = 0;
  std::vector<Stream> streams_;
  std::vector<Sample> pool_;
  std::optional<match::tune::Random> order_;
  bool ended_ = true;
};

}  // namespace fuhyo::learn
