// A device that runs kernels: a GPU, or what plays one in tests. The compiler of GPUs reads this as C++20, so errors
// are texts here; empty: none.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "engines/nn/cuda/layers.h"
#include "engines/nn/cuda/multiply.h"
#include "engines/nn/cuda/tiles.h"

namespace fuhyo::nn::cuda {

// Blocks along x, y and z.
struct Grid {
  unsigned x = 1, y = 1, z = 1;
};

template <class AKernel>
struct Launch {
  using Kernel = AKernel;
  Grid grid;
  typename Kernel::Args args;
};

struct Copy {
  void* to;
  const void* from;
  std::size_t bytes;
  bool to_device;
};

using Step = std::variant<Copy, Launch<Multiply>, Launch<TilesIn<BitMaps>>, Launch<TilesIn<FloatMaps>>,
                          Launch<TilesOut>, Launch<Sum>, Launch<Pool>, Launch<Rescale>, Launch<Heads>>;

// A piece of memory, zeros at first; given back with this object.
class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  virtual ~Memory() = default;

  template <class Item>
  Item* as() const {
    return static_cast<Item*>(data_);
  }

 protected:
  void* data_ = nullptr;
};

// Steps in order, ready to be run.
class Program {
 public:
  Program() = default;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;
  virtual ~Program() = default;

  // Comes back when all is done.
  virtual std::string run() = 0;
};

// A thread's way to the device: what goes through one queue waits for nothing of another one.
class Queue {
 public:
  Queue() = default;
  Queue(const Queue&) = delete;
  Queue& operator=(const Queue&) = delete;
  virtual ~Queue() = default;

  // Null after an error. The queue must live as long.
  virtual std::unique_ptr<Program> compile(const std::vector<Step>& steps, std::string& error) = 0;
};

enum class Where : std::uint8_t {
  device,
  host,  // where the device can copy from and to by itself
};

// Any thread may use it.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  // Blocks run on so many units at once.
  virtual unsigned multiprocessors() const = 0;

  // Null after an error.
  virtual std::unique_ptr<Memory> allocate(std::size_t bytes, Where where, std::string& error) = 0;
  // Memory of the device; comes back when all is there.
  virtual std::string upload(Memory& to, const void* from, std::size_t bytes) = 0;
  virtual std::unique_ptr<Queue> queue(std::string& error) = 0;
};

// A GPU by its number, from 0 on. Null and an error where there is none, and in programs that were built without CUDA.
std::shared_ptr<Device> open_device(int number, std::string& error);

}  // namespace fuhyo::nn::cuda
