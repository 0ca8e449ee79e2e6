// A batch of positions. A value; one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engines/learn/train/comparisons.h"
#include "engines/learn/train/features.h"

namespace fuhyo::learn {

struct Batch {
  // Inputs that are on as the side to move sees each position, and as the other one does; Features::active() of each.
  std::vector<std::uint32_t> own, other;
  std::vector<float> target;  // the chance that the side to move wins, as far as is known; 0 for those of comparisons

  // The last positions are those after moves of one position, so many to each; the first of them is to be found worst
  // for the side to move, which is the one that did not choose it (comparisons.h).
  std::size_t comparisons = 0, choices = 1;
  float certainty = 0;  // how much the chance to be chosen changes: exp(-certainty y)
  float weight = 0;     // of the comparisons' mean loss

  std::size_t size() const { return target.size(); }
  std::size_t scored() const { return size() - comparisons * choices; }  // positions before those of comparisons
  void resize(std::size_t count, const Features& features);
  // Fills the whole batch, sorted by the places of the kings, so that the rows of neighbours are near each other.
  // Nonzero in `mirrored`: left and right exchanged.
  void fill(std::span<const Sample> samples, std::span<const std::uint8_t> mirrored, double lambda,
            const Features& features);
  // Behind those, whose number must be a multiple of a comparison's choices: `samples` are of one after the other.
  void add_comparisons(std::span<const Sample> samples, std::span<const std::uint8_t> mirrored,
                       const ComparisonOptions& options, const Features& features);
  // ... or one by one.
  void set(std::size_t at, const Sample& sample, bool mirrored, double lambda, const Features& features);
};

// lambda of it is what the score says, the rest the result of the game: 1, 1/2 or 0.
float target_of(const Sample& sample, double lambda);

}  // namespace fuhyo::learn
