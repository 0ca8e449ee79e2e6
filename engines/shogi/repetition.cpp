#include "engines/shogi/repetition.h"

namespace fuhyo::shogi {
namespace {
// The position after an escape may have occurred once before the first check of the series.
constexpr int kEscapesInSeries = 3;
}  // namespace

void RepetitionHistory::start(const Position& position) {
  entries_.clear();
  entries_.push_back({.board_key = position.board_key(),
                      .hand_key = position.hand_key(),
                      .series = {kNoSeries, kNoSeries},
                      .to_move = position.side_to_move()});
}

Repetition RepetitionHistory::push(const Position& position, bool gave_check) {
  Entry entry = entries_.back();
  entry.board_key = position.board_key();
  entry.hand_key = position.hand_key();
  entry.to_move = position.side_to_move();
  std::int32_t& series = entry.series[~entry.to_move];
  if (!gave_check) {
    series = kNoSeries;
  } else if (series == kNoSeries) {
    series = static_cast<std::int32_t>(entries_.size());
  }
  entries_.push_back(entry);
  if (occurrences() < kFourfold) return Repetition::NONE;
  return rule_ == RepetitionRule::REAL ? judge_real() : judge_server();
}

bool RepetitionHistory::same(std::size_t a, std::size_t b) const {
  return entries_[a].board_key == entries_[b].board_key && entries_[a].hand_key == entries_[b].hand_key;
}

// The sides move in turns: every second position may be the newest one.
int RepetitionHistory::occurrences_since(std::size_t first) const {
  const std::size_t newest = entries_.size() - 1;
  int count = 0;
  for (std::size_t i = first + (newest - first) % 2; i <= newest; i += 2) count += same(i, newest) ? 1 : 0;
  return count;
}

int RepetitionHistory::occurrences() const { return occurrences_since(rule_ == RepetitionRule::REAL ? 0 : 1); }

Repetition RepetitionHistory::judge_real() const {
  std::size_t first = 0;
  while (!same(first, entries_.size() - 1)) ++first;
  // After the first occurrence the opponent moved, then the mover.
  const Entry& now = entries_.back();
  const Color opponent = now.to_move, mover = ~opponent;
  const auto begin = static_cast<std::int32_t>(first);
  if (now.series[mover] <= begin + 2) return Repetition::MOVER_LOSES;
  if (now.series[opponent] <= begin + 1) return Repetition::OPPONENT_LOSES;
  return Repetition::DRAW;
}

Repetition RepetitionHistory::judge_server() const {
  const Entry& now = entries_.back();
  const Color opponent = now.to_move, mover = ~opponent;
  const auto in_series = [&](Color side) {
    return now.series[side] == kNoSeries ? 0 : occurrences_since(static_cast<std::size_t>(now.series[side]));
  };
  if (in_series(mover) >= kFourfold) return Repetition::MOVER_LOSES;
  if (in_series(opponent) >= kEscapesInSeries) return Repetition::OPPONENT_LOSES;
  return Repetition::DRAW;
}

}  // namespace fuhyo::shogi
