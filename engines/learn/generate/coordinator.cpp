#include "engines/learn/generate/coordinator.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include "engines/jobs/open.h"
#include "engines/jobs/worker.h"
#include "engines/learn/data/game_file.h"
#include "engines/learn/data/work_folder.h"
#include "engines/learn/generate/chunk.h"
#include "engines/record/counted.h"
#include "engines/usi/process.h"

namespace fuhyo::learn {
namespace {

using Failure = std::unexpected<std::string>;
using Clock = std::chrono::steady_clock;
constexpr std::int64_t kLeaseS = 60;
constexpr std::int64_t kLookMs = 500;
constexpr std::int64_t kEndMs = 10'000;  // that a process has to give its chunk back
constexpr int kRestarts = 5;             // of a process that fails
constexpr std::string_view kOwnWorker = "own-process-";

// A process that plays, started again when it fails.
class Player {
 public:
  Player(std::string name, std::vector<std::string> command) : name_(std::move(name)), command_(std::move(command)) {}

  const std::string& name() const { return name_; }
  std::string why_closed() const {
    const std::lock_guard lock(state_->mutex);
    return state_->why;
  }

  std::expected<void, std::string> start() {
    {
      const std::lock_guard lock(state_->mutex);
      state_->closed = false;
    }
    process_.reset();
    auto spawned = usi::ChildProcess::spawn({.command = command_, .show_stderr = true},
                                            {.line = [](const std::string&) {},
                                             .closed =
                                                 [state = state_](const std::string& why) {
                                                   const std::lock_guard lock(state->mutex);
                                                   state->closed = true;
                                                   state->why = why;
                                                 }});
    if (!spawned) return Failure(spawned.error());
    process_ = std::move(*spawned);
    return {};
  }
  bool closed() const {
    const std::lock_guard lock(state_->mutex);
    return state_->closed;
  }
  // One that has ended although there is work left is started again, some times.
  std::expected<void, std::string> revive() {
    if (++failures_ > kRestarts) {
      return Failure(
          fmt::format("a process that plays has ended {} times, the last time by {}", failures_, why_closed()));
    }
    return start();
  }
  void ask_to_end() { process_->close_input(); }

 private:
  struct State {
    mutable std::mutex mutex;
    bool closed = false;
    std::string why;
  };
  std::string name_;
  std::vector<std::string> command_;
  std::shared_ptr<State> state_ = std::make_shared<State>();
  std::unique_ptr<usi::ChildProcess> process_;
  int failures_ = 0;
};

class Generation {
 public:
  Generation(const Coordination& options, std::unique_ptr<jobs::Queue> queue)
      : options_(options), queue_(std::move(queue)), batch_(options.batch) {}

  std::expected<Generated, std::string> run(const std::filesystem::path& file, const std::stop_token& stop) {
    if (const auto added = queue_->add(batch_); !added) return Failure(added.error());
    if (auto got = collect(); !got) return Failure(got.error());
    resumed_ = counted_.games;
    tell();
    if (auto taken = take_over(); !taken) return Failure(taken.error());
    auto watched = played() == batch_.chunks.size() ? std::expected<void, std::string>() : watch(stop);
    if (!watched) return Failure(watched.error());
    Generated result = counted_;
    result.file = file;
    result.complete = played() == batch_.chunks.size();
    if (!result.complete) return result;
    if (auto written = write(file); !written) return Failure(written.error());
    return result;
  }

 private:
  std::size_t played() const { return results_.size(); }

