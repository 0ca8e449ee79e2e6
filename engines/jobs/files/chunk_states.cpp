#include "engines/jobs/files/chunk_states.h"

#include <charconv>
#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

namespace fuhyo::jobs {
namespace {

constexpr std::string_view kReleased = ".released", kFailed = ".failed";

struct Name {
  std::int64_t chunk = 0, fence = 0;
  Mark mark = Mark::claim;
};

// The number at the beginning of the text, which goes on behind it.
std::optional<std::int64_t> take_number(std::string_view& text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || value < 0) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

std::optional<Name> parse(std::string_view text) {
  Name name;
  const auto chunk = take_number(text);
  if (!chunk || !text.starts_with('.')) return std::nullopt;
  text.remove_prefix(1);
  const auto fence = take_number(text);
  if (!fence || *fence == 0) return std::nullopt;
  if (text == kReleased) {
    name.mark = Mark::released;
  } else if (text == kFailed) {
    name.mark = Mark::failed;
  } else if (!text.empty()) {
    return std::nullopt;
  }
  name.chunk = *chunk;
  name.fence = *fence;
  return name;
}

}  // namespace

std::string claim_name(std::int64_t chunk, std::int64_t fence, Mark mark) {
  return fmt::format("{}.{}{}", chunk, fence,
                     mark == Mark::released ? kReleased
                     : mark == Mark::failed ? kFailed
                                            : std::string_view());
}

std::vector<ChunkState> chunk_states(std::size_t chunks, std::span<const std::string> claims,
                                     std::span<const std::string> done) {
  std::vector<ChunkState> states(chunks);
  std::set<std::pair<std::int64_t, std::int64_t>> released, failed;
  for (const std::string& text : claims) {
    const auto name = parse(text);
    if (!name || static_cast<std::size_t>(name->chunk) >= chunks) continue;
    ChunkState& state = states[static_cast<std::size_t>(name->chunk)];
    if (name->fence > state.fence) state.fence = name->fence;
    if (name->mark == Mark::released) released.emplace(name->chunk, name->fence);
    if (name->mark == Mark::failed) failed.emplace(name->chunk, name->fence);
  }
  for (const auto& [chunk, fence] : released) {
    ChunkState& state = states[static_cast<std::size_t>(chunk)];
    if (fence == state.fence) state.ended = true;
  }
  for (const auto& mark : failed) {
    ChunkState& state = states[static_cast<std::size_t>(mark.first)];
    if (mark.second == state.fence) state.ended = true;
    if (released.contains(mark)) continue;
    ++state.failures;
    state.failed_fence = mark.second;  // in rising order
  }
  for (std::string_view text : done) {
    const auto chunk = take_number(text);
    if (chunk && text.empty() && static_cast<std::size_t>(*chunk) < chunks) {
      states[static_cast<std::size_t>(*chunk)].done = true;
    }
  }
  return states;
}

}  // namespace fuhyo::jobs
