#include "engines/learn/train/checkpoint.h"

#include <bit>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <string_view>

#include <boost/crc.hpp>

#include "engines/learn/data/taker.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers lie in files as in memory");

constexpr std::string_view kMagic = "FUHYOTRN";
constexpr std::uint32_t kVersion = 1;

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

void put(std::string& out, const Tensors& tensors) {
  for (const Floats& part : tensors) {
    put(out, std::uint64_t{part.size()});
    out.append(reinterpret_cast<const char*>(part.data()), part.size() * sizeof(float));
  }
}

std::uint32_t checksum(std::string_view bytes) {
  boost::crc_32_type crc;
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

}  // namespace

std::expected<void, std::string> write_checkpoint(const std::filesystem::path& file, const std::string& text,
                                                  const Learner& learner) {
  const bool largest = !learner.largest()[Part::rows].empty();
  std::string out(kMagic);
  put(out, kVersion);
  put(out, static_cast<std::uint32_t>(text.size()));
  out += text;
  put(out, learner.steps());
  put(out, std::uint32_t{largest ? 4U : 3U});
  put(out, learner.model().weights());
  put(out, learner.mean());
  put(out, learner.square());
  if (largest) put(out, learner.largest());
  put(out, checksum(out));
  return replace_file(file, out);
}

std::expected<Checkpoint, std::string> read_checkpoint(const std::filesystem::path& file, const Model& model) {
  const auto wrong = [&](std::string_view what) { return std::unexpected(fmt::format("{}: {}", file.string(), what)); };
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  Taker in(*bytes);
  if (in.bytes(kMagic.size()) != kMagic) return wrong("no checkpoint of a training");
  if (const auto version = in.number<std::uint32_t>(); version != kVersion)
    return wrong(fmt::format("a checkpoint of version {}; this program reads version {}", version, kVersion));
  const std::size_t body = bytes->size() - std::min(bytes->size(), sizeof(std::uint32_t));
  Taker end(std::string_view(*bytes).substr(body));
  if (end.number<std::uint32_t>() != checksum(std::string_view(*bytes).substr(0, body)))
    return wrong("a damaged checkpoint: its checksum is another one");
  Checkpoint found;
  found.text = in.bytes(in.number<std::uint32_t>());
  found.state.steps = in.number<std::uint64_t>();
  const auto groups = in.number<std::uint32_t>();
  found.state.weights = found.state.mean = found.state.square = model.zeros();
  const auto take = [&](Tensors& tensors) {
    for (Floats& part : tensors) in.array(part);
  };
  for (Tensors* tensors : {&found.state.weights, &found.state.mean, &found.state.square}) take(*tensors);
  if (groups == 4) take(found.state.largest = model.zeros());
  in.bytes(sizeof(std::uint32_t));
  if (!in.ok() || !in.empty() || groups < 3 || groups > 4) return wrong("a checkpoint of a network of another shape");
  return found;
}

}  // namespace fuhyo::learn
