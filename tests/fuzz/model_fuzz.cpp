// A file of a policy and value network: refused with a reason, whatever it holds, or a network within its limits. The
// first byte may say that what follows is the options beside one.
#include <cstring>
#include <sstream>

#include <boost/crc.hpp>

#include "engines/nn/container.h"
#include "engines/nn/model_file.h"
#include "engines/nn/onnx/read.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
using namespace fuhyo::nn;

void check(const Model& model) {
  require(model.shape.fault().empty(), "a network that was read can be computed");
  std::uint64_t parameters = 0;
  for_each_tensor(model, [&](const std::string&, const auto& values) { parameters += values.size(); });
  require(parameters == model.shape.parameters(), "tensors are as long as their shape says");
}

void check_container(const std::string& bytes) {
  std::istringstream in(bytes);
  const auto container = read_container(in, bytes.size());
  if (container) check(container->model);
  require(container || !container.error().empty(), "a refusal says why");
}

// The file with the checksum that it should have at its end: otherwise no change would ever come further than there.
std::string with_checksum(std::string bytes) {
  boost::crc_32_type checksum;
  if (bytes.size() < kContainerMagic.size() + sizeof(std::uint32_t)) return bytes;
  checksum.process_bytes(bytes.data(), bytes.size() - sizeof(std::uint32_t));
  const std::uint32_t sum = checksum.checksum();
  std::memcpy(bytes.data() + bytes.size() - sizeof sum, &sum, sizeof sum);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes = fuhyo::fuzz::text(data, size);
  if (bytes.starts_with('i')) {
    std::istringstream in{std::string(bytes.substr(1))};
    const auto options = read_ini(in);
    require(options || !options.error().empty(), "a refusal says why");
    return 0;
  }
  if (bytes.starts_with(kContainerMagic)) {
    check_container(std::string(bytes));
    check_container(with_checksum(std::string(bytes)));
    return 0;
  }
  const auto model = onnx::read(bytes);
  if (model) check(*model);
  require(model || !model.error().empty(), "a refusal says why");
  return 0;
}
