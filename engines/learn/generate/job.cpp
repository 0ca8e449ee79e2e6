#include "engines/learn/generate/job.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "engines/learn/generate/job_text.h"

namespace fuhyo::learn {

namespace {

namespace json = boost::json;
using Failure = std::unexpected<std::string>;

}  // namespace

std::expected<void, std::string> take_fingerprints(SelfPlayJob& job) {
  auto network = file_print(job.play.network), openings = file_print(job.openings);
  if (!network) return Failure(network.error());
  if (!openings) return Failure(openings.error());
  job.network_print = std::move(*network);
  job.openings_print = std::move(*openings);
  return {};
}

std::string to_text(const SelfPlayJob& job) {
  const SelfPlayTerms& play = job.play;
  return json::serialize(json::object{{"fuhyoSelfPlay", 1},
                                      {"network", play.network},
                                      {"networkPrint", job.network_print},
                                      {"fvScale", play.fv_scale},
                                      {"nodes", play.nodes},
                                      {"hashMb", play.hash_mb},
                                      {"mostAtStart", play.most_at_start},
                                      {"adjudicatedAt", play.adjudicated_at},
                                      {"adjudicatedAfter", play.adjudicated_after},
                                      {"toTheEnd", play.to_the_end},
                                      {"drawAtPly", play.draw_at_ply},
                                      {"seed", std::to_string(play.seed)},
                                      {"openings", job.openings},
                                      {"openingsPrint", job.openings_print},
                                      {"firstPly", job.starts.first_ply},
                                      {"lastPly", job.starts.last_ply},
                                      {"randomMoves", job.starts.random_moves}});
}

std::expected<SelfPlayJob, std::string> parse_self_play_job(std::string_view text) {
  const auto object = parse_job_object(text, "fuhyoSelfPlay");
  if (!object) return Failure(object.error());
  SelfPlayJob job;
  JobReader reader(*object);
  reader.text("network", job.play.network);
  reader.text("networkPrint", job.network_print);
  reader.number("fvScale", job.play.fv_scale, 1, 128);
  reader.number("nodes", job.play.nodes, 1, INT64_MAX);
  reader.number("hashMb", job.play.hash_mb, 1, 1 << 20);
  reader.number("mostAtStart", job.play.most_at_start, 1, INT16_MAX);
  reader.number("adjudicatedAt", job.play.adjudicated_at, 1, INT16_MAX);
  reader.number("adjudicatedAfter", job.play.adjudicated_after, 1, 1'000);
  reader.part("toTheEnd", job.play.to_the_end);
  reader.number("drawAtPly", job.play.draw_at_ply, 1, 100'000);
  reader.seed("seed", job.play.seed);
  reader.text("openings", job.openings);
  reader.text("openingsPrint", job.openings_print);
  reader.number("firstPly", job.starts.first_ply, 0, 1'000);
  reader.number("lastPly", job.starts.last_ply, job.starts.first_ply, 1'000);
  reader.number("randomMoves", job.starts.random_moves, 0, 1'000);
  if (!reader.wrong().empty()) return Failure(fmt::format("self-play whose '{}' cannot be read", reader.wrong()));
  return job;
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
  return Failure("this is no range of games");
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
