#include "server/core/games/conduct.h"

#include <algorithm>

namespace fuhyo::core {

void Conduct::aborted(std::string_view id, Instant now) {
  Player& player = touch(id, now);
  ++player.aborted;
  player.late.push_back(now);
  if (player.late.size() > limits_.free_aborts + 1) player.late.pop_front();
}

void Conduct::abandoned(std::string_view id, Instant now) { ++touch(id, now).abandoned; }

void Conduct::met_neighbour(std::string_view id, Instant now) { ++touch(id, now).same_network; }

std::int64_t Conduct::cools_us(std::string_view id, Instant now) const {
  const auto found = players_.find(id);
  if (found == players_.end()) return 0;
  const std::deque<Instant>& late = found->second.late;
  if (late.size() <= limits_.free_aborts || late.back() - late.front() > limits_.counted_us) return 0;
  return std::max<std::int64_t>(0, limits_.cool_down_us - (now - late.back()));
}

// Linear where somebody has to go: that is once a game that was aborted, with all places taken.
Conduct::Player& Conduct::touch(std::string_view id, Instant now) {
  auto found = players_.find(id);
  if (found == players_.end()) {
    if (players_.size() >= limits_.players) {
      players_.erase(std::ranges::min_element(players_, {}, [](const auto& entry) { return entry.second.last; }));
    }
    found = players_.emplace(id, Player{}).first;
  }
  found->second.last = now;
  return found->second;
}

}  // namespace fuhyo::core
