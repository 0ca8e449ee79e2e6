// A network in ONNX Runtime: its library's table of functions as objects that give back what they hold.
#pragma once

#include <array>
#include <expected>
#include <memory>
#include <string>
#include <vector>

#include "engines/nn/onnxruntime/library.h"

namespace fuhyo::nn::ort {

// A tensor's elements and sizes; -1: any size.
struct Tensor {
  Element element;
  std::vector<std::int64_t> sizes;
};

template <class Item>
struct Release {
  void (*release)(Item*) = nullptr;
  void operator()(Item* item) const { release(item); }
};
template <class Item>
using Held = std::unique_ptr<Item, Release<Item>>;

struct Output {
  Held<Value> value;
  Tensor tensor;
  const void* data = nullptr;
};

// Any thread may run it.
class LoadedSession {
 public:
  static std::expected<std::shared_ptr<const LoadedSession>, std::string> load(const std::string& file,
                                                                               const std::string& library,
                                                                               const std::string& providers,
                                                                               int device);

  const std::string& version() const { return library_.version; }
  const std::vector<std::string>& inputs() const { return inputs_; }
  const std::vector<std::string>& outputs() const { return outputs_; }
  const std::vector<Tensor>& input_tensors() const { return input_tensors_; }

  // Runs two inputs, in the order of inputs(), through the network. `data` is as the tensors say and lives as long.
  std::expected<std::array<Output, 2>, std::string> run(const std::array<Tensor, 2>& tensors,
                                                        const std::array<void*, 2>& data) const;

 private:
  explicit LoadedSession(Library library) : library_(std::move(library)) {}
  const Api& api() const { return library_.api; }

  std::string message(Status* status) const;
  std::string open(const std::string& file, const std::string& providers, int device);
  std::string append(SessionOptions* options, const std::string& providers, int device) const;
  std::string describe();
  std::string describe_input(std::size_t index);
  std::string read_tensor(const TensorInfo* info, Tensor& out) const;
  std::string read_output(Value* value, Output& out) const;

  Library library_;
  Held<Environment> environment_;
  Held<MemoryInfo> memory_;
  Held<Session> session_;
  std::vector<std::string> inputs_, outputs_;
  std::vector<Tensor> input_tensors_;
};

}  // namespace fuhyo::nn::ort
