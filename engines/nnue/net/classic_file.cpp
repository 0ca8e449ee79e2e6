#include "engines/nnue/net/classic_file.h"

#include <bit>
#include <cstdlib>
#include <span>

namespace fuhyo::nnue {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are written as they lie in files");

constexpr std::uint32_t kVersion = 0x7af32f16;
constexpr std::size_t kPadding = 32;  // inputs of a layer are padded with zeros to a multiple of this

template <class T>
void put(std::string& out, std::span<const T> values) {
  out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}
void put(std::string& out, std::uint32_t value) { put(out, std::span<const std::uint32_t>(&value, 1)); }

void require(bool holds) {
  if (!holds) std::abort();
}

void put_layer(std::string& out, const ClassicLayer& layer, std::size_t inputs, std::size_t outputs) {
  require(layer.bias.size() == outputs && layer.weights.size() == inputs * outputs);
  put(out, std::span<const std::int32_t>(layer.bias));
  for (std::size_t o = 0; o < outputs; ++o) {
    put(out, std::span(layer.weights).subspan(o * inputs, inputs));
    out.append((kPadding - inputs % kPadding) % kPadding, '\0');
  }
}

}  // namespace

std::string classic_file(const ClassicWeights& network) {
  const Architecture& shape = network.shape;
  require(network.biases.size() == shape.width);
  require(network.rows.size() == std::size_t{shape.features->inputs} * shape.width);
  const std::string text = classic_text(shape);
  std::string out;
  out.reserve(shape.classic_file_size(text.size()));
  put(out, kVersion);
  put(out, transformer_hash(shape) ^ layers_hash(shape));
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
  put(out, transformer_hash(shape));
  put(out, std::span(network.biases));
  put(out, std::span(network.rows));
  put(out, layers_hash(shape));
  put_layer(out, network.layers[0], shape.first_inputs(), shape.hidden1);
  put_layer(out, network.layers[1], shape.hidden1, shape.hidden2);
  put_layer(out, network.layers[2], shape.hidden2, 1);
  return out;
}

}  // namespace fuhyo::nnue
