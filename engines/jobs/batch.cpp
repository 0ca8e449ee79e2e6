#include "engines/jobs/batch.h"

#include <algorithm>
#include <fmt/format.h>

namespace fuhyo::jobs {
namespace {

bool is_name_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '+';
}

// FNV-1a over texts of known lengths: the border between two of them counts.
class Hash {
 public:
  void add(std::string_view text) {
    add_number(text.size());
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  void add_number(std::uint64_t number) {
    for (int i = 0; i < 8; ++i, number >>= 8U) add_byte(static_cast<unsigned char>(number & 0xFFU));
  }
  std::int64_t value() const { return static_cast<std::int64_t>(hash_ >> 1U); }

 private:
  void add_byte(unsigned char byte) { hash_ = (hash_ ^ byte) * 0x100000001b3; }
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace

bool is_name(std::string_view text) {
  return !text.empty() && text.size() <= kMaxName && text.front() != '.' &&
         std::ranges::all_of(text, is_name_character);
}

std::string as_name(std::string_view text) {
  std::string name(text.substr(0, kMaxName));
  std::ranges::replace_if(name, [](char c) { return !is_name_character(c); }, '-');
  if (name.empty()) return "-";
  if (name.front() == '.') name.front() = '-';
  return name;
}

std::expected<void, std::string> check(const Batch& batch) {
  const auto refuse = [](std::string why) { return std::unexpected(std::move(why)); };
  if (!is_name(batch.name)) return refuse(fmt::format("'{}' is no name of a batch", batch.name));
  if (!is_name(batch.kind)) return refuse(fmt::format("'{}' is no kind of work", batch.kind));
  if (batch.attempts < 1) return refuse(fmt::format("batch {}: {} attempts are none", batch.name, batch.attempts));
  if (batch.chunks.empty()) return refuse(fmt::format("batch {} has no chunks", batch.name));
  if (batch.chunks.size() > kMaxChunks) {
    return refuse(fmt::format("batch {} has {} chunks; {} are allowed", batch.name, batch.chunks.size(), kMaxChunks));
  }
  if (batch.payload.size() > kMaxPayload) {
    return refuse(fmt::format("batch {} says in {} bytes how to work; {} are allowed", batch.name, batch.payload.size(),
                              kMaxPayload));
  }
  for (std::size_t i = 0; i < batch.chunks.size(); ++i) {
    if (batch.chunks[i].size() <= kMaxPayload) continue;
    return refuse(fmt::format("chunk {} of batch {} has {} bytes; {} are allowed", i, batch.name,
                              batch.chunks[i].size(), kMaxPayload));
  }
  return {};
}

std::int64_t digest(const Batch& batch) {
  Hash hash;
  hash.add(batch.kind);
  hash.add(batch.payload);
  hash.add_number(static_cast<std::uint64_t>(batch.attempts));
  hash.add_number(batch.chunks.size());
  for (const std::string& chunk : batch.chunks) hash.add(chunk);
  return hash.value();
}

}  // namespace fuhyo::jobs
