// A network file: refused with a reason that is one printable line, whatever it holds. Whole networks are larger than
// inputs here, so the first byte may say that its text, or a block of its numbers, is read alone.

#include <array>
#include <sstream>

#include "engines/nnue/net/network.h"
#include "engines/nnue/net/reader.h"
#include "tests/fuzz/fuzz.h"

namespace {

using fuhyo::fuzz::require;
using namespace fuhyo::nnue;

void read_text(std::string_view text) {
  for (const std::uint64_t size : {std::uint64_t{893'917}, std::uint64_t{64'217'066}, ~std::uint64_t{0}}) {
    const auto shape = read_architecture(text, size);
    if (!shape) {
      require(!shape.error().empty(), "a refusal says why");
      continue;
    }
    require(shape->width % kWidthUnit == 0 && shape->first_inputs() <= kMaxInputs, "a shape is within its bounds");
    require(shape->first_outputs() <= kMaxHidden && shape->hidden2 <= kMaxHidden, "hidden layers are, too");
    require(!shape->name().empty(), "a shape has a name");
  }
}

void read_numbers(const std::string& bytes) {
  std::istringstream in(bytes);
  Reader reader(in, bytes.size());
  std::array<std::int16_t, 40> numbers{};
  reader.maybe_compressed(numbers, "numbers");
  reader.maybe_compressed(numbers, "numbers");
  require(reader.position() <= reader.size(), "nothing is read beyond the end");
}

void read_file(const std::string& bytes) {
  std::istringstream in(bytes);
  const auto network = Network::read(in, bytes.size(), "file");
  if (network) return;
  require(network.error().starts_with("file: "), "a refusal names the file");
  fuhyo::fuzz::require_reason(network.error());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string bytes(fuhyo::fuzz::text(data + 1, size - 1));
  if (*data == 't') {
    read_text(bytes);
  } else if (*data == 'n') {
    read_numbers(bytes);
  } else {
    read_file(bytes);
  }
  return 0;
}
