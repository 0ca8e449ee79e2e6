#include "tests/oracle/compare.h"

#include <algorithm>
#include <set>

#include "engines/shogi/declaration.h"
#include "engines/shogi/movegen.h"
#include "engines/shogi/usi_move.h"

namespace fuhyo::oracle {
namespace {

using shogi::GenKind;
using Bits = std::set<std::uint16_t>;

template <GenKind Kind>
Bits bits_of(const shogi::Position& position) {
  Bits bits;
  for (const shogi::Move move : shogi::MoveList<Kind>(position)) bits.insert(move.bits());
  return bits;
}

Bits united(Bits a, const Bits& b) {
  a.insert(b.begin(), b.end());
  return a;
}

// Whether a search may leave the move out, from its definition in movegen.h.
bool is_pointless(const shogi::Position& position, shogi::Move m) {
  if (m.is_drop() || m.is_promotion()) return false;
  const shogi::Color us = position.side_to_move();
  const auto type = shogi::type_of(position.piece_on(m.from()));
  const bool zone = shogi::in_promotion_zone(us, m.from()) || shogi::in_promotion_zone(us, m.to());
  if (type == shogi::PAWN || type == shogi::BISHOP || type == shogi::ROOK) return zone;
  return type == shogi::LANCE && shogi::relative_rank(us, m.to()) == 2;
}

bool is_tactical(const shogi::Position& position, shogi::Move m) {
  if (m.is_drop()) return false;
  if (position.piece_on(m.to()) != shogi::NO_PIECE) return true;
  return m.is_promotion() && shogi::type_of(position.piece_on(m.from())) == shogi::PAWN;
}

// Everything that a position keeps beside its board.
bool is_restored(const shogi::Position& before, const shogi::Position& now) {
  return before.same_as(now) && before.sfen() == now.sfen() && before.board_key() == now.board_key() &&
         before.hand_key() == now.hand_key() && before.checkers() == now.checkers() &&
         before.pinned() == now.pinned() && before.king_square(shogi::BLACK) == now.king_square(shogi::BLACK) &&
         before.king_square(shogi::WHITE) == now.king_square(shogi::WHITE) &&
         shogi::count_legal_moves(before) == shogi::count_legal_moves(now);
}

Ending ending_of(shogi::Repetition repetition) {
  if (repetition == shogi::Repetition::DRAW) return Ending::draw;
  if (repetition == shogi::Repetition::MOVER_LOSES) return Ending::mover_loses;
  return repetition == shogi::Repetition::OPPONENT_LOSES ? Ending::opponent_loses : Ending::none;
}

void count(Ending ending, std::uint64_t& draws, std::uint64_t& perpetual_checks) {
  if (ending == Ending::draw) ++draws;
  if (ending == Ending::mover_loses || ending == Ending::opponent_loses) ++perpetual_checks;
}

}  // namespace

Pair::Pair(const std::string& sfen) : position_(*shogi::Position::from_sfen(sfen)), board_(sfen), oracle_real_(board_) {
  real_.start(position_);
  server_.start(position_);
}

Difference Pair::compare(Tally& tally, std::mt19937& random) {
  ++tally.positions;
  if (const auto difference = compare_lists(tally)) return difference;
  if (const auto difference = compare_kinds()) return difference;
  if (const auto difference = compare_any_move(random, tally)) return difference;
  if (const auto difference = compare_checks(random)) return difference;
  if (const auto difference = compare_text()) return difference;
  const bool check = board_.in_check(board_.turn());
  if (check != position_.in_check()) return "check";
  const bool declares = board_.may_declare();
  if (declares != shogi::can_declare(position_)) return "declaration";
  if (declares != shogi::judge_declaration(position_, shogi::DeclarationRule::POINTS_27).valid) return "its verdict";
  tally.checks += check ? 1 : 0;
  tally.declarations += declares ? 1 : 0;
  return std::nullopt;
}

Difference Pair::compare_lists(Tally& tally) {
  moves_ = board_.legal_moves();
  const auto list = shogi::legal_moves(position_);
  fast_moves_.assign(list.begin(), list.end());
  std::ranges::sort(fast_moves_, {}, [](shogi::Move m) { return shogi::to_usi(m); });
  tally.moves += moves_.size();
  tally.no_moves += moves_.empty() ? 1 : 0;
  if (shogi::count_legal_moves(position_) != list.size()) return "the number of moves and the moves";
  const auto same = [](const Move& slow, shogi::Move fast) { return slow.usi() == shogi::to_usi(fast); };
  if (std::ranges::equal(moves_, fast_moves_, same)) return std::nullopt;
  std::string text = "moves. The oracle's:";
  for (const Move& move : moves_) text += " " + move.usi();
  text += "\nours:";
  for (const shogi::Move move : fast_moves_) text += " " + shogi::to_usi(move);
  return text;
}

Difference Pair::compare_kinds() const {
  Bits search, captures, quiets;
  for (const shogi::Move move : fast_moves_) {
    if (is_pointless(position_, move)) continue;
    search.insert(move.bits());
    (is_tactical(position_, move) ? captures : quiets).insert(move.bits());
  }
  if (bits_of<GenKind::SEARCH>(position_) != search) return "moves for search";
  if (bits_of<GenKind::CAPTURES>(position_) != captures) return "captures";
  if (bits_of<GenKind::QUIETS>(position_) != quiets) return "quiet moves";
  return united(captures, quiets) == search ? std::nullopt : Difference("captures and quiet moves together");
}

// Any 16 bits are a legal move exactly if they are listed; and of the illegal ones, drop-pawn mates are named.
Difference Pair::compare_any_move(std::mt19937& random, Tally& tally) const {
  Bits legal;
  for (const shogi::Move move : fast_moves_) legal.insert(move.bits());
  const auto differs = [&](shogi::Move move) { return position_.is_legal(move) != legal.contains(move.bits()); };
  for (const shogi::Move move : fast_moves_) {
    if (differs(move)) return "legality of " + shogi::to_usi(move);
  }
  for (int i = 0; i < 32; ++i) {
    const auto move = shogi::Move::from_bits(static_cast<std::uint16_t>(random()));
    if (differs(move)) return "legality of the bits " + std::to_string(move.bits());
  }
  for (int s = 0; s < shogi::SQUARE_NB; ++s) {
    const auto move = shogi::Move::drop(shogi::PAWN, static_cast<shogi::Square>(s));
    if (differs(move)) return "legality of " + shogi::to_usi(move);
    if (position_.why_illegal(move) == shogi::Illegal::drop_pawn_mate) ++tally.pawn_drop_mates;
  }
  return std::nullopt;
}

Difference Pair::compare_checks(std::mt19937& random) const {
  for (int i = 0; i < 4 && !moves_.empty(); ++i) {
    const std::size_t at = random() % moves_.size();
    const Board next = board_.after(moves_[at]);
    if (next.in_check(next.turn()) != position_.gives_check(fast_moves_[at])) return "check by " + moves_[at].usi();
  }
  return std::nullopt;
}

// What was updated move by move must be what a fresh set-up gives.
Difference Pair::compare_text() const {
  const std::string sfen = position_.sfen();
  const auto fresh = shogi::Position::from_sfen(sfen);
  if (!fresh) return "text: " + fresh.error().message;
  const bool same = fresh->same_as(position_) && fresh->key() == position_.key() &&
                    fresh->board_key() == position_.board_key() && fresh->checkers() == position_.checkers() &&
                    fresh->pinned() == position_.pinned() && fresh->sfen() == sfen && Board(sfen).key() == board_.key();
  return same ? std::nullopt : Difference("the position and its text");
}

Difference Pair::play(std::size_t move, Tally& tally) {
  const shogi::Move fast = fast_moves_[move];
  const shogi::Position before = position_;
  const auto undo = position_.do_move(fast);
  position_.undo_move(fast, undo);
  if (!is_restored(before, position_)) return "taking back " + moves_[move].usi();
  // A move that is looked at and taken back must leave no trace in the histories.
  real_.push(position_, true);
  real_.pop();
  server_.push(position_, true);
  server_.pop();

  position_.do_move(fast);
  board_ = board_.after(moves_[move]);
  const Ending real = oracle_real_.push(board_), server = oracle_server_.push(board_);
  if (ending_of(real_.push(position_, position_.in_check())) != real) return "repetition after " + moves_[move].usi();
  if (ending_of(server_.push(position_, position_.in_check())) != server) {
    return "shogi-server's repetition after " + moves_[move].usi();
  }
  if (!over_real_) count(real, tally.draws, tally.perpetual_checks);
  if (!over_server_) count(server, tally.server_draws, tally.server_perpetual_checks);
  over_real_ = over_real_ || real != Ending::none;
  over_server_ = over_server_ || server != Ending::none;
  return std::nullopt;
}

}  // namespace fuhyo::oracle
