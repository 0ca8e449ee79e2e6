#include "engines/learn/policy/sample_file.h"

#include <bit>
#include <cstring>
#include <fmt/format.h>

#include "engines/learn/data/block.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn::policy {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers lie in files as in memory");

constexpr std::string_view kMagic = "FuhyoPS\n";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kSampleBytes = 40;
constexpr std::size_t kLongestText = 1 << 16;
constexpr std::int16_t kNoScore = -32768;
constexpr std::uint8_t kNoResult = 255;

// A sample as it lies in a file.
struct Stored {
  record::Hcp position;
  std::uint16_t move;
  std::int16_t score;
  std::uint8_t result, nothing;
  std::uint16_t ply;
};
static_assert(sizeof(Stored) == kSampleBytes);

template <class T>
void put(std::string& out, const T& value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T number_at(std::string_view bytes, std::size_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

std::uint32_t checksum(std::string_view bytes) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

Stored stored(const Sample& sample) {
  return {.position = sample.position,
          .move = sample.move,
          .score = sample.score.value_or(kNoScore),
          .result = sample.result.value_or(kNoResult),
          .nothing = 0,
          .ply = sample.ply};
}

std::optional<Sample> restored(const Stored& from) {
  if (from.nothing != 0 || (from.result > 2 && from.result != kNoResult)) return {};
  Sample sample{.position = from.position, .move = from.move, .ply = from.ply, .score = {}, .result = {}};
  if (from.score != kNoScore) sample.score = from.score;
  if (from.result != kNoResult) sample.result = from.result;
  return sample;
}

}  // namespace

std::expected<void, std::string> write_samples(const std::filesystem::path& file, std::string_view made_by,
                                               const std::vector<Sample>& samples) {
  std::string out(kMagic);
  out.reserve(made_by.size() + samples.size() * kSampleBytes + 64);
  made_by = made_by.substr(0, kLongestText);
  put(out, kVersion);
  put(out, static_cast<std::uint32_t>(made_by.size()));
  out += made_by;
  put(out, std::uint64_t{samples.size()});
  for (const Sample& sample : samples) put(out, stored(sample));
  put(out, checksum(out));
  return replace_file(file, out);
}

std::expected<SampleFile, std::string> read_samples(const std::filesystem::path& file) {
  const auto bytes = read_file(file);
  if (!bytes) return std::unexpected(bytes.error());
  const auto wrong = [&](const std::string& what) {
    return std::unexpected(fmt::format("{}: {}", file.string(), what));
  };
  const std::string_view all = *bytes;
  if (all.empty()) return wrong("is empty");
  constexpr std::size_t kTextAt = kMagic.size() + 8;
  if (!all.starts_with(kMagic)) return wrong("no file of samples");
  if (all.size() < kTextAt) return wrong("it ends within its head");
  if (const auto version = number_at<std::uint32_t>(all, kMagic.size()); version != kVersion) {
    return wrong(fmt::format("its version is {}, {} is read", version, kVersion));
  }
  const auto length = number_at<std::uint32_t>(all, kMagic.size() + 4);
  if (length > kLongestText)
    return wrong(fmt::format("its text has {} bytes, at most {} are read", length, kLongestText));
  if (all.size() < kTextAt + length + 12) return wrong("it ends within its head");
  const auto count = number_at<std::uint64_t>(all, kTextAt + length);
  const std::size_t first = kTextAt + length + 8, room = all.size() - first - 4;
  if (room % kSampleBytes != 0 || room / kSampleBytes != count) {
    return wrong(fmt::format("it says that it has {} samples of {} bytes, and has {} bytes for them", count,
                             kSampleBytes, room));
  }
  SampleFile out{.made_by = std::string(all.substr(kTextAt, length)), .samples = {}};
  out.checksum = checksum(all.substr(0, all.size() - 4));
  if (const auto written = number_at<std::uint32_t>(all, all.size() - 4); out.checksum != written) {
    return wrong(fmt::format("it is damaged: its checksum is {:08x} where {:08x} is written", out.checksum, written));
  }
  out.samples.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = first + i * kSampleBytes;
    const auto sample = restored(number_at<Stored>(all, at));
    if (!sample) return wrong(fmt::format("sample {} at offset {} says what no sample says", i, at));
    out.samples.push_back(*sample);
  }
  return out;
}

}  // namespace fuhyo::learn::policy
