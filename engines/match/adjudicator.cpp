#include "engines/match/adjudicator.h"

#include <algorithm>
#include <cstdlib>

namespace fuhyo::match {

int centipawns(const usi::Score& score) {
  constexpr int kMate = 30'000;
  const int plies = std::clamp(std::abs(score.value), 0, 1'000);
  switch (score.kind) {
    case usi::Score::Kind::win:
      return kMate - plies;
    case usi::Score::Kind::lose:
      return plies - kMate;
    case usi::Score::Kind::cp:
      break;
  }
  return score.value;
}

std::optional<Adjudicator::GameEnd> Adjudicator::moved(shogi::Color mover, const std::optional<usi::Score>& score,
                                                       int plies) {
  const int value = score ? centipawns(*score) : 0;
  const auto count = [&](int& series, bool holds) { series = score && holds ? series + 1 : 0; };
  const int bar = rules_.resign_cp.value_or(0), span = rules_.draw_cp.value_or(0);
  count(losing_[mover], value <= -bar);
  count(winning_[mover], value >= bar);
  count(even_[mover], std::abs(value) <= span);

  const shogi::Color other = ~mover;
  const auto wins = [](shogi::Color color) {
    return GameEnd{color == shogi::BLACK ? GameResult::black_wins : GameResult::white_wins, Ending::adjudicated_win};
  };
  if (rules_.resign_cp) {
    const int enough = rules_.resign_moves;
    if (losing_[mover] >= enough && (!rules_.both || winning_[other] >= enough)) return wins(other);
    if (rules_.both && winning_[mover] >= enough && losing_[other] >= enough) return wins(mover);
  }
  if (rules_.draw_cp && plies >= rules_.draw_after && std::ranges::min(even_) >= rules_.draw_moves) {
    return GameEnd{GameResult::draw, Ending::adjudicated_draw};
  }
  return std::nullopt;
}

}  // namespace fuhyo::match
