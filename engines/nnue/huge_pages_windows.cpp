// Pages of the usual size: large ones need a right (SeLockMemoryPrivilege) that users do not have by default.
#include <new>
#include <windows.h>

#include "engines/nnue/huge_pages.h"

namespace fuhyo::nnue {

void* allocate_large(std::size_t bytes) {
  void* const memory = ::VirtualAlloc(nullptr, bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void release_large(void* memory, std::size_t) noexcept { ::VirtualFree(memory, 0, MEM_RELEASE); }

}  // namespace fuhyo::nnue
