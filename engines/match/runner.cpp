#include "engines/match/runner.h"

#include <algorithm>
#include <fmt/format.h>
#include <mutex>
#include <thread>

namespace fuhyo::match {

void Runner::run(const RunnerOptions& options, const Source& source, const Sink& sink, const std::stop_token& stop) {
  std::mutex mutex, log_mutex;
  const auto log_of = [&](int slot) -> UsiPlayer::Log {
    if (!options.log) return {};
    return [&, slot](std::string_view name, char direction, std::string_view line) {
      const std::lock_guard lock(log_mutex);
      options.log(options.concurrency > 1 ? fmt::format("{}#{}", name, slot + 1) : std::string(name), direction, line);
    };
  };
  const auto next = [&] {
    const std::lock_guard lock(mutex);
    return stop.stop_requested() ? std::nullopt : source();
  };
  const auto work = [&](int number) {
    const auto index = static_cast<std::size_t>(number);
    Slot slot({.rules = options.rules,
               .seed = options.seed,
               .cpu = index < options.cores.size() ? options.cores[index] : -1,
               .log = log_of(number)});
    while (auto assignment = next()) {
      auto played = slot.play(std::move(*assignment), stop);
      if (!played) return;
      const std::lock_guard lock(mutex);
      sink(std::move(*played));
    }
  };
  std::vector<std::jthread> slots;
  for (int slot = 0; slot < std::max(options.concurrency, 1); ++slot) slots.emplace_back(work, slot);
}

std::expected<std::string, std::string> Runner::try_out(const Contestant& contestant, const std::stop_token& stop) {
  if (!contestant.simple.empty()) return contestant.name.empty() ? contestant.simple : contestant.name;
  UsiPlayer player(contestant.engine, contestant.name);
  if (auto started = player.new_game({.stop = stop}); !started) return std::unexpected(started.error().why);
  const auto refused = player.refused_options();
  if (!refused.empty()) return std::unexpected(fmt::format("{}", fmt::join(refused, "; ")));
  return player.name();
}

}  // namespace fuhyo::match
