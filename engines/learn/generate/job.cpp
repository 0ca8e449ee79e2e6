#include "engines/learn/generate/job.h"

#include <algorithm>
#include <fmt/format.h>

#include "engines/learn/generate/job_text.h"
#include "engines/shogi/number.h"

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
  const auto first = shogi::take_number<decltype(GameRange::first)>(text);
  const auto count = shogi::number_of<decltype(GameRange::count)>(text.substr(text.starts_with(' ') ? 1 : 0));
  if (!first || !count || !text.starts_with(' ')) return std::unexpected("this is no range of games");
  return GameRange{.first = *first, .count = *count};
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
