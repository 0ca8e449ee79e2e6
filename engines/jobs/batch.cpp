#include "engines/jobs/batch.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/jobs/fingerprint.h"

namespace fuhyo::jobs {
namespace {

bool is_name_character(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.' || c == '+';
}

// With its length: the border between two texts counts.
void add_text(Fingerprint& print, std::string_view text) {
  print.add_number(text.size());
  print.add(text);
}

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
  Fingerprint print;
  add_text(print, batch.kind);
  add_text(print, batch.payload);
  print.add_number(static_cast<std::uint64_t>(batch.attempts));
  print.add_number(batch.chunks.size());
  for (const std::string& chunk : batch.chunks) add_text(print, chunk);
  return static_cast<std::int64_t>(print.value() >> 1U);
}

}  // namespace fuhyo::jobs
