#include "engines/nnue/net/memory.h"

#include <cstring>
#include <new>

namespace fuhyo::nnue {
namespace {

constexpr std::align_val_t kAlignment{64};

}  // namespace

std::unique_ptr<Memory> Memory::allocate(std::size_t size) {
  auto* data = static_cast<std::byte*>(::operator new(size, kAlignment));
  std::memset(data, 0, size);
  return std::unique_ptr<Memory>(new Memory(data, size, false));
}

Memory::~Memory() { ::operator delete(data_, kAlignment); }

}  // namespace fuhyo::nnue
