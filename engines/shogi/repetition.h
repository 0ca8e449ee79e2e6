// The positions of one game, and what their repetition means. One thread at a time per object.
#pragma once

#include <cstdint>
#include <vector>

#include "engines/shogi/position.h"

namespace fuhyo::shogi {

inline constexpr int kFourfold = 4;  // so often a position occurs in a game at most

// Seen from the side that has just moved.
enum class Repetition : std::uint8_t { NONE, DRAW, MOVER_LOSES, OPPONENT_LOSES };

enum class RepetitionRule : std::uint8_t {
  // The same board, hands and side to move for the fourth time, the start position included, ends the game. A side that
  // gave check with each of its moves since the first of the four loses; otherwise it is a draw.
  REAL,
  // shogi-server's way: the start position is not counted. Of each side's running series of checks (from the first
  // check after its last move without one) the positions after moves of either side are counted; at the fourth
  // occurrence the mover loses if the position occurred 4 times in its series, the opponent if 3 times in its own.
  SHOGI_SERVER,
};

class RepetitionHistory {
 public:
  explicit RepetitionHistory(RepetitionRule rule) : rule_(rule) {}

  // Forgets everything; the position is where the game begins.
  void start(const Position& position);
  // The position after a move, and whether that move gave check.
  Repetition push(const Position& position, bool gave_check);
  // Takes the last push back; there must be one.
  void pop() { entries_.pop_back(); }

  // How often the newest position has occurred, by the rule's own count.
  int occurrences() const;

 private:
  static constexpr std::int32_t kNoSeries = INT32_MAX;
  struct Entry {
    Key board_key, hand_key;
    std::int32_t series[COLOR_NB];  // where each side's series of checks began
    Color to_move;
  };

  bool same(std::size_t a, std::size_t b) const;
  int occurrences_since(std::size_t first) const;
  Repetition judge_real() const;
  Repetition judge_server() const;

  RepetitionRule rule_;
  std::vector<Entry> entries_;
};

}  // namespace fuhyo::shogi
