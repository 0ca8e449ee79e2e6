// Memory as Windows has it: of a process's own. Large pages need a right that users do not have by default, and a file
// that is mapped by another process cannot be removed by the last one that holds it, so neither is tried.
#include <new>
#include <windows.h>

#include "engines/machine/memory.h"

namespace fuhyo::machine {

std::unique_ptr<Memory> Memory::allocate(std::size_t size) {
  void* const data = ::VirtualAlloc(nullptr, size, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
  if (data == nullptr) throw std::bad_alloc();
  return std::unique_ptr<Memory>(new Memory(static_cast<std::byte*>(data), size, -1, {}));
}

std::unique_ptr<const Memory> Memory::share(std::unique_ptr<const Memory> memory) { return memory; }

Memory::~Memory() { ::VirtualFree(data_, 0, MEM_RELEASE); }

}  // namespace fuhyo::machine
