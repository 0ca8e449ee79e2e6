#include "engines/mate/proof_table.h"

#include <algorithm>
#include <new>

namespace fuhyo::mate {

void ProofTable::resize(std::size_t megabytes) {
  memory_.reset();
  megabytes_ = 0;
  std::size_t bytes = std::max<std::size_t>(megabytes, 1) << 20;
  memory_.reset(std::calloc(bytes, 1));  // an entry of zeros is empty
  if (!memory_) throw std::bad_alloc();
  void* aligned = memory_.get();
  std::align(64, bytes - 64, aligned, bytes);
  buckets_ = static_cast<Entry*>(aligned);
  capacity_ = bytes / (kBucket * sizeof(Entry));
  megabytes_ = megabytes;
  age_ = 0;
  forget();
}

void ProofTable::forget() {
  if (++age_ == 256) return resize(megabytes_);
  count_ = half_ = kFirstBuckets;
  filled_ = 0;
}

ProofTable::Entry* ProofTable::bucket(shogi::Key board) const {
  std::size_t index = spread(board) & (2 * half_ - 1);
  if (index >= count_) index -= half_;  // its own bucket has not been split off yet
  return buckets_ + index * kBucket;
}

void ProofTable::prefetch(shogi::Key board) const {
  const Entry* const first = bucket(board);
  for (std::size_t i = 0; i < kBucket; i += 64 / sizeof(Entry)) __builtin_prefetch(first + i);
}

// Splits the next bucket in turn: what belongs to the new one moves there.
void ProofTable::grow() {
  if (count_ == capacity_) return;
  Entry* const from = buckets_ + (count_ - half_) * kBucket;
  Entry* const to = buckets_ + count_ * kBucket;
  std::size_t moved = 0;
  for (Entry* e = from; e != from + kBucket; ++e) {
    if (e->age() != age_ || (spread(e->board) & (2 * half_ - 1)) != count_) continue;
    to[moved++] = *e;
    *e = {};
  }
  std::fill(to + moved, to + kBucket, Entry{});
  if (++count_ == 2 * half_) half_ = count_;
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
  if (slot->age() != age_) ++filled_;
  const Plies plies = knowledge.state == State::proven ? knowledge.plies : q.limit;
  *slot = {.board = q.board,
           .hand_and_age = q.hand | age_ << 56,
           .phi = knowledge.phi,
           .delta = knowledge.delta,
           .effort = effort,
           .depends_on = static_cast<std::uint16_t>(knowledge.depends_on),
           .plies_and_state = static_cast<std::uint16_t>(plies | static_cast<unsigned>(knowledge.state) << 14)};
  if (knowledge.state == State::conditional) {
    slot->phi = static_cast<std::uint32_t>(q.path >> 32);
    slot->delta = static_cast<std::uint32_t>(q.path);
  }
  if (filled_ > count_ * kBucket / 2) grow();
}

}  // namespace fuhyo::mate
