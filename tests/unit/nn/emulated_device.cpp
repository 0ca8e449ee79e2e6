#include "tests/unit/nn/emulated_device.h"

#include <cstring>
#include <type_traits>

namespace fuhyo::nn::cuda {
namespace {

// Bytes of which any float is not a number.
template <class Item>
void spoil(Item& item) {
  if constexpr (!std::is_empty_v<Item>) std::memset(static_cast<void*>(&item), 0xff, sizeof item);
}

template <class Kernel>
struct EmulatedBlock {
  unsigned x = 0, y = 0, z = 0;
  Order order;
  std::unique_ptr<typename Kernel::Shared> shared = std::make_unique<typename Kernel::Shared>();
  std::vector<typename Kernel::State> states{Kernel::kThreads};

  void begin(unsigned block, const Grid& grid) {
    x = block % grid.x;
    y = block / grid.x % grid.y;
    z = block / grid.x / grid.y;
    spoil(*shared);
    for (auto& state : states) spoil(state);
  }

  template <class Phase>
  void each(const Phase& phase) {
    for (unsigned i = 0; i < Kernel::kThreads; ++i) {
      const unsigned thread = order == Order::forward ? i : Kernel::kThreads - 1 - i;
      phase(thread, states[thread], *shared);
    }
  }
};

void run_step(const Copy& copy, Order) { std::memcpy(copy.to, copy.from, copy.bytes); }

template <class Kernel>
void run_step(const Launch<Kernel>& launch, Order order) {
  EmulatedBlock<Kernel> block{.order = order};
  const unsigned blocks = launch.grid.x * launch.grid.y * launch.grid.z;
  for (unsigned i = 0; i < blocks; ++i) {
    block.begin(order == Order::forward ? i : blocks - 1 - i, launch.grid);
    Kernel::run(block, launch.args);
  }
}

}  // namespace

class EmulatedMemory final : public Memory {
 public:
  EmulatedMemory(EmulatedDevice& device, std::size_t bytes) : device_(device), bytes_(bytes) {
    data_ = ::operator new(bytes, std::align_val_t(256));
    std::memset(data_, 0, bytes);
    device_.taken_ += bytes;
  }
  ~EmulatedMemory() override {
    device_.taken_ -= bytes_;
    ::operator delete(data_, std::align_val_t(256));
  }

 private:
  EmulatedDevice& device_;
  std::size_t bytes_;
};

class EmulatedProgram final : public Program {
 public:
  EmulatedProgram(EmulatedDevice& device, std::vector<Step> steps) : device_(device), steps_(std::move(steps)) {}
  std::string run() override {
    if (auto error = device_.next_call(); !error.empty()) return error;
    for (const Step& step : steps_) {
      std::visit([&](const auto& one) { run_step(one, device_.order_); }, step);
    }
    return {};
  }

 private:
  EmulatedDevice& device_;
  std::vector<Step> steps_;
};

class EmulatedQueue final : public Queue {
 public:
  explicit EmulatedQueue(EmulatedDevice& device) : device_(device) {}
  std::unique_ptr<Program> compile(const std::vector<Step>& steps, std::string& error) override {
    error = device_.next_call();
    if (!error.empty()) return nullptr;
    ++device_.compiled_;
    return std::make_unique<EmulatedProgram>(device_, steps);
  }

 private:
  EmulatedDevice& device_;
};

std::string EmulatedDevice::next_call() { return left_-- > 0 ? "" : "broken"; }

std::unique_ptr<Memory> EmulatedDevice::allocate(std::size_t bytes, Where, std::string& error) {
  error = next_call();
  if (!error.empty()) return nullptr;
  return std::make_unique<EmulatedMemory>(*this, bytes);
}

std::string EmulatedDevice::upload(Memory& to, const void* from, std::size_t bytes) {
  if (auto error = next_call(); !error.empty()) return error;
  std::memcpy(to.as<void>(), from, bytes);
  return {};
}

std::unique_ptr<Queue> EmulatedDevice::queue(std::string& error) {
  error = next_call();
  if (!error.empty()) return nullptr;
  return std::make_unique<EmulatedQueue>(*this);
}

}  // namespace fuhyo::nn::cuda
