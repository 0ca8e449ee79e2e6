#include "tests/oracle/oracle.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <stdexcept>

namespace fuhyo::oracle {
namespace {

struct Step {
  int file, rank;
};
constexpr std::string_view kDroppable = "PLNSGBR";

bool on_board(At s) { return s.file >= 1 && s.file <= 9 && s.rank >= 1 && s.rank <= 9; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
char lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
Side side_of(char letter) { return is_upper(letter) ? Side::black : Side::white; }
char letter_of(char kind, Side side) { return side == Side::black ? upper(kind) : lower(kind); }
int own_rank(Side side, int rank) { return side == Side::black ? rank : 10 - rank; }

constexpr std::array<At, 81> kSquares = [] {
  std::array<At, 81> all;
  for (int i = 0; i < 81; ++i) all[static_cast<std::size_t>(i)] = {.file = 1 + i / 9, .rank = 1 + i % 9};
  return all;
}();

// Seen from Black: rank decreases forward.
using Steps = std::span<const Step>;
constexpr Step kPawn[] = {{0, -1}};
constexpr Step kKnight[] = {{1, -2}, {-1, -2}};
constexpr Step kGold[] = {{0, -1}, {1, -1}, {-1, -1}, {1, 0}, {-1, 0}, {0, 1}};
constexpr Step kSilver[] = {{0, -1}, {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};
constexpr Step kKing[] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr Step kDiagonal[] = {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
constexpr Step kStraight[] = {{0, -1}, {0, 1}, {1, 0}, {-1, 0}};

struct Movement {
  Steps steps, slides;
};

Movement movement(char kind, bool promoted) {
  if (kind == 'B') return {promoted ? Steps(kStraight) : Steps(), kDiagonal};
  if (kind == 'R') return {promoted ? Steps(kDiagonal) : Steps(), kStraight};
  if (kind == 'K') return {kKing, {}};
  if (kind == 'G' || promoted) return {kGold, {}};
  if (kind == 'L') return {{}, kPawn};
  return {kind == 'P' ? Steps(kPawn) : kind == 'N' ? Steps(kKnight) : Steps(kSilver), {}};
}

// A piece that could never move again may not be left there.
bool stuck(char kind, bool promoted, Side side, int rank) {
  if (promoted) return false;
  const int r = own_rank(side, rank);
  return ((kind == 'P' || kind == 'L') && r == 1) || (kind == 'N' && r <= 2);
}

std::string text(At s) { return std::string{static_cast<char>('0' + s.file), static_cast<char>('a' + s.rank - 1)}; }

}  // namespace

std::string Move::usi() const {
  if (!from) return std::string{dropped, '*'} + text(to);
  return text(*from) + text(to) + (promote ? "+" : "");
}

Board::Board(std::string_view sfen) {
  int file = 9, rank = 1;
  bool promoted = false;
  std::size_t i = 0;
  for (; i < sfen.size() && sfen[i] != ' '; ++i) {
    const char c = sfen[i];
    if (c == '/') {
      file = 9;
      ++rank;
    } else if (std::isdigit(static_cast<unsigned char>(c))) {
      file -= c - '0';
    } else if (c == '+') {
      promoted = true;
    } else {
      if (!on_board({file, rank})) throw std::invalid_argument("board of SFEN");
      cell({file--, rank}) = {c, promoted};
      promoted = false;
    }
  }
  if (rank != 9 || i + 2 >= sfen.size()) throw std::invalid_argument("SFEN too short");
  turn_ = sfen[i + 1] == 'b' ? Side::black : Side::white;
  int count = 0;
  for (i += 3; i < sfen.size() && sfen[i] != ' '; ++i) {
    if (std::isdigit(static_cast<unsigned char>(sfen[i]))) {
      count = count * 10 + sfen[i] - '0';
    } else if (sfen[i] != '-') {
      hand_[sfen[i]] += std::max(count, 1);
      count = 0;
    }
  }
}

int Board::in_hand(Side side, char kind) const {
  const auto it = hand_.find(letter_of(kind, side));
  return it == hand_.end() ? 0 : it->second;
}

bool Board::belongs_to(At s, Side side) const { return at(s).letter != '.' && side_of(at(s).letter) == side; }

std::optional<At> Board::king(Side side) const {
  const auto square = std::ranges::find_if(kSquares, [&](At s) { return at(s).letter == letter_of('K', side); });
  return square == kSquares.end() ? std::nullopt : std::optional(*square);
}

std::vector<At> Board::reach(At from) const {
  const Cell piece = at(from);
  const Side side = side_of(piece.letter);
  const int forward = side == Side::black ? 1 : -1;
  const Movement m = movement(upper(piece.letter), piece.promoted);
  std::vector<At> squares;
  squares.reserve(20);
  for (const Step& step : m.steps) {
    const At to{from.file + step.file, from.rank + forward * step.rank};
    if (on_board(to)) squares.push_back(to);
  }
  for (const Step& step : m.slides) {
    for (At to{from.file + step.file, from.rank + forward * step.rank}; on_board(to);
         to = {to.file + step.file, to.rank + forward * step.rank}) {
      squares.push_back(to);
      if (at(to).letter != '.') break;
    }
  }
  return squares;
}

bool Board::attacked_by(Side side, At target) const {
  return std::ranges::any_of(kSquares, [&](At from) {
    if (!belongs_to(from, side)) return false;
    const auto squares = reach(from);
    return std::ranges::find(squares, target) != squares.end();
  });
}

bool Board::in_check(Side side) const {
  const auto square = king(side);
  return square && attacked_by(other(side), *square);
}

Board Board::after(const Move& move) const {
  Board next = *this;
  if (move.from) {
    const Cell captured = at(move.to);
    if (captured.letter != '.') ++next.hand_[letter_of(captured.letter, turn_)];
    next.cell(move.to) = at(*move.from);
    if (move.promote) next.cell(move.to).promoted = true;
    next.cell(*move.from) = {};
  } else {
    --next.hand_[letter_of(move.dropped, turn_)];
    next.cell(move.to) = {letter_of(move.dropped, turn_), false};
  }
  next.turn_ = other(turn_);
  return next;
}

bool Board::has_own_pawn_on(int file) const {
  for (int rank = 1; rank <= 9; ++rank) {
    if (at({file, rank}) == Cell{letter_of('P', turn_), false}) return true;
  }
  return false;
}

void Board::add_board_moves(At from, std::vector<Move>& out) const {
  const Cell piece = at(from);
  const char kind = upper(piece.letter);
  for (const At to : reach(from)) {
    if (belongs_to(to, turn_)) continue;
    const bool zone = own_rank(turn_, from.rank) <= 3 || own_rank(turn_, to.rank) <= 3;
    const bool may_promote = zone && !piece.promoted && kind != 'G' && kind != 'K';
    if (may_promote) out.push_back({.from = from, .to = to, .promote = true});
    if (!stuck(kind, piece.promoted, turn_, to.rank)) out.push_back({.from = from, .to = to});
  }
}

void Board::add_drops(char kind, std::vector<Move>& out) const {
  if (in_hand(turn_, kind) == 0) return;
  for (const At to : kSquares) {
    if (at(to).letter != '.' || stuck(kind, false, turn_, to.rank)) continue;
    if (kind != 'P' || !has_own_pawn_on(to.file)) out.push_back({.from = {}, .to = to, .dropped = kind});
  }
}

std::vector<Move> Board::pseudo_legal_moves() const {
  std::vector<Move> moves;
  for (const At from : kSquares) {
    if (belongs_to(from, turn_)) add_board_moves(from, moves);
  }
  for (const char kind : kDroppable) add_drops(kind, moves);
  return moves;
}

// A drop-pawn mate can never be the answer to a check: the pawn would have to mate while the own king stands in check
// from a pawn, which only a capture or a king move resolves.
bool Board::has_answer() const {
  return std::ranges::any_of(pseudo_legal_moves(), [&](const Move& m) { return !after(m).in_check(turn_); });
}

bool Board::is_legal(const Move& move) const {
  const Board next = after(move);
  if (next.in_check(turn_)) return false;
  const bool pawn_check = move.dropped == 'P' && next.in_check(next.turn_);
  return !pawn_check || next.has_answer();
}

std::vector<Move> Board::legal_moves() const {
  std::vector<Move> moves = pseudo_legal_moves();
  std::erase_if(moves, [&](const Move& m) { return !is_legal(m); });
  std::ranges::sort(moves, {}, &Move::usi);
  return moves;
}

bool Board::allows(const Move& move) const {
  std::vector<Move> moves;
  if (!move.from) {
    add_drops(move.dropped, moves);
  } else if (belongs_to(*move.from, turn_)) {
    add_board_moves(*move.from, moves);
  }
  return std::ranges::find(moves, move) != moves.end() && is_legal(move);
}

std::string Board::key() const {
  std::string key(1, turn_ == Side::black ? 'b' : 'w');
  for (const Cell& c : cells_) {
    key += c.letter;
    if (c.promoted) key += '+';
  }
  for (const auto& [letter, count] : hand_) {
    if (count > 0) key += std::string(1, letter) + std::to_string(count);
  }
  return key;
}

bool Board::may_declare() const {
  const auto points = declaration_points();
  return points && *points >= (turn_ == Side::black ? 28 : 27);
}

std::optional<int> Board::declaration_points() const {
  const auto own_king = king(turn_);
  if (!own_king || own_rank(turn_, own_king->rank) > 3 || in_check(turn_)) return std::nullopt;
  const auto worth = [](char kind) { return kind == 'R' || kind == 'B' ? 5 : 1; };
  int pieces = 0, points = 0;
  for (const At s : kSquares) {
    const char kind = upper(at(s).letter);
    if (!belongs_to(s, turn_) || kind == 'K' || own_rank(turn_, s.rank) > 3) continue;
    ++pieces;
    points += worth(kind);
  }
  for (const char kind : kDroppable) points += in_hand(turn_, kind) * worth(kind);
  return pieces >= 10 ? std::optional(points) : std::nullopt;
}

RealRepetition::RealRepetition(const Board& start) {
  history_.push_back({start.key(), start.in_check(start.turn()), start.turn()});
}

Ending RealRepetition::push(const Board& board) {
  history_.push_back({board.key(), board.in_check(board.turn()), board.turn()});
  const std::string& key = history_.back().key;
  if (std::ranges::count(history_, key, &Entry::key) < 4) return Ending::none;
  const auto first = std::ranges::find(history_, key, &Entry::key);
  const Side mover = other(board.turn());
  // Positions after a move of `side` have the other side to move; those since the first occurrence must all be checks.
  const auto always_checked = [&](Side side) {
    return std::all_of(first + 1, history_.end(), [&](const Entry& e) { return e.turn == side || e.check; });
  };
  if (always_checked(mover)) return Ending::mover_loses;
  if (always_checked(board.turn())) return Ending::opponent_loses;
  return Ending::draw;
}

Ending ServerRepetition::push(const Board& board) {
  const Side mover = other(board.turn());
  const std::string key = board.key();
  if (board.in_check(board.turn())) {
    ++while_checking_[mover][key];
  } else {
    while_checking_[mover].clear();
  }
  // The other side's series goes on through the mover's answers to its checks.
  const bool series = !while_checking_[board.turn()].empty();
  if (series) ++while_checking_[board.turn()][key];
  if (++seen_[key] < 4) return Ending::none;
  const auto in_series = [&](Side side) {
    const auto it = while_checking_[side].find(key);
    return it == while_checking_[side].end() ? 0 : it->second;
  };
  if (in_series(mover) >= 4) return Ending::mover_loses;
  if (in_series(board.turn()) >= 3) return Ending::opponent_loses;
  return Ending::draw;
}

}  // namespace fuhyo::oracle
