#include "engines/nn/container.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

#include <boost/crc.hpp>

#include "engines/nn/half.h"

namespace fuhyo::nn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are read as they lie in files");

constexpr std::uint64_t kChecksumBytes = 4;

constexpr std::uint64_t weight_bytes(Precision precision) { return precision == Precision::halves ? 2 : 4; }

// The numbers of a shape in the order of a file.
template <class AShape, class Visit>
void for_each_number(AShape& shape, const Visit& visit) {
  visit("edge", shape.edge);
  visit("planes", shape.planes);
  visit("scalars", shape.scalars);
  visit("channels", shape.channels);
  visit("blocks", shape.blocks);
  visit("kind of blocks", shape.kind);
  visit("activation", shape.activation);
  visit("squeeze", shape.squeeze);
  visit("policy planes", shape.policy_planes);
  visit("value planes", shape.value_planes);
  visit("hidden values", shape.value_hidden);
}

constexpr BlockKind last_of(BlockKind) { return BlockKind::pre_activation; }
constexpr Activation last_of(Activation) { return Activation::silu; }

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}
  void bytes(const void* data, std::size_t size) {
    checksum_.process_bytes(data, size);
    out_.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  }
  void number(std::uint32_t value) { bytes(&value, sizeof value); }
  void finish() {
    const std::uint32_t sum = checksum_.checksum();
    out_.write(reinterpret_cast<const char*>(&sum), sizeof sum);
  }

 private:
  std::ostream& out_;
  boost::crc_32_type checksum_;
};

// After the first failure everything else fails too.
class ContainerReader {
 public:
  ContainerReader(std::istream& in, std::uint64_t size) : in_(in), size_(size) {}

  std::expected<Container, std::string> read() {
    Container out;
    std::array<char, kContainerMagic.size()> magic{};
    bytes(magic.data(), magic.size(), "the head");
    if (std::string_view(magic.data(), magic.size()) != kContainerMagic) fail("it does not begin as a network does");
    const std::uint32_t version = number("the version");
    if (version < 1 || version > 2) fail(fmt::format("its version is {}, 1 and 2 are read", version));
    precision_ = static_cast<Precision>(version);
    const Shape shape = read_shape();
    out.remark = remark();
    check_length(shape);
    if (!error_.empty()) return std::unexpected(error_);
    out.model = Model::zeros(shape);
    for_each_tensor(out.model, [&](const std::string& name, std::vector<float>& values) { weights(values, name); });
    const std::uint32_t computed = checksum_.checksum(), written = number("the checksum");
    if (computed != written) {
      fail(fmt::format("it is damaged: its checksum is {:08x} where {:08x} is written", computed, written));
    }
    if (error_.empty()) {
      if (const auto numbers = check_numbers(out.model); !numbers) fail(numbers.error());
    }
    if (!error_.empty()) return std::unexpected(error_);
    return out;
  }

 private:
  void fail(std::string error) {
    if (error_.empty()) error_ = std::move(error);
  }

  void bytes(void* out, std::uint64_t count, std::string_view what) {
    if (!error_.empty()) return;
    if (count > size_ - position_) {
      return fail(fmt::format("it ends within {}: {} bytes from offset {} on are expected, {} are there", what, count,
                              position_, size_ - position_));
    }
    if (!in_.read(static_cast<char*>(out), static_cast<std::streamsize>(count))) {
      return fail(fmt::format("{} cannot be read at offset {}", what, position_));
    }
    checksum_.process_bytes(out, count);
    position_ += count;
  }

  std::uint32_t number(std::string_view what) {
    std::uint32_t value = 0;
    bytes(&value, sizeof value, what);
    return value;
  }

  void weights(std::vector<float>& values, const std::string& name) {
    if (precision_ == Precision::floats) return bytes(values.data(), values.size() * sizeof(float), name);
    std::vector<std::uint16_t> halves(values.size());
    bytes(halves.data(), halves.size() * sizeof(std::uint16_t), name);
    std::ranges::transform(halves, values.begin(), from_half);
  }

  Shape read_shape() {
    Shape shape;
    for_each_number(shape, [&](std::string_view what, auto& value) {
      const std::uint32_t found = number(what);
      if constexpr (std::is_enum_v<std::remove_reference_t<decltype(value)>>) {
        const auto most = static_cast<std::uint32_t>(last_of(value));
        if (found > most) fail(fmt::format("its {} is {}, 0 to {} are known", what, found, most));
        value = static_cast<std::remove_reference_t<decltype(value)>>(std::min(found, most));
      } else {
        value = found;
      }
    });
    if (const std::string fault = shape.fault(); !fault.empty()) fail("it asks for " + fault);
    return shape;
  }

  std::string remark() {
    const std::uint32_t length = number("the length of the remark");
    if (length > kLongestRemark) {
      fail(fmt::format("its remark has {} bytes, at most {} are read", length, kLongestRemark));
    }
    std::string text(error_.empty() ? length : 0, '\0');
    bytes(text.data(), text.size(), "the remark");
    return text;
  }

  void check_length(const Shape& shape) {
    if (!error_.empty()) return;
    const std::uint64_t expected = position_ + shape.parameters() * weight_bytes(precision_) + kChecksumBytes;
    if (expected != size_) {
      fail(fmt::format("it has {} bytes where {} has {}", size_, shape.name(), expected));
    }
  }

  std::istream& in_;
  std::uint64_t size_, position_ = 0;
  Precision precision_ = Precision::floats;
  boost::crc_32_type checksum_;
  std::string error_;
};

}  // namespace

void write_container(const Model& model, std::string_view remark, std::ostream& out, Precision precision) {
  Writer writer(out);
  writer.bytes(kContainerMagic.data(), kContainerMagic.size());
  writer.number(static_cast<std::uint32_t>(precision));
  for_each_number(model.shape,
                  [&](std::string_view, const auto& value) { writer.number(static_cast<std::uint32_t>(value)); });
  remark = remark.substr(0, kLongestRemark);
  writer.number(static_cast<std::uint32_t>(remark.size()));
  writer.bytes(remark.data(), remark.size());
  for_each_tensor(model, [&](const std::string&, const std::vector<float>& values) {
    if (precision == Precision::floats) return writer.bytes(values.data(), values.size() * sizeof(float));
    std::vector<std::uint16_t> halves(values.size());
    std::ranges::transform(values, halves.begin(), to_half);
    writer.bytes(halves.data(), halves.size() * sizeof(std::uint16_t));
  });
  writer.finish();
}

std::expected<void, std::string> check_halves(const Model& model) {
  std::string fault;
  for_each_tensor(model, [&](const std::string& name, const std::vector<float>& values) {
    const auto found = std::ranges::find_if(values, [](float value) { return !(std::abs(value) <= kLargestHalf); });
    if (fault.empty() && found != values.end()) {
      fault = fmt::format("{} holds {} at {}, which 16 bits cannot", name, *found, found - values.begin());
    }
  });
  if (!fault.empty()) return std::unexpected(fault);
  return {};
}

std::expected<Container, std::string> read_container(std::istream& in, std::uint64_t size) {
  return ContainerReader(in, size).read();
}

}  // namespace fuhyo::nn
