#include "engines/match/queue/coordinator.h"

#include <fmt/format.h>
#include <optional>
#include <set>
#include <utility>

#include "engines/match/queue/job.h"

namespace fuhyo::match {
namespace {

class Coordinator {
 public:
  Coordinator(Match& match, jobs::Queue& queue, const QueueMatchOptions& options, const Match::Told& told)
      : match_(match),
        queue_(queue),
        options_(options),
        told_(told),
        batch_(to_batch(match, options.batch, options.encounters)) {}

  MatchEnd run(const std::stop_token& stop) {
    if (is_over()) return *end_;
    bool added = false;
    while (!stop.stop_requested()) {
      if (!added) added = add();
      if (added && !end_) collect();
      if (end_) break;
      options_.pause(options_.poll_ms, stop);
    }
    return end_.value_or(MatchEnd::interrupted);
  }

 private:
  void end(MatchEnd end) { end_ = end; }
  void give_up(std::string why) {
    end_ = MatchEnd::faulty;
    match_.give_up(MatchEnd::faulty, std::move(why));
  }
  // A queue that is away says so once.
  void complain(const std::string& why) {
    if (why != complained_ && options_.say) options_.say(why);
    complained_ = why;
  }

  // By what the ledger says: nothing is put in then.
  bool is_over() {
    if (const auto enough = match_.enough()) {
      end(*enough);
    } else if (match_.standings().games() == match_.schedule().games()) {
      end(MatchEnd::played);
    }
    return end_.has_value();
  }

  bool add() {
    const auto there = queue_.batches();
    if (!there) {
      complain(there.error());
      return false;
    }
    const auto added = queue_.add(batch_);
    if (!added) {
      give_up(added.error());
    } else if (options_.say) {
      options_.say(fmt::format("batch {}: {} chunks {}", batch_.name, batch_.chunks.size(),
                               *added ? "wait for workers" : "are in the queue already"));
    }
    return added.has_value();
  }

  // In this order: whatever is complete then has been seen whole.
  void collect() {
    const auto progress = queue_.progress(batch_.name);
    const auto results = progress ? queue_.results(batch_.name, known_)
                                  : jobs::Result<std::vector<jobs::ChunkResult>>(std::unexpected(progress.error()));
    if (!results) return complain(results.error());
    complained_.clear();
    for (const jobs::ChunkResult& result : *results) {
      take(result);
      if (end_) return finish();
    }
    if (known_.size() == batch_.chunks.size()) return end(MatchEnd::played);
    if (progress->cancelled) return give_up(fmt::format("batch {} has been cancelled", batch_.name));
    if (progress->complete() && !progress->set_aside.empty()) {
      const jobs::SetAside& first = progress->set_aside.front();
      give_up(
          fmt::format("{} chunks were set aside; chunk {}: {}", progress->set_aside.size(), first.chunk, first.why));
    }
  }

  void take(const jobs::ChunkResult& result) {
    known_.insert(result.chunk);
    const auto planned = parse_games(batch_.chunks[static_cast<std::size_t>(result.chunk)]);
    const auto games = parse_games(result.bytes);
    const auto refuse = [&](std::string_view why) {
      give_up(fmt::format("chunk {} by {}: {}", result.chunk, result.worker, why));
    };
    if (!games) return refuse(games.error());
    if (games->size() != planned->size()) return refuse("these are not its games");
    for (std::size_t i = 0; i < games->size(); ++i) {
      const PlayedGame &game = (*games)[i], &plan = (*planned)[i];
      const bool same = game.number == plan.number && game.engines == plan.engines && game.opening == plan.opening;
      if (!same) return refuse("these are not its games");
    }
    for (const PlayedGame& game : *games) {
      if (match_.is_played(game.number)) continue;
      end_ = match_.add(game);
      if (end_ != MatchEnd::unwritable) told_(game);
      if (end_) return;
    }
  }

  // The match is over before all was played: nobody need play the rest. One that cannot be written goes on later.
  void finish() {
    if (end_ == MatchEnd::unwritable) return;
    const auto cancelled = queue_.cancel(batch_.name);
    if (!cancelled && options_.say) options_.say(fmt::format("the rest could not be cancelled: {}", cancelled.error()));
  }

  Match& match_;
  jobs::Queue& queue_;
  const QueueMatchOptions& options_;
  const Match::Told& told_;
  const jobs::Batch batch_;
  std::set<std::int64_t> known_;
  std::string complained_;
  std::optional<MatchEnd> end_;
};

}  // namespace

MatchEnd run_over_queue(Match& match, jobs::Queue& queue, const QueueMatchOptions& options, const Match::Told& told,
                        const std::stop_token& stop) {
  return Coordinator(match, queue, options, told).run(stop);
}

}  // namespace fuhyo::match
