#include "engines/mcts/tree/arena.h"

#include <algorithm>

namespace fuhyo::mcts {

Arena::Arena(std::size_t bytes)
    : memory_(machine::Memory::allocate(std::clamp(bytes, 2 * kUnit, kMostBytes))),
      base_(memory_->data()),
      end_(static_cast<Handle>(std::clamp(bytes, 2 * kUnit, kMostBytes) / kUnit)) {}

Handle Arena::allocate(std::uint32_t units) {
  Handle block = 0;
  if (lists_[units] != 0) {
    block = take_from_list(units);
  } else if (end_ - fresh_ >= units) {
    block = fresh_;
    fresh_ += units;
  } else if (const std::uint32_t larger = first_list_from(units + 1); larger != 0) {
    block = take_from_list(larger);
    put_on_list(block + units, larger - units);
  }
  if (block != 0) used_ += units;
  return block;
}

void Arena::release(Handle block, std::uint32_t units) {
  used_ -= units;
  put_on_list(block, units);
}

void Arena::clear() {
  fresh_ = 1;
  used_ = 1;
  lists_.fill(0);
  some_.fill(0);
}

Handle Arena::take_from_list(std::uint32_t units) {
  const Handle block = lists_[units];
  lists_[units] = *at<Handle>(block);
  if (lists_[units] == 0) some_[units / 64] &= ~(std::uint64_t{1} << (units % 64));
  return block;
}

void Arena::put_on_list(Handle block, std::uint32_t units) {
  *at<Handle>(block) = lists_[units];
  lists_[units] = block;
  some_[units / 64] |= std::uint64_t{1} << (units % 64);
}

// 0 if there is none.
std::uint32_t Arena::first_list_from(std::uint32_t units) const {
  if (units > kMostUnits) return 0;
  std::uint64_t word = some_[units / 64] & (~std::uint64_t{0} << (units % 64));
  for (std::size_t i = units / 64;; word = some_[i]) {
    if (word != 0) return static_cast<std::uint32_t>(i * 64) + static_cast<std::uint32_t>(std::countr_zero(word));
    if (++i == some_.size()) return 0;
  }
}

}  // namespace fuhyo::mcts
