#include "engines/nn/cuda/cuda_backend.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <map>

#include "engines/nn/cuda/network.h"
#include "engines/nn/kernels.h"

namespace fuhyo::nn {
namespace {

constexpr std::uint32_t kLeastBatch = 32, kMostBatch = 512;
constexpr unsigned kBlocksOfAUnit = 8;  // in a product: they run in turns while others wait for memory

// Programs are kept by the number of boards. With three leading bits, there are few of them, and at most a quarter of
// the boards is computed for nothing.
std::uint32_t rounded(std::uint32_t boards) {
  const std::uint32_t step = std::max(std::bit_floor(boards) / 4, 1U);
  return (boards + step - 1) / step * step;
}

class CudaBackend final : public Backend {
 public:
  // Memory is taken when the first batch comes: the one that the others are made from may never have any.
  CudaBackend(std::shared_ptr<const cuda::Weights> weights, std::uint32_t capacity)
      : weights_(std::move(weights)), capacity_(capacity) {}

  const Shape& shape() const override { return weights_->shape; }
  std::string name() const override { return "CUDA (" + weights_->device->name() + ")"; }
  std::uint32_t best_batch() const override { return capacity_; }
  std::unique_ptr<Backend> for_another_thread() const override {
    return std::make_unique<CudaBackend>(weights_, capacity_);
  }

  std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) override {
    if (auto ready = take_memory(); !ready) return ready;
    const std::uint32_t passes = (inputs.size() + capacity_ - 1) / capacity_;
    for (std::uint32_t pass = 0, from = 0; pass < passes; ++pass) {
      const std::uint32_t boards = (inputs.size() - from) / (passes - pass);
      read(inputs, from, boards);
      if (auto done = run(std::min(rounded(boards), capacity_)); !done) return done;
      write(from, boards, out);
      from += boards;
    }
    return {};
  }

 private:
  std::expected<void, std::string> take_memory() {
    if (network_ != nullptr) return {};
    std::string error;
    if (queue_ == nullptr) queue_ = weights_->device->queue(error);
    if (queue_ == nullptr) return failed(error);
    auto network = cuda::Network::make(weights_, capacity_);
    if (!network) return failed(network.error());
    network_ = *std::move(network);
    return {};
  }

  // What is beyond these boards is of earlier batches; its results are not looked at.
  void read(const Batch& inputs, std::uint32_t from, std::uint32_t boards) {
    static_assert(sizeof(Plane) == 2 * sizeof(std::uint64_t));
    for (std::uint32_t board = 0; board < boards; ++board) {
      const auto planes = inputs.planes(from + board);
      std::memcpy(network_->planes() + 2 * planes.size() * board, planes.data(), planes.size_bytes());
      const auto scalars = inputs.scalars(from + board);
      for (std::size_t i = 0; i < scalars.size(); ++i) {
        network_->scalars()[i * network_->scalar_pitch() + board] = scalars[i];
      }
    }
  }

  std::expected<void, std::string> run(std::uint32_t boards) {
    std::string error;
    auto& program = programs_[boards];
    if (program == nullptr) program = queue_->compile(network_->steps(boards), error);
    if (program != nullptr) error = program->run();
    return error.empty() ? std::expected<void, std::string>() : failed(error);
  }

  void write(std::uint32_t from, std::uint32_t boards, Evaluations& out) const {
    const std::size_t labels = shape().policy_size();
    for (std::uint32_t board = 0; board < boards; ++board) {
      std::copy_n(network_->logits() + board * labels, labels, out.logits(from + board).data());
      out.value(from + board) = network_->values()[board];
    }
  }

  std::unexpected<std::string> failed(const std::string& error) const { return std::unexpected(name() + ": " + error); }

  std::shared_ptr<const cuda::Weights> weights_;
  std::uint32_t capacity_;
  std::unique_ptr<cuda::Queue> queue_;
  std::unique_ptr<cuda::Network> network_;
  std::map<std::uint32_t, std::unique_ptr<cuda::Program>> programs_;  // the first to go
};

}  // namespace

std::uint32_t gpu_batch(const Shape& shape, unsigned multiprocessors) {
  using cuda::Multiply;
  const double columns = cuda::Boards{.count = 1, .edge = shape.edge}.tiles();
  const double rows = (shape.channels + Multiply::kRows - 1) / Multiply::kRows;
  const double blocks_of_a_board = kPoints * rows * columns / Multiply::kColumns;
  const double wanted = kBlocksOfAUnit * multiprocessors / blocks_of_a_board;
  return std::bit_ceil(static_cast<std::uint32_t>(std::clamp<double>(wanted, kLeastBatch, kMostBatch)));
}

std::expected<std::unique_ptr<Backend>, std::string> cuda_backend(const Model& model,
                                                                  std::shared_ptr<cuda::Device> device,
                                                                  std::uint32_t capacity) {
  const std::string name = device->name();
  if (capacity == 0) capacity = gpu_batch(model.shape, device->multiprocessors());
  auto weights = cuda::Weights::make(model, std::move(device));
  if (!weights) return std::unexpected(name + ": " + weights.error());
  return std::make_unique<CudaBackend>(*std::move(weights), capacity);
}

}  // namespace fuhyo::nn
