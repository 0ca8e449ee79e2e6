#include "engines/learn/policy/from_games.h"

#include <algorithm>
#include <cmath>

#include "engines/learn/train/sampler.h"
#include "engines/match/tune/random.h"

namespace fuhyo::learn::policy {
namespace {

using match::tune::Random;

constexpr std::uint64_t kDraw = 0x64726177;

// So many of them by lot, in their order.
void draw(const std::vector<const Sample*>& from, std::uint64_t count, Random& random,
          std::vector<const Sample*>& out) {
  std::uint64_t wanted = count, left = from.size();
  for (const Sample* sample : from) {
    if (random.below(left--) >= wanted) continue;
    out.push_back(sample);
    --wanted;
  }
}

}  // namespace

void GameSamples::add(const record::ScoredGame& game) {
  ++games_;
  const bool held_back = is_held_back(fingerprint(game), options_.held_back);
  shogi::Position position = game.start;
  for (const record::ScoredMove& move : game.moves) {
    auto sample = move.score ? sample_of(position, move.move) : std::nullopt;
    if (sample && pairs_.insert(Random(position.key(), move.move.bits()).bits()).second) {
      sample->score = move.score;
      sample->result = static_cast<std::uint8_t>(result_for(game, position.side_to_move()) + 1);
      if (held_back) {
        test_.push_back(*sample);
      } else if (apart_.contains(input_key(position))) {
        ++left_out_;
      } else {
        train_.push_back(*sample);
      }
    }
    position.do_move(move.move);
  }
}

std::vector<Sample> GameSamples::train() const {
  if (options_.most == 0) return train_;
  std::vector<const Sample*> early, late, drawn;
  for (const Sample& sample : train_) (sample.ply < options_.late_ply ? early : late).push_back(&sample);
  double total = static_cast<double>(options_.most);
  if (options_.late > 0) total = std::min(total, static_cast<double>(late.size()) / options_.late);
  if (options_.late < 1) total = std::min(total, static_cast<double>(early.size()) / (1 - options_.late));
  Random random(options_.seed, kDraw);
  draw(early, static_cast<std::uint64_t>(total * (1 - options_.late)), random, drawn);
  draw(late, static_cast<std::uint64_t>(total * options_.late), random, drawn);
  std::ranges::sort(drawn);  // their order in memory is that in which they came
  std::vector<Sample> out;
  out.reserve(drawn.size());
  for (const Sample* sample : drawn) out.push_back(*sample);
  return out;
}

}  // namespace fuhyo::learn::policy
