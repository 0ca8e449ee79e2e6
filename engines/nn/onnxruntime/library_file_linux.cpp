// A library by dlopen(3).
#include <dlfcn.h>

#include "engines/nn/onnxruntime/library_file.h"

namespace fuhyo::nn::ort {

void* open_library(const std::string& name, std::string& why) {
  void* const library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  const char* const error = library == nullptr ? dlerror() : nullptr;
  why = error != nullptr ? error : "";
  return library;
}

void* find_symbol(void* library, const char* name) { return dlsym(library, name); }

}  // namespace fuhyo::nn::ort
