#include "engines/mate/proof_table.h"

#include <algorithm>
#include <new>

namespace fuhyo::mate {

void ProofTable::resize(std::size_t megabytes) {
  memory_.reset();
  megabytes_ = count_ = 0;
  std::size_t bytes = std::max<std::size_t>(megabytes, 1) << 20;
  memory_.reset(std::calloc(bytes, 1));  // an entry of zeros is empty
  if (!memory_) throw std::bad_alloc();
  void* aligned = memory_.get();
  std::align(64, bytes - 64, aligned, bytes);
  buckets_ = static_cast<Entry*>(aligned);
  count_ = bytes / (kBucket * sizeof(Entry));
  megabytes_ = megabytes;
  age_ = 1;
}

void ProofTable::forget() {
  if (++age_ == 256) resize(megabytes_);
}

ProofTable::Entry* ProofTable::bucket(shogi::Key board) const {
  using Wide = unsigned __int128;
  // The side to move is a bit of the key; spread it, so that both sides use all of the table.
  const std::uint64_t spread = board * 0x9e3779b97f4a7c15;
  return &buckets_[static_cast<std::size_t>((Wide{spread} * count_) >> 64) * kBucket];
}

Knowledge ProofTable::look_up(const Question& q) const {
  Knowledge known;
  std::uint32_t phi = 1, delta = 1;  // at least this, by what is known of other hands
  const Entry* const first = bucket(q.board);
  for (const Entry* e = first; e != first + kBucket; ++e) {
    if (e->board != q.board || e->age() != age_) continue;
    const bool same = e->hand() == q.hand;
    switch (e->state()) {
      case State::proven:
        if (e->plies() <= q.limit && has_all_of(q.hand, e->hand()))
          return {.state = State::proven, .plies = e->plies(), .found = true};
        break;
      case State::disproven:
        if (e->plies() >= q.limit && has_all_of(e->hand(), q.hand))
          return {.state = State::disproven, .plies = e->plies(), .found = true};
        break;
      case State::conditional:
        if (!same || q.limit != kNoLimit) break;
        if (e->path() == q.path)
          return {.state = State::conditional, .plies = kNoLimit, .depends_on = e->depends_on, .found = true};
        known.found = true;
        break;
      case State::unknown:
        if (!same || e->plies() != q.limit) break;
        known.found = true;
        phi = std::max(phi, e->phi);
        delta = std::max(delta, e->delta);
        break;
    }
  }
  known.phi = phi;
  known.delta = delta;
  return known;
}

// Whether an entry about the same position has nothing more to say.
bool ProofTable::replaces(const Entry& old, const Question& q, const Knowledge& knowledge) {
  switch (knowledge.state) {
    case State::proven:
      return old.state() != State::disproven && old.plies() >= knowledge.plies;
    case State::disproven:
      return old.state() != State::proven && old.plies() <= q.limit;
    default:
      return (old.state() == State::unknown || old.state() == State::conditional) && old.plies() == q.limit;
  }
}

void ProofTable::store(const Question& q, const Knowledge& knowledge, std::uint32_t effort) {
  Entry* const first = bucket(q.board);
  Entry* slot = first;
  for (Entry* e = first; e != first + kBucket; ++e) {
    const bool current = e->age() == age_;
    if (current && e->board == q.board && e->hand() == q.hand && replaces(*e, q, knowledge)) {
      slot = e;
      effort += std::min(e->effort, ~effort);
      break;
    }
    const auto worth = [this](const Entry& entry) { return entry.age() == age_ ? entry.effort + std::uint64_t{1} : 0; };
    if (worth(*e) < worth(*slot)) slot = e;
  }
  const Plies plies = knowledge.state == State::proven ? knowledge.plies : q.limit;
  *slot = {.board = q.board,
           .hand_and_age = q.hand | age_ << 56,
           .phi = knowledge.phi,
           .delta = knowledge.delta,
           .effort = effort,
           .depends_on = static_cast<std::uint16_t>(knowledge.depends_on),
           .plies_and_state = static_cast<std::uint16_t>(plies | static_cast<unsigned>(knowledge.state) << 14)};
  if (knowledge.state != State::conditional) return;
  slot->phi = static_cast<std::uint32_t>(q.path >> 32);
  slot->delta = static_cast<std::uint32_t>(q.path);
}

}  // namespace fuhyo::mate
