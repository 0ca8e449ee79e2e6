#include "engines/mate/proof_search.h"

#include <algorithm>

#include "engines/mate/mate_in_one.h"
#include "engines/shogi/checks.h"
#include "engines/shogi/zobrist.h"

namespace fuhyo::mate {
namespace {

using namespace shogi;

constexpr std::uint32_t kInfinite = Knowledge::kInfinite;
constexpr std::uint64_t kNodesBetweenLooksAtTheClock = 256;
// Deeper than any known mate (1525 plies); it bounds the stack.
constexpr std::size_t kDeepest = 2'000;

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

std::uint64_t extended(const Question& q) {
  std::uint64_t mixed = (q.path ^ q.board) * 0x9e3779b97f4a7c15;
  mixed = (mixed ^ (mixed >> 29) ^ q.hand) * 0xbf58476d1ce4e5b9;
  return mixed ^ (mixed >> 32);
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

Question ProofSearch::ask(const Position& position, Plies limit) const {
  return {.board = position.board_key(), .hand = hand_bits(position.hand(attacker_)), .limit = limit, .path = 0};
}

Knowledge ProofSearch::known(const Position& position, Plies limit) const {
  return table_.look_up(ask(position, limit));
}

Knowledge ProofSearch::solve(Position& position, Plies limit) {
  const Question question = ask(position, limit);
  Knowledge result = table_.look_up(question);
  if (!result.found) result = evaluate(position, limit);
  while (!is_settled(result) && !stopped_) result = visit(position, question, {.phi = kInfinite, .delta = kInfinite});
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
bool ProofSearch::repeats(const Question& q, std::uint32_t& ply) const {
  if (q.limit != kNoLimit || on_path_[q.board % on_path_.size()] == 0) return false;
  for (std::size_t i = path_.size(); i-- > 0;) {
    if (path_[i].board == q.board && has_all_of(path_[i].hand, q.hand)) {
      ply = static_cast<std::uint32_t>(i);
      return true;
    }
  }
  return false;
}

Question ProofSearch::ask_after(const Position& position, const Question& q, Move move) const {
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
          .path = extended(q)};
}

// A position that the table does not know: whether it is over, and otherwise how hard it looks.
Knowledge ProofSearch::evaluate(Position& position, Plies limit) {
  if (!attacks(position)) {
    const std::size_t evasions = count_legal_moves(position);
    if (evasions == 0) return {.state = State::proven, .plies = 0};
    if (limit == 0) return {.state = State::disproven, .plies = 0};
    return {.delta = static_cast<std::uint32_t>(evasions)};
  }
  if (mate_in_one(position)) return {.state = State::proven, .plies = 1};
  const Move* const end = generate_checks(position, moves_);
  if (end == moves_) return {.state = State::disproven, .plies = kNoLimit};
  return {.delta = static_cast<std::uint32_t>(end - moves_)};
}

Knowledge ProofSearch::first_look(Position& position, const Question& q, Move move) {
  if (std::uint32_t ply = 0; repeats(q, ply)) {
    return {.state = State::conditional, .plies = kNoLimit, .depends_on = ply, .found = true};
  }
  Knowledge known = table_.look_up(q);
  if (known.found) return known;
  const Position::Undo undo = position.do_move(move);
  const Knowledge seen = evaluate(position, q.limit);
  position.undo_move(move, undo);
  if (seen.state == State::unknown) {
    known.delta = std::max(known.delta, seen.delta);
  } else {
    known = seen;
  }
  // A disproof at first sight has no checks at all, or no ply left: what it says of other limits is the same.
  Question stored = q;
  if (known.state == State::disproven) stored.limit = known.plies;
  table_.store(stored, known, 1);
  return known;
}

// Puts the children of a node behind those of the path; only one if it settles the node.
void ProofSearch::expand(Position& position, const Question& q) {
  const bool attack = attacks(position);
  const std::size_t first = children_.size();
  const Move* const end = attack ? generate_checks(position, moves_) : generate<GenKind::LEGAL>(position, moves_);
  for (const Move* m = moves_; m != end; ++m) {
    children_.push_back({.question = ask_after(position, q, *m), .knowledge = {}, .move = *m});
    table_.prefetch(children_.back().question.board);
  }
  for (std::size_t i = first; i < children_.size(); ++i) {
    Child& child = children_[i];
    child.knowledge = first_look(position, child.question, child.move);
    // What holds on this path only is not as good as what may still come.
    if (delta_of(child.knowledge, !attack) != 0 || child.knowledge.state == State::conditional) continue;
    children_[first] = child;
    children_.resize(first + 1);
    return;
  }
}

ProofSearch::Summary ProofSearch::summarize(std::size_t first, bool attack) const {
  Summary s;
  std::uint32_t best_phi = kInfinite;
  for (std::size_t i = first; i < children_.size(); ++i) {
    const std::uint32_t delta = delta_of(children_[i].knowledge, !attack);
    const std::uint32_t phi = phi_of(children_[i].knowledge, !attack);
    s.delta = std::min(s.delta + phi, kInfinite);
    if (delta < s.phi || (delta == s.phi && phi < best_phi)) {
      s.second = s.phi;
      s.phi = delta;
      s.best = i;
      best_phi = phi;
    } else {
      s.second = std::min(s.second, delta);
    }
  }
  return s;
}

Knowledge ProofSearch::conclude(std::size_t first, const Summary& summary, bool attack) const {
  const auto ply = static_cast<std::uint32_t>(path_.size() - 1);
  if (summary.phi != 0 && summary.delta != 0) return {.phi = summary.phi, .delta = summary.delta};
  const bool mover_wins = summary.phi == 0;
  if (mover_wins == attack) {
    // The attacker takes the shortest known way, the defender the longest.
    int plies = attack ? kNoLimit : -1;
    for (std::size_t i = first; i < children_.size(); ++i) {
      const Knowledge& k = children_[i].knowledge;
      if (k.state == State::proven) plies = attack ? std::min<int>(plies, k.plies) : std::max<int>(plies, k.plies);
    }
    return {.state = State::proven, .plies = static_cast<Plies>(std::min(plies + 1, kNoLimit - 1))};
  }
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

Knowledge ProofSearch::search_children(Position& position, const Question& q, Threshold threshold) {
  const bool attack = attacks(position);
  const std::size_t first = children_.size();
  expand(position, q);
  Summary s = summarize(first, attack);
  while (s.phi != 0 && s.delta != 0 && s.phi < threshold.phi && s.delta < threshold.delta) {
    const Question question = children_[s.best].question;
    const Move move = children_[s.best].move;
    const std::uint32_t others = s.delta - phi_of(children_[s.best].knowledge, !attack);
    // A little more than the second best needs, so that the search does not jump to and fro.
    const Threshold share = {.phi = threshold.delta - others,
                             .delta = std::min(threshold.phi, s.second + s.second / 4 + 1)};
    const Position::Undo undo = position.do_move(move);
    const Knowledge found = visit(position, question, share);
    position.undo_move(move, undo);
    if (stopped_) break;
    children_[s.best].knowledge = found;
    s = summarize(first, attack);
  }
  const Knowledge result = conclude(first, s, attack);
  children_.resize(first);
  return result;
}

Knowledge ProofSearch::visit(Position& position, const Question& q, Threshold threshold) {
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
