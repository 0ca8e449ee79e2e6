// The part of ONNX Runtime's C interface that is used here, as it lies in the library: a table of functions that only
// ever grows at its end. All of these have been in it since its first version (1.0 of the library), at these places.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fuhyo::nn::ort {

// What the library keeps to itself.
struct Status;  // an error; null: none
struct Environment;
struct Session;
struct SessionOptions;
struct RunOptions;
struct MemoryInfo;
struct Allocator;
struct Value;
struct TypeInfo;
struct TensorInfo;

// Numbers of its enumerations.
enum class Severity : int { error = 3 };
enum class Element : int { float32 = 1, float16 = 10 };
enum class AllocatorType : int { device = 0 };
enum class MemoryType : int { standard = 0 };

constexpr std::uint32_t kApiVersion = 1;

// What OrtGetApiBase() gives.
struct ApiBase {
  const void* const* (*table)(std::uint32_t version);  // null if the library does not have it
  const char* (*version)();
};
using GetApiBase = const ApiBase*();
// OrtSessionOptionsAppendExecutionProvider_...: in libraries that were built with it.
using AppendProvider = Status*(SessionOptions*, int device);

// Places in the table.
struct Api {
  using Place = std::size_t;
  static constexpr Place kErrorMessage = 2, kCreateEnvironment = 3, kCreateSession = 7, kRun = 9,
                         kCreateSessionOptions = 10, kSetIntraOpThreads = 24, kSetInterOpThreads = 25, kInputCount = 30,
                         kOutputCount = 31, kInputType = 33, kInputName = 36, kOutputName = 37, kCreateTensor = 49,
                         kTensorData = 51, kTensorInfoOfType = 55, kElement = 60, kDimensionCount = 61,
                         kDimensions = 62, kTensorInfo = 65, kCreateCpuMemoryInfo = 69, kFree = 76, kAllocator = 78,
                         kReleaseEnvironment = 92, kReleaseStatus = 93, kReleaseMemoryInfo = 94, kReleaseSession = 95,
                         kReleaseValue = 96, kReleaseTypeInfo = 98, kReleaseTensorInfo = 99, kReleaseOptions = 100;

  const char* (*error_message)(const Status*);
  Status* (*create_environment)(Severity, const char* log_name, Environment** out);
  Status* (*create_session)(const Environment*, const char* file, const SessionOptions*, Session** out);
  Status* (*run)(Session*, const RunOptions*, const char* const* input_names, const Value* const* inputs,
                 std::size_t input_count, const char* const* output_names, std::size_t output_count, Value** outputs);
  Status* (*create_session_options)(SessionOptions** out);
  Status* (*set_intra_op_threads)(SessionOptions*, int count);
  Status* (*set_inter_op_threads)(SessionOptions*, int count);
  Status* (*input_count)(const Session*, std::size_t* out);
  Status* (*output_count)(const Session*, std::size_t* out);
  Status* (*input_type)(const Session*, std::size_t index, TypeInfo** out);
  Status* (*input_name)(const Session*, std::size_t index, Allocator*, char** out);
  Status* (*output_name)(const Session*, std::size_t index, Allocator*, char** out);
  Status* (*create_tensor)(const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* sizes,
                           std::size_t dimensions, Element, Value** out);
  Status* (*tensor_data)(Value*, void** out);
  Status* (*tensor_info_of_type)(const TypeInfo*, const TensorInfo** out);  // part of the type; null if it is no tensor
  Status* (*element)(const TensorInfo*, Element* out);
  Status* (*dimension_count)(const TensorInfo*, std::size_t* out);
  Status* (*dimensions)(const TensorInfo*, std::int64_t* out, std::size_t count);  // -1: any size
  Status* (*tensor_info)(const Value*, TensorInfo** out);
  Status* (*create_cpu_memory_info)(AllocatorType, MemoryType, MemoryInfo** out);
  Status* (*free)(Allocator*, void*);
  Status* (*allocator)(Allocator** out);  // one for all, never released
  void (*release_environment)(Environment*);
  void (*release_status)(Status*);
  void (*release_memory_info)(MemoryInfo*);
  void (*release_session)(Session*);
  void (*release_value)(Value*);
  void (*release_type_info)(TypeInfo*);
  void (*release_tensor_info)(TensorInfo*);
  void (*release_options)(SessionOptions*);
};

// Calls visit(place, function) for each of them.
template <class AnApi, class Visit>
void for_each_entry(AnApi& api, const Visit& visit) {
  visit(Api::kErrorMessage, api.error_message);
  visit(Api::kCreateEnvironment, api.create_environment);
  visit(Api::kCreateSession, api.create_session);
  visit(Api::kRun, api.run);
  visit(Api::kCreateSessionOptions, api.create_session_options);
  visit(Api::kSetIntraOpThreads, api.set_intra_op_threads);
  visit(Api::kSetInterOpThreads, api.set_inter_op_threads);
  visit(Api::kInputCount, api.input_count);
  visit(Api::kOutputCount, api.output_count);
  visit(Api::kInputType, api.input_type);
  visit(Api::kInputName, api.input_name);
  visit(Api::kOutputName, api.output_name);
  visit(Api::kCreateTensor, api.create_tensor);
  visit(Api::kTensorData, api.tensor_data);
  visit(Api::kTensorInfoOfType, api.tensor_info_of_type);
  visit(Api::kElement, api.element);
  visit(Api::kDimensionCount, api.dimension_count);
  visit(Api::kDimensions, api.dimensions);
  visit(Api::kTensorInfo, api.tensor_info);
  visit(Api::kCreateCpuMemoryInfo, api.create_cpu_memory_info);
  visit(Api::kFree, api.free);
  visit(Api::kAllocator, api.allocator);
  visit(Api::kReleaseEnvironment, api.release_environment);
  visit(Api::kReleaseStatus, api.release_status);
  visit(Api::kReleaseMemoryInfo, api.release_memory_info);
  visit(Api::kReleaseSession, api.release_session);
  visit(Api::kReleaseValue, api.release_value);
  visit(Api::kReleaseTypeInfo, api.release_type_info);
  visit(Api::kReleaseTensorInfo, api.release_tensor_info);
  visit(Api::kReleaseOptions, api.release_options);
}

}  // namespace fuhyo::nn::ort
