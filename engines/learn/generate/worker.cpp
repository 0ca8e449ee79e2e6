#include "engines/learn/generate/worker.h"

#include <cstdint>
#include <fmt/format.h>
#include <memory>
#include <utility>
#include <vector>

#include "engines/learn/generate/chunk.h"
#include "engines/learn/generate/job.h"
#include "engines/learn/generate/job_text.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;

// What a job needs, made once for all of its chunks.
struct Table {
  std::string text;  // of the job
  Starts starts;
  SelfPlay play;
};

std::expected<std::unique_ptr<Table>, std::string> set_up(const std::string& text) {
  const auto job = parse_self_play_job(text);
  if (!job) return Failure(job.error());
  auto starts = starts_here(*job);
  if (!starts) return Failure(starts.error());
  auto play = SelfPlay::make(job->play);
  if (!play) return Failure(play.error());
  return std::make_unique<Table>(text, std::move(*starts), std::move(*play));
}

std::expected<std::string, std::string> play_range(Table& table, const GameRange& range, const std::stop_token& stop) {
  std::vector<record::ScoredGame> games;
  for (std::uint64_t i = 0; i < range.count; ++i) {
    if (stop.stop_requested()) return Failure("stopped");
    auto game = table.play.play(range.first + i, table.starts);
    if (!game) return Failure(game.error());
    games.push_back(std::move(*game));
  }
  return encode_chunk(games);
}

}  // namespace

jobs::WorkerReport play_for_queue(jobs::Queue& queue, jobs::WorkerOptions options, const std::stop_token& stop) {
  std::unique_ptr<Table> table;
  const jobs::Work work = [&](const jobs::Claim& claim, const std::stop_token& end) -> jobs::Result<std::string> {
    const auto range = parse_game_range(claim.chunk);
    if (!range) return Failure(range.error());
    if (!table || table->text != claim.job) {
      auto made = set_up(claim.job);
      if (!made) return Failure(made.error());
      table = std::move(*made);
    }
    return play_range(*table, *range, end);
  };
  options.wanted.kind = kSelfPlayKind;
  return jobs::run_worker(queue, options, work, stop);
}

}  // namespace fuhyo::learn
