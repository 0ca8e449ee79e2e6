#include "engines/learn/generate/policy/saved_games.h"

#include <bit>
#include <cstring>

#include "engines/jobs/fingerprint.h"
#include "engines/learn/data/block.h"
#include "engines/learn/data/whole_file.h"

namespace fuhyo::learn {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers lie in files as in memory");

constexpr std::string_view kKeptMagic = "FuhyoPK\n";
constexpr std::uint32_t kKeptVersion = 1;

std::uint32_t kept_sum(std::string_view bytes) {
  return crc32c({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

template <class T>
void put_kept(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string kept_head(std::string_view job, std::uint64_t first, std::uint64_t games) {
  jobs::Fingerprint print;
  print.add(job);
  std::string out(kKeptMagic);
  put_kept(out, kKeptVersion);
  put_kept(out, print.value());
  put_kept(out, first);
  put_kept(out, games);
  return out;
}

template <class T>
std::optional<T> take_kept(std::string_view& bytes) {
  T value{};
  if (bytes.size() < sizeof value) return std::nullopt;
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

}  // namespace

std::expected<void, std::string> save_games(const std::filesystem::path& file, std::string_view job,
                                            std::uint64_t first, std::span<const PolicyGame> games) {
  std::string out = kept_head(job, first, games.size());
  for (const PolicyGame& game : games) {
    record::Bytes bytes;
    if (!record::append_hcpe3(bytes, game.record)) return std::unexpected("a game has more moves than hcpe3 holds");
    put_kept(out, static_cast<std::uint8_t>(game.over ? 1 : 0));
    put_kept(out, static_cast<std::uint32_t>(bytes.size()));
    out.append(bytes.begin(), bytes.end());
  }
  put_kept(out, kept_sum(out));
  return replace_file(file, out);
}

std::optional<std::vector<PolicyGame>> read_saved_games(const std::filesystem::path& file, std::string_view job,
                                                        std::uint64_t first, std::size_t games) {
  const auto bytes = read_file(file);
  const std::string head = kept_head(job, first, games);
  if (!bytes || bytes->size() < head.size() + sizeof(std::uint32_t) || !bytes->starts_with(head)) return std::nullopt;
  std::string_view left = *bytes;
  std::string_view sum = left.substr(left.size() - sizeof(std::uint32_t));
  left.remove_suffix(sizeof(std::uint32_t));
  if (take_kept<std::uint32_t>(sum) != kept_sum(left)) return std::nullopt;
  left.remove_prefix(head.size());
  std::vector<PolicyGame> out(games);
  for (PolicyGame& game : out) {
    const auto over = take_kept<std::uint8_t>(left);
    const auto size = take_kept<std::uint32_t>(left);
    if (!over || !size || *size > left.size()) return std::nullopt;
    const record::ByteView view(reinterpret_cast<const std::uint8_t*>(left.data()), *size);
    if (const auto wanted = record::hcpe3_size(view); !wanted || *wanted != *size) return std::nullopt;
    auto record = record::hcpe3(view);
    if (!record) return std::nullopt;
    game = {.record = *std::move(record), .over = *over != 0};
    left.remove_prefix(*size);
  }
  return out;
}

}  // namespace fuhyo::learn
