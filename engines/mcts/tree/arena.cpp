#include "engines/mcts/tree/arena.h"

#include <algorithm>
#include <bit>

namespace fuhyo::mcts {
namespace {

constexpr std::size_t kLeastBytes = 1024;
// A unit needs its bytes and a bit of the map; the map ends with a whole word.
std::size_t units_in(std::size_t bytes) {
  const std::size_t within = std::clamp(bytes, kLeastBytes, Arena::kMostBytes);
  return (within - sizeof(std::uint64_t)) * 8 / (Arena::kUnit * 8 + 1);
}

}  // namespace

Arena::Arena(std::size_t bytes)
    : map_(units_in(bytes) / 64 + 1),
      memory_(machine::Memory::allocate(units_in(bytes) * kUnit)),
      base_(memory_->data()),
      end_(static_cast<Handle>(units_in(bytes))) {}

Handle Arena::allocate(std::uint32_t units) {
  Handle block = 0;
  if (lists_[units] != 0 && units < kMostUnits) {
    block = lists_[units];
    take(block);
  } else if (end_ - fresh_ >= units) {
    block = fresh_;
    fresh_ += units;
  } else if (const std::uint32_t list = first_list_from(units); list != 0) {
    block = lists_[list];
    const std::uint32_t size = at<Free>(block)->size;
    take(block);
    if (size > units) add(block + units, size - units);
  }
  if (block != 0) used_ += units;
  return block;
}

void Arena::release(Handle block, std::uint32_t units) {
  used_ -= units;
  if (block > 1 && free(block - 1)) {
    const std::uint32_t before = at<Free>(block - 1)->size_at_end;
    block -= before;
    units += before;
    take(block);
  }
  if (const Handle after = block + units; after < fresh_ && free(after)) {
    units += at<Free>(after)->size;
    take(after);
  }
  add(block, units);
}

void Arena::clear() {
  fresh_ = 1;
  used_ = 1;
  std::ranges::fill(map_, 0);
  lists_.fill(0);
  some_.fill(0);
}

void Arena::mark(Handle unit, bool free) {
  const std::uint64_t bit = std::uint64_t{1} << (unit % 64);
  if (free) {
    map_[unit / 64] |= bit;
  } else {
    map_[unit / 64] &= ~bit;
  }
}

void Arena::add(Handle block, std::uint32_t size) {
  const std::uint32_t list = list_of(size);
  const Handle next = lists_[list];
  *at<Free>(block) = {.next = next, .previous = 0, .size = size, .size_at_end = size};
  end_size(block, size) = size;
  if (next != 0) at<Free>(next)->previous = block;
  lists_[list] = block;
  some_[list / 64] |= std::uint64_t{1} << (list % 64);
  mark(block, true);
  mark(block + size - 1, true);
}

void Arena::take(Handle block) {
  const Free here = *at<Free>(block);
  const std::uint32_t list = list_of(here.size);
  if (here.next != 0) at<Free>(here.next)->previous = here.previous;
  if (here.previous != 0) {
    at<Free>(here.previous)->next = here.next;
  } else {
    lists_[list] = here.next;
    if (here.next == 0) some_[list / 64] &= ~(std::uint64_t{1} << (list % 64));
  }
  mark(block, false);
  mark(block + here.size - 1, false);
}

// 0 if there is none.
std::uint32_t Arena::first_list_from(std::uint32_t units) const {
  std::uint64_t word = some_[units / 64] & (~std::uint64_t{0} << (units % 64));
  for (std::size_t i = units / 64;; word = some_[i]) {
    if (word != 0) return static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(word));
    if (++i == some_.size()) return 0;
  }
}

}  // namespace fuhyo::mcts
