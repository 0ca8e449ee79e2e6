#include "engines/nn/onnxruntime/session.h"

#include <filesystem>
#include <fmt/format.h>
#include <numeric>

namespace fuhyo::nn::ort {
namespace {

constexpr std::size_t kMostDimensions = 8;
constexpr std::size_t kEnds = 2;  // inputs, and outputs

// Takes what create(&item) makes into `held`; the status is for the caller.
template <class Item, class Create>
Status* hold(Held<Item>& held, void (*release)(Item*), const Create& create) {
  Item* item = nullptr;
  Status* const status = create(&item);
  held = Held<Item>(item, {release});
  return status;
}

std::size_t bytes_of(const Tensor& tensor) {
  const auto count = std::accumulate(tensor.sizes.begin(), tensor.sizes.end(), std::int64_t{1}, std::multiplies());
  return static_cast<std::size_t>(count) * (tensor.element == Element::float16 ? 2 : 4);
}

}  // namespace

// Empty if there is no error. The status is gone afterwards.
std::string LoadedSession::message(Status* status) const {
  if (status == nullptr) return {};
  std::string text = api().error_message(status);
  api().release_status(status);
  return text.empty() ? "an error without a message" : text;
}

std::expected<std::shared_ptr<const LoadedSession>, std::string> LoadedSession::load(const std::string& file,
                                                                                     const std::string& library,
                                                                                     const std::string& providers,
                                                                                     int device) {
  auto loaded = load_library(library);
  if (!loaded) return std::unexpected(loaded.error());
  std::shared_ptr<LoadedSession> session(new LoadedSession(*std::move(loaded)));
  std::string error = session->open(file, providers, device);
  if (error.empty()) error = session->describe();
  if (!error.empty()) return std::unexpected(fmt::format("ONNX Runtime {}: {}", session->version(), error));
  return session;
}

std::string LoadedSession::open(const std::string& file, const std::string& providers, int device) {
  std::string error = message(hold(environment_, api().release_environment, [&](Environment** out) {
    return api().create_environment(Severity::error, "fuhyo", out);
  }));
  if (!error.empty()) return error;
  error = message(hold(memory_, api().release_memory_info, [&](MemoryInfo** out) {
    return api().create_cpu_memory_info(AllocatorType::device, MemoryType::standard, out);
  }));
  if (!error.empty()) return error;
  Held<SessionOptions> options;
  error = message(
      hold(options, api().release_options, [&](SessionOptions** out) { return api().create_session_options(out); }));
  // The thread that asks computes: searches bring their own.
  if (error.empty()) error = message(api().set_intra_op_threads(options.get(), 1));
  if (error.empty()) error = message(api().set_inter_op_threads(options.get(), 1));
  if (error.empty()) error = append(options.get(), providers, device);
  if (!error.empty()) return error;
#ifdef _WIN32  // there its interface takes names in UTF-16
  const std::wstring wide = std::filesystem::path(file).wstring();
  const char* const name = reinterpret_cast<const char*>(wide.c_str());
#else
  const char* const name = file.c_str();
#endif
  return message(hold(session_, api().release_session, [&](Session** out) {
    return api().create_session(environment_.get(), name, options.get(), out);
  }));
}

std::string LoadedSession::append(SessionOptions* options, const std::string& providers, int device) const {
  for (std::size_t at = 0; at < providers.size();) {
    const std::size_t end = std::min(providers.find(',', at), providers.size());
    const std::string name = providers.substr(at, end - at);
    at = end + 1;
    if (name != "cuda" && name != "tensorrt") {
      return fmt::format("'{}' is no provider: cuda and tensorrt are known, with commas between them", name);
    }
    AppendProvider* const provider = name == "cuda" ? library_.append_cuda : library_.append_tensorrt;
    if (provider == nullptr) return fmt::format("this library was built without {}", name);
    if (auto error = message(provider(options, device)); !error.empty()) return name + ": " + error;
  }
  return {};
}

std::string LoadedSession::describe() {
  std::size_t inputs = 0, outputs = 0;
  std::string error = message(api().input_count(session_.get(), &inputs));
  if (error.empty()) error = message(api().output_count(session_.get(), &outputs));
  if (!error.empty()) return error;
  if (inputs != kEnds || outputs != kEnds) {
    return fmt::format("the network has {} inputs and {} outputs, not two of each", inputs, outputs);
  }
  Allocator* allocator = nullptr;
  error = message(api().allocator(&allocator));
  const auto name = [&](auto get, std::size_t index, std::vector<std::string>& out) {
    char* text = nullptr;
    if (error.empty()) error = message(get(session_.get(), index, allocator, &text));
    if (text == nullptr) return;
    out.emplace_back(text);
    if (auto freed = message(api().free(allocator, text)); error.empty()) error = std::move(freed);
  };
  for (std::size_t i = 0; i < kEnds; ++i) {
    name(api().input_name, i, inputs_);
    name(api().output_name, i, outputs_);
    if (error.empty()) error = describe_input(i);
  }
  return error;
}

std::string LoadedSession::describe_input(std::size_t index) {
  Held<TypeInfo> type;
  std::string error = message(hold(type, api().release_type_info,
                                   [&](TypeInfo** out) { return api().input_type(session_.get(), index, out); }));
  if (!error.empty()) return error;
  const TensorInfo* info = nullptr;
  error = message(api().tensor_info_of_type(type.get(), &info));
  if (!error.empty()) return error;
  if (info == nullptr) return fmt::format("input '{}' is no tensor", inputs_[index]);
  return read_tensor(info, input_tensors_.emplace_back());
}

std::string LoadedSession::read_tensor(const TensorInfo* info, Tensor& out) const {
  std::size_t dimensions = 0;
  std::string error = message(api().element(info, &out.element));
  if (error.empty()) error = message(api().dimension_count(info, &dimensions));
  if (!error.empty()) return error;
  if (out.element != Element::float32 && out.element != Element::float16) return "a tensor is not of floats";
  if (dimensions > kMostDimensions) return fmt::format("a tensor has {} dimensions", dimensions);
  out.sizes.resize(dimensions);
  return message(api().dimensions(info, out.sizes.data(), dimensions));
}

std::expected<std::array<Output, 2>, std::string> LoadedSession::run(const std::array<Tensor, 2>& tensors,
                                                                     const std::array<void*, 2>& data) const {
  std::array<Held<Value>, kEnds> inputs;
  for (std::size_t i = 0; i < kEnds; ++i) {
    const auto error = message(hold(inputs[i], api().release_value, [&](Value** out) {
      return api().create_tensor(memory_.get(), data[i], bytes_of(tensors[i]), tensors[i].sizes.data(),
                                 tensors[i].sizes.size(), tensors[i].element, out);
    }));
    if (!error.empty()) return std::unexpected(error);
  }
  const std::array<const char*, kEnds> input_names = {inputs_[0].c_str(), inputs_[1].c_str()};
  const std::array<const char*, kEnds> output_names = {outputs_[0].c_str(), outputs_[1].c_str()};
  const std::array<const Value*, kEnds> values = {inputs[0].get(), inputs[1].get()};
  std::array<Value*, kEnds> results = {};
  std::string error = message(api().run(session_.get(), nullptr, input_names.data(), values.data(), kEnds,
                                        output_names.data(), kEnds, results.data()));
  std::array<Output, kEnds> outputs;
  for (std::size_t i = 0; i < kEnds; ++i) {
    outputs[i].value = Held<Value>(results[i], {api().release_value});
    if (error.empty()) error = read_output(results[i], outputs[i]);
  }
  if (!error.empty()) return std::unexpected(error);
  return outputs;
}

std::string LoadedSession::read_output(Value* value, Output& out) const {
  Held<TensorInfo> info;
  std::string error =
      message(hold(info, api().release_tensor_info, [&](TensorInfo** made) { return api().tensor_info(value, made); }));
  if (error.empty()) error = read_tensor(info.get(), out.tensor);
  void* data = nullptr;
  if (error.empty()) error = message(api().tensor_data(value, &data));
  out.data = data;
  return error;
}

}  // namespace fuhyo::nn::ort
