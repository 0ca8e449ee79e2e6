// Time and rules of one game, computed a second time: clocks from PROTOCOL.md, moves by tests/oracle.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "server/core/facts.h"
#include "tests/oracle/oracle.h"

namespace fuhyo::sim {

constexpr std::int64_t kSecond_us = 1'000'000;

struct PieceName {
  std::string_view csa;
  char letter;
  bool promoted;
};
constexpr std::array<PieceName, 14> kPieces = {{{"FU", 'P', false},
                                                {"KY", 'L', false},
                                                {"KE", 'N', false},
                                                {"GI", 'S', false},
                                                {"KI", 'G', false},
                                                {"KA", 'B', false},
                                                {"HI", 'R', false},
                                                {"OU", 'K', false},
                                                {"TO", 'P', true},
                                                {"NY", 'L', true},
                                                {"NK", 'N', true},
                                                {"NG", 'S', true},
                                                {"UM", 'B', true},
                                                {"RY", 'R', true}}};

inline bool on_board(oracle::At s) { return s.file >= 1 && s.file <= 9 && s.rank >= 1 && s.rank <= 9; }
inline char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

// The move that the text names on this board; nothing if it names none.
inline std::optional<oracle::Move> move_of(const oracle::Board& board, std::string_view csa) {
  if (csa.size() != 7 || csa[0] != (board.turn() == oracle::Side::black ? '+' : '-')) return std::nullopt;
  const auto* piece = std::ranges::find(kPieces, csa.substr(5), &PieceName::csa);
  const oracle::At from{csa[1] - '0', csa[2] - '0'}, to{csa[3] - '0', csa[4] - '0'};
  if (piece == kPieces.end() || !on_board(to)) return std::nullopt;
  if (from == oracle::At{}) {
    if (piece->promoted || piece->letter == 'K') return std::nullopt;
    return oracle::Move{.from = {}, .to = to, .promote = false, .dropped = piece->letter};
  }
  if (!on_board(from)) return std::nullopt;
  const oracle::Cell cell = board.at(from);
  if (upper(cell.letter) != piece->letter || (cell.promoted && !piece->promoted)) return std::nullopt;
  return oracle::Move{.from = from, .to = to, .promote = piece->promoted && !cell.promoted, .dropped = 0};
}

inline std::string_view name_of(char letter, bool promoted) {
  return std::ranges::find_if(kPieces, [&](const PieceName& p) { return p.letter == letter && p.promoted == promoted; })
      ->csa;
}

inline std::string square_digits(oracle::At s) { return std::to_string(s.file) + std::to_string(s.rank); }

inline std::string text_of(const oracle::Board& board, const oracle::Move& move) {
  const std::string sign = board.turn() == oracle::Side::black ? "+" : "-";
  if (!move.from) return sign + "00" + square_digits(move.to) + std::string(name_of(move.dropped, false));
  const oracle::Cell cell = board.at(*move.from);
  return sign + square_digits(*move.from) + square_digits(move.to) +
         std::string(name_of(upper(cell.letter), cell.promoted || move.promote));
}

inline std::string square_text(const oracle::Cell& cell) {
  if (cell.letter == '.') return " * ";
  const char letter = upper(cell.letter);
  return (cell.letter == letter ? "+" : "-") + std::string(name_of(letter, cell.promoted));
}

// "P+00FU00FU00KA\n", kinds in the order of their names; nothing if the hand is empty.
inline std::string hand_text(const oracle::Board& board, oracle::Side side) {
  std::string pieces;
  for (const std::string_view name : {"FU", "GI", "HI", "KA", "KE", "KI", "KY"}) {
    const auto* piece = std::ranges::find(kPieces, name, &PieceName::csa);
    for (int n = board.in_hand(side, piece->letter); n > 0; --n) pieces += "00" + std::string(name);
  }
  if (pieces.empty()) return "";
  return (side == oracle::Side::black ? "P+" : "P-") + pieces + "\n";
}

// "T = whole seconds from the release of the former move to the arrival of the line, rounded down, at least
// Least_Time_Per_Move. A move is late if remaining + byoyomi + increment - T <= 0 (stop-watch: remaining - T <= 0).
// Afterwards remaining = max(0, remaining + increment - T)." Each side by its own time.
class Timekeeper {
 public:
  Timekeeper() = default;
  explicit Timekeeper(const core::GameOpened& game)
      : rules_{game.time, game.white_time.value_or(game.time)}, remaining_s_{rules_[0].total_s, rules_[1].total_s} {}

