#include "engines/nn/onnxruntime/library.h"

#include <fmt/format.h>
#include <iterator>
#include <vector>

#include "engines/nn/onnxruntime/library_file.h"

namespace fuhyo::nn::ort {
namespace {

template <class Function>
Function* find(void* library, const char* name) {
  return reinterpret_cast<Function*>(find_symbol(library, name));
}

}  // namespace

std::expected<Library, std::string> load_library(const std::string& file) {
  const std::vector<std::string> names =
      file.empty() ? std::vector<std::string>(std::begin(kLibraryNames), std::end(kLibraryNames)) : std::vector{file};
  void* handle = nullptr;
  std::string found, tried;
  for (const std::string& name : names) {
    std::string why;
    handle = open_library(name, why);
    found = name;
    if (handle != nullptr) break;
    tried += fmt::format("{}{}", tried.empty() ? "" : "; ", why.empty() ? name : why);
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
