#include "engines/learn/generate/job.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "engines/learn/generate/job_text.h"

namespace fuhyo::learn {
namespace {

constexpr std::string_view kSelfPlayMark = "fuhyoSelfPlay";

}  // namespace

std::expected<void, std::string> take_fingerprints(SelfPlayJob& job) { return take_prints(job); }

std::string to_text(const SelfPlayJob& job) { return job_text(job, kSelfPlayMark); }

std::expected<SelfPlayJob, std::string> parse_self_play_job(std::string_view text) {
  return parse_job<SelfPlayJob>(text, kSelfPlayMark);
}

std::string to_text(const GameRange& range) { return fmt::format("{} {}", range.first, range.count); }

std::expected<GameRange, std::string> parse_game_range(std::string_view text) {
  GameRange range;
  const char* const end = text.data() + text.size();
  const auto [space, bad_first] = std::from_chars(text.data(), end, range.first);
  if (bad_first == std::errc() && space != end && *space == ' ') {
    const auto [rest, bad_count] = std::from_chars(space + 1, end, range.count);
    if (bad_count == std::errc() && rest == end) return range;
  }
  return std::unexpected("this is no range of games");
}

jobs::Batch in_chunks(std::string_view kind, std::string payload, const GameRange& games, std::uint64_t per_chunk) {
  jobs::Batch batch{.name = {}, .kind = std::string(kind), .payload = std::move(payload), .chunks = {}};
  for (std::uint64_t done = 0; done < games.count; done += per_chunk) {
    batch.chunks.push_back(to_text(GameRange{games.first + done, std::min(per_chunk, games.count - done)}));
  }
  batch.name = fmt::format("{}-{:016x}", kind, jobs::digest(batch));
  return batch;
}

jobs::Batch to_batch(const SelfPlayJob& job, const GameRange& games, std::uint64_t per_chunk) {
  return in_chunks(kSelfPlayKind, to_text(job), games, per_chunk);
}

}  // namespace fuhyo::learn