  std::int32_t charge_s(bool black, std::int64_t elapsed_us) const {
    const std::int64_t whole_s = elapsed_us > 0 ? elapsed_us / kSecond_us : 0;
    std::int64_t t = std::max<std::int64_t>(whole_s, rule(black).least_s);
    if (rule(black).stopwatch_s > 0) t -= t % rule(black).stopwatch_s;
    return static_cast<std::int32_t>(std::min<std::int64_t>(t, std::numeric_limits<std::int32_t>::max()));
  }
  // Elapsed microseconds at which the mover's flag falls; INT64_MAX: never.
  std::int64_t flag_us(bool black) const {
    const core::TimeRule& own = rule(black);
    if (own.total_s == 0 && own.byoyomi_s == 0 && own.increment_s == 0) {
      return std::numeric_limits<std::int64_t>::max();
    }
    if (charge_s(black, 0) >= allowance_s(black)) return 0;
    // The first whole second whose charge is too much.
    std::int64_t s = allowance_s(black);
    while (charge_s(black, s * kSecond_us) < allowance_s(black)) ++s;
    return s * kSecond_us;
  }
  void book(bool black, std::int32_t charged_s) {
    std::int32_t& remaining = remaining_s_[black ? 0 : 1];
    remaining = std::max(0, remaining + rule(black).increment_s - charged_s);
  }
  std::int32_t remaining_s(bool black) const { return remaining_s_[black ? 0 : 1]; }

 private:
  std::int32_t allowance_s(bool black) const {
    return remaining_s(black) + rule(black).byoyomi_s + rule(black).increment_s;
  }
  const core::TimeRule& rule(bool black) const { return rules_[black ? 0 : 1]; }
  std::array<core::TimeRule, 2> rules_;
  std::array<std::int32_t, 2> remaining_s_{};
};

// Whether the move of "+5251OU" takes a king to its goal (TRY).
inline bool is_try(std::string_view csa) { return csa.substr(3) == (csa.starts_with('+') ? "51OU" : "59OU"); }

// Replays a game by the oracle.
class Referee {
 public:
  explicit Referee(const std::string& start_sfen, core::Rulebook rulebook = core::Rulebook::shogi_server)
      : board_(start_sfen), official_(board_), rulebook_(rulebook) {}

  bool black_to_move() const { return board_.turn() == oracle::Side::black; }
  // Whether the text is a legal move here ("+7776FU").
  bool allows(std::string_view csa) const {
    const auto move = move_of(board_, csa);
    return move && board_.allows(*move);
  }
  std::vector<std::string> legal_moves() const {
    std::vector<std::string> texts;
    for (const oracle::Move& move : board_.legal_moves()) texts.push_back(text_of(board_, move));
    return texts;
  }
  // Makes a legal move and says what repetition makes of it.
  oracle::Ending make(std::string_view csa) {
    board_ = board_.after(*move_of(board_, csa));
    return rulebook_ == core::Rulebook::official ? official_.push(board_) : repetition_.push(board_);
  }
  // What %KACHI does by the rule of an even game; nothing: it loses.
  enum class Declared : std::uint8_t { nothing, draw, win };
  Declared declared(shogi::DeclarationRule rule) const {
    using enum shogi::DeclarationRule;
    if (rule == NONE) return Declared::nothing;
    if (rule == TRY) return std::ranges::any_of(legal_moves(), is_try) ? Declared::win : Declared::nothing;
    const int points = board_.declaration_points().value_or(0);
    const bool of_24 = rule == POINTS_24 || rule == POINTS_24_H;
    if (points >= (of_24 ? 31 : black_to_move() ? 28 : 27)) return Declared::win;
    return of_24 && points >= 24 ? Declared::draw : Declared::nothing;
  }
  // The position as records write it: nine ranks, hands, side to move.
  std::string csa_board() const {
    std::string text;
    for (int rank = 1; rank <= 9; ++rank) {
      text += 'P' + std::to_string(rank);
      for (int file = 9; file >= 1; --file) text += square_text(board_.at({file, rank}));
      text += '\n';
    }
    for (const oracle::Side side : {oracle::Side::black, oracle::Side::white}) text += hand_text(board_, side);
    return text + (black_to_move() ? "+\n" : "-\n");
  }

 private:
  oracle::Board board_;
  oracle::ServerRepetition repetition_;
  oracle::RealRepetition official_;
  core::Rulebook rulebook_;
};

}  // namespace fuhyo::sim
