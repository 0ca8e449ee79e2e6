#include "engines/usi/declaring.h"

namespace fuhyo::usi {

std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement) {
  if (!shogi::can_declare(position, requirement)) return std::nullopt;
  if (requirement.rule != shogi::DeclarationRule::TRY) return BestMove{.kind = BestMove::Kind::win};
  return BestMove{.kind = BestMove::Kind::move, .move = shogi::try_move(position)};
}

std::optional<BestMove> win_by_declaration(const shogi::Position& position,
                                           const shogi::DeclarationRequirement& requirement,
                                           const std::function<void(const Info&)>& report) {
  const auto declared = win_by_declaration(position, requirement);
  if (declared) {
    report({.score = Score{.kind = Score::Kind::win, .value = 1},
            .text = "the king has entered: " + shogi::judge_declaration(position, requirement.rule).reason});
  }
  return declared;
}

}  // namespace fuhyo::usi
