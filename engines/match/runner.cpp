#include "engines/match/runner.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <mutex>
#include <thread>

#include "engines/match/play.h"
#include "engines/match/simple_players.h"

namespace fuhyo::match {
namespace {

std::int64_t utc_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

// The players of one slot. An engine that is asked for again with other options keeps its process.
class Bench {
 public:
  Bench(const RunnerTerms& terms, int cpu, UsiPlayer::Log log) : terms_(terms), cpu_(cpu), log_(std::move(log)) {}

  std::array<Player*, 2> take(const std::array<Contestant, 2>& wanted) {
    std::array<Player*, 2> players{};
    std::vector<Seat> next;
    for (const std::size_t i : {0UZ, 1UZ}) next.push_back(claim(wanted[i]));
    seats_ = std::move(next);  // who is not needed any more is sent home
    for (const std::size_t i : {0UZ, 1UZ}) players[i] = seats_[i].player();
    return players;
  }

 private:
  struct Seat {
    Contestant contestant;
    std::unique_ptr<UsiPlayer> engine;
    std::unique_ptr<Player> simple;
    Player* player() const { return engine ? static_cast<Player*>(engine.get()) : simple.get(); }
  };

  // The same engine with the same options if it is here; else one of the same name, whose options will be changed.
  Seat claim(const Contestant& wanted) {
    const auto same = [&](const Seat& seat) { return seat.player() != nullptr && seat.contestant == wanted; };
    const auto alike = [&](const Seat& seat) {
      return seat.engine && seat.contestant.name == wanted.name &&
             seat.contestant.engine.command == wanted.engine.command &&
             seat.contestant.engine.folder == wanted.engine.folder;
    };
    auto found = std::ranges::find_if(seats_, same);
    if (found == seats_.end()) found = std::ranges::find_if(seats_, alike);
    if (found != seats_.end()) {
      Seat seat = std::move(*found);
      seats_.erase(found);
      seat.contestant = wanted;
      if (seat.engine) seat.engine->set_command(wanted.engine);
      return seat;
    }
    Seat seat{.contestant = wanted, .engine = nullptr, .simple = nullptr};
    if (wanted.simple.empty()) {
      seat.engine = std::make_unique<UsiPlayer>(wanted.engine, wanted.name, cpu_, log_);
    } else {
      seat.simple = make_simple_player(wanted.simple, terms_.seed);
    }
    return seat;
  }

  const RunnerTerms& terms_;
  int cpu_;
  UsiPlayer::Log log_;
  std::vector<Seat> seats_;
};

}  // namespace

void Runner::run(const RunnerTerms& terms, const Source& source, const Sink& sink, std::stop_token stop) {
  std::mutex mutex, log_mutex;
  UsiPlayer::Log log;
  if (terms.log) {
    log = [&](std::string_view name, char direction, std::string_view line) {
      const std::lock_guard lock(log_mutex);
      terms.log(name, direction, line);
    };
  }
  const auto next = [&] {
    const std::lock_guard lock(mutex);
    return stop.stop_requested() ? std::nullopt : source();
  };
  const auto work = [&](int slot) {
    const auto index = static_cast<std::size_t>(slot);
    Bench bench(terms, index < terms.cores.size() ? terms.cores[index] : -1, log);
    while (auto assignment = next()) {
      PlayedGame game = std::move(assignment->game);
      for (const std::size_t color : {0UZ, 1UZ}) game.times[color] = assignment->players[color].time;
      const auto players = bench.take(assignment->players);
      auto played = play(std::move(game), players, terms.rules, utc_ms, stop);
      if (!played) return;
      for (const std::size_t color : {0UZ, 1UZ}) {
        const std::string& name = assignment->players[color].name;
        played->names[color] = name.empty() ? players[color]->name() : name;
      }
      const std::lock_guard lock(mutex);
      sink(std::move(*played));
    }
  };
  std::vector<std::jthread> slots;
  for (int slot = 0; slot < std::max(terms.concurrency, 1); ++slot) slots.emplace_back(work, slot);
}

std::expected<std::string, std::string> Runner::try_out(const Contestant& contestant, std::stop_token stop) {
  if (!contestant.simple.empty()) return contestant.name.empty() ? contestant.simple : contestant.name;
  if (contestant.engine.command.empty()) return std::unexpected(std::string("no command is given"));
  UsiPlayer player(contestant.engine, contestant.name);
  if (auto started = player.new_game({.stop = std::move(stop)}); !started) return std::unexpected(started.error().why);
  const auto unknown = player.unknown_options();
  if (unknown.empty()) return player.name();
  return std::unexpected(fmt::format("the engine has no option '{}'", fmt::join(unknown, "', '")));
}

}  // namespace fuhyo::match
