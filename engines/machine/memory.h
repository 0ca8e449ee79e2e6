// Memory for the weights of a network: aligned to 64 bytes at least, all zeros at first, in huge pages where the kernel
// gives them. One thread fills it; then it is read by any.
//
// Processes of one user on one machine can hold equal memory once: share() looks for a block of the same content that
// another process holds, and takes its place, or becomes that block. It lies in a file of the memory file system whose
// name is made of its content, is readable for the user alone, is compared byte by byte before it is used, and goes
// when the last process that holds it has ended. A process that was killed leaves its blocks to the next one that wants
// them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

namespace fuhyo::machine {

class Memory {
 public:
  // Throws std::bad_alloc.
  static std::unique_ptr<Memory> allocate(std::size_t size);
  // The same content, shared with other processes, or `memory` as it is where that is not possible.
  static std::unique_ptr<const Memory> share(std::unique_ptr<const Memory> memory);

  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory();

  std::byte* data() { return data_; }
  const std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  bool shared() const { return file_ >= 0; }
  // The file of shared memory, empty otherwise.
  const std::string& path() const { return path_; }

 private:
  Memory(std::byte* data, std::size_t size, int file, std::string path)
      : data_(data), size_(size), file_(file), path_(std::move(path)) {}

  std::byte* data_;
  std::size_t size_;
  int file_;  // -1: not shared
  std::string path_;
};

}  // namespace fuhyo::machine
