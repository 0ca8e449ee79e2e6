// Memory of a fixed size for many small blocks: never more than it was given, whatever is asked of it. Blocks are named
// by 32-bit handles. What is released joins with what is free beside it. One thread at a time.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <vector>

#include "engines/machine/memory.h"

namespace fuhyo::mcts {

using Handle = std::uint32_t;  // 0: no block

class Arena {
 public:
  static constexpr std::size_t kUnit = 16;
  static constexpr std::uint32_t kMostUnits = 1087;  // of a block: the children of 593 moves take 1024
  static constexpr std::size_t kMostBytes = kUnit * std::size_t{0xffffffff};  // what handles can name

  static constexpr std::uint32_t units(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + kUnit - 1) / kUnit);
  }

  // Uses no more than `bytes` in all, and a kilobyte at least. Throws std::bad_alloc. Pages of the memory are taken
  // when they are first used.
  explicit Arena(std::size_t bytes);

  // 0 if there is no room. What is in the block is not defined.
  Handle allocate(std::uint32_t units);
  void release(Handle block, std::uint32_t units);
  // All blocks at once.
  void clear();
  // No block was allocated since it was made or cleared.
  bool untouched() const { return fresh_ == 1; }

  template <class T>
  T* at(Handle block) const {
    return std::launder(reinterpret_cast<T*>(base_ + block * kUnit));
  }

  // In bytes.
  std::size_t used() const { return used_ * kUnit + map_.size() * sizeof(map_[0]); }
  std::size_t capacity() const { return std::size_t{end_} * kUnit + map_.size() * sizeof(map_[0]); }

 private:
  // What stands at the beginning of a free block; its size stands at its end as well.
  struct Free {
    Handle next, previous;
    std::uint32_t size;
    std::uint32_t size_at_end;  // of a block of one unit
  };
  static_assert(sizeof(Free) == kUnit);

  void add(Handle block, std::uint32_t size);
  void take(Handle block);
  std::uint32_t first_list_from(std::uint32_t units) const;
  bool free(Handle unit) const { return (map_[unit / 64] >> (unit % 64) & 1) != 0; }
  void mark(Handle unit, bool free);
  std::uint32_t& end_size(Handle block, std::uint32_t size) const { return at<Free>(block + size - 1)->size_at_end; }

  // Free blocks by their size; those of the last list are as large as that or larger.
  static constexpr std::uint32_t kLists = kMostUnits + 1;
  static constexpr std::uint32_t list_of(std::uint32_t size) { return size < kMostUnits ? size : kMostUnits; }

  std::vector<std::uint64_t> map_;  // first and last units of free blocks
  std::unique_ptr<machine::Memory> memory_;
  std::byte* base_;
  Handle end_;        // the first unit beyond the memory
  Handle fresh_ = 1;  // the first unit that was never used; unit 0 stands for no block
  std::size_t used_ = 1;
  std::array<Handle, kLists> lists_{};
  std::array<std::uint64_t, kLists / 64> some_{};  // which lists have any
};

}  // namespace fuhyo::mcts
