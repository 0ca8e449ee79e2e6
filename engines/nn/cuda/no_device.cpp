// Where there is no nvcc, there is no GPU (device.cu).
#ifndef FUHYO_CUDA
#include "engines/nn/cuda/device.h"

namespace fuhyo::nn::cuda {

std::shared_ptr<Device> open_device(int, std::string& error) {
  error = "this program was built without CUDA (nvcc was not found, or FUHYO_CUDA is off)";
  return nullptr;
}

}  // namespace fuhyo::nn::cuda
#endif
