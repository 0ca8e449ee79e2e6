// The feature sets of networks: which inputs of a position are active, as one side sees the board. Each set is a row of
// data; one function computes the indices. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "engines/nnue/net/numbering.h"

namespace fuhyo::nnue {

struct FeatureSet {
  // How kings are inputs beside the other pieces.
  enum class Kings : std::uint8_t {
    none,
    apart,   // the own king and the other one in planes of their own
    shared,  // both in one plane
    twice,   // in one plane, and after everything else once more in planes of their own
  };

  std::string_view name;  // as files call it
  std::uint32_t hash;     // of the set, without the size of the transformer
  std::uint32_t inputs;   // in all
  std::uint32_t stride;   // inputs for one place of the own king; `inputs` if its place does not matter
  Kings kings = Kings::none;
  bool by_king = false;   // inputs are counted anew for each place of the own king
  bool mirrored = false;  // ... whose files 6-9 are folded onto 4-1, and the board with them
  bool parted = false;    // ... and which only counts by the part of the board that it is in (kKingParts)
  bool attacks = false;   // ... and for how often each piece's square is attacked by either side (0, 1, 2+)

  // The place of the own king as its owner sees it, folded if the set folds it, or its part. 0 if it does not matter. A
  // king that is missing counts as standing on 5i.
  std::uint32_t bucket(shogi::Color side, shogi::Square own_king) const;
  View view(shogi::Color side, shogi::Square own_king) const;

  // The input (within its bucket) of a piece by its number in the view; kings only if the set has them.
  std::uint32_t row(Number seen) const { return kings != Kings::apart && seen >= kOtherKing ? seen - 81u : seen; }
  // The further input that a king is in a set with kings twice.
  static constexpr std::uint32_t second_row(Number seen) { return kOtherKing + (seen - std::uint32_t{kOwnKing}); }
  // Where inputs begin that count attacks: `own` and `other` are 0, 1 or 2, of the viewer's pieces and the others'.
  std::uint32_t attack_offset(int own, int other) const {
    return attacks ? static_cast<std::uint32_t>(own * 3 + other) * stride * 81 : 0;
  }
};

// Parts of the folded board, rank by rank as the owner sees it, files 1 to 5 of each: where kings are at home, a part
// is a castle or two; in front of it they are few, and whole ranks are one.
constexpr std::uint32_t kKingParts = 9;
inline constexpr std::array<std::array<std::uint8_t, 5>, 9> kKingPart = {{{8, 8, 8, 8, 8},
                                                                          {8, 8, 8, 8, 8},
                                                                          {8, 8, 8, 8, 8},
                                                                          {7, 7, 7, 7, 7},
                                                                          {7, 7, 7, 7, 7},
                                                                          {7, 7, 7, 7, 7},
                                                                          {6, 6, 6, 6, 6},
                                                                          {3, 3, 4, 5, 5},
                                                                          {0, 0, 1, 1, 2}}};

std::span<const FeatureSet> feature_sets();
// By its name in a file, with or without "(Friend)". Null if unknown.
const FeatureSet* find_feature_set(std::string_view name);

}  // namespace fuhyo::nnue
