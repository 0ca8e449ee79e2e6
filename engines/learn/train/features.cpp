#include "engines/learn/train/features.h"

#include <fmt/format.h>

namespace fuhyo::learn {
namespace {

using Kings = nnue::FeatureSet::Kings;

bool can_be_trained(const nnue::FeatureSet& set) { return !set.attacks && set.kings != Kings::twice; }

shogi::Square king_of(const Sample& sample, shogi::Color side, bool mirrored) {
  const auto king = static_cast<shogi::Square>(sample.kings[side]);
  return mirrored && king != shogi::SQ_NONE ? nnue::seen_by(nnue::VIEW_BLACK_MIRRORED, king) : king;
}

}  // namespace

Features::Features(const nnue::FeatureSet& set)
    : set_(&set), kings_(set.kings != Kings::none), active_(kPieces + (kings_ ? 2 : 0)) {}

std::expected<Features, std::string> Features::of(std::string_view name) {
  const nnue::FeatureSet* found = nnue::find_feature_set(name);
  if (found != nullptr && can_be_trained(*found)) return Features(*found);
  std::string names;
  for (const nnue::FeatureSet& set : nnue::feature_sets()) {
    if (can_be_trained(set)) names += (names.empty() ? "" : ", ") + std::string(set.name);
  }
  return std::unexpected(fmt::format("features '{}' cannot be trained; {} can", name, names));
}

std::uint32_t Features::place(const Sample& sample, shogi::Color side, bool mirrored) const {
  return set_->bucket(side, king_of(sample, side, mirrored));
}

void Features::list(const Sample& sample, shogi::Color side, bool mirrored, std::uint32_t* out) const {
  const shogi::Square king = king_of(sample, side, mirrored);
  // A mirror before, and one that the set asks for.
  const auto view = static_cast<nnue::View>(set_->view(side, king) ^ (mirrored ? nnue::VIEW_BLACK_MIRRORED : 0));
  const std::uint32_t base = set_->bucket(side, king) * set_->stride;
  for (const nnue::Number piece : sample.pieces) *out++ = base + set_->row(nnue::renumber(view, piece));
  if (!kings_) return;
  for (const shogi::Color owner : {shogi::BLACK, shogi::WHITE}) {
    const auto square = static_cast<shogi::Square>(sample.kings[owner]);
    const auto piece = shogi::make_piece(owner, shogi::KING);
    *out++ = square == shogi::SQ_NONE ? nothing()
                                      : base + set_->row(nnue::renumber(view, nnue::board_number(piece, square)));
  }
}

}  // namespace fuhyo::learn
