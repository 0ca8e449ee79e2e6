#include "engines/usi/declaring.h"

namespace fuhyo::usi {

std::optional<BestMove> win_by_declaration(const shogi::Position& position, const shogi::DeclarationTerms& terms) {
  if (!shogi::can_declare(position, terms)) return std::nullopt;
  if (terms.rule != shogi::DeclarationRule::TRY) return BestMove{.kind = BestMove::Kind::win};
  return BestMove{.kind = BestMove::Kind::move, .move = shogi::try_move(position)};
}

}  // namespace fuhyo::usi
