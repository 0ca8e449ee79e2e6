#include "engines/nn/loading.h"

#include <fmt/format.h>
#include <new>

#include "engines/nn/choice.h"
#include "engines/nn/cpu_backend.h"
#include "engines/nn/cuda/cuda_backend.h"
#include "engines/nn/onnxruntime/onnxruntime_backend.h"

namespace fuhyo::nn {
namespace {

constexpr std::string_view kCpu = "cpu", kCuda = "cuda", kOnnxRuntime = "onnxruntime";

using MadeBackend = std::expected<std::unique_ptr<Backend>, std::string>;

MadeBackend on_cpu(const Model& model, const BackendChoice& choice) {
  const auto kernels = choose_kernels(choice.simd);
  if (!kernels) return std::unexpected(kernels.error());
  return cpu_backend(model, **kernels, true);
}

MadeBackend on_gpu(const Model& model, const BackendChoice& choice) {
  std::string error;
  auto device = cuda::open_device(choice.device, error);
  if (device == nullptr) return std::unexpected(error);
  return cuda_backend(model, std::move(device));
}

// By way of our own reader.
std::expected<LoadedBackend, std::string> own(const ModelSource& source, const BackendChoice& choice) {
  auto loaded = load_model(source);
  if (!loaded) return std::unexpected(loaded.error());
  auto backend = choice.kind == kCuda ? on_gpu(*loaded->model, choice) : on_cpu(*loaded->model, choice);
  if (!backend) return std::unexpected(backend.error());
  std::string description = fmt::format("{}, {}", loaded->description, (*backend)->name());
  return LoadedBackend{.backend = *std::move(backend),
                       .model = std::move(loaded->model),
                       .options = std::move(loaded->options),
                       .description = std::move(description)};
}

std::expected<LoadedBackend, std::string> by_onnxruntime(const ModelSource& source, const BackendChoice& choice) {
  if (!source.is_file()) {
    return std::unexpected(fmt::format("{}: ONNX Runtime reads files of ONNX, and this is none", source.name()));
  }
  auto options = read_options(source);
  if (!options) return std::unexpected(options.error());
  auto backend = onnxruntime_backend(
      source.file(), {.shared_library = choice.shared_library, .providers = choice.providers, .device = choice.device});
  if (!backend) return std::unexpected(printable(fmt::format("{}: {}", source.name(), backend.error())));
  const Shape& shape = (*backend)->shape();
  std::string description =
      printable(fmt::format("a network of {}+{} inputs and {} labels from {}, {}", shape.planes, shape.scalars,
                            shape.policy_size(), source.name(), (*backend)->name()));
  return LoadedBackend{
      .backend = *std::move(backend), .model = nullptr, .options = *std::move(options), .description = description};
}

}  // namespace

std::vector<std::string> backend_choices() {
  return {std::string(kCpu), std::string(kCuda), std::string(kOnnxRuntime)};
}

std::expected<LoadedBackend, std::string> load_backend(const ModelSource& source, const BackendChoice& choice) {
  try {
    return choice.kind == kOnnxRuntime ? by_onnxruntime(source, choice) : own(source, choice);
  } catch (const std::bad_alloc&) {
    return std::unexpected(printable(fmt::format("{}: there is no memory for it", source.name())));
  }
}

}  // namespace fuhyo::nn
