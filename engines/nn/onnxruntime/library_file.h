// A library that is loaded while the program runs, as the operating system does it. Any thread.
#pragma once

#include <string>

namespace fuhyo::nn::ort {

#ifdef _WIN32
constexpr const char* kLibraryNames[] = {"onnxruntime.dll"};
#else
constexpr const char* kLibraryNames[] = {"libonnxruntime.so.1", "libonnxruntime.so"};
#endif

// Null if it cannot be; then `why` says so in words, or is empty. Threads of its own may outlive whoever closed it, so
// it is never closed.
void* open_library(const std::string& name, std::string& why);
// Null if it has no such function.
void* find_symbol(void* library, const char* name);

}  // namespace fuhyo::nn::ort
