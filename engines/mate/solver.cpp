#include "engines/mate/solver.h"

#include "engines/mate/replay.h"

namespace fuhyo::mate {

namespace {

// Longer proofs are not told: following one needs stack in proportion. The longest mate known has 1525 plies.
constexpr Plies kLongestMate = 2'000;

// Replaces the line of the answer by a shortest one, if the search is not stopped before.
void shorten(Answer& answer, Plies plies, ProofSearch& search, shogi::Position& position) {
  Replay replay(search);
  Plies shortest = plies;
  for (Plies limit = 1; limit < plies; limit = static_cast<Plies>(limit + 2)) {
    const Knowledge k = search.solve(position, limit);
    if (k.state == State::unknown) return;
    if (k.state == State::disproven) continue;
    shortest = limit;
    break;
  }
  if (shortest < plies && !replay.mates(position, shortest)) return;
  if (auto line = replay.shortest_line(position, shortest)) {
    answer.line = std::move(*line);
    answer.shortest = true;
  }
}

}  // namespace

Answer Solver::solve(const shogi::Position& position, bool shortest, Stop stop) {
  table_.clear();
  ProofSearch search(table_, position.side_to_move(), std::move(stop));
  shogi::Position root = position;
  Answer answer;
  const Knowledge k = search.solve(root, kNoLimit);
  if (k.state == State::disproven) answer.kind = Answer::Kind::no_mate;
  if (k.state == State::proven && k.plies <= kLongestMate) {
    Replay replay(search);
    auto line = replay.mates(root, k.plies) ? replay.line(root, k.plies) : std::nullopt;
    if (line) {
      answer.kind = Answer::Kind::mate;
      answer.line = std::move(*line);
      if (shortest) shorten(answer, k.plies, search, root);
    }
  }
  answer.nodes = search.nodes();
  return answer;
}

}  // namespace fuhyo::mate
