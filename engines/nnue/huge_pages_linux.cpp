// Huge pages by madvise(2): the kernel joins pages where it can.
#include <new>
#include <sys/mman.h>

#include "engines/nnue/huge_pages.h"

namespace fuhyo::nnue {

void* allocate_large(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  madvise(memory, bytes, MADV_HUGEPAGE);  // a wish; without it everything works, a little slower
  return memory;
}

void release_large(void* memory, std::size_t bytes) noexcept { munmap(memory, bytes); }

}  // namespace fuhyo::nnue
