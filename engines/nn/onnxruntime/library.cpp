#include "engines/nn/onnxruntime/library.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <vector>

namespace fuhyo::nn::ort {
namespace {

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(dlsym(library, name));
}

}  // namespace

std::expected<Library, std::string> load_library(const std::string& file) {
  const std::vector<std::string> names =
      file.empty() ? std::vector<std::string>{"libonnxruntime.so.1", "libonnxruntime.so"} : std::vector{file};
  void* handle = nullptr;
  std::string found, tried;
  for (const std::string& name : names) {
    // Threads of its own may outlive whoever closed it, so it is never closed.
    handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
    found = name;
    if (handle != nullptr) break;
    const char* const why = dlerror();
    tried += fmt::format("{}{}", tried.empty() ? "" : "; ", why != nullptr ? why : name);
  }
  if (handle == nullptr) return std::unexpected("ONNX Runtime cannot be loaded: " + tried);
  auto* const get_base = find<GetApiBase>(handle, "OrtGetApiBase");
  const ApiBase* const base = get_base != nullptr ? get_base() : nullptr;
  if (base == nullptr) return std::unexpected(fmt::format("{} is no ONNX Runtime: it has no OrtGetApiBase", found));
  Library library;
  library.version = base->version();
  const void* const* const table = base->table(kApiVersion);
  if (table == nullptr) {
    return std::unexpected(
        fmt::format("ONNX Runtime {} does not have version {} of its interface", library.version, kApiVersion));
  }
  for_each_entry(library.api, [&](Api::Place place, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(const_cast<void*>(table[place]));
  });
  library.append_cuda = find<AppendProvider>(handle, "OrtSessionOptionsAppendExecutionProvider_CUDA");
  library.append_tensorrt = find<AppendProvider>(handle, "OrtSessionOptionsAppendExecutionProvider_Tensorrt");
  return library;
}

}  // namespace fuhyo::nn::ort
