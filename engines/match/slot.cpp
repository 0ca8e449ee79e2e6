#include "engines/match/slot.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engines/match/play.h"
#include "engines/match/simple_players.h"

namespace fuhyo::match {
namespace {

std::int64_t utc_ms() {
  using namespace std::chrono;
  return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

}  // namespace

// A player that exists: an engine process or a built-in player.
struct Slot::Instance {
  Contestant contestant;
  std::unique_ptr<UsiPlayer> engine;
  std::unique_ptr<Player> simple;
  Player* player() const { return engine ? static_cast<Player*>(engine.get()) : simple.get(); }
};

Slot::Slot(SlotOptions options) : options_(std::move(options)) {}
Slot::~Slot() = default;

void Slot::clear() { instances_.clear(); }

std::optional<PlayedGame> Slot::play(Assignment assignment, const std::stop_token& stop) {
  PlayedGame game = std::move(assignment.game);
  for (const std::size_t color : {0UZ, 1UZ}) game.times[color] = assignment.players[color].time;
  const auto players = take(assignment.players);
  auto played = match::play(std::move(game), players, options_.rules, utc_ms, stop);
  if (!played) {
    clear();
    return std::nullopt;
  }
  for (const std::size_t color : {0UZ, 1UZ}) {
    const std::string& name = assignment.players[color].name;
    played->names[color] = name.empty() ? players[color]->name() : name;
  }
  return played;
}

std::array<Player*, 2> Slot::take(const std::array<Contestant, 2>& wanted) {
  std::array<Player*, 2> players{};
  std::vector<Instance> next;
  for (const std::size_t i : {0UZ, 1UZ}) next.push_back(claim(wanted[i]));
  instances_ = std::move(next);  // ends the players that are not needed any more
  for (const std::size_t i : {0UZ, 1UZ}) players[i] = instances_[i].player();
  return players;
}

// The same engine with the same options if it is here; else one of the same name, whose options will be changed.
Slot::Instance Slot::claim(const Contestant& wanted) {
  const auto same = [&](const Instance& instance) {
    return instance.player() != nullptr && instance.contestant == wanted;
  };
  const auto alike = [&](const Instance& instance) {
    return instance.engine && instance.contestant.name == wanted.name &&
           instance.contestant.engine.command == wanted.engine.command &&
           instance.contestant.engine.folder == wanted.engine.folder;
  };
  auto found = std::ranges::find_if(instances_, same);
  if (found == instances_.end()) found = std::ranges::find_if(instances_, alike);
  if (found != instances_.end()) {
    Instance instance = std::move(*found);
    instances_.erase(found);
    instance.contestant = wanted;
    if (instance.engine) instance.engine->set_command(wanted.engine);
    return instance;
  }
  Instance instance{.contestant = wanted, .engine = nullptr, .simple = nullptr};
  if (wanted.simple.empty()) {
    instance.engine = std::make_unique<UsiPlayer>(wanted.engine, wanted.name, options_.cpu, options_.log);
  } else {
    instance.simple = make_simple_player(wanted.simple, options_.seed);
  }
  return instance;
}

}  // namespace fuhyo::match
