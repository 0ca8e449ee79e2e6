// The rules of shogi once more, written from the rule book for clarity and nothing else: an array of squares, moves
// tried one by one on a copy. Shares no code and no types with engines/shogi; whatever the two disagree on is a bug of
// one.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fuhyo::oracle {

// A square's content: '.' or a letter of SFEN ("PLNSGBRK" Black, "plnsgbrk" White), and whether it is promoted.
struct Cell {
  char letter = '.';
  bool promoted = false;
  bool operator==(const Cell&) const = default;
};

enum class Side { black, white };
constexpr Side other(Side side) { return side == Side::black ? Side::white : Side::black; }

// File and rank from 1 to 9.
struct At {
  int file = 0, rank = 0;
  bool operator==(const At&) const = default;
};

struct Move {
  std::optional<At> from;  // nothing: a drop
  At to;
  bool promote = false;
  char dropped = 0;  // upper-case letter
  std::string usi() const;
  bool operator==(const Move&) const = default;
};

class Board {
 public:
  // Throws std::invalid_argument on text that is no SFEN. Does not judge the position.
  explicit Board(std::string_view sfen);

  Side turn() const { return turn_; }
  Cell at(At s) const { return cells_[static_cast<std::size_t>((s.rank - 1) * 9 + s.file - 1)]; }
  int in_hand(Side side, char upper) const;
  std::optional<At> king(Side side) const;
  bool attacked_by(Side side, At target) const;
  bool in_check(Side side) const;
  // Everything that the rules allow, drop-pawn mate excluded, sorted by USI text.
  std::vector<Move> legal_moves() const;
  bool allows(const Move& move) const;  // whether it is one of legal_moves()
  Board after(const Move& move) const;  // `move` need not be legal
  // Board, hands and side to move: equal texts are equal positions.
  std::string key() const;

  // The points of the side to move where it may declare by them: its king in its last three ranks and not in check, ten
  // other own pieces there.
  std::optional<int> declaration_points() const;
  // 27-point declaration of the side to move (28 Black, 27 White).
  bool may_declare() const;

 private:
  Cell& cell(At s) { return cells_[static_cast<std::size_t>((s.rank - 1) * 9 + s.file - 1)]; }
  bool belongs_to(At s, Side side) const;
  std::vector<At> reach(At from) const;  // squares that the piece attacks
  bool has_own_pawn_on(int file) const;
  bool is_legal(const Move& move) const;
  void add_board_moves(At from, std::vector<Move>& out) const;
  void add_drops(char piece, std::vector<Move>& out) const;
  std::vector<Move> pseudo_legal_moves() const;  // checks and drop-pawn mates aside
  bool has_answer() const;

  std::array<Cell, 81> cells_;
  std::map<char, int> hand_;  // by SFEN letter, so both sides in one map
  Side turn_ = Side::black;
};

enum class Ending { none, draw, mover_loses, opponent_loses };

// Repetition under the real rule: the same position for the fourth time, the start included; a side that gave check
// with every move since its first occurrence loses.
class RealRepetition {
 public:
  explicit RealRepetition(const Board& start);
  Ending push(const Board& after);

 private:
  struct Entry {
    std::string key;
    bool check;  // the side to move is in check
    Side turn;
  };
  std::vector<Entry> history_;
};

// Repetition exactly as shogi-server counts it.
class ServerRepetition {
 public:
  Ending push(const Board& after);

 private:
  std::map<std::string, int> seen_;
  std::map<Side, std::map<std::string, int>> while_checking_;
};

}  // namespace fuhyo::oracle