  // What the processes of a former call have begun would wait for their leases: they died with it. Others may live.
  std::expected<void, std::string> take_over() {
    const auto held = queue_->held(batch_.name);
    if (!held) return Failure(held.error());
    std::size_t taken = 0;
    std::set<std::string> others;
    for (const jobs::Lease& lease : *held) {
      if (!lease.worker.starts_with(kOwnWorker)) {
        others.insert(lease.worker);
        continue;
      }
      if (const auto released = queue_->release(lease); !released) return Failure(released.error());
      ++taken;
    }
    if (!options_.say) return {};
    if (taken > 0) options_.say(fmt::format("chunks that a former run had begun, and begin anew: {}", taken));
    if (others.empty()) return {};
    options_.say(fmt::format("chunks that others play: {}, by {}; of who is dead they come back after {} s",
                             held->size() - taken, fmt::join(others, ", "), kLeaseS));
    return {};
  }

  // Its chunk failed with it, so that one on which every process dies is set aside.
  std::expected<void, std::string> revive(Player& player) {
    if (!player.closed()) return {};
    const auto held = queue_->held(batch_.name);
    if (!held) return Failure(held.error());
    for (const jobs::Lease& lease : *held) {
      if (lease.worker != player.name()) continue;
      const auto failed = queue_->fail(lease, "the process that played it ended: " + player.why_closed());
      if (!failed) return Failure(failed.error());
    }
    return player.revive();
  }

  std::expected<void, std::string> watch(const std::stop_token& stop) {
    std::vector<Player> players;
    for (int i = 0; i < options_.processes; ++i) {
      std::vector<std::string> command = options_.worker;
      command.insert(command.end(), {"--name", own_worker(i), (options_.folder / "queue").string(), batch_.name});
      if (auto started = players.emplace_back(own_worker(i), std::move(command)).start(); !started) return started;
    }
    auto told = Clock::now();
    while (!stop.stop_requested() && played() < batch_.chunks.size()) {
      jobs::pause_for(kLookMs, stop);
      if (auto got = collect(); !got) return got;
      if (played() == batch_.chunks.size() || stop.stop_requested()) break;
      for (Player& player : players) {
        if (auto alive = revive(player); !alive) return alive;
      }
      if (Clock::now() - told < std::chrono::seconds(options_.every_s)) continue;
      tell();
      told = Clock::now();
    }
    end(players);
    if (auto got = collect(); !got) return got;  // what was handed in at the last moment
    tell();
    return {};
  }

  static void end(std::vector<Player>& players) {
    for (Player& player : players) player.ask_to_end();
    const auto until = Clock::now() + std::chrono::milliseconds(kEndMs);
    const auto all_closed = [&] { return std::ranges::all_of(players, &Player::closed); };
    while (!all_closed() && Clock::now() < until) jobs::pause_for(10, {});
  }

  // New results; chunks that nobody can play end it.
  std::expected<void, std::string> collect() {
    auto results = queue_->results(batch_.name, known_);
    if (!results) return Failure(results.error());
    for (jobs::ChunkResult& result : *results) {
      const auto size = options_.measure(result.bytes, batch_.chunks[static_cast<std::size_t>(result.chunk)]);
      if (!size) return Failure(fmt::format("result of chunk {}: {}", result.chunk, size.error()));
      counted_.games += size->games;
      counted_.positions += size->positions;
      known_.insert(result.chunk);
      results_.emplace(result.chunk, std::move(result.bytes));
    }
    const auto progress = queue_->progress(batch_.name);
    if (!progress) return Failure(progress.error());
    if (progress->set_aside.empty()) return {};
    return Failure(fmt::format("{} chunks failed too often; the first, {}: {}", progress->set_aside.size(),
                               progress->set_aside.front().chunk, progress->set_aside.front().why));
  }

  std::expected<void, std::string> write(const std::filesystem::path& file) {
    std::filesystem::path unfinished = file;
    unfinished += ".unfinished";
    std::error_code ignored;
    std::filesystem::remove(unfinished, ignored);
    if (auto written = options_.write(unfinished, results_); !written) return written;
    std::error_code error;
    std::filesystem::rename(unfinished, file, error);
    if (error) return Failure(fmt::format("{}: {}", file.string(), error.message()));
    std::filesystem::remove_all(options_.folder / "queue", ignored);  // it is all in the file now
    return {};
  }

