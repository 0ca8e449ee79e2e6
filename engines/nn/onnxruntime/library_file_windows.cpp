// A library by LoadLibrary.
#include <fmt/format.h>
#include <system_error>
#include <windows.h>

#include "engines/nn/onnxruntime/library_file.h"

namespace fuhyo::nn::ort {

void* open_library(const std::string& name, std::string& why) {
  const HMODULE library = ::LoadLibraryA(name.c_str());
  if (library == nullptr) {
    const auto error = static_cast<int>(::GetLastError());
    why = fmt::format("{}: {}", name, std::system_category().message(error));
  }
  return library;
}

void* find_symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

}  // namespace fuhyo::nn::ort
