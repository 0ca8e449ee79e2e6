// GPUs by the runtime of CUDA (device.h). Compiled by nvcc where there is one; gpu.cmake says how.
#include <cuda_runtime.h>

#include "engines/nn/cuda/device.h"

namespace fuhyo::nn::cuda {
namespace {

// What a kernel sees of the block that it runs in: the thread's own state is in registers.
template <class Kernel>
struct GpuBlock {
  unsigned x, y, z;
  typename Kernel::Shared& shared;
  typename Kernel::State state;

  template <class Phase>
  __device__ __forceinline__ void each(const Phase& phase) {
    phase(threadIdx.x, state, shared);
    __syncthreads();
  }
};

template <class Kernel>
__global__ void __launch_bounds__(Kernel::kThreads) run_kernel(const typename Kernel::Args args) {
  __shared__ typename Kernel::Shared shared;
  GpuBlock<Kernel> block{blockIdx.x, blockIdx.y, blockIdx.z, shared, {}};
  Kernel::run(block, args);
}

std::string text(cudaError_t error) { return error == cudaSuccess ? std::string() : cudaGetErrorString(error); }

// ---- programs -------------------------------------------------------------------------------------------------------

// Adds a step to a graph, after the one before it.
class GraphWriter {
 public:
  explicit GraphWriter(cudaGraph_t graph) : graph_(graph) {}

  cudaError_t operator()(const Copy& copy) {
    return add([&](cudaGraphNode_t* node) {
      return cudaGraphAddMemcpyNode1D(node, graph_, &last_, count_, copy.to, copy.from, copy.bytes,
                                      copy.to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost);
    });
  }

  template <class Kernel>
  cudaError_t operator()(const Launch<Kernel>& launch) {
    typename Kernel::Args args = launch.args;  // copied into the node
    void* arguments[] = {&args};
    cudaKernelNodeParams terms = {};
    terms.func = reinterpret_cast<void*>(&run_kernel<Kernel>);
    terms.gridDim = dim3(launch.grid.x, launch.grid.y, launch.grid.z);
    terms.blockDim = dim3(Kernel::kThreads);
    terms.kernelParams = arguments;
    return add([&](cudaGraphNode_t* node) { return cudaGraphAddKernelNode(node, graph_, &last_, count_, &terms); });
  }

 private:
  template <class Add>
  cudaError_t add(const Add& add_node) {
    cudaGraphNode_t node = nullptr;
    const cudaError_t error = add_node(&node);
    last_ = node;
    count_ = 1;
    return error;
  }

  cudaGraph_t graph_;
  cudaGraphNode_t last_ = nullptr;
  std::size_t count_ = 0;  // of steps that the next one waits for
};

// All launches are one call.
class GraphProgram final : public Program {
 public:
  GraphProgram(int device, cudaStream_t stream) : device_(device), stream_(stream) {}
  ~GraphProgram() override {
    if (graph_ != nullptr) (void)cudaGraphExecDestroy(graph_);
  }

  std::string prepare(const std::vector<Step>& steps) {
    cudaGraph_t graph = nullptr;
    cudaError_t error = cudaSetDevice(device_);
    if (error == cudaSuccess) error = cudaGraphCreate(&graph, 0);
    GraphWriter writer(graph);
    for (const Step& step : steps) {
      if (error == cudaSuccess) error = std::visit(writer, step);
    }
    if (error == cudaSuccess) error = cudaGraphInstantiate(&graph_, graph, 0);
    if (graph != nullptr) (void)cudaGraphDestroy(graph);
    return text(error);
  }

  std::string run() override {
    cudaError_t error = cudaSetDevice(device_);
    if (error == cudaSuccess) error = cudaGraphLaunch(graph_, stream_);
    if (error == cudaSuccess) error = cudaStreamSynchronize(stream_);
    return text(error);
  }

 private:
  int device_;
  cudaStream_t stream_;
  cudaGraphExec_t graph_ = nullptr;
};

class StreamQueue final : public Queue {
 public:
  explicit StreamQueue(int device) : device_(device) {}
  ~StreamQueue() override {
    if (stream_ != nullptr) (void)cudaStreamDestroy(stream_);
  }

