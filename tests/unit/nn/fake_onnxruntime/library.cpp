// A library that looks like ONNX Runtime's from outside, for tests of its caller. A "network" is a text:
//
//   input NAME ELEMENT SIZE...       in the order in which they are declared; -1: any size
//   output NAME ELEMENT NUMBERS      of a position
//   fail FUNCTION                    that one gives an error, as soon as the network is known
//   lie                              outputs are of one position more after the first run
//
// Of the outputs, one with a single number a position is 1/16 of the sum of the last input's first square over its
// planes; number n of another one is the sum over all planes of both inputs of (k + 1) times what is on square n, the
// k-th plane of its input; squares begin again where there are more numbers. What a caller must not do is an error,
// too.
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "engines/nn/half.h"
#include "engines/nn/onnxruntime/api.h"

namespace {
std::atomic<int> live = 0;  // objects that were made and not released
}

namespace fuhyo::nn::ort {

struct Counted {
  Counted() { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }
};
struct Status : Counted {
  explicit Status(std::string what) : text(std::move(what)) {}
  std::string text;
};
struct Environment : Counted {};
struct SessionOptions : Counted {
  int intra = 0, inter = 0;
  std::string providers;
};
struct MemoryInfo : Counted {};
struct Allocator {};
struct TensorInfo : Counted {
  Element element = Element::float32;
  std::vector<std::int64_t> sizes;
};
struct TypeInfo : Counted {
  TensorInfo info;
};
struct Value : Counted {
  Element element = Element::float32;
  std::vector<std::int64_t> sizes;
  std::vector<std::byte> own;
  void* data = nullptr;

