// A GPU played by this processor: the same kernels (engines/nn/cuda/block.h), block by block and thread by thread. It
// cannot tell how fast they are, and not whether a real one would do the same, but what they compute, and:
//   - memory of a block and the state of threads are not a number until they are written;
//   - each piece of memory is an allocation of its own, so that AddressSanitizer sees what leaves it;
//   - blocks and threads run in the order that is asked for: results that depend on it have a race.
#pragma once

#include <atomic>

#include "engines/nn/cuda/device.h"

namespace fuhyo::nn::cuda {

enum class Order : std::uint8_t { forward, backward };

class EmulatedDevice final : public Device {
 public:
  explicit EmulatedDevice(Order order = Order::forward) : order_(order) {}

  std::string name() const override { return "emulated"; }
  unsigned multiprocessors() const override { return 2; }
  std::unique_ptr<Memory> allocate(std::size_t bytes, Where where, std::string& error) override;
  std::string upload(Memory& to, const void* from, std::size_t bytes) override;
  std::unique_ptr<Queue> queue(std::string& error) override;

  // Calls so many more succeed: allocations, uploads, queues, compilations and runs. The rest says "broken".
  void break_after(int calls) { left_ = calls; }
  // Bytes that have been taken and not given back.
  std::size_t taken() const { return taken_; }
  int compiled() const { return compiled_; }

 private:
  friend class EmulatedMemory;
  friend class EmulatedQueue;
  friend class EmulatedProgram;
  std::string next_call();

  Order order_;
  std::atomic<int> left_ = 1 << 30, compiled_ = 0;
  std::atomic<std::size_t> taken_ = 0;
};

}  // namespace fuhyo::nn::cuda