  std::string prepare() {
    cudaError_t error = cudaSetDevice(device_);
    if (error == cudaSuccess) error = cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking);
    return text(error);
  }

  std::unique_ptr<Program> compile(const std::vector<Step>& steps, std::string& error) override {
    auto program = std::make_unique<GraphProgram>(device_, stream_);
    error = program->prepare(steps);
    if (!error.empty()) return nullptr;
    return program;
  }

 private:
  int device_;
  cudaStream_t stream_ = nullptr;
};

// ---- memory ---------------------------------------------------------------------------------------------------------

class GpuMemory final : public Memory {
 public:
  GpuMemory(int device, Where where) : device_(device), where_(where) {}
  ~GpuMemory() override {
    if (data_ == nullptr) return;
    (void)cudaSetDevice(device_);
    (void)(where_ == Where::device ? cudaFree(data_) : cudaFreeHost(data_));
  }

  std::string take(std::size_t bytes) {
    cudaError_t error = cudaSetDevice(device_);
    if (error == cudaSuccess) {
      error = where_ == Where::device ? cudaMalloc(&data_, bytes) : cudaMallocHost(&data_, bytes);
    }
    if (error != cudaSuccess) {
      data_ = nullptr;
      return text(error);
    }
    if (where_ == Where::host) {
      memset(data_, 0, bytes);
      return {};
    }
    // Streams of queues do not wait for the one where this is done.
    error = cudaMemset(data_, 0, bytes);
    if (error == cudaSuccess) error = cudaStreamSynchronize(cudaStreamLegacy);
    return text(error);
  }

 private:
  int device_;
  Where where_;
};

class Gpu final : public Device {
 public:
  Gpu(int number, std::string name, unsigned multiprocessors)
      : number_(number), name_(std::move(name)), multiprocessors_(multiprocessors) {}

  std::string name() const override { return name_; }
  unsigned multiprocessors() const override { return multiprocessors_; }

  std::unique_ptr<Memory> allocate(std::size_t bytes, Where where, std::string& error) override {
    auto memory = std::make_unique<GpuMemory>(number_, where);
    error = memory->take(bytes);
    if (!error.empty()) return nullptr;
    return memory;
  }

  std::string upload(Memory& to, const void* from, std::size_t bytes) override {
    cudaError_t error = cudaSetDevice(number_);
    if (error == cudaSuccess) error = cudaMemcpy(to.as<void>(), from, bytes, cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = cudaStreamSynchronize(cudaStreamLegacy);
    return text(error);
  }

  std::unique_ptr<Queue> queue(std::string& error) override {
    auto queue = std::make_unique<StreamQueue>(number_);
    error = queue->prepare();
    if (!error.empty()) return nullptr;
    return queue;
  }

 private:
  int number_;
  std::string name_;
  unsigned multiprocessors_;
};

}  // namespace

std::shared_ptr<Device> open_device(int number, std::string& error) {
  int count = 0;
  cudaError_t found = cudaGetDeviceCount(&count);
  if (found != cudaSuccess) {
    error = "no GPU can be used: " + text(found);
    return nullptr;
  }
  if (number < 0 || number >= count) {
    error = "there is no GPU " + std::to_string(number) + ": they are numbered from 0, and there are " +
            std::to_string(count);
    return nullptr;
  }
  cudaDeviceProp properties;
  found = cudaGetDeviceProperties(&properties, number);
  if (found == cudaSuccess) found = cudaSetDevice(number);
  // A kernel that this program holds no code for shows here, and not in the middle of a game.
  cudaFuncAttributes attributes;
  if (found == cudaSuccess) {
    found = cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(&run_kernel<Multiply>));
  }
  if (found != cudaSuccess) {
    error = "GPU " + std::to_string(number) + " cannot be used: " + text(found);
    return nullptr;
  }
  return std::make_shared<Gpu>(number, properties.name, static_cast<unsigned>(properties.multiProcessorCount));
}

}  // namespace fuhyo::nn::cuda