  void tell() {
    if (!options_.say) return;
    const double seconds = std::chrono::duration<double>(Clock::now() - began_).count();
    const std::uint64_t here = counted_.games - resumed_;
    std::string rate;
    if (here > 0) {
      const double per_second = static_cast<double>(here) / seconds;
      const auto left = static_cast<std::int64_t>(static_cast<double>(options_.games - counted_.games) / per_second);
      rate = fmt::format(", {:.1f} games/s, {:.0f} positions/s, {}:{:02} left", per_second,
                         per_second * static_cast<double>(counted_.positions) / static_cast<double>(counted_.games),
                         left / 60, left % 60);
    }
    options_.say(fmt::format("{} of {}, {}{}{}", counted_.games, record::counted(options_.games, "game"),
                             record::counted(counted_.positions, "position"), rate,
                             options_.remark ? options_.remark() : ""));
  }

  const Coordination& options_;
  std::unique_ptr<jobs::Queue> queue_;
  const jobs::Batch& batch_;
  std::set<std::int64_t> known_;
  std::map<std::int64_t, std::string> results_;
  Generated counted_;
  std::uint64_t resumed_ = 0;
  Clock::time_point began_ = Clock::now();
};

// ---- games with scores ----

std::expected<void, std::string> write_games(const std::filesystem::path& file, const std::string& made_by,
                                             const std::map<std::int64_t, std::string>& results) {
  auto writer = GameWriter::create(file, made_by);
  if (!writer) return Failure(writer.error());
  for (const auto& [chunk, bytes] : results) {
    const auto games = decode_chunk(bytes);
    if (!games) return Failure(fmt::format("result of chunk {}: {}", chunk, games.error()));
    for (const record::ScoredGame& game : *games) {
      if (auto added = writer->append(game); !added) return added;
    }
  }
  if (auto flushed = writer->flush(); !flushed) return Failure(flushed.error());
  return {};
}

std::expected<ChunkSize, std::string> measure_games(const std::filesystem::path& file) {
  auto reader = GameReader::open(file, record::MoveCheck::trusted);
  if (!reader) return Failure(reader.error());
  ChunkSize found;
  while (true) {
    const auto game = reader->next();
    if (!game) return Failure(game.error());
    if (!*game) return found;
    ++found.games;
    found.positions += searched(**game);
  }
}

}  // namespace

std::string own_worker(int number) { return fmt::format("{}{}", kOwnWorker, number); }

std::vector<std::string> play_command(const std::string& program) {
  return {program, "play", "--until-eof", "--drain", "--lease", std::to_string(kLeaseS)};
}

std::expected<Generated, std::string> generate(const GenerateOptions& options, const std::stop_token& stop) {
  Coordination asked = coordination_of(options, "self-play.games");
  asked.measure = [](std::string_view bytes, std::string_view) { return measure_chunk(bytes); };
  asked.write = [&](const auto& file, const auto& results) { return write_games(file, asked.batch.payload, results); };
  asked.measure_file = measure_games;
  return coordinate(asked, stop);
}

std::expected<Generated, std::string> coordinate(const Coordination& options, const std::stop_token& stop) {
  const std::filesystem::path file = options.folder / options.file;
  if (std::filesystem::exists(file)) {
    const auto size = options.measure_file(file);
    if (!size) return Failure(size.error());
    return Generated{.file = file, .games = size->games, .positions = size->positions, .complete = true};
  }
  const auto lock = take_folder(options.folder, "self-play.lock");
  if (!lock) return Failure(lock.error());
  auto queue = jobs::open_queue((options.folder / "queue").string(), {.lease_ms = kLeaseS * 1000});
  if (!queue) return Failure(queue.error());
  return Generation(options, std::move(*queue)).run(file, stop);
}

}  // namespace fuhyo::learn
