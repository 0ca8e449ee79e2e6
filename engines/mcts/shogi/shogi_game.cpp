#include "engines/mcts/shogi/shogi_game.h"

#include "engines/mate/mate_in_few.h"
#include "engines/mate/mate_in_one.h"
#include "engines/mcts/shogi/labels.h"
#include "engines/mcts/shogi/planes.h"
#include "engines/shogi/movegen.h"

namespace fuhyo::mcts {

using namespace shogi;

ShogiGame::ShogiGame(const Position& start, std::span<const Move> moves, const Rules& rules)
    : rules_(rules), position_(start), first_ply_(start.side_to_move() == BLACK ? 0 : 1) {
  path_.push(position_);
  for (const Move move : moves) do_move(move.bits());
  root_ply_ = ply();
}

void ShogiGame::do_move(MoveCode code) {
  const Move move = Move::from_bits(code);
  undo_.push_back({move, position_.do_move(move)});
  path_.push(position_);
}

void ShogiGame::undo_move() {
  position_.undo_move(undo_.back().move, undo_.back().undo);
  undo_.pop_back();
  path_.pop();
}

Verdict ShogiGame::verdict() const {
  if (const Recurrence how = path_.recurrence(ply() - root_ply_); how != Recurrence::none) return recurred(how);
  if (rules_.max_moves > 0 && position_.ply() >= rules_.max_moves) {
    // Mate with the last move still counts.
    const bool mated = position_.in_check() && count_legal_moves(position_) == 0;
    return {.result = mated ? Result::loss : Result::draw};
  }
  return {};
}

Verdict ShogiGame::recurred(Recurrence how) const {
  const int since = ply() - static_cast<int>(path_.cycle());
  switch (how) {
    case Recurrence::draw:
      return {.result = Result::draw, .since = since};
    case Recurrence::win:
      return {.result = Result::win, .since = since};
    case Recurrence::loss:
      return {.result = Result::loss, .since = since};
    case Recurrence::superior:
      return {.result = Result::win, .since = since, .proven = false};
    case Recurrence::inferior:
      return {.result = Result::loss, .since = since, .proven = false};
    case Recurrence::none:
      break;
  }
  return {};
}

int ShogiGame::plies_to_win() {
  if (can_declare(position_, rules_.declaration)) return 1;
  int plies = rules_.mate_plies;
  if (plies <= 0) return 0;
  int moves = rules_.mate_moves;
  if (mate::mate_in_one(position_)) {
    plies = 1;
  } else if (plies == 1 || !mate::mate_in_few(position_, plies, moves)) {
    return 0;
  }
  const bool in_time = rules_.max_moves <= 0 || position_.ply() + plies <= rules_.max_moves;
  return in_time ? plies : 0;
}

std::size_t ShogiGame::moves(std::span<LabelledMove> room) const {
  const Color turn = position_.side_to_move();
  Move list[MAX_LEGAL_MOVES];
  Move* end = rules_.all_moves ? list : generate<GenKind::SEARCH>(position_, list);
  if (end == list) end = generate<GenKind::LEGAL>(position_, list);
  auto out = room.begin();
  for (const Move* move = list; move != end; ++move) {
    *out++ = {.move = move->bits(), .label = static_cast<std::uint16_t>(label_of(*move, turn))};
  }
  return static_cast<std::size_t>(end - list);
}

void ShogiGame::write(std::span<nn::Plane> planes, std::span<float> scalars) const {
  write_inputs(position_, planes, scalars);
}

}  // namespace fuhyo::mcts
