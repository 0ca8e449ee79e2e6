#include "engines/mate/proof_search.h"

#include <algorithm>
#include <array>

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/attacks.h"
#include "engines/shogi/checks.h"
#include "engines/shogi/zobrist.h"

namespace fuhyo::mate {
namespace {

using namespace shogi;

constexpr std::uint32_t kInfinite = Knowledge::kInfinite;
constexpr std::uint64_t kNodesBetweenLooksAtTheClock = 256;
// Deeper than any known mate (1525 plies); it bounds the stack.
constexpr std::size_t kDeepest = 2'000;
// What the other children add to the largest, at most: where many paths lead to the same positions, plain sums count
// these again on each path, double at every ply and soon say nothing.
constexpr std::uint32_t kMostOfOthers = 100;

bool is_settled(const Knowledge& k) { return k.state != State::unknown; }

// The child's numbers are seen from the other side.
std::uint32_t phi_of(const Knowledge& k, bool attacks) {
  if (k.state == State::unknown) return k.phi;
  return (k.state == State::proven) == attacks ? 0 : kInfinite;
}
std::uint32_t delta_of(const Knowledge& k, bool attacks) {
  if (k.state == State::unknown) return k.delta;
  return (k.state == State::proven) == attacks ? kInfinite : 0;
}

HandBits one_of(PieceType type) {
  Hand hand;
  hand.add(type);
  return hand_bits(hand);
}

// How many moves there are; drops on one square count once.
std::size_t ways(const Move* moves, const Move* end) {
  std::size_t count = 0;
  Bitboard dropped_on;
  for (const Move* m = moves; m != end; ++m) {
    if (m->is_drop()) {
      if (dropped_on.test(m->to())) continue;
      dropped_on |= Bitboard::of(m->to());
    }
    ++count;
  }
  return count;
}

// Whether the check comes from a distance.
bool is_interposable(const Position& position) {
  const Bitboard checkers = position.checkers();
  return checkers.count() == 1 && between(position.king_square(position.side_to_move()), checkers.first()).any();
}

// The attacker's pieces that keep the defender, which stands in check, from an interposition: all of the kinds of which
// it has none.
HandBits monopoly(const Position& position) {
  const Color defender = position.side_to_move();
  if (!is_interposable(position)) return 0;
  constexpr HandBits kOnes = 0x01010101010101, kGuards = kOnes << 7;
  const HandBits held = (((hand_bits(position.hand(defender)) | kGuards) - kOnes) & kGuards) >> 7;
  return hand_bits(position.hand(~defender)) & ~(held * 0xff);
}

// What a mate needs before the attacker's move, given what it needs after it.
HandBits needed_before(const Position& position, Move move, HandBits after) {
  if (move.is_drop()) return after + one_of(move.dropped());
  const Piece captured = position.piece_on(move.to());
  if (captured == NO_PIECE) return after;
  const HandBits won = one_of(unpromoted(type_of(captured)));
  return has_all_of(after, won) ? after - won : after;
}

Key board_key_after(const Position& position, Move move) {
  const detail::Zobrist& zobrist = detail::kZobrist;
  const Key key = position.board_key() ^ zobrist.white_to_move;
  const Color us = position.side_to_move();
  if (move.is_drop()) return key ^ zobrist.on(make_piece(us, move.dropped()), move.to());
  const Piece moved = position.piece_on(move.from()), captured = position.piece_on(move.to());
  const auto piece = static_cast<Piece>(moved + (move.is_promotion() ? 8 : 0));
  const Key taken = captured == NO_PIECE ? 0 : zobrist.on(captured, move.to());
  return key ^ zobrist.on(moved, move.from()) ^ taken ^ zobrist.on(piece, move.to());
}

}  // namespace

ProofQuery ProofSearch::query_of(const Position& position, Plies limit) const {
  return {.board = position.board_key(), .hand = hand_bits(position.hand(attacker_)), .limit = limit, .path = 0};
}

Knowledge ProofSearch::known(const Position& position, Plies limit) const {
  return table_.probe(query_of(position, limit));
}

Knowledge ProofSearch::solve(Position& position, Plies limit) {
  const ProofQuery query = query_of(position, limit);
  Knowledge result = table_.probe(query);
  if (!result.found) result = evaluate(position, limit);
  while (!is_settled(result) && !stopped_) result = visit(position, query, {.phi = kInfinite, .delta = kInfinite});
  if (result.state == State::disproven && too_deep_) result.state = State::unknown;
  return result;
}

bool ProofSearch::must_stop() {
  const bool looks = nodes_ % kNodesBetweenLooksAtTheClock == 0;
  ++nodes_;
  if (looks && stop_(nodes_)) stopped_ = true;
  return stopped_;
}

// On the path as it stands, the node itself included: the same position with no more in the attacker's hand.
bool ProofSearch::repeats(const ProofQuery& q, std::uint32_t& ply) const {
  if (q.limit != kNoLimit || on_path_[q.board % on_path_.size()] == 0) return false;
  for (std::size_t i = path_.size(); i-- > 0;) {
    if (path_[i].board == q.board && has_all_of(path_[i].hand, q.hand)) {
      ply = static_cast<std::uint32_t>(i);
      return true;
    }
  }
  return false;
}

ProofQuery ProofSearch::query_after(const Position& position, const ProofQuery& q, Move move) const {
  Hand hand = position.hand(attacker_);
  if (attacks(position)) {
    if (move.is_drop()) {
      hand.remove(move.dropped());
    } else if (const Piece captured = position.piece_on(move.to()); captured != NO_PIECE) {
      hand.add(unpromoted(type_of(captured)));
    }
  }
  return {.board = board_key_after(position, move),
          .hand = hand_bits(hand),
          .limit = q.limit == kNoLimit ? kNoLimit : static_cast<Plies>(q.limit - 1),
          .path = q.path_through()};
}

// A position that the table does not know: whether it is over, and otherwise how hard it looks.
Knowledge ProofSearch::evaluate(Position& position, Plies limit) {
  if (!attacks(position)) {
    const std::size_t evasions = is_interposable(position) ? ways(moves_, generate<GenKind::LEGAL>(position, moves_))
                                                           : count_legal_moves(position);
    if (evasions == 0) return {.state = State::proven, .plies = 0, .hand = monopoly(position)};
    if (limit == 0) return {.state = State::disproven, .plies = 0};
    return {.delta = static_cast<std::uint32_t>(evasions)};
  }
  // It is given from next to the king or by a knight: no interposition matters.
  if (const Move mate = mate_in_one(position))
    return {.state = State::proven, .plies = 1, .hand = mate.is_drop() ? one_of(mate.dropped()) : 0};
  const std::size_t checks = ways(moves_, generate_checks(position, moves_));
  if (checks == 0) return {.state = State::disproven, .plies = kNoLimit};
  return {.delta = static_cast<std::uint32_t>(checks)};
}

Knowledge ProofSearch::first_look(Position& position, Child& child) {
  const ProofQuery& q = child.query;
  if (std::uint32_t ply = 0; repeats(q, ply)) {
    return {.state = State::conditional, .plies = kNoLimit, .depends_on = ply, .found = true};
  }
  Knowledge known = table_.probe(q);
  if (known.found) return known;
  const Position::Undo undo = position.do_move(child.move);
  const Knowledge seen = evaluate(position, q.limit);
  position.undo_move(child.move, undo);
  if (seen.state == State::unknown) {
    known.delta = std::max(known.delta, seen.delta);
  } else {
    known = seen;
  }
  // A disproof at first sight has no checks at all, or no ply left: what it says of other limits is the same.
  ProofQuery stored = q;
  if (known.state == State::disproven) stored.limit = known.plies;
  table_.store(stored, known, 1);
  return known;
}

void ProofSearch::add_child(const Position& position, const ProofQuery& q, Move move) {
  children_.push_back({.query = query_after(position, q, move), .knowledge = {}, .move = move});
  table_.prefetch(children_.back().query);
}

// The defender's next interposition on the same square, by a dearer piece.
bool ProofSearch::add_next_drop(const Position& position, const ProofQuery& q, Move move) {
  for (int type = move.dropped() + 1; type <= GOLD; ++type) {
    const Move next = Move::drop(static_cast<PieceType>(type), move.to());
    if (position.hand(position.side_to_move()).count(next.dropped()) == 0 || !position.is_legal(next)) continue;
    add_child(position, q, next);
    return true;
  }
  return false;
}

// Puts the children of a node behind those of the path; only one if it settles the node. Of interpositions on one
// square only the cheapest that is not known to fail: when it mates, the dearer ones mostly do so likewise.
void ProofSearch::expand(Position& position, const ProofQuery& q) {
  const bool attack = attacks(position);
  const std::size_t first = children_.size();
  const Move* const end = attack ? generate_checks(position, moves_) : generate<GenKind::LEGAL>(position, moves_);
  std::array<std::uint8_t, SQUARE_NB> cheapest{};
  for (const Move* m = moves_; m != end && !attack; ++m) {
    if (!m->is_drop()) continue;
    std::uint8_t& least = cheapest[static_cast<std::size_t>(m->to())];
    if (least == 0 || m->dropped() < least) least = m->dropped();
  }
  for (const Move* m = moves_; m != end; ++m) {
    if (attack || !m->is_drop() || m->dropped() == cheapest[static_cast<std::size_t>(m->to())])
      add_child(position, q, *m);
  }
  for (std::size_t i = first; i < children_.size(); ++i) {
    const Knowledge known = children_[i].knowledge = first_look(position, children_[i]);
    const Move move = children_[i].move;
    if (!attack && move.is_drop() && known.state == State::proven) add_next_drop(position, q, move);
    // What holds on this path only is not as good as what may still come.
    if (delta_of(known, !attack) != 0 || known.state == State::conditional) continue;
    children_[first] = children_[i];
    children_.resize(first + 1);
    return;
  }
}

ProofSearch::Summary ProofSearch::summarize(std::size_t first, bool attack) const {
  Summary s;
  std::uint32_t best_phi = kInfinite, largest = 0;
  for (std::size_t i = first; i < children_.size(); ++i) {
    const std::uint32_t delta = delta_of(children_[i].knowledge, !attack);
    const std::uint32_t phi = phi_of(children_[i].knowledge, !attack);
    s.sum = std::min(s.sum + phi, kInfinite);
    largest = std::max(largest, phi);
    if (delta < s.phi || (delta == s.phi && phi < best_phi)) {
      s.second = s.phi;
      s.phi = delta;
      s.best = i;
      best_phi = phi;
    } else {
      s.second = std::min(s.second, delta);
    }
  }
  s.delta = std::min(largest + std::min(s.sum - largest, kMostOfOthers), kInfinite);
  return s;
}

// The attacker takes the shortest known way, the defender the longest.
Knowledge ProofSearch::conclude_mate(const Position& position, std::size_t first) const {
  const bool attack = attacks(position);
  int plies = attack ? kNoLimit : -1;
  HandBits hand = attack ? 0 : monopoly(position);
  for (std::size_t i = first; i < children_.size(); ++i) {
    const Knowledge& k = children_[i].knowledge;
    if (k.state != State::proven) continue;
    if (!attack) {
      plies = std::max<int>(plies, k.plies);
      hand = most_of(hand, k.hand);
    } else if (k.plies < plies) {
      plies = k.plies;
      hand = needed_before(position, children_[i].move, k.hand);
    }
  }
  return {.state = State::proven, .plies = static_cast<Plies>(std::min(plies + 1, kNoLimit - 1)), .hand = hand};
}

Knowledge ProofSearch::conclude(const Position& position, std::size_t first, const Summary& summary) const {
  const bool attack = attacks(position);
  const auto ply = static_cast<std::uint32_t>(path_.size() - 1);
  if (summary.phi != 0 && summary.delta != 0)
    return {.phi = std::min(summary.phi, kInfinite - 1), .delta = std::min(summary.delta, kInfinite - 1)};
  const bool mover_wins = summary.phi == 0;
  if (mover_wins == attack) return conclude_mate(position, first);
  // The attacker relies on the weakest of its failures, the defender chooses the strongest.
  std::uint32_t depends_on = attack ? ply : 0;
  for (std::size_t i = first; i < children_.size(); ++i) {
    const Knowledge& k = children_[i].knowledge;
    if (k.state == State::conditional) {
      depends_on = attack ? std::min(depends_on, k.depends_on) : std::max(depends_on, k.depends_on);
    } else if (k.state == State::disproven && !attack) {
      depends_on = ply;
    }
  }
  if (depends_on >= ply) return {.state = State::disproven, .plies = path_.back().limit};
  return {.state = State::conditional, .plies = kNoLimit, .depends_on = depends_on};
}

Knowledge ProofSearch::search_children(Position& position, const ProofQuery& q, Threshold threshold) {
  const bool attack = attacks(position);
  const std::size_t first = children_.size();
  expand(position, q);
  Summary s = summarize(first, attack);
  while (s.phi != 0 && s.delta != 0 && s.phi < threshold.phi && s.delta < threshold.delta) {
    const Child& best = children_[s.best];
    const ProofQuery query = best.query;
    const Move move = best.move;
    const std::uint32_t phi = phi_of(best.knowledge, !attack);
    const std::uint32_t others = std::min(s.sum - std::min(phi, s.sum), kMostOfOthers);
    // A little more than the second best needs, so that the search does not jump to and fro.
    const Threshold share = {.phi = std::max(phi + 1, threshold.delta - std::min(others, threshold.delta)),
                             .delta = std::max(s.phi + 1, std::min(threshold.phi, s.second + s.second / 4 + 1))};
    const Position::Undo undo = position.do_move(move);
    const Knowledge found = visit(position, query, share);
    position.undo_move(move, undo);
    if (stopped_) break;
    children_[s.best].knowledge = found;
    const bool interposed = !attack && move.is_drop() && found.state == State::proven;
    for (Move last = move; interposed && add_next_drop(position, q, last); last = children_.back().move) {
      children_.back().knowledge = first_look(position, children_.back());
      if (children_.back().knowledge.state != State::proven) break;
    }
    s = summarize(first, attack);
  }
  const Knowledge result = conclude(position, first, s);
  children_.resize(first);
  return result;
}

Knowledge ProofSearch::visit(Position& position, const ProofQuery& q, Threshold threshold) {
  if (must_stop()) return {};
  if (path_.size() >= kDeepest) {
    too_deep_ = true;
    return {.state = State::conditional, .plies = kNoLimit, .depends_on = 0};
  }
  const std::uint64_t before = nodes_;
  path_.push_back(q);
  ++on_path_[q.board % on_path_.size()];
  const Knowledge result = search_children(position, q, threshold);
  --on_path_[q.board % on_path_.size()];
  path_.pop_back();
  if (!stopped_)
    table_.store(q, result, static_cast<std::uint32_t>(std::min<std::uint64_t>(nodes_ - before + 1, UINT32_MAX)));
  return result;
}

}  // namespace fuhyo::mate
