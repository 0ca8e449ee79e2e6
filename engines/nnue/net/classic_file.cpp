#include "engines/nnue/net/classic_file.h"

#include <bit>
#include <cstdlib>
#include <fmt/format.h>
#include <span>
#include <sstream>

#include "engines/nnue/net/reader.h"

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

void read_layer(Reader& reader, ClassicLayer& layer, std::size_t inputs, std::size_t outputs) {
  layer.bias.resize(outputs);
  reader.numbers(std::span(layer.bias), "biases of a layer");
  std::vector<std::int8_t> padded((inputs + kPadding - 1) / kPadding * kPadding);
  for (std::size_t o = 0; o < outputs; ++o) {
    reader.bytes(padded, "weights of a layer");
    layer.weights.insert(layer.weights.end(), padded.begin(), padded.begin() + static_cast<std::ptrdiff_t>(inputs));
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

std::expected<ClassicWeights, std::string> read_classic_file(std::string_view bytes, const Architecture& shape) {
  std::istringstream in{std::string(bytes)};
  Reader reader(in, bytes.size());
  const std::uint32_t version = reader.u32("the version"), hash = reader.u32("the checksum of the shape");
  const std::uint32_t length = reader.u32("the length of the text");
  if (!reader.ok()) return std::unexpected(reader.error());
  if (version != kVersion || hash != (transformer_hash(shape) ^ layers_hash(shape)) ||
      bytes.size() != shape.classic_file_size(length)) {
    return std::unexpected(fmt::format("no network {}", shape.name()));
  }
  ClassicWeights network{.shape = shape, .biases = {}, .rows = {}, .layers = {}};
  network.biases.resize(shape.width);
  network.rows.resize(std::size_t{shape.features->inputs} * shape.width);
  reader.text(length, "the text");
  reader.u32("the checksum of the transformer");
  reader.numbers(std::span(network.biases), "biases of the transformer");
  reader.numbers(std::span(network.rows), "rows of the transformer");
  reader.u32("the checksum of the layers");
  read_layer(reader, network.layers[0], shape.first_inputs(), shape.hidden1);
  read_layer(reader, network.layers[1], shape.hidden1, shape.hidden2);
  read_layer(reader, network.layers[2], shape.hidden2, 1);
  if (!reader.ok()) return std::unexpected(reader.error());
  return network;
}

}  // namespace fuhyo::nnue
