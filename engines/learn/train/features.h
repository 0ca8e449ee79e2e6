// The inputs of a network that is trained: those of a set that the engine knows (engines/nnue/net/feature_set.h), and
// the rows that inputs share while training. Where inputs are counted anew for each place of the own king, a row is the
// sum of its own part, of one for the piece wherever the king is, and of one for the king's place whatever the piece:
// what is learnt of a piece in one place helps in all others. In the file each row is that sum. Immutable; any thread.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "engines/learn/train/sample.h"
#include "engines/nnue/net/feature_set.h"

namespace fuhyo::learn {

class Features {
 public:
  // Every set but those that count attacks or know kings twice. An error names those that can be trained.
  static std::expected<Features, std::string> of(std::string_view name);

  const nnue::FeatureSet& set() const { return *set_; }
  std::uint32_t inputs() const { return set_->inputs; }
  // Indices that list() writes. One that stands for nothing (a missing king's) is nothing().
  std::uint32_t active() const { return active_; }
  std::uint32_t nothing() const { return set_->inputs; }

  // The inputs that are on as `side` sees the position; with `mirrored`, left and right are exchanged first.
  void list(const Sample& sample, shogi::Color side, bool mirrored, std::uint32_t* out) const;

  // The place of the side's own king, by which its inputs are counted; 0 if it does not matter.
  std::uint32_t place(const Sample& sample, shogi::Color side, bool mirrored) const;

  // Shared rows: first one for each piece, then one for each place of the king. None where the king's place does not
  // matter.
  bool shares() const { return set_->by_king; }
  std::uint32_t shared_pieces() const { return shares() ? set_->stride : 0; }
  std::uint32_t shared_places() const { return shares() ? set_->inputs / set_->stride : 0; }
  std::uint32_t shared_rows() const { return shared_pieces() + shared_places(); }

 private:
  explicit Features(const nnue::FeatureSet& set);

  const nnue::FeatureSet* set_;
  bool kings_;  // whether kings are inputs
  std::uint32_t active_;
};

}  // namespace fuhyo::learn
