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
  capacity_ = bytes / kBytesPerBucket;
  paths_ = reinterpret_cast<OnPath*>(buckets_ + capacity_ * kBucket);
  megabytes_ = megabytes;
  age_ = 0;
  clear();
}

void ProofTable::clear() {
  if (++age_ == 256) return resize(megabytes_);
  count_ = half_ = kFirstBuckets;
  filled_ = 0;
  any_on_path_ = false;
}

ProofTable::Entry* ProofTable::bucket(std::uint64_t place) const {
  std::size_t index = place & (2 * half_ - 1);
  if (index >= count_) index -= half_;  // its own bucket has not been split off yet
  return buckets_ + index * kBucket;
}

void ProofTable::prefetch(const ProofQuery& q) const {
  for (const Entry* const first : {bucket(of_settled(q.board)), bucket(of_estimates(q.board, q.hand))}) {
    for (std::size_t i = 0; i < kBucket; i += 64 / sizeof(Entry)) __builtin_prefetch(first + i);
  }
}

// Splits the next bucket in turn: what belongs to the new one moves there.
void ProofTable::grow() {
  if (count_ == capacity_) return;
  Entry* const from = buckets_ + (count_ - half_) * kBucket;
  Entry* const to = buckets_ + count_ * kBucket;
  std::size_t moved = 0;
  for (Entry* e = from; e != from + kBucket; ++e) {
    if (e->age() != age_ || (place(*e) & (2 * half_ - 1)) != count_) continue;
    to[moved++] = *e;
    *e = {};
  }
  std::fill(to + moved, to + kBucket, Entry{});
  if (++count_ == 2 * half_) half_ = count_;
}

Knowledge ProofTable::probe(const ProofQuery& q) const {
  const Entry* first = bucket(of_settled(q.board));
  for (const Entry* e = first; e != first + kBucket; ++e) {
    if (e->board != q.board || e->age() != age_) continue;
    switch (e->state()) {
      case State::proven:
        if (e->plies() <= q.limit && has_all_of(q.hand, e->hand()))
          return {.state = State::proven, .plies = e->plies(), .hand = e->hand(), .found = true};
        break;
      case State::disproven:
        if (e->plies() >= q.limit && has_all_of(e->hand(), q.hand))
          return {.state = State::disproven, .plies = e->plies(), .found = true};
        break;
      default:
        break;
    }
  }
  if (q.limit == kNoLimit && any_on_path_) {
    const std::uint64_t path = q.path_through();
    if (const OnPath& e = on_path(path); e.path == path && e.age == age_)
      return {.state = State::conditional, .plies = kNoLimit, .depends_on = e.depends_on, .found = true};
  }
  first = bucket(of_estimates(q.board, q.hand));
  for (const Entry* e = first; e != first + kBucket; ++e) {
    if (e->board == q.board && e->age() == age_ && e->hand() == q.hand && e->state() == State::unknown &&
        e->plies() == q.limit)
      return {.phi = e->phi, .delta = e->delta, .found = true};
  }
  return {};
}

// Whether an entry about the same position has nothing more to say.
bool ProofTable::replaces(const Entry& old, const ProofQuery& q, const Knowledge& knowledge) {
  switch (knowledge.state) {
    case State::proven:
      return old.state() != State::disproven && old.plies() >= knowledge.plies;
    case State::disproven:
      return old.state() != State::proven && old.plies() <= q.limit;
    default:
      return old.state() == State::unknown && old.plies() == q.limit;
  }
}

// Forgets what a proof says of richer hands, too.
void ProofTable::drop_what_follows(Entry* first, const ProofQuery& q, const Knowledge& knowledge) {
  for (Entry* e = first; e != first + kBucket; ++e) {
    if (e->board != q.board || e->age() != age_ || e->state() == State::disproven) continue;
    if (e->plies() < knowledge.plies || !has_all_of(e->hand(), q.hand)) continue;
    *e = {};
    --filled_;
  }
}

void ProofTable::store(const ProofQuery& asked, const Knowledge& knowledge, std::uint32_t effort) {
  if (knowledge.state == State::conditional) {
    const std::uint64_t path = asked.path_through();
    on_path(path) = {.path = path, .depends_on = knowledge.depends_on, .age = static_cast<std::uint32_t>(age_)};
    any_on_path_ = true;
    return;
  }
  ProofQuery q = asked;
  if (knowledge.state == State::proven) {
    q.hand = knowledge.hand;
    drop_what_follows(bucket(of_settled(q.board)), q, knowledge);
    drop_what_follows(bucket(of_estimates(q.board, asked.hand)), q, knowledge);
  }
  Entry* const first = bucket(knowledge.state == State::unknown ? of_estimates(q.board, q.hand) : of_settled(q.board));
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
           .plies_and_state = static_cast<std::uint16_t>(plies | static_cast<unsigned>(knowledge.state) << 14)};
  if (filled_ > count_ * kBucket / 2) grow();
}

}  // namespace fuhyo::mate
