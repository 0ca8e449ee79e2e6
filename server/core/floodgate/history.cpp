#include "server/core/floodgate/history.h"

#include <algorithm>
#include <iterator>
#include <ranges>

namespace fuhyo::core::floodgate {
namespace {

std::pair<std::string, std::string> in_order(std::string_view a, std::string_view b) {
  return a < b ? std::pair(std::string(a), std::string(b)) : std::pair(std::string(b), std::string(a));
}

bool decided(const Played& game) { return !game.winner.empty() && !game.loser.empty(); }

int points_of(const Played& game, std::string_view id) {
  if (!decided(game)) return 1;
  return game.winner == id ? 2 : 0;
}

}  // namespace

History::Standing& History::touch(const std::string& id, std::uint64_t round) {
  Standing& standing = standings_[id];
  standing.last_round = std::max(standing.last_round, round);
  newest_ = std::max(newest_, round);
  return standing;
}

void History::record(Played game) {
  const int black_had = standing(game.black).half_points;
  const int white_had = standing(game.white).half_points;
  const auto note = [&](const std::string& id, const std::string& opponent, int colour, int more) {
    const std::uint64_t before = standing(id).last_round;
    Standing& s = touch(id, game.round);
    s.balance += colour;
    s.same_colour = s.same_colour * colour > 0 ? s.same_colour + colour : colour;
    s.half_points += points_of(game, id);
    s.float_direction = more;
    if (game.round >= before) s.last_opponent = opponent;
  };
  note(game.black, game.white, 1, white_had > black_had ? 1 : white_had < black_had ? -1 : 0);
  note(game.white, game.black, -1, black_had > white_had ? 1 : black_had < white_had ? -1 : 0);
  std::uint64_t& met = met_[in_order(game.black, game.white)];
  met = std::max(met, game.round);
  if (game.filler) {
    note_sit_out(game.black, game.round);
    note_sit_out(game.white, game.round);
  }
  games_.push_back(std::move(game));
  if (games_.size() > kGames) games_.pop_front();
  forget_old_rounds();
}

void History::sit_out(std::string_view id, std::uint64_t round) {
  Standing& s = touch(std::string(id), round);
  s.half_points += 2;
  s.last_opponent.clear();
  note_sit_out(id, round);
  forget_old_rounds();
}

void History::note_sit_out(std::string_view id, std::uint64_t round) {
  Standing& s = standings_.find(id)->second;
  ++s.byes;
  s.sat_out.push_back(round);
  if (s.sat_out.size() > kRecentRounds) s.sat_out.pop_front();
}

const Played* History::last_decided(std::string_view id) const {
  const auto newest_first = games_ | std::views::reverse;
  const auto found = std::ranges::find_if(
      newest_first, [id](const Played& game) { return decided(game) && (game.black == id || game.white == id); });
  return found == newest_first.end() ? nullptr : &*found;
}

bool History::won_last(std::string_view id) const {
  const Played* game = last_decided(id);
  return game != nullptr && game->winner == id;
}

std::string_view History::last_opponent(std::string_view id) const {
  const Played* game = last_decided(id);
  if (game == nullptr) return {};
  return game->black == id ? game->white : game->black;
}

History::Standing History::standing(std::string_view id) const {
  const auto found = standings_.find(id);
  return found == standings_.end() ? Standing{} : found->second;
}

std::uint64_t History::last_met(std::string_view a, std::string_view b) const {
  const auto found = met_.find(in_order(a, b));
  return found == met_.end() ? 0 : found->second;
}

int History::recent_byes(std::string_view id, std::uint64_t round) const {
  const auto found = standings_.find(id);
  if (found == standings_.end()) return 0;
  return static_cast<int>(std::ranges::count_if(
      found->second.sat_out, [round](std::uint64_t sat_out) { return sat_out + kRecentRounds >= round; }));
}

// Once in kRounds rounds, so that it costs nothing that could be noticed: what is kept spans at most twice that.
void History::forget_old_rounds() {
  if (newest_ < swept_ + kRounds) return;
  swept_ = newest_;
  const auto old = [this](std::uint64_t round) { return round + kRounds < newest_; };
  std::erase_if(met_, [&](const auto& entry) { return old(entry.second); });
  std::erase_if(standings_, [&](const auto& entry) { return old(entry.second.last_round); });
}

}  // namespace fuhyo::core::floodgate
