#include "engines/nnue/search/full_line.h"

namespace fuhyo::nnue {

FullLine complete(const usi::Game& game, const std::vector<shogi::Move>& line, const TranspositionTable& table) {
  FullLine full{.moves = line};
  shogi::Position position = game.start;
  shogi::Path path;
  path.push(position);
  const auto play = [&](shogi::Move move) {
    position.do_move(move);
    path.push(position);
  };
  for (const shogi::Move move : game.moves) play(move);
  for (const shogi::Move move : line) play(move);
  const auto end = [&] { return path.recurrence(static_cast<int>(full.moves.size())); };
  full.end = end();
  while (full.end == shogi::Recurrence::none && full.moves.size() < static_cast<std::size_t>(kMaxPly)) {
    const auto known = table.probe(position.key());
    if (!known || !known->move || !position.is_legal(known->move)) break;
    play(known->move);
    full.moves.push_back(known->move);
    full.end = end();
  }
  return full;
}

std::string_view to_text(shogi::Recurrence repetition) {
  switch (repetition) {
    case shogi::Recurrence::none:
      return {};
    case shogi::Recurrence::draw:
      return "rep_draw";
    case shogi::Recurrence::win:
      return "rep_win";
    case shogi::Recurrence::loss:
      return "rep_lose";
    case shogi::Recurrence::superior:
      return "rep_sup";
    case shogi::Recurrence::inferior:
      return "rep_inf";
  }
  return {};
}

}  // namespace fuhyo::nnue