  std::size_t count() const {
    std::size_t product = 1;
    for (const std::int64_t size : sizes) product *= static_cast<std::size_t>(size);
    return product;
  }
  float get(std::size_t i) const {
    if (element == Element::float32) return static_cast<const float*>(data)[i];
    return from_half(static_cast<const std::uint16_t*>(data)[i]);
  }
  void set(std::size_t i, float value) {
    if (element == Element::float32)
      static_cast<float*>(data)[i] = value;
    else
      static_cast<std::uint16_t*>(data)[i] = to_half(value);
  }
};
struct End {
  std::string name;
  Element element = Element::float32;
  std::vector<std::int64_t> sizes;
};
struct Session : Counted {
  std::vector<End> inputs, outputs;
  std::string fails;
  bool lies = false;
  std::atomic<int> runs = 0;
};

namespace {

Allocator the_allocator;

Status* error(std::string text) { return new Status(std::move(text)); }
Status* error_of(const Session* session, std::string_view function) {
  return session->fails == function ? error("told to fail in " + std::string(function)) : nullptr;
}

template <class Item>
Status* make(Item** out) {
  *out = new Item;
  return nullptr;
}

Status* create_environment(Severity severity, const char* name, Environment** out) {
  if (severity != Severity::error || std::string_view(name).empty()) return error("a caller that logs");
  return make(out);
}

Status* create_session(const Environment*, const char* file, const SessionOptions* options, Session** out) {
  if (options->intra != 1 || options->inter != 1) return error("a session with threads");
  std::ifstream in(file);
  auto session = std::make_unique<Session>();
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (kind == "fail") {
      words >> session->fails;
    } else if (kind == "lie") {
      session->lies = true;
    } else if (kind == "input" || kind == "output") {
      End& end = (kind == "input" ? session->inputs : session->outputs).emplace_back();
      int element = 0;
      words >> end.name >> element;
      end.element = static_cast<Element>(element);
      for (std::int64_t size = 0; words >> size;) end.sizes.push_back(size);
    } else {
      return error("no network: " + line + options->providers);
    }
  }
  if (Status* const status = error_of(session.get(), "create_session")) return status;
  *out = session.release();
  return nullptr;
}

Status* input_name(const Session* session, std::size_t index, Allocator* allocator, char** out) {
  if (allocator != &the_allocator) return error("an unknown allocator");
  *out = strdup(session->inputs.at(index).name.c_str());
  ++live;
  return nullptr;
}
Status* output_name(const Session* session, std::size_t index, Allocator* allocator, char** out) {
  if (Status* const status = error_of(session, "output_name")) return status;
  if (allocator != &the_allocator) return error("an unknown allocator");
  *out = strdup(session->outputs.at(index).name.c_str());
  ++live;
  return nullptr;
}
Status* free_text(Allocator*, void* text) {
  std::free(text);
  --live;
  return nullptr;
}

Status* input_type(const Session* session, std::size_t index, TypeInfo** out) {
  *out = new TypeInfo;
  (*out)->info.element = session->inputs.at(index).element;
  (*out)->info.sizes = session->inputs.at(index).sizes;
  return error_of(session, "input_type");
}
Status* tensor_info_of_type(const TypeInfo* type, const TensorInfo** out) {
  *out = type->info.sizes.empty() ? nullptr : &type->info;
  return nullptr;
}
Status* element(const TensorInfo* info, Element* out) {
  *out = info->element;
  return nullptr;
}
Status* dimension_count(const TensorInfo* info, std::size_t* out) {
  *out = info->sizes.size();
  return nullptr;
}
Status* dimensions(const TensorInfo* info, std::int64_t* out, std::size_t count) {
  if (count != info->sizes.size()) return error("another number of dimensions");
  std::copy(info->sizes.begin(), info->sizes.end(), out);
  return nullptr;
}
Status* tensor_info(const Value* value, TensorInfo** out) {
  *out = new TensorInfo;
  (*out)->element = value->element;
  (*out)->sizes = value->sizes;
  return nullptr;
}
Status* tensor_data(Value* value, void** out) {
  *out = value->data;
  return nullptr;
}
Status* create_cpu_memory_info(AllocatorType allocator, MemoryType memory, MemoryInfo** out) {
  if (allocator != AllocatorType::device || memory != MemoryType::standard) return error("memory of another kind");
  return make(out);
}
Status* create_tensor(const MemoryInfo*, void* data, std::size_t bytes, const std::int64_t* sizes, std::size_t count,
                      Element element, Value** out) {
  auto value = std::make_unique<Value>();
  value->element = element;
  value->sizes.assign(sizes, sizes + count);
  value->data = data;
  for (const std::int64_t size : value->sizes) {
    if (size < 1) return error("a tensor of no size");
  }
  if (bytes != value->count() * (element == Element::float32 ? 4 : 2)) return error("a tensor of another length");
  *out = value.release();
  return nullptr;
}

bool fits(const End& end, const Value& value) {
  bool same = end.element == value.element && end.sizes.size() == value.sizes.size();
  for (std::size_t i = 0; same && i < end.sizes.size(); ++i) {
    same = end.sizes[i] == -1 || end.sizes[i] == value.sizes[i];
  }
  return same;
}

float sum(const Value& input, std::size_t position, std::size_t square, bool weighted) {
  const auto planes = static_cast<std::size_t>(input.sizes[1]);
  const auto squares = static_cast<std::size_t>(input.sizes[2] * input.sizes[3]);
  float total = 0;
  for (std::size_t k = 0; k < planes; ++k) {
    total += (weighted ? static_cast<float>(k + 1) : 1) * input.get((position * planes + k) * squares + square);
  }
  return total;
}

Value* compute(const End& end, const Value& first, const Value& last, std::size_t positions) {
  auto* const out = new Value;
  const auto numbers = static_cast<std::size_t>(end.sizes.at(0));
  const auto squares = static_cast<std::size_t>(first.sizes[2] * first.sizes[3]);
  out->element = end.element;
  out->sizes = {static_cast<std::int64_t>(positions), end.sizes[0]};
  out->own.resize(positions * numbers * 4);
  out->data = out->own.data();
  for (std::size_t i = 0; i < positions * numbers; ++i) {
    const std::size_t position = std::min(i / numbers, static_cast<std::size_t>(first.sizes[0]) - 1);
    const std::size_t square = i % numbers % squares;
    out->set(i, numbers == 1 ? sum(last, position, 0, false) / 16
                             : sum(first, position, square, true) + sum(last, position, square, true));
  }
  return out;
}

Status* run(Session* session, const RunOptions* options, const char* const* input_names, const Value* const* inputs,
            std::size_t input_count, const char* const* output_names, std::size_t output_count, Value** outputs) {
  ++session->runs;
  if (Status* const status = error_of(session, "run")) return status;
  if (session->runs > 1) {
    if (Status* const status = error_of(session, "second_run")) return status;
  }
  if (options != nullptr || input_count != session->inputs.size() || output_count != session->outputs.size()) {
    return error("another number of tensors");
  }
  for (std::size_t i = 0; i < input_count; ++i) {
    const End& end = session->inputs[i];
    if (end.name != input_names[i] || !fits(end, *inputs[i])) return error("an input that does not fit: " + end.name);
  }
  const auto positions = static_cast<std::size_t>(inputs[0]->sizes[0]) + (session->lies && session->runs > 1 ? 1 : 0);
  for (std::size_t i = 0; i < output_count; ++i) {
    if (session->outputs[i].name != output_names[i]) return error("an unknown output");
    outputs[i] = compute(session->outputs[i], *inputs[0], *inputs[1], positions);
  }
  return nullptr;
}

template <class Item>
void release(Item* item) {
  delete item;
}

constexpr Api kApi = {
    .error_message = [](const Status* status) { return status->text.c_str(); },
    .create_environment = create_environment,
    .create_session = create_session,
    .run = run,
    .create_session_options = make<SessionOptions>,
    .set_intra_op_threads = [](SessionOptions* options, int count) -> Status* {
      options->intra = count;
      return nullptr;
    },
    .set_inter_op_threads = [](SessionOptions* options, int count) -> Status* {
      options->inter = count;
      return nullptr;
    },
    .input_count = [](const Session* session, std::size_t* out) -> Status* {
      *out = session->inputs.size();
      return nullptr;
    },
    .output_count = [](const Session* session, std::size_t* out) -> Status* {
      *out = session->outputs.size();
      return nullptr;
    },
    .input_type = input_type,
    .input_name = input_name,
    .output_name = output_name,
    .create_tensor = create_tensor,
    .tensor_data = tensor_data,
    .tensor_info_of_type = tensor_info_of_type,
    .element = element,
    .dimension_count = dimension_count,
    .dimensions = dimensions,
    .tensor_info = tensor_info,
    .create_cpu_memory_info = create_cpu_memory_info,
    .free = free_text,
    .allocator = [](Allocator** out) -> Status* {
      *out = &the_allocator;
      return nullptr;
    },
    .release_environment = release<Environment>,
    .release_status = release<Status>,
    .release_memory_info = release<MemoryInfo>,
    .release_session = release<Session>,
    .release_value = release<Value>,
    .release_type_info = release<TypeInfo>,
    .release_tensor_info = release<TensorInfo>,
    .release_options = release<SessionOptions>,
};

// Whatever is called besides ends the program.
const void* const* table(std::uint32_t version) {
  static std::array<const void*, 102> entries = [] {
    std::array<const void*, 102> made;
    made.fill(reinterpret_cast<const void*>(&std::abort));
    for_each_entry(kApi,
                   [&](Api::Place place, auto function) { made[place] = reinterpret_cast<const void*>(function); });
    return made;
  }();
  return version == FAKE_API_VERSION ? entries.data() : nullptr;
}

constexpr ApiBase kBase = {.table = table, .version = [] { return "0.0-fake"; }};

}  // namespace
}  // namespace fuhyo::nn::ort

extern "C" {

const fuhyo::nn::ort::ApiBase* OrtGetApiBase();
fuhyo::nn::ort::Status* OrtSessionOptionsAppendExecutionProvider_CUDA(fuhyo::nn::ort::SessionOptions*, int device);
int fake_onnxruntime_live();

const fuhyo::nn::ort::ApiBase* OrtGetApiBase() { return &fuhyo::nn::ort::kBase; }
fuhyo::nn::ort::Status* OrtSessionOptionsAppendExecutionProvider_CUDA(fuhyo::nn::ort::SessionOptions*, int device) {
  return device == 3 ? nullptr : fuhyo::nn::ort::error("there is no device " + std::to_string(device));
}
int fake_onnxruntime_live() { return live; }
}
