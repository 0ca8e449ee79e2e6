#include "engines/learn/policy/checkpoint.h"

#include <array>
#include <bit>
#include <fmt/format.h>
#include <string_view>

#include "engines/learn/data/block.h"
#include "engines/learn/data/taker.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn::policy {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers lie in files as in memory");

constexpr std::string_view kMagic = "FUHYOPTR";
constexpr std::uint32_t kVersion = 1;

template <class AState>
auto arrays(AState& state) {
  return std::array{&state.weights, &state.mean, &state.square, &state.statistics};
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::uint32_t checksum(std::string_view bytes) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

// What comes after the version in a file that is whole.
std::expected<Taker, std::string> open_checkpoint(const std::filesystem::path& file, std::string_view bytes) {
  const auto wrong = [&](std::string_view what) { return std::unexpected(fmt::format("{}: {}", file.string(), what)); };
  Taker in(bytes);
  if (in.bytes(kMagic.size()) != kMagic) return wrong("no checkpoint of a policy and value network");
  if (const auto version = in.number<std::uint32_t>(); version != kVersion) {
    return wrong(fmt::format("a checkpoint of version {}; this program reads version {}", version, kVersion));
  }
  const std::size_t body = bytes.size() - std::min(bytes.size(), sizeof(std::uint32_t));
  Taker end(bytes.substr(body));
  if (end.number<std::uint32_t>() != checksum(bytes.substr(0, body))) {
    return wrong("a damaged checkpoint: its checksum is another one");
  }
  return in;
}

}  // namespace

std::expected<void, std::string> write_checkpoint(const std::filesystem::path& file, const std::string& text,
                                                  const Learner::State& state) {
  std::string out(kMagic);
  put(out, kVersion);
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
  put(out, state.steps);
  for (const Floats* array : arrays(state)) {
    put(out, std::uint64_t{array->size()});
    out.append(reinterpret_cast<const char*>(array->data()), array->size() * sizeof(float));
  }
  put(out, checksum(out));
  return replace_file(file, out);
}

std::expected<std::string, std::string> read_checkpoint_text(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  auto in = open_checkpoint(file, *bytes);
  if (!in) return std::unexpected(in.error());
  return std::string(in->bytes(in->number<std::uint32_t>()));
}

std::expected<Checkpoint, std::string> read_checkpoint(const std::filesystem::path& file, const Layout& layout) {
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  auto in = open_checkpoint(file, *bytes);
  if (!in) return std::unexpected(in.error());
  Checkpoint found;
  found.text = in->bytes(in->number<std::uint32_t>());
  found.state.steps = in->number<std::uint64_t>();
  found.state.weights.resize(layout.size);
  found.state.mean.resize(layout.size);
  found.state.square.resize(layout.size);
  found.state.statistics.resize(layout.statistics);
  for (Floats* array : {&found.state.weights, &found.state.mean, &found.state.square, &found.state.statistics}) {
    in->array(*array);
  }
  in->bytes(sizeof(std::uint32_t));
  if (!in->ok() || !in->empty()) {
    return std::unexpected(fmt::format("{}: a checkpoint of a network of another shape", file.string()));
  }
  return found;
}

}  // namespace fuhyo::learn::policy
