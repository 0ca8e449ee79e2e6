#include "engines/nnue/net/feature_set.h"

#include <algorithm>
#include <bit>

namespace fuhyo::nnue {
namespace {

using Kings = FeatureSet::Kings;

constexpr std::uint32_t kPlain = kOwnKing;     // pieces without kings
constexpr std::uint32_t kShared = kOtherKing;  // ... with both in one plane
constexpr std::uint32_t kApart = kNumbers;     // ... with each in its own

constexpr std::uint32_t kHashK = 0xd3cee169, kHashP = 0x764cfb4b, kHashA2 = 0xa20dcb9b;
constexpr std::uint32_t joined(std::uint32_t head, std::uint32_t tail) { return head ^ std::rotl(tail, 1); }

constexpr std::array<FeatureSet, 10> kSets = {{
    {.name = "HalfKP", .hash = 0x5d69d5b8, .inputs = 81 * kPlain, .stride = kPlain, .by_king = true},
    {.name = "K+P", .hash = joined(kHashK, kHashP), .inputs = kApart, .stride = kApart, .kings = Kings::apart},
    {.name = "HalfKP_vm",
     .hash = 0x0b6b1d9a,
     .inputs = 45 * kPlain,
     .stride = kPlain,
     .by_king = true,
     .mirrored = true},
    {.name = "HalfKA1",
     .hash = 0x5f134cb8,
     .inputs = 81 * kApart,
     .stride = kApart,
     .kings = Kings::apart,
     .by_king = true},
    {.name = "HalfKA2",
     .hash = 0x5f234cb8,
     .inputs = 81 * kShared,
     .stride = kShared,
     .kings = Kings::shared,
     .by_king = true},
    {.name = "HalfKA_hm1",
     .hash = 0x7f134cb8,
     .inputs = 45 * kApart,
     .stride = kApart,
     .kings = Kings::apart,
     .by_king = true,
     .mirrored = true},
    {.name = "HalfKA_hm2",
     .hash = 0x7f234cb8,
     .inputs = 45 * kShared,
     .stride = kShared,
     .kings = Kings::shared,
     .by_king = true,
     .mirrored = true},
    {.name = "K+A2",
     .hash = joined(kHashK, kHashA2),
     .inputs = kShared + 162,
     .stride = kShared + 162,
     .kings = Kings::twice},
    {.name = "HalfKPE9",
     .hash = 0x5d69d5b8,
     .inputs = 9 * 81 * kPlain,
     .stride = kPlain,
     .by_king = true,
     .attacks = true},
    // Our own; its hash is the CRC-32 of its name.
    {.name = "HalfKP_m9",
     .hash = 0x01214dd7,
     .inputs = kKingParts * kPlain,
     .stride = kPlain,
     .by_king = true,
     .mirrored = true,
     .parted = true},
}};

constexpr shogi::Square kHome = shogi::make_square(5, 9);
constexpr int kFolded = 45;  // the first square of file 6

shogi::Square owners_view(shogi::Color side, shogi::Square king) {
  return king == shogi::SQ_NONE ? kHome : seen_by(view_of(side, false), king);
}

}  // namespace

std::uint32_t FeatureSet::bucket(shogi::Color side, shogi::Square own_king) const {
  if (!by_king) return 0;
  const shogi::Square seen = owners_view(side, own_king);
  const bool fold = mirrored && seen >= kFolded;
  const shogi::Square place = fold ? seen_by(VIEW_BLACK_MIRRORED, seen) : seen;
  if (!parted) return static_cast<std::uint32_t>(place);
  return kKingPart[static_cast<std::size_t>(place % 9)][static_cast<std::size_t>(place / 9)];
}

View FeatureSet::view(shogi::Color side, shogi::Square own_king) const {
  return view_of(side, mirrored && owners_view(side, own_king) >= kFolded);
}

std::span<const FeatureSet> feature_sets() { return kSets; }

const FeatureSet* find_feature_set(std::string_view name) {
  constexpr std::string_view kSuffix = "(Friend)";
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  const auto found = std::ranges::find(kSets, name, &FeatureSet::name);
  return found == kSets.end() ? nullptr : &*found;
}

}  // namespace fuhyo::nnue
