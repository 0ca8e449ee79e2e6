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

struct Slot::Seat {
  Contestant contestant;
  std::unique_ptr<UsiPlayer> engine;
  std::unique_ptr<Player> simple;
  Player* player() const { return engine ? static_cast<Player*>(engine.get()) : simple.get(); }
};

Slot::Slot(SlotOptions options) : options_(std::move(options)) {}
Slot::~Slot() = default;

void Slot::clear() { seats_.clear(); }

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
  std::vector<Seat> next;
  for (const std::size_t i : {0UZ, 1UZ}) next.push_back(claim(wanted[i]));
  seats_ = std::move(next);  // who is not needed any more is sent home
  for (const std::size_t i : {0UZ, 1UZ}) players[i] = seats_[i].player();
  return players;
}

// The same engine with the same options if it is here; else one of the same name, whose options will be changed.
Slot::Seat Slot::claim(const Contestant& wanted) {
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
    seat.engine = std::make_unique<UsiPlayer>(wanted.engine, wanted.name, options_.cpu, options_.log);
  } else {
    seat.simple = make_simple_player(wanted.simple, options_.seed);
  }
  return seat;
}

}  // namespace fuhyo::match
