#include "engines/nnue/search/transposition_table.h"

#include <algorithm>
#include <climits>
#include <thread>
#include <vector>

namespace fuhyo::nnue {
namespace {

// Bits of the data, from the lowest: move 16, value 16, evaluation 16, depth 8, bound 2, pv 1, generation 5.
constexpr int kValueShift = 16, kEvaluationShift = 32, kDepthShift = 48, kBoundShift = 56, kPvShift = 58,
              kGenerationShift = 59;

template <class T>
T field(std::uint64_t data, int shift) {
  return static_cast<T>(data >> shift);
}

Bound bound_of(std::uint64_t data) { return static_cast<Bound>((data >> kBoundShift) & 3); }

}  // namespace

std::uint64_t TranspositionTable::pack(const TtEntry& entry, unsigned generation) {
  return std::uint64_t{entry.move.bits()} | std::uint64_t{static_cast<std::uint16_t>(entry.value)} << kValueShift |
         std::uint64_t{static_cast<std::uint16_t>(entry.evaluation)} << kEvaluationShift |
         std::uint64_t{static_cast<std::uint8_t>(entry.depth)} << kDepthShift |
         std::uint64_t{static_cast<std::uint8_t>(entry.bound)} << kBoundShift | std::uint64_t{entry.pv} << kPvShift |
         std::uint64_t{generation} << kGenerationShift;
}

TtEntry TranspositionTable::unpack(std::uint64_t data) {
  return {.move = shogi::Move::from_bits(field<std::uint16_t>(data, 0)),
          .value = field<std::int16_t>(data, kValueShift),
          .evaluation = field<std::int16_t>(data, kEvaluationShift),
          .depth = field<std::int8_t>(data, kDepthShift),
          .bound = bound_of(data),
          .pv = ((data >> kPvShift) & 1) != 0};
}

void TranspositionTable::resize(std::size_t megabytes) {
  buckets_ = {};  // before the new one is allocated
  count_ = 0;
  megabytes_ = 0;
  buckets_ = LargeArray<Bucket>(std::max<std::size_t>(megabytes * 1024 * 1024 / sizeof(Bucket), 1));
  count_ = buckets_.size();
  megabytes_ = megabytes;
}

void TranspositionTable::clear(int threads) {
  generation_.store(0, std::memory_order_relaxed);
  const auto parts = static_cast<std::size_t>(std::max(threads, 1));
  std::vector<std::jthread> helpers;
  for (std::size_t part = 0; part < parts; ++part) {
    const auto wipe = [this, begin = count_ * part / parts, end = count_ * (part + 1) / parts] {
      for (std::size_t i = begin; i < end; ++i) {
        for (Slot& slot : buckets_[i].slots) {
          slot.check.store(0, std::memory_order_relaxed);
          slot.data.store(0, std::memory_order_relaxed);
        }
      }
    };
    part + 1 < parts ? static_cast<void>(helpers.emplace_back(wipe)) : wipe();
  }
}

std::optional<TtEntry> TranspositionTable::probe(shogi::Key key) const {
  for (const Slot& slot : bucket(key).slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ data) == key && data != 0) return unpack(data);
  }
  return std::nullopt;
}

int TranspositionTable::worth(std::uint64_t data) const {
  const auto age = static_cast<int>((generation() - static_cast<unsigned>(data >> kGenerationShift)) & kGenerationMask);
  return field<std::int8_t>(data, kDepthShift) - 8 * age - (data == 0 ? 1'000 : 0);
}

void TranspositionTable::store(shogi::Key key, const TtEntry& entry) {
  auto& slots = bucket(key).slots;
  Slot* place = &slots[0];
  std::uint64_t old = 0;
  int least = INT_MAX;
  for (Slot& slot : slots) {
    const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
    if ((slot.check.load(std::memory_order_relaxed) ^ data) == key) {
      place = &slot;
      old = data;
      break;
    }
    if (const int value = worth(data); value < least) {
      place = &slot;
      least = value;
    }
  }
  TtEntry kept = entry;
  if (old != 0) {
    const TtEntry known = unpack(old);
    if (!kept.move) kept.move = known.move;
    // A much deeper result of this search stays, with the better move.
    const bool fresh = static_cast<unsigned>(old >> kGenerationShift) == generation();
    if (fresh && entry.bound != Bound::exact && entry.depth + (entry.pv ? 2 : 0) + 4 <= known.depth) {
      const shogi::Move move = kept.move;
      kept = known;
      kept.move = move;
    }
  }
  const std::uint64_t data = pack(kept, generation());
  place->data.store(data, std::memory_order_relaxed);
  place->check.store(key ^ data, std::memory_order_relaxed);
}

int TranspositionTable::hashfull_permille() const {
  const std::size_t sample = std::min<std::size_t>(count_, 250);
  if (sample == 0) return 0;
  std::size_t used = 0;
  for (std::size_t i = 0; i < sample; ++i) {
    for (const Slot& slot : buckets_[i].slots) {
      const std::uint64_t data = slot.data.load(std::memory_order_relaxed);
      if (data != 0 && static_cast<unsigned>(data >> kGenerationShift) == generation()) ++used;
    }
  }
  return static_cast<int>(used * 1000 / (4 * sample));
}

}  // namespace fuhyo::nnue
