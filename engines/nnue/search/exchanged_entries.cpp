#include "engines/nnue/search/exchanged_entries.h"

#include <cstdlib>

namespace fuhyo::nnue {
namespace {

using SaidBound = usi::Score::Bound;

static_assert(kMate == usi::kTableMate);
static_assert(TranspositionTable::kMaxDepth == usi::kDeepestTableEntry);

SaidBound said(Bound bound) {
  return bound == Bound::exact ? SaidBound::exact : bound == Bound::lower ? SaidBound::lower : SaidBound::upper;
}

Bound believed(SaidBound bound) {
  return bound == SaidBound::exact ? Bound::exact : bound == SaidBound::lower ? Bound::lower : Bound::upper;
}

// What remains of a claim that the game is decided.
void moderate(TtEntry& entry) {
  if (!is_decided(entry.value)) return;
  const bool win = entry.value > 0;
  const Bound useless = win ? Bound::upper : Bound::lower;
  if (entry.bound == useless) {
    entry.value = 0;
    entry.depth = TranspositionTable::kNoDepth;
    entry.bound = Bound::none;
    return;
  }
  entry.value = win ? kMaxEvaluation : -kMaxEvaluation;
  entry.bound = win ? Bound::lower : Bound::upper;
}

}  // namespace

std::optional<usi::TableEntry> to_exchange(shogi::Key key, const TtEntry& entry) {
  if (entry.bound == Bound::none || std::abs(entry.value) > kMate) return std::nullopt;
  usi::TableEntry told{
      .key = key, .move = entry.move, .depth = entry.depth, .bound = said(entry.bound), .value = entry.value};
  if (std::abs(entry.evaluation) <= kMaxEvaluation) told.evaluation = entry.evaluation;
  return told;
}

std::optional<TtEntry> from_exchange(const usi::TableEntry& entry) {
  const int evaluation = entry.evaluation.value_or(0);
  if (entry.depth < TranspositionTable::kNoDepth || entry.depth > TranspositionTable::kMaxDepth ||
      std::abs(entry.value) > kMate || std::abs(evaluation) > kMaxEvaluation) {
    return std::nullopt;
  }
  TtEntry taken{.move = entry.move,
                .value = static_cast<std::int16_t>(entry.value),
                .evaluation = static_cast<std::int16_t>(entry.evaluation.value_or(kUnknown)),
                .depth = static_cast<std::int8_t>(entry.depth),
                .bound = believed(entry.bound),
                .pv = false};
  moderate(taken);
  return taken;
}

bool tells_more(const TtEntry& told, const std::optional<TtEntry>& known) {
  if (!known || known->bound == Bound::none) return true;
  return known->depth < told.depth && !is_decided(known->value);
}

std::vector<usi::TableEntry> entries_of_line(shogi::Position root, const std::vector<shogi::Move>& line, bool with_root,
                                             const TranspositionTable& table) {
  std::vector<usi::TableEntry> entries;
  const auto look = [&] {
    const auto known = table.probe(root.key());
    if (!known || known->depth <= TranspositionTable::kQuiescence) return;
    if (const auto told = to_exchange(root.key(), *known)) entries.push_back(*told);
  };
  if (with_root) look();
  for (const shogi::Move move : line) {
    if (entries.size() == usi::kMostTableEntries) break;
    root.do_move(move);
    look();
  }
  return entries;
}

}  // namespace fuhyo::nnue
