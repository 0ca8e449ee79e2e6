#include "engines/nnue/net/network.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fstream>
#include <new>

#include "engines/nnue/net/activity.h"
#include "engines/nnue/net/reader.h"

namespace fuhyo::nnue {
namespace {

constexpr std::uint32_t kVersion = 0x7af32f16;
constexpr std::uint32_t kLongestText = 1 << 16;

constexpr std::size_t round_up(std::size_t value, std::size_t unit) { return (value + unit - 1) / unit * unit; }

// Where everything lies in a network's memory, in bytes; each part is aligned to 64.
struct Layout {
  std::size_t rows, stacks;
  std::uint32_t first_outputs, second_inputs, second_outputs, last_inputs;
  // ... within one layer stack
  std::size_t first_bias, second, second_bias, last, last_bias, stack_size;
  std::size_t size;

  explicit Layout(const Architecture& shape) {
    rows = shape.width * sizeof(std::int16_t);
    stacks = rows + std::size_t{shape.features->inputs} * shape.width * sizeof(std::int16_t);
    first_outputs = static_cast<std::uint32_t>(round_up(shape.first_outputs(), kOutputUnit));
    second_inputs = static_cast<std::uint32_t>(round_up(shape.second_inputs(), 4));
    second_outputs = static_cast<std::uint32_t>(round_up(shape.hidden2, kOutputUnit));
    last_inputs = static_cast<std::uint32_t>(round_up(shape.hidden2, kLastUnit));
    first_bias = round_up(std::size_t{shape.first_inputs()} * first_outputs, 64);
    second = first_bias + round_up(first_outputs * sizeof(std::int32_t), 64);
    second_bias = second + round_up(std::size_t{second_inputs} * second_outputs, 64);
    last = second_bias + round_up(second_outputs * sizeof(std::int32_t), 64);
    last_bias = last + last_inputs;
    stack_size = last_bias + 64;
    size = stacks + shape.stacks() * stack_size;
  }
};

template <class T>
T* at(std::byte* memory, std::size_t offset) {
  return reinterpret_cast<T*>(memory + offset);
}

template <class T>
const T* at(const std::byte* memory, std::size_t offset) {
  return reinterpret_cast<const T*>(memory + offset);
}

// Files hold one row of weights for each output, padded to 32 inputs; kernels want four inputs beside each other for
// each output. What only pads is left out.
void read_dense(Reader& reader, std::uint32_t inputs, std::uint32_t outputs, std::uint32_t padded_outputs,
                std::int8_t* weights, std::int32_t* bias, std::string_view what) {
  reader.numbers(std::span(bias, outputs), what);
  std::vector<std::int8_t> row(round_up(inputs, 32));
  for (std::uint32_t o = 0; o < outputs; ++o) {
    reader.bytes(row, what);
    for (std::uint32_t i = 0; i < inputs; ++i) weights[(i / 4 * padded_outputs + o) * 4 + i % 4] = row[i];
  }
}

// A file may hold anything: its text must not reach a terminal or a protocol as it is.
std::string printable(std::string text) {
  std::ranges::replace_if(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
  return text;
}

Architecture read_header(Reader& reader, std::uint32_t& hash) {
  const std::uint32_t version = reader.u32("the header");
  if (reader.ok() && version != kVersion) {
    reader.fail(fmt::format("no network: it begins with {:08X}, not with the version {:08X}", version, kVersion));
  }
  hash = reader.u32("the header");
  const std::uint32_t length = reader.u32("the header");
  if (reader.ok() && length > kLongestText) {
    reader.fail(fmt::format("its header says that {} bytes of text follow; at most {} are read", length, kLongestText));
  }
  const std::string text = reader.text(length, "the text of the header");
  if (!reader.ok()) return {};
  const auto found = read_architecture(text, reader.size());
  if (found) return *found;
  reader.fail(found.error());
  return {};
}

// See DenseLayer::pairs: two neighbouring weights, of either sign, times 127, and the same again.
bool pairs_fit(const std::int8_t* weights, std::size_t count) {
  constexpr int kMost = 32'767 / 127 / 2;
  for (std::size_t i = 0; i < count; i += 2) {
    const std::int32_t a{weights[i]}, b{weights[i + 1]};
    if (std::max(a, 0) + std::max(b, 0) > kMost || std::min(a, 0) + std::min(b, 0) < -kMost) return false;
  }
  return true;
}

}  // namespace

void Network::lay_out(const std::byte* memory) {
  const Layout layout(architecture_);
  biases_ = at<std::int16_t>(memory, 0);
  rows_ = at<std::int16_t>(memory, layout.rows);
  stacks_.resize(architecture_.stacks());
  for (std::size_t index = 0; index < stacks_.size(); ++index) {
    const std::byte* const begin = memory + layout.stacks + index * layout.stack_size;
    stacks_[index] = {.first = {.weights = at<std::int8_t>(begin, 0),
                                .bias = at<std::int32_t>(begin, layout.first_bias),
                                .inputs = architecture_.first_inputs(),
                                .outputs = layout.first_outputs,
                                .pairs = pairs_fit(at<std::int8_t>(begin, 0), layout.first_bias)},
                      .second = {.weights = at<std::int8_t>(begin, layout.second),
                                 .bias = at<std::int32_t>(begin, layout.second_bias),
                                 .inputs = layout.second_inputs,
                                 .outputs = layout.second_outputs,
                                 .pairs = false},
                      .last_weights = at<std::int8_t>(begin, layout.last),
                      .last_bias = *at<std::int32_t>(begin, layout.last_bias),
                      .last_inputs = layout.last_inputs,
                      .hidden = architecture_.hidden1,
                      .shortcut = architecture_.shortcut};
  }
}

// The sums of an SFNN are kept doubled, modulo 2^16: so they are multiplied in one instruction.
void Network::read_transformer(Reader& reader, std::byte* memory) {
  const Layout layout(architecture_);
  const std::span biases(at<std::int16_t>(memory, 0), architecture_.width);
  const std::span rows(at<std::int16_t>(memory, layout.rows),
                       std::size_t{architecture_.features->inputs} * architecture_.width);
  constexpr std::string_view kBiases = "the transformer's biases", kRows = "the transformer's weights";
  if (!architecture_.pairwise) {
    reader.numbers(biases, kBiases);
    reader.numbers(rows, kRows);
    return;
  }
  reader.maybe_compressed(biases, kBiases);
  reader.maybe_compressed(rows, kRows);
  for (const std::span part : {biases, rows}) {
    for (std::int16_t& value : part) value = static_cast<std::int16_t>(value * 2);
  }
}

void Network::read_stack(Reader& reader, std::byte* memory, std::size_t index) {
  const Layout layout(architecture_);
  const std::uint32_t hash = reader.u32("the layers");
  if (reader.ok() && hash != layers_hash(architecture_) && remark_.empty()) {
    remark_ = fmt::format("its layers are marked {:08X}, not {:08X}", hash, layers_hash(architecture_));
  }
  std::byte* const begin = memory + layout.stacks + index * layout.stack_size;
  read_dense(reader, architecture_.first_inputs(), architecture_.first_outputs(), layout.first_outputs,
             at<std::int8_t>(begin, 0), at<std::int32_t>(begin, layout.first_bias), "the first layer");
  read_dense(reader, architecture_.second_inputs(), architecture_.hidden2, layout.second_outputs,
             at<std::int8_t>(begin, layout.second), at<std::int32_t>(begin, layout.second_bias), "the second layer");
  std::vector<std::int8_t> row(round_up(architecture_.hidden2, 32));
  reader.numbers(std::span(at<std::int32_t>(begin, layout.last_bias), 1), "the last layer");
  reader.bytes(row, "the last layer");
  std::copy_n(row.begin(), architecture_.hidden2, at<std::int8_t>(begin, layout.last));
}

// Puts values that are mostly 0 beside each other. Nothing that is computed changes.
void Network::reorder(std::byte* memory) {
  lay_out(memory);
  const std::vector<std::uint32_t> order = order_by_activity(*this);
  const Layout layout(architecture_);
  std::vector<std::int16_t> row(width());
  for (std::size_t index = 0; index <= features().inputs; ++index) {  // the biases and every row
    std::int16_t* const values = at<std::int16_t>(memory, 0) + index * width();
    std::copy_n(values, width(), row.begin());
    for (std::size_t part = 0; part < width(); part += order.size()) {
      for (std::size_t i = 0; i < order.size(); ++i) values[part + i] = row[part + order[i]];
    }
  }
  const std::uint32_t inputs = architecture_.first_inputs(), outputs = layout.first_outputs;
  std::vector<std::int8_t> old(std::size_t{inputs} * outputs);
  for (std::size_t index = 0; index < stacks_.size(); ++index) {
    auto* const weights = at<std::int8_t>(memory, layout.stacks + index * layout.stack_size);
    std::copy_n(weights, old.size(), old.begin());
    for (std::uint32_t i = 0; i < inputs; ++i) {
      const auto size = static_cast<std::uint32_t>(order.size());
      const std::uint32_t from = i / size * size + order[i % size];
      for (std::uint32_t o = 0; o < outputs; ++o) {
        weights[(i / 4 * outputs + o) * 4 + i % 4] = old[(from / 4 * outputs + o) * 4 + from % 4];
      }
    }
  }
}

// The error, or nothing.
std::string Network::read_into(Network& network, std::istream& in, std::uint64_t size, bool share) {
  Reader reader(in, size);
  std::uint32_t hash = 0;
  network.architecture_ = read_header(reader, hash);
  if (!reader.ok()) return reader.error();
  const Architecture& shape = network.architecture_;
  auto memory = machine::Memory::allocate(Layout(shape).size);
  const std::uint32_t transformer = reader.u32("the transformer");
  if (transformer != transformer_hash(shape)) {
    network.remark_ = fmt::format("its transformer is marked {:08X}, not {:08X}", transformer, transformer_hash(shape));
  }
  network.read_transformer(reader, memory->data());
  for (std::size_t index = 0; reader.ok() && index < shape.stacks(); ++index) {
    network.read_stack(reader, memory->data(), index);
  }
  if (reader.ok() && reader.left() != 0) {
    reader.fail(
        fmt::format("{} by its text, whose weights end {} bytes before the file does", shape.name(), reader.left()));
  }
  if (!reader.ok()) return fmt::format("{} by its text; {}", shape.name(), reader.error());
  network.reorder(memory->data());
  if (share) {
    network.memory_ = machine::Memory::share(std::move(memory));
  } else {
    network.memory_ = std::move(memory);
  }
  network.lay_out(network.memory_->data());
  return {};
}

Network::Loaded Network::read(std::istream& in, std::uint64_t size, const std::string& name, bool share) {
  std::shared_ptr<Network> network(new Network);
  try {
    const std::string error = read_into(*network, in, size, share);
    if (!error.empty()) return std::unexpected(printable(name + ": " + error));
  } catch (const std::bad_alloc&) {
    return std::unexpected(printable(name + ": there is no memory for " + network->architecture_.name()));
  }
  return network;
}

Network::Loaded Network::load(const std::filesystem::path& file, bool share) {
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) return std::unexpected(file.string() + ": " + error.message());
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::unexpected(file.string() + ": cannot be opened");
  return read(in, size, file.string(), share);
}

const LayerStack& Network::stack(shogi::Color turn, shogi::Square black_king, shogi::Square white_king) const {
  if (architecture_.zones == KingZones::one) return stacks_.front();
  constexpr shogi::Square kHome = shogi::make_square(5, 9);
  const shogi::Square black = black_king == shogi::SQ_NONE ? kHome : black_king;
  const shogi::Square white = white_king == shogi::SQ_NONE ? kHome : seen_by(VIEW_WHITE, white_king);
  const shogi::Square own = turn == shogi::BLACK ? black : white, other = turn == shogi::BLACK ? white : black;
  const KingZones zones = architecture_.zones;
  return stacks_[zone_of(zones, own) * zone_count(zones) + zone_of(zones, other)];
}

}  // namespace fuhyo::nnue
