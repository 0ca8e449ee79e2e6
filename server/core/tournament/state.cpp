#include "server/core/tournament/state.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "server/core/tournament/words.h"

namespace fuhyo::core::tournament {
namespace {

constexpr std::pair<How, std::string_view> kHows[] = {{How::play, "play"},
                                                      {How::forfeit, "forfeit"},
                                                      {How::adjudicated, "adjudicated"},
                                                      {How::voided, "void"},
                                                      {How::replayed, "replayed"}};

}  // namespace

std::string_view to_string(How how) { return word_of(kHows, how); }
std::optional<How> parse_how(std::string_view word) { return value_of<How>(kHows, word); }

EventState::EventState(const Event& event) : entrants_(event.entrants) {}

void EventState::apply(const Decision& decision) {
  std::visit([this](const auto& one) { on(one); }, decision);
}

const Entrant* EventState::entrant(std::string_view player) const {
  const auto found = std::ranges::find(entrants_, player, &Entrant::player);
  return found == entrants_.end() ? nullptr : &*found;
}

const DivisionState& EventState::division(DivisionKey key) const {
  static const DivisionState kNone;
  const auto found = divisions_.find(key);
  return found == divisions_.end() ? kNone : found->second;
}

bool EventState::is_away(std::string_view player, int stage, int round) const {
  if (const auto gone = left(player); gone && *gone <= Left{stage, round}) return true;
  const auto found = away_.find(player);
  if (found == away_.end()) return false;
  const auto away = found->second.find(stage);
  if (away == found->second.end()) return false;
  return away->second.from <= round && (away->second.until == 0 || round <= away->second.until);
}

std::optional<EventState::Left> EventState::left(std::string_view player) const {
  const auto found = away_.find(player);
  if (found == away_.end()) return std::nullopt;
  for (const auto& [stage, away] : found->second) {
    if (away.until == 0) return Left{stage, away.from};
  }
  return std::nullopt;
}

void EventState::on(const Entered& e) {
  const auto found = std::ranges::find(entrants_, e.entrant.player, &Entrant::player);
  if (found == entrants_.end()) {
    entrants_.push_back(e.entrant);
  } else {
    *found = e.entrant;
  }
}

void EventState::on(const Withdrawn& e) { away_[e.player][e.stage] = {e.from, e.until}; }

void EventState::on(const Returned& e) {
  const auto player = away_.find(e.player);
  if (player == away_.end()) return;
  const auto away = player->second.find(e.stage);
  if (away == player->second.end()) return;
  if (e.from <= away->second.from) {
    player->second.erase(away);
  } else {
    away->second.until = e.from - 1;
  }
}

void EventState::on(const DivisionFormed& e) { divisions_[e.division].members = e.members; }

void EventState::on(const Joined& e) {
  std::vector<Joined>& joined = divisions_[e.division].joined;
  const auto found = std::ranges::find(joined, e.member.player, [](const Joined& j) { return j.member.player; });
  if (found == joined.end()) {
    joined.push_back(e);
  } else {
    *found = e;
  }
}

void EventState::on(const RoundPaired& e) { divisions_[e.division].rounds[e.round] = e; }

void EventState::on(const GameResult& e) { divisions_[e.game.division].results[e.game] = e; }

}  // namespace fuhyo::core::tournament
