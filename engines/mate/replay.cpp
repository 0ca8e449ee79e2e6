#include "engines/mate/replay.h"

#include "engines/shogi/checks.h"

namespace fuhyo::mate {

using namespace shogi;

bool Replay::mates(Position& position, Plies plies) {
  Memo& memo = replayed_[position.key() % kMemos];
  if (memo.key == position.key() && memo.plies != 0 && memo.plies <= plies) return true;
  const std::optional<Step> step = attack(position, plies);
  if (!step || !position.is_legal(step->move)) return false;
  const Position::Undo undo = position.do_move(step->move);
  const bool fails = position.in_check() && all_defences_fail(position, step->plies);
  position.undo_move(step->move, undo);
  if (fails) memo = {.key = position.key(), .plies = plies};
  return fails;
}

bool Replay::all_defences_fail(Position& position, Plies plies) {
  for (const Move move : MoveList<GenKind::LEGAL>(position)) {
    if (plies == 0) return false;
    const Position::Undo undo = position.do_move(move);
    const Knowledge k = search_.solve(position, static_cast<Plies>(plies - 1));
    const bool fails = k.state == State::proven && mates(position, k.plies);
    position.undo_move(move, undo);
    if (!fails) return false;
  }
  return true;
}

// A check after which the mate is proven within `plies` - 1: the shortest that the table knows; else the first one that
// a search finds.
std::optional<Replay::Step> Replay::attack(Position& position, Plies plies) {
  if (plies == 0 || search_.must_stop()) return std::nullopt;
  Move checks[MAX_LEGAL_MOVES];
  const Move* const end = generate_checks(position, checks);
  const auto limit = static_cast<Plies>(plies - 1);
  std::optional<Step> best;
  for (const bool searches : {false, true}) {
    for (const Move* m = checks; m != end && !(searches && best); ++m) {
      const Position::Undo undo = position.do_move(*m);
      Knowledge k = searches ? search_.solve(position, limit) : search_.known(position, limit);
      // What is mate at once need not be in the table.
      if (!searches && !k.found && count_legal_moves(position) == 0) k = {.state = State::proven, .plies = 0};
      position.undo_move(*m, undo);
      if (k.state == State::proven && (!best || k.plies < best->plies)) best = {.move = *m, .plies = k.plies};
    }
    if (best) break;
  }
  return best;
}

std::optional<Replay::Step> Replay::longest_known_defence(Position& position, Plies plies) {
  std::optional<Step> best;
  for (const Move move : MoveList<GenKind::LEGAL>(position)) {
    const Position::Undo undo = position.do_move(move);
    const Knowledge k = search_.solve(position, static_cast<Plies>(plies - 1));
    position.undo_move(move, undo);
    if (k.state != State::proven) return std::nullopt;
    if (!best || k.plies > best->plies) best = {.move = move, .plies = k.plies};
  }
  return best;
}

// `plies` is exact: some defence leads to a mate in exactly one ply less. It is the one without a faster mate.
std::optional<Replay::Step> Replay::longest_defence(Position& position, Plies plies) {
  const auto left = static_cast<Plies>(plies - 1);
  for (const Move move : MoveList<GenKind::LEGAL>(position)) {
    const Position::Undo undo = position.do_move(move);
    const bool lasts = left == 1 || search_.solve(position, static_cast<Plies>(left - 2)).state == State::disproven;
    position.undo_move(move, undo);
    if (lasts) return Step{.move = move, .plies = left};
    if (search_.stopped()) break;
  }
  return std::nullopt;
}

template <class Defend>
std::optional<std::vector<Move>> Replay::play(Position position, Plies plies, Defend defend) {
  std::vector<Move> line;
  const auto take = [&](const Step& step) {
    line.push_back(step.move);
    position.do_move(step.move);
    plies = step.plies;
  };
  while (true) {
    const std::optional<Step> check = attack(position, plies);
    if (!check) return std::nullopt;
    take(*check);
    if (count_legal_moves(position) == 0) return line;
    const std::optional<Step> defence = defend(position, plies);
    if (!defence) return std::nullopt;
    take(*defence);
  }
}

std::optional<std::vector<Move>> Replay::line(const Position& position, Plies plies) {
  return play(position, plies, [this](Position& p, Plies left) { return longest_known_defence(p, left); });
}

std::optional<std::vector<Move>> Replay::shortest_line(const Position& position, Plies plies) {
  return play(position, plies, [this](Position& p, Plies left) { return longest_defence(p, left); });
}

}  // namespace fuhyo::mate
