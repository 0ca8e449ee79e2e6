#include "engines/nn/onnxruntime/onnxruntime_backend.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/nn/half.h"
#include "engines/nn/onnxruntime/session.h"

namespace fuhyo::nn {
namespace {

using ort::Element;
using ort::Tensor;

constexpr std::uint32_t kBatchOfCpu = 8, kBatchOfGpu = 128;

// Which of the library's inputs and outputs are which.
struct Ends {
  std::size_t planes = 0, policy = 0;  // the others are 1 - these
};

// Numbers of an input, as elements of either size.
class Elements {
 public:
  void begin(Element element, std::size_t count) {
    element_ = element;
    floats_.assign(element == Element::float32 ? count : 0, 0);
    halves_.assign(element == Element::float16 ? count : 0, 0);
  }
  void set(std::size_t at, float value) {
    if (element_ == Element::float32)
      floats_[at] = value;
    else
      halves_[at] = to_half(value);
  }
  void* data() {
    return element_ == Element::float32 ? static_cast<void*>(floats_.data()) : static_cast<void*>(halves_.data());
  }

 private:
  Element element_ = Element::float32;
  std::vector<float> floats_;
  std::vector<std::uint16_t> halves_;
};

float number(const ort::Output& output, std::size_t at) {
  if (output.tensor.element == Element::float32) return static_cast<const float*>(output.data)[at];
  return from_half(static_cast<const std::uint16_t*>(output.data)[at]);
}

std::size_t count(const Tensor& tensor) {
  std::size_t product = 1;
  for (const std::int64_t size : tensor.sizes) product *= static_cast<std::size_t>(std::max<std::int64_t>(size, 0));
  return product;
}

class OnnxRuntimeBackend final : public Backend {
 public:
  OnnxRuntimeBackend(std::shared_ptr<const ort::LoadedSession> session, const OnnxRuntimeSettings& settings)
      : session_(std::move(session)), providers_(settings.providers) {}

  const Shape& shape() const override { return shape_; }
  std::string name() const override {
    return fmt::format("ONNX Runtime {}{}", session_->version(), providers_.empty() ? "" : " (" + providers_ + ")");
  }
  std::uint32_t best_batch() const override {
    return fixed_ > 0 ? fixed_ : providers_.empty() ? kBatchOfCpu : kBatchOfGpu;
  }
  std::unique_ptr<Backend> for_another_thread() const override {
    return std::make_unique<OnnxRuntimeBackend>(session_, ends_, shape_, fixed_, providers_);
  }
  OnnxRuntimeBackend(std::shared_ptr<const ort::LoadedSession> session, Ends ends, const Shape& shape,
                     std::uint32_t fixed, std::string providers)
      : session_(std::move(session)), ends_(ends), shape_(shape), fixed_(fixed), providers_(std::move(providers)) {}

  // Finds out what the network takes and gives. An error says what does not fit.
  std::string find_shape();

  std::expected<void, std::string> evaluate(const Batch& inputs, Evaluations& out) override {
    const std::uint32_t most = fixed_ > 0 ? fixed_ : std::max(inputs.size(), 1U);
    for (std::uint32_t from = 0; from < inputs.size(); from += most) {
      const std::uint32_t boards = std::min(most, inputs.size() - from);
      if (const auto error = pass(inputs, from, boards, out); !error.empty()) {
        return std::unexpected(name() + ": " + error);
      }
    }
    return {};
  }

 private:
  std::string find_inputs();
  std::string find_outputs();
  std::string pass(const Batch& inputs, std::uint32_t from, std::uint32_t boards, Evaluations& out);
  void read(const Batch& inputs, std::uint32_t from, std::uint32_t boards);
  std::expected<std::array<ort::Output, 2>, std::string> run(std::uint32_t boards);
  void begin(std::uint32_t boards);
  Tensor tensor(std::size_t input, std::uint32_t boards) const;

