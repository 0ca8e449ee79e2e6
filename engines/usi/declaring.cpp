#include "engines/usi/declaring.h"

namespace fuhyo::usi {

std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement) {
  if (!shogi::can_declare(position, requirement)) return std::nullopt;
  if (requirement.rule != shogi::DeclarationRule::TRY) return BestMove{.kind = BestMove::Kind::win};
  return BestMove{.kind = BestMove::Kind::move, .move = shogi::try_move(position)};
}

}  // namespace fuhyo::usi
