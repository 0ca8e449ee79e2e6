// Memory of a fixed size for many small blocks: never more than it was given, whatever is asked of it. Blocks are named
// by 32-bit handles. One thread at a time.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "engines/machine/memory.h"

namespace fuhyo::mcts {

using Handle = std::uint32_t;  // 0: no block

class Arena {
 public:
  static constexpr std::size_t kUnit = 16;
  static constexpr std::size_t kMostUnits = 1023;                             // of a block
  static constexpr std::size_t kMostBytes = kUnit * std::size_t{0xffffffff};  // what handles can name

  static constexpr std::uint32_t units(std::size_t bytes) {
    return static_cast<std::uint32_t>((bytes + kUnit - 1) / kUnit);
  }

  // Throws std::bad_alloc. Pages of the memory are taken when they are first used.
  explicit Arena(std::size_t bytes);

  // 0 if there is no room. What is in the block is not defined.
  Handle allocate(std::uint32_t units);
  void release(Handle block, std::uint32_t units);
  // All blocks at once.
  void clear();

  template <class T>
  T* at(Handle block) const {
    return std::launder(reinterpret_cast<T*>(base_ + block * kUnit));
  }

  // In bytes.
  std::size_t used() const { return used_ * kUnit; }
  std::size_t capacity() const { return std::size_t{end_} * kUnit; }

 private:
  Handle take_from_list(std::uint32_t units);
  void put_on_list(Handle block, std::uint32_t units);
  std::uint32_t first_list_from(std::uint32_t units) const;

  std::unique_ptr<machine::Memory> memory_;
  std::byte* base_;
  Handle end_;        // the first unit beyond the memory
  Handle fresh_ = 1;  // the first unit that was never used; unit 0 stands for no block
  std::size_t used_ = 1;
  std::array<Handle, kMostUnits + 1> lists_{};  // released blocks by their size
  std::array<std::uint64_t, 16> some_{};        // which lists have any
};

}  // namespace fuhyo::mcts