  std::shared_ptr<const ort::LoadedSession> session_;
  Ends ends_;
  Shape shape_;
  std::uint32_t fixed_ = 0;  // the only batch that the network takes; 0: any
  std::string providers_;
  std::array<Elements, 2> elements_;  // in the order of the library's inputs
};

// ---- what the network is --------------------------------------------------------------------------------------------

std::string OnnxRuntimeBackend::find_shape() {
  if (auto error = find_inputs(); !error.empty()) return error;
  return find_outputs();
}

std::string OnnxRuntimeBackend::find_inputs() {
  ends_.planes = session_->inputs()[1] == "input1" ? 1 : 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& sizes = session_->input_tensors()[i].sizes;
    const std::int64_t most = i == ends_.planes ? kMaxPlanes : kMaxScalars;
    if (sizes.size() != 4 || sizes[1] < 1 || sizes[1] > most || sizes[2] != sizes[3] || sizes[2] < 3 ||
        sizes[2] > kMaxEdge || sizes[2] != session_->input_tensors()[0].sizes[2] || sizes[0] > 4096) {
      return fmt::format("input '{}' is no batch of planes of a board", session_->inputs()[i]);
    }
    if (sizes[0] > 0) fixed_ = static_cast<std::uint32_t>(sizes[0]);
  }
  const auto& planes = session_->input_tensors()[ends_.planes].sizes;
  shape_ = {.edge = static_cast<std::uint32_t>(planes[2]),
            .planes = static_cast<std::uint32_t>(planes[1]),
            .scalars = static_cast<std::uint32_t>(session_->input_tensors()[1 - ends_.planes].sizes[1])};
  return {};
}

// By an evaluation of empty boards: what a file says of its outputs may be incomplete.
std::string OnnxRuntimeBackend::find_outputs() {
  ends_.policy = session_->outputs()[0] == "output_value" || session_->outputs()[1] == "output_policy" ? 1 : 0;
  const std::uint32_t boards = std::max(fixed_, 1U);
  begin(boards);
  const auto outputs = run(boards);
  if (!outputs) return outputs.error();
  const std::size_t labels = count((*outputs)[ends_.policy].tensor),
                    values = count((*outputs)[1 - ends_.policy].tensor);
  const std::size_t squares = shape_.squares();
  if (labels == 0 || labels % (boards * squares) != 0 || labels / (boards * squares) > kMaxPlanes) {
    return fmt::format("output '{}' has {} numbers a position, not a logit for each plane and square",
                       session_->outputs()[ends_.policy], labels / boards);
  }
  if (values != boards) {
    return fmt::format("output '{}' has {} numbers a position, not one value", session_->outputs()[1 - ends_.policy],
                       values / boards);
  }
  shape_.policy_planes = static_cast<std::uint32_t>(labels / boards / squares);
  return {};
}

// ---- evaluations ----------------------------------------------------------------------------------------------------

Tensor OnnxRuntimeBackend::tensor(std::size_t input, std::uint32_t boards) const {
  Tensor out = session_->input_tensors()[input];
  out.sizes[0] = boards;
  return out;
}

void OnnxRuntimeBackend::begin(std::uint32_t boards) {
  for (std::size_t i = 0; i < 2; ++i)
    elements_[i].begin(session_->input_tensors()[i].element, count(tensor(i, boards)));
}

void OnnxRuntimeBackend::read(const Batch& inputs, std::uint32_t from, std::uint32_t boards) {
  const std::size_t squares = shape_.squares();
  Elements &maps = elements_[ends_.planes], &constant = elements_[1 - ends_.planes];
  for (std::uint32_t board = 0; board < boards; ++board) {
    const auto planes = inputs.planes(from + board);
    for (std::size_t i = 0; i < planes.size(); ++i) {
      const std::size_t map = (board * planes.size() + i) * squares;
      for (std::size_t word = 0; word < 2; ++word) {
        for (std::uint64_t bits = planes[i][word]; bits != 0; bits &= bits - 1) {
          maps.set(map + word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)), 1);
        }
      }
    }
    const auto scalars = inputs.scalars(from + board);
    for (std::size_t i = 0; i < scalars.size(); ++i) {
      if (scalars[i] == 0) continue;
      const std::size_t map = (board * scalars.size() + i) * squares;
      for (std::size_t s = 0; s < squares; ++s) constant.set(map + s, scalars[i]);
    }
  }
}

std::expected<std::array<ort::Output, 2>, std::string> OnnxRuntimeBackend::run(std::uint32_t boards) {
  return session_->run({tensor(0, boards), tensor(1, boards)}, {elements_[0].data(), elements_[1].data()});
}

std::string OnnxRuntimeBackend::pass(const Batch& inputs, std::uint32_t from, std::uint32_t boards, Evaluations& out) {
  const std::uint32_t computed = fixed_ > 0 ? fixed_ : boards;
  begin(computed);
  read(inputs, from, boards);
  const auto outputs = run(computed);
  if (!outputs) return outputs.error();
  const ort::Output &policy = (*outputs)[ends_.policy], &value = (*outputs)[1 - ends_.policy];
  const std::size_t labels = shape_.policy_size();
  if (count(policy.tensor) != computed * labels || count(value.tensor) != computed) {
    return "its outputs have other sizes than before";
  }
  for (std::uint32_t board = 0; board < boards; ++board) {
    const auto logits = out.logits(from + board);
    for (std::size_t i = 0; i < labels; ++i) logits[i] = number(policy, board * labels + i);
    out.value(from + board) = number(value, board);
  }
  return {};
}

}  // namespace

std::expected<std::unique_ptr<Backend>, std::string> onnxruntime_backend(const std::filesystem::path& file,
                                                                         const OnnxRuntimeSettings& settings) {
  auto session = ort::LoadedSession::load(file.string(), settings.shared_library, settings.providers, settings.device);
  if (!session) return std::unexpected(session.error());
  auto backend = std::make_unique<OnnxRuntimeBackend>(*std::move(session), settings);
  if (const auto error = backend->find_shape(); !error.empty()) {
    return std::unexpected(backend->name() + ": " + error);
  }
  return backend;
}

}  // namespace fuhyo::nn
